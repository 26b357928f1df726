// Command walk searches a project for what must be hidden, as the first launch in it
// does, and nothing else: it measures that beside find(1).
package main

import (
	"fmt"
	"os"

	"jail/internal/mask"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: walk DIRECTORY")
		os.Exit(2)
	}
	r, err := mask.Walk(mask.Request{Root: os.Args[1], Patterns: mask.Builtin()})
	if err != nil {
		fmt.Fprintln(os.Stderr, "walk:", err)
		os.Exit(1)
	}
	if len(r.Hits) == 0 {
		fmt.Fprintln(os.Stderr, "walk: nothing was found")
		os.Exit(1)
	}
}
