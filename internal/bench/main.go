package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	rounds := flag.Int("n", 200, "rounds")
	files := flag.Int("files", 1000, "files in the project")
	real := flag.Int("work", 0, "instead: rounds of real work, npm ci, pytest, cargo build, go build, outside and inside")
	flag.Parse()
	if *real > 0 {
		if err := work(*real); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := bench(*rounds, *files); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A contender is one command of every round.
type contender struct {
	name string
	args []string
	env  []string
	dir  string
	took []time.Duration
	used []time.Duration // of the processors, by all its processes
}

func bench(rounds, files int) error {
	dir, err := os.MkdirTemp("", "jail-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := setUp(dir, files)
	if err != nil {
		return err
	}
	all, err := s.contenders()
	if err != nil {
		return err
	}
	if err := measure(all, rounds); err != nil {
		return err
	}
	fmt.Printf("%d rounds, a project of %d files, %d mounts\n", rounds, files, s.mounts)
	report(all, launches)
	large, err := s.large()
	if err != nil {
		return err
	}
	rounds = min(rounds, max(rounds/4, 20))
	if err := measure(large, rounds); err != nil {
		return err
	}
	fmt.Printf("\n%d rounds, a project of %d files in %d directories\n", rounds, largeFiles, largeDirs)
	report(large, walks)
	return nil
}

// measure runs each of them once in every round.
func measure(all []contender, rounds int) error {
	const warm = 5
	for i := -warm; i < rounds; i++ {
		for j := range all {
			c := &all[(i+warm+j)%len(all)] // nobody is always first
			d, _, err := c.run()
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if i >= 0 {
				c.took = append(c.took, d)
			}
		}
	}
	return nil
}

// run starts c, waits for it, and fails where it did.
func (c *contender) run() (took, used time.Duration, err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, 0, err
	}
	defer null.Close()
	fd := null.Fd()
	start := time.Now()
	pid, err := syscall.ForkExec(c.args[0], c.args, &syscall.ProcAttr{Dir: c.dir, Env: c.env, Files: []uintptr{fd, fd, 2}})
	if err != nil {
		return 0, 0, err
	}
	var ws syscall.WaitStatus
	var usage syscall.Rusage
	if _, err := syscall.Wait4(pid, &ws, 0, &usage); err != nil {
		return 0, 0, err
	}
	took = time.Since(start)
	if ws != 0 {
		return 0, 0, fmt.Errorf("%s: status %#x", strings.Join(c.args, " "), int(ws))
	}
	return took, time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}

// A pair is one line of the report: a over b.
type pair struct{ a, b, what string }

// launches are what a command costs in a project of everyday size.
var launches = []pair{
	{"jail", "bwrap", "everything on, against bare bubblewrap with the same mounts"},
	{"jail", "jail, no Landlock", "what Landlock costs"},
	{"jail", "jail, no seccomp", "what seccomp costs"},
	{"jail", "firejail", "against firejail with its default profile"},
	{"jail", "firejail --noprofile", "against firejail without a profile"},
	{"shim outside", "true", "a shim outside of a project, against the program itself"},
	{"shim outside", "a Go program", "the same, against the start of an empty Go program"},
}

func report(all []contender, pairs []pair) {
	fmt.Println()
	for _, c := range all {
		fmt.Printf("%-22s median %7.2f ms   fastest %7.2f ms\n", c.name, ms(median(c.took)), ms(slices.Min(c.took)))
	}
	fmt.Println()
	for _, p := range pairs {
		a, b := find(all, p.a), find(all, p.b)
		if a != nil && b != nil {
			fmt.Printf("%6.3f  %s\n", median(ratios(a.took, b.took)), p.what)
		}
	}
}

func find(all []contender, name string) *contender {
	for i := range all {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}

func ratios(a, b []time.Duration) []float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = float64(a[i]) / float64(b[i])
	}
	return r
}

func median[T float64 | time.Duration](v []T) T {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// program finds an executable, or says that there is none.
func program(name string) (string, bool) {
	p, err := exec.LookPath(name)
	if err != nil {
		return "", false
	}
	p, err = filepath.Abs(p)
	return p, err == nil
}
