// Command bench measures what a launch costs: the wall time of whole processes,
// from fork to wait, beside bubblewrap with the same mounts and beside firejail.
//
// Machines are shared and noisy, so only ratios of one run mean anything: every
// round runs every command once, each round gives its own ratios, and the median
// of these is what is printed.
package main
