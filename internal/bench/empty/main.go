// Command empty does nothing: it measures the start of a Go program.
package main

func main() {}
