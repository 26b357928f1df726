package escape

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Inside is what the isolated process does: it reads a scene, tries what it says,
// and writes the results.
func Inside() error {
	var s scene
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		return fmt.Errorf("read the scene: %w", err)
	}
	if err := s.make(); err != nil {
		return err
	}
	rows, err := s.chosen()
	if err != nil {
		return err
	}
	all := []Result{}
	for _, r := range rows {
		results, err := s.row(r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		all = append(all, results...)
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}

// chosen are the rows that were asked for, and always the canaries.
func (s *scene) chosen() ([]Row, error) {
	rows, err := Rows()
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, r := range rows {
		known[r.ID] = true
	}
	for _, id := range s.Rows {
		if !known[id] {
			return nil, fmt.Errorf("no row %q", id)
		}
	}
	return slices.DeleteFunc(rows, func(r Row) bool {
		return len(s.Rows) > 0 && !slices.Contains(s.Rows, r.ID) && !r.canary()
	}), nil
}

// row tries one row without a sandbox, and then in each column.
func (s *scene) row(r Row) ([]Result, error) {
	var all []Result
	start := time.Now()
	add := func(c Column, v Verdict, why, output string) {
		all = append(all, Result{Row: r.ID, Column: c.Name, User: s.User, Verdict: v, Why: why, Output: output})
		fmt.Fprintf(os.Stderr, "%-14s %-9s %-9s %5d ms  %-7s %s\n", r.ID, s.User, c.Name, time.Since(start).Milliseconds(), v, why)
		start = time.Now()
	}
	if !r.Tried {
		for _, c := range s.Columns {
			add(c, Proven, r.Why, "")
		}
		return all, nil
	}
	bare, err := s.try(r, Column{})
	if err != nil {
		return nil, err
	}
	for _, c := range s.Columns {
		if !bare.out() {
			add(c, r.unshown(), "it does not succeed without a sandbox either", bare.output)
			continue
		}
		t, err := s.try(r, c)
		if err != nil {
			return nil, err
		}
		v, why := t.verdict(r)
		add(c, v, why, t.output)
	}
	return all, nil
}

// unshown is what to say of a row that this machine cannot show.
func (r Row) unshown() Verdict {
	if r.Proven != "" {
		return Proven
	}
	return Unshown
}

func (r Row) canary() bool { return r.key() < 0 }

func (r Row) key() int {
	section, _, _ := key(r.ID)
	return section
}

// verdict is what one trial means.
func (t trial) verdict(r Row) (Verdict, string) {
	switch {
	case t.out():
		return Out, t.why
	case !t.began && r.Refuse:
		return Held, "did not start"
	case !t.began:
		return Refused, "did not start"
	}
	return Held, ""
}

// word is one that nobody can guess.
func word() string {
	b := make([]byte, 10)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// sweep ends everything that a trial left behind. In a pid namespace that is all
// there is but this process.
func sweep() {
	for {
		unix.Kill(-1, unix.SIGKILL)
		if _, err := unix.Wait4(-1, nil, 0, nil); err == unix.ECHILD {
			return
		}
	}
}
