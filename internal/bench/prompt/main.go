// Command prompt measures what a prompt costs that has nothing to do: the hook's,
// outside of projects and in one, beside direnv's and mise's where they are, in each
// shell, at depth 4.
//
// A shell runs the same line many times and then not at all, and the difference of
// the two is what the lines took: no shell needs a clock for it. Machines are shared
// and noisy, so every round runs everything once, and medians of the rounds and of
// their ratios are what is printed.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"jail/internal/roots"
)

func main() {
	rounds := flag.Int("n", 15, "rounds")
	flag.Parse()
	if err := bench(*rounds); err != nil {
		fmt.Fprintln(os.Stderr, "prompt:", err)
		os.Exit(1)
	}
}

// A set is the directory that a run measures in.
type set struct {
	dir string
	env []string
}

func bench(rounds int) error {
	dir, err := os.MkdirTemp("", "jail-prompt-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := setUp(dir)
	if err != nil {
		return err
	}
	fmt.Printf("%d rounds; a prompt where nothing has changed, at depth 4\n\n", rounds)
	for _, sh := range shells() {
		if _, err := exec.LookPath(sh.name); err != nil {
			fmt.Printf("%s is not installed\n", sh.name)
			continue
		}
		if err := s.report(sh, rounds); err != nil {
			return fmt.Errorf("%s: %w", sh.name, err)
		}
	}
	return nil
}

// setUp builds the programs, and makes a project and a directory outside, both at
// depth 4.
func setUp(dir string) (*set, error) {
	s := &set{dir: dir}
	s.env = []string{
		"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8", "TERM=dumb",
		"XDG_DATA_HOME=" + filepath.Join(dir, "data"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
	}
	for _, sub := range []string{s.project() + "/.ai-jail", s.outside(), filepath.Join(dir, "data"), filepath.Join(dir, "config")} {
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return nil, err
		}
	}
	// Somebody has projects: the list of known roots is read at each prompt.
	var known []string
	for i := range 20 {
		known = append(known, filepath.Join(dir, fmt.Sprintf("src/project-%d", i)))
	}
	if err := roots.Add(filepath.Join(dir, "data/jail"), known...); err != nil {
		return nil, err
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "bin")+"/", "./cmd/jail", "./cmd/jail-hook")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build: %w\n%s", err, out)
	}
	return s, nil
}

// project and outside are at depth 4 where the temporary directory is at depth 2.
func (s *set) project() string { return filepath.Join(s.dir, "a/project") }

func (s *set) outside() string { return filepath.Join(s.dir, "a/outside") }

// A contender is one kind of prompt.
type contender struct {
	name  string
	setup string // what the start-up file has
	line  string // what runs at a prompt
	dir   string
	n     int // how often, in one round
	took  []time.Duration
}

func (s *set) report(sh shell, rounds int) error {
	all := s.contenders(sh)
	for range rounds {
		for i := range all {
			d, err := s.measure(sh, all[i])
			if err != nil {
				return fmt.Errorf("%s: %w", all[i].name, err)
			}
			all[i].took = append(all[i].took, d)
		}
	}
	unit := all[0]
	for _, c := range all {
		// Below what the clock can show a ratio means nothing.
		ratio := "-"
		if r := median(ratios(unit.took, c.took)); r >= 1 {
			ratio = fmt.Sprintf("1/%.0f", r)
		} else if r > 0 {
			ratio = fmt.Sprintf("%.1f", 1/r)
		}
		fmt.Printf("%-5s %-28s median %8.3f ms   against $(/bin/true) %8s\n", sh.name, c.name, ms(median(c.took)), ratio)
	}
	fmt.Println()
	return nil
}

func (s *set) contenders(sh shell) []contender {
	all := []contender{
		{name: "$(/bin/true)", line: sh.substitution, dir: s.outside(), n: 100},
		{name: "jail, outside of projects", setup: sh.load("jail-hook init " + sh.name), line: sh.prompt, dir: s.outside(), n: 1000},
		{name: "jail, in a project", setup: sh.load("jail-hook init " + sh.name), line: sh.prompt, dir: s.project(), n: 1000},
	}
	if _, err := exec.LookPath("direnv"); err == nil {
		all = append(all, contender{name: "direnv, nothing to load", setup: sh.load("direnv hook " + sh.name), line: sh.direnv, dir: s.outside(), n: 30})
	}
	if _, err := exec.LookPath("mise"); err == nil {
		all = append(all, contender{name: "mise, nothing to load", setup: sh.load("mise activate " + sh.name), line: sh.mise, dir: s.outside(), n: 30})
	}
	return all
}

// measure is what one line of c took in this round.
func (s *set) measure(sh shell, c contender) (time.Duration, error) {
	with, err := s.run(sh, c, c.n)
	if err != nil {
		return 0, err
	}
	without, err := s.run(sh, c, 0)
	return max(with-without, 0) / time.Duration(c.n), err
}

func (s *set) run(sh shell, c contender, n int) (time.Duration, error) {
	script := strings.Join([]string{c.setup, "cd " + c.dir, sh.repeat(n, c.line), "true"}, "\n")
	cmd := exec.Command(sh.name, append(sh.args, script)...)
	cmd.Dir, cmd.Env = s.dir, append(s.env, "PWD="+s.dir)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil || len(out) > 0 {
		return 0, fmt.Errorf("%w\n%s", err, out)
	}
	return took, nil
}

func ratios(a, b []time.Duration) []float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = float64(a[i]) / float64(max(b[i], 1))
	}
	return r
}

func median[T float64 | time.Duration](v []T) T {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
