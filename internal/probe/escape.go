package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/escape"
)

// tryEscapes runs all rows against a sandbox, which is the jail beside this probe
// unless a command for a shell says otherwise.
func tryEscapes(args []string) (string, error) {
	fs := flag.NewFlagSet("escape", flag.ContinueOnError)
	users := fs.String("users", "", "who attacks, in a list with commas; root can name anybody")
	rows := fs.String("rows", "", "which rows, in a list with commas")
	table := fs.String("table", "", "write the table into this file, between its marks")
	sandbox := fs.String("sandbox", "", "the command of another sandbox, for a shell, to which the attack is appended")
	columns := fs.String("columns", "", "which of jail's, in a list with commas")
	beside := fs.Bool("beside", false, "try the other sandboxes of this machine too")
	verbose := fs.Bool("v", false, "print what the attacks printed")
	if err := fs.Parse(args); err != nil {
		return "", err
	}
	p, err := escapePlan(*sandbox, words(*rows), *beside)
	if err != nil {
		return "", err
	}
	var all []escape.Result
	p.Columns = slices.DeleteFunc(p.Columns, func(c escape.Column) bool {
		return c.Jail && *columns != "" && !slices.Contains(words(*columns), c.Name)
	})
	for _, name := range who(*users) {
		p.User = name
		results, err := escape.Run(p)
		if err != nil {
			return "", err
		}
		all = append(all, results...)
	}
	if *verbose {
		for _, r := range all {
			fmt.Printf("--- %s %s %s: %s %s\n%s\n", r.Row, r.User, r.Column, r.Verdict, r.Why, strings.TrimSpace(r.Output))
		}
	}
	if *table != "" {
		if err := escape.WriteTable(*table, p.Columns, all); err != nil {
			return "", err
		}
	}
	return escape.Judge(p.Columns, all)
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// who attacks: the named, or the caller, and beside root the user of the tests.
func who(names string) []string {
	if names != "" {
		return words(names)
	}
	all := []string{""}
	if u, err := user.Lookup("jail-test"); err == nil && os.Getuid() == 0 {
		all = append(all, u.Username)
	}
	return all
}

func escapePlan(sandbox string, rows []string, beside bool) (escape.Plan, error) {
	self, err := os.Executable()
	if err != nil {
		return escape.Plan{}, err
	}
	p := escape.Plan{Probe: self, Rows: rows, Progress: os.Stderr}
	if sandbox != "" {
		p.Columns = []escape.Column{{Name: filepath.Base(strings.Fields(sandbox)[0]), Command: sandbox}}
		return p, nil
	}
	jail := filepath.Join(filepath.Dir(self), "jail")
	if _, err := os.Stat(jail); err != nil {
		return p, errors.New("there is no jail beside this probe: run make build, or name a sandbox")
	}
	p.Programs = []string{jail}
	p.Columns = escape.Jail()
	if beside {
		p.Columns = append(p.Columns, escape.Others()...)
	}
	return p, nil
}

// escapeInside says in words what went wrong: an errno alone tells little of it.
func escapeInside([]string) (string, error) {
	if err := escape.Inside(); err != nil {
		return "", refusal(err.Error())
	}
	return "", nil
}
