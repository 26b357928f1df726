package escape

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
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
	if err := s.keepCompany(); err != nil {
		return err
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
			// One row that is broken must not cost what all others have shown.
			results = append(results, Result{Row: r.ID, User: s.User, Verdict: Broken, Why: err.Error()})
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

// keepCompany starts a process that does nothing, under the name of a kernel thread:
// firejail takes a machine that has none among its first processes for a sandbox, and
// then runs commands as they are.
func (s *scene) keepCompany() error {
	cmd := exec.Command("/proc/self/exe", "company")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.company = cmd.Process.Pid
	return nil
}

// sweep ends everything that a trial left behind. In a pid namespace that is all
// there is but this process and its company.
func (s *scene) sweep() {
	for left := true; left; {
		left = false
		dirs, _ := filepath.Glob("/proc/[0-9]*")
		for _, dir := range dirs {
			if pid, _ := strconv.Atoi(filepath.Base(dir)); pid > 1 && pid != s.company {
				left = true
				unix.Kill(pid, unix.SIGKILL)
				unix.Wait4(pid, nil, unix.WNOHANG, nil)
			}
		}
	}
}
