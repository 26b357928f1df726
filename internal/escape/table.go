package escape

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The marks between which a file holds the table.
const (
	tableBegin = "<!-- the table of make escape begins -->\n"
	tableEnd   = "<!-- the table of make escape ends -->\n"
)

// WriteTable puts the results into a file, between its marks.
func WriteTable(path string, columns []Column, results []Result) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok1 := strings.Cut(string(b), tableBegin)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok1 || !ok2 {
		return fmt.Errorf("%s has no marks for the table", path)
	}
	table, err := Table(columns, results)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(before+tableBegin+table+tableEnd+after), 0o644)
}

// Table is the results in Markdown, a row for each row.
func Table(columns []Column, results []Result) (string, error) {
	rows, err := Rows()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| | attack |")
	for _, c := range columns {
		b.WriteString(" " + c.Name + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s |", r.ID, r.Title)
		for _, c := range columns {
			cell, err := r.cell(c, results)
			if err != nil {
				return "", err
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// cell is what one column says about a row: one word where all users saw the same.
func (r Row) cell(c Column, results []Result) (string, error) {
	words := map[string][]string{}
	for _, res := range results {
		if res.Row == r.ID && res.Column == c.Name {
			w := r.word(c, res)
			words[w] = append(words[w], res.User)
		}
	}
	// What could be shown for one user and not for the other is what was shown.
	for _, w := range []string{unshown, notStarted} {
		if len(words) > 1 && (w == unshown || !c.Jail) {
			delete(words, w)
		}
	}
	switch len(words) {
	case 0:
		return "", errors.New(r.ID + " was not tried: a table needs all rows")
	case 1:
		for w := range words {
			return w, nil
		}
	}
	var parts []string
	for w, users := range words {
		slices.Sort(users)
		parts = append(parts, w+" ("+strings.Join(users, ", ")+")")
	}
	slices.Sort(parts)
	return strings.Join(parts, ", "), nil
}

const (
	unshown    = "–"
	notStarted = "did not start"
)

func (r Row) word(c Column, res Result) string {
	switch res.Verdict {
	case Out:
		if c.Jail && r.opens(c.Name, res.User) {
			return "open"
		}
		return "**out**"
	case Unshown:
		return unshown
	case Refused:
		return notStarted
	case Proven:
		if !c.Jail {
			return unshown
		}
		if r.Proven == "docs/security.md" {
			return "not promised"
		}
		return "elsewhere"
	}
	return "held"
}
