package escape

import (
	"strings"
	"testing"
)

func canaries(v Verdict) []Result {
	return []Result{
		{Row: "canary-read", Column: "normal", Verdict: v},
		{Row: "canary-write", Column: "normal", Verdict: v},
		{Row: "canary-proof", Column: "normal", Verdict: v},
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name    string
		results []Result
		err     string
	}{
		{"held", []Result{{Row: "F1", Column: "normal", Verdict: Held}}, ""},
		{"out", []Result{{Row: "F1", Column: "normal", Verdict: Out}}, "1 ways out: F1"},
		{"did not start", []Result{{Row: "F1", Column: "normal", Verdict: Refused}}, "F1"},
		{"open by design", []Result{{Row: "N1", Column: "normal", Verdict: Out}}, ""},
		{"not open in lockdown", []Result{{Row: "N1", Column: "lockdown", Verdict: Out}}, "N1"},
		{"others are not judged beside jail", []Result{{Row: "N1", Column: "bwrap", Verdict: Out}}, ""},
		{"open for root", []Result{{Row: "R1", Column: "normal", User: "root", Verdict: Out}}, ""},
		{"and for nobody else", []Result{{Row: "R1", Column: "normal", User: "x", Verdict: Out}}, "R1"},
	} {
		columns := append(Jail(), Column{Name: "bwrap"})
		_, err := Judge(columns, append(canaries(Out), c.results...))
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := Judge(columns, append(canaries(Held), c.results...)); err == nil || !strings.Contains(err.Error(), "canary") {
			t.Errorf("%s, with dead canaries: %v", c.name, err)
		}
	}
}

// By itself another sandbox is judged, and nothing is open by its design.
func TestJudgeOther(t *testing.T) {
	columns := []Column{{Name: "normal"}}
	_, err := Judge(columns, append(canaries(Out), Result{Row: "N1", Column: "normal", Verdict: Out}))
	if err == nil || !strings.Contains(err.Error(), "N1") {
		t.Error(err)
	}
}

// A table has all rows, and one word where all users saw the same.
func TestTable(t *testing.T) {
	var results []Result
	for _, r := range rows(t) {
		for _, user := range []string{"root", "x"} {
			v := Held
			switch {
			case r.ID == "F1" && user == "x":
				v = Out
			case r.ID == "F2" && user == "x":
				v = Unshown
			case r.ID == "N1":
				v = Out
			}
			results = append(results, Result{Row: r.ID, Column: "normal", User: user, Verdict: v})
		}
	}
	columns := []Column{{Name: "normal", Jail: true}}
	got, err := Table(columns, results)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"F1": "**out** (x), held (root)", "F2": "held", "N1": "open", "F3": "held"} {
		if !strings.Contains(got, "\n| "+id+" |") || !strings.Contains(line(got, "| "+id+" |"), "| "+want+" |") {
			t.Errorf("%s: %q, want %q", id, line(got, "| "+id+" |"), want)
		}
	}
	if _, err := Table(columns, results[:10]); err == nil {
		t.Error("a table of some rows")
	}
}

func line(text, start string) string {
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, start) {
			return l
		}
	}
	return ""
}
