package escape

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// some rows that need nothing of the kernel: a word that comes out, a change of the
// host, a process that is left, a terminal, a service.
func some() []string { return []string{"F1", "F32", "S4", "T6", "N2", "E1"} }

func probe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "probe")
	cmd := exec.Command("go", "build", "-trimpath", "-tags=urfave_cli_no_docs", "-o", path, "jail/internal/probe")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// What holds nothing holds nothing, and what runs nothing proves nothing.
func TestRun(t *testing.T) {
	columns := []Column{
		{Name: "none", Command: "env"},
		{Name: "dead", Command: "true"},
		{Name: "mute", Command: "sh -c '\"$@\" >/dev/null 2>&1' sh"},
	}
	results, err := Run(Plan{Probe: probe(t), Columns: columns, Rows: some()})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		row, err := parse("rows/" + r.Row + ".sh")
		if err != nil {
			t.Fatal(err)
		}
		if r.Column == "none" && r.Verdict != Out {
			t.Errorf("%s without a sandbox: %s %s\n%s", r.Row, r.Verdict, r.Why, r.Output)
		}
		if r.Column == "dead" && r.Verdict != Refused && r.Row != "canary-write" {
			t.Errorf("%s in nothing: %s %s\n%s", r.Row, r.Verdict, r.Why, r.Output)
		}
		if r.Column == "mute" && row.canary() && r.Verdict == Held {
			t.Errorf("%s has held where nothing was printed", r.Row)
		}
	}
	for _, c := range columns[1:] {
		if _, err := Judge([]Column{c}, of(c, results)); err == nil || !strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

func of(c Column, results []Result) (some []Result) {
	for _, r := range results {
		if r.Column == c.Name {
			some = append(some, r)
		}
	}
	return some
}
