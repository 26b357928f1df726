package escape

import (
	"fmt"
	"os/exec"
	"slices"
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
// says to use it for a project in the home.
func Others() []Column {
	all := []Column{
		{Name: "bwrap", Command: `bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --tmpfs "$HOME" --bind "$PWD" "$PWD" --chdir "$PWD" --unshare-all --share-net --die-with-parent --new-session`},
		{Name: "firejail", Command: "firejail --quiet"},
		{Name: "srt", Command: "srt"},
	}
	return slices.DeleteFunc(all, func(c Column) bool {
		_, err := exec.LookPath(strings.Fields(c.Command)[0])
		return err != nil
	})
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
	jail := map[string]bool{}
	for _, c := range columns {
		jail[c.Name] = c.Jail
	}
	counts := map[Verdict]int{}
	var bad, dead []string
	for _, r := range results {
		row := byID[r.Row]
		name := fmt.Sprintf("%s in %s as %s", r.Row, r.Column, r.User)
		switch {
		case row.canary():
			if r.Verdict != Out {
				dead = append(dead, name)
			}
			continue
		case r.Verdict == Out && jail[r.Column] && row.opens(r.Column, r.User):
			r.Verdict = "open by design"
		case r.Verdict == Out, r.Verdict == Refused && jail[r.Column]:
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
