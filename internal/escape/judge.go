package escape

import (
	"fmt"
	"os/exec"
	"strings"
)

// Jail are jail's own columns.
func Jail() []Column {
	return []Column{
		{Name: "normal", Command: "jail", Jail: true},
		{Name: "worker", Command: "jail --worker", Jail: true},
		{Name: "lockdown", Command: "jail --lockdown", Jail: true},
		{Name: "no-net", Command: "jail --no-net", Jail: true},
	}
}

// Others are the other sandboxes that this machine has, each as its documentation
// says to use it for a project in the home: bubblewrap shows the system and the
// project, firejail its default profile, and Anthropic's sandbox-runtime the project
// and no other part of the home.
func Others() []Column {
	var all []Column
	for _, c := range []Column{
		{Name: "bwrap", Command: `bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --tmpfs "$HOME" --bind "$PWD" "$PWD" --chdir "$PWD" --unshare-all --share-net --die-with-parent`},
		{Name: "firejail", Command: "firejail --quiet"},
		{Name: "srt", Command: "srt --settings " + srtSettings},
	} {
		name, rest, _ := strings.Cut(c.Command, " ")
		if path, err := exec.LookPath(name); err == nil {
			c.Command = path + " " + rest
			all = append(all, c)
		}
	}
	return all
}

// Judge says what the results mean: that all was held, or an error that names what
// was not. A canary that did not come out is worse than anything that did.
func Judge(columns []Column, results []Result) (string, error) {
	rows, err := Rows()
	if err != nil {
		return "", err
	}
	byID := map[string]Row{}
	for _, r := range rows {
		byID[r.ID] = r
	}
	// Beside jail, others are shown and not judged.
	jail, anyJail := map[string]bool{}, false
	for _, c := range columns {
		jail[c.Name] = c.Jail
		anyJail = anyJail || c.Jail
	}
	counts := map[Verdict]int{}
	var bad, dead []string
	for _, r := range results {
		row := byID[r.Row]
		name := fmt.Sprintf("%s in %s as %s", r.Row, r.Column, r.User)
		switch {
		case r.Verdict == Broken:
			bad = append(bad, r.Row+" as "+r.User+" is broken: "+r.Why)
		case row.canary():
			if r.Verdict != Out && (jail[r.Column] || !anyJail) {
				dead = append(dead, name)
			}
			continue
		case r.Verdict == Out && jail[r.Column] && row.opens(r.Column, r.User):
			r.Verdict = "open by design"
		case jail[r.Column] && (r.Verdict == Out || r.Verdict == Refused), !anyJail && r.Verdict == Out:
			bad = append(bad, name+": "+string(r.Verdict)+" "+r.Why)
		}
		counts[r.Verdict]++
	}
	switch {
	case len(dead) > 0:
		return "", fmt.Errorf("this run counts for nothing, a canary did not come out: %s", strings.Join(dead, ", "))
	case len(bad) > 0:
		return "", fmt.Errorf("%d ways out: %s", len(bad), strings.Join(bad, "; "))
	}
	return summary(counts), nil
}

func summary(counts map[Verdict]int) string {
	var parts []string
	for _, v := range []Verdict{Held, "open by design", Out, Refused, Unshown, Proven} {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(parts, ", ")
}
