package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"jail/internal/doctor"
	"jail/internal/shim"
)

// doctor prints what keeps commands from being jailed, each with a line to paste.
// Its own status is 0 where nothing is wrong, and 1 else.
func (u *user) doctor(c *cli.Context) error {
	if _, err := words(c, 0, 0); err != nil {
		return err
	}
	if shim.InsideJail() {
		return jailed("from where the host cannot be examined")
	}
	f := u.facts()
	if c.Bool("names") {
		text, err := io.ReadAll(io.LimitReader(u.stdin, 8<<20))
		if err != nil {
			return fmt.Errorf("read the names: %w", err)
		}
		f.Words = doctor.Words(string(text))
	}
	found := doctor.Examine(f)
	tell := ""
	if !c.Bool("names") {
		tell = doctor.Tell(f.Shell, u.shimmed())
	}
	if c.Bool("json") {
		if err := u.writeJSON(diagnosis{!doctor.Sick(found), append([]doctor.Finding{}, found...), tell}); err != nil {
			return err
		}
	} else {
		u.printFindings(found, tell)
	}
	if doctor.Sick(found) {
		return &statusError{statusSick}
	}
	return nil
}

// A diagnosis is what doctor --json prints.
type diagnosis struct {
	Healthy  bool             `json:"healthy"`
	Findings []doctor.Finding `json:"findings"`
	Tell     string           `json:"tell,omitempty"` // how the shell tells what only it knows
}

func (u *user) printFindings(found []doctor.Finding, tell string) {
	for _, f := range found {
		fmt.Fprintf(u.stdout, "%-5s %s: %s\n", f.Level, f.ID, oneLine(f.Text))
		if f.Fix != "" {
			fmt.Fprintf(u.stdout, "      fix: %s\n", oneLine(f.Fix))
		}
	}
	if !doctor.Sick(found) {
		fmt.Fprintln(u.stdout, "nothing is wrong")
	}
	if tell != "" {
		fmt.Fprintf(u.stdout, "not looked at: the aliases and functions of this shell; it can tell:\n      %s\n", oneLine(tell))
	}
}
