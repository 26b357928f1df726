package escape

import (
	"os"
	"strings"
	"testing"
)

// The table in docs/security.md has all rows and no others, by their names of today.
func TestDocumentedTable(t *testing.T) {
	b, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok1 := strings.Cut(string(b), tableBegin)
	table, _, ok2 := strings.Cut(rest, tableEnd)
	if !ok1 || !ok2 {
		t.Fatal("docs/security.md has no place for the table")
	}
	known := map[string]bool{}
	for _, r := range rows(t) {
		known["| "+r.ID+" | "+r.Title+" |"] = true
	}
	for line := range strings.Lines(table) {
		fields := strings.SplitN(line, "|", 4)
		if len(fields) < 4 || strings.TrimSpace(fields[1]) == "" || strings.HasPrefix(fields[1], "---") {
			continue
		}
		row := "|" + fields[1] + "|" + fields[2] + "|"
		if !known[row] {
			t.Errorf("a row of the table is none of today: %s; make escapetable", row)
		}
		delete(known, row)
	}
	for row := range known {
		t.Errorf("the table lacks %s; make escapetable", row)
	}
}
