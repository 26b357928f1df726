package plan

import (
	"io"
	"strings"
	"unicode/utf8"
)

// A Style is how a plan is printed. The zero value is for pipes and files: one
// record a line, its cells two blanks apart, and nothing but words.
type Style struct {
	Aligned bool
	Colour  bool // of words that say the same without it
}

// A table collects rows, the first cell of each being its label.
type table struct{ rows [][]string }

func (t *table) row(cells ...string) {
	for n := len(cells); n > 1 && cells[n-1] == ""; n-- {
		cells = cells[:n-1]
	}
	t.rows = append(t.rows, cells)
}

func (t *table) write(w io.Writer, s Style) error {
	var b strings.Builder
	var widths []int
	for i, r := range t.rows {
		if s.Aligned && (i == 0 || !together(t.rows[i-1], r)) {
			widths = t.widths(i)
		}
		writeRow(&b, r, widths, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// widths measures the columns of the rows from the one at i on that belong
// together. The labels are one column for all.
func (t *table) widths(i int) []int {
	var widths []int
	for j, r := range t.rows[i:] {
		if j > 0 && !together(t.rows[i+j-1], r) {
			break
		}
		for c, cell := range r[:len(r)-1] {
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range t.rows {
		widths[0] = max(widths[0], utf8.RuneCountInString(r[0]))
	}
	return widths
}

// together reports whether two rows are lines of one list.
func together(a, b []string) bool { return a[0] == b[0] && len(a) > 2 && len(b) > 2 }

func writeRow(b *strings.Builder, cells []string, widths []int, s Style) {
	for c, cell := range cells {
		last := c == len(cells)-1
		b.WriteString(paint(cells, c, s))
		if last {
			break
		}
		if c < len(widths) {
			b.WriteString(strings.Repeat(" ", max(0, widths[c]-utf8.RuneCountInString(cell))))
		}
		b.WriteString("  ")
	}
	b.WriteByte('\n')
}

// The colours of a terminal, as ECMA-48 numbers them.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	yellow = "33"
)

// paint colours a cell. What a colour says the words say as well.
func paint(cells []string, c int, s Style) string {
	cell := cells[c]
	if !s.Colour || cell == "" {
		return cell
	}
	colour := ""
	switch {
	case c == 0 && (cell == "weakened" || cell == "note"):
		colour = bold + ";" + yellow
	case c == 0:
		colour = bold
	case c == 1 && cells[0] == "hidden", cell == "dropped":
		colour = red
	case c == 1 && cells[0] == "file" && cell == "write":
		colour = yellow
	case c == len(cells)-1 && c > 2:
		colour = dim
	default:
		return cell
	}
	return "\x1b[" + colour + "m" + cell + "\x1b[0m"
}
