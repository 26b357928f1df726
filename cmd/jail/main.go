// The launcher runs for milliseconds and mostly waits: it neither follows its control
// group's share of the processors (the runtime still looks once) nor names its memory.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0
//go:debug decoratemappings=0
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"jail/internal/version"
)

func main() {
	status, sig := run(os.Args, os.Environ(), os.Stdout, os.Stderr)
	if sig != 0 {
		endBySignal(sig)
	}
	os.Exit(status)
}

// run is the whole program. It returns the status to exit with, and the signal to
// end by, if that is how the command ended.
func run(argv, env []string, stdout, stderr io.Writer) (int, syscall.Signal) {
	c := newCaller(argv, env, stderr)
	if name := filepath.Base(argv[0]); name != "jail" {
		return c.report(c.shim(append([]string{name}, argv[1:]...)))
	}
	o, err := split(argv[1:])
	switch {
	case err != nil:
		return c.report(result{}, err)
	case o.help:
		writeHelp(stdout)
		return 0, 0
	case o.version:
		fmt.Fprintf(stdout, "jail %s\n", version.String())
		return 0, 0
	case len(o.args) == 0 && o.explain != "":
		o.args = []string{anyCommand}
	case len(o.args) == 0:
		return c.report(result{}, usagef("no command"))
	}
	if o.timings {
		c.watch = newStopwatch()
	}
	return c.report(c.byHand(o, stdout))
}

// A result is how a command ended.
type result struct {
	code   int
	signal syscall.Signal
}

// report turns a result or an error into words and a status.
func (c *caller) report(r result, err error) (int, syscall.Signal) {
	if err == nil {
		if r.signal != 0 {
			return 128 + int(r.signal), r.signal
		}
		return r.code, 0
	}
	status, cause, hint := explain(err)
	say(c.stderr, cause, hint)
	return status, 0
}
