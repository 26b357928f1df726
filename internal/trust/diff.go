package trust

import (
	"bytes"
	"slices"
)

// A Change is how one file differs from the copy that consent was given to.
type Change struct {
	Name  string
	Lines []Line
}

// A Line of a file. Its text comes from the project: quote it before a terminal
// sees it.
type Line struct {
	Op   byte // ' ' as it was, '-' gone, '+' new
	Text string
}

// Diff compares files with the copy that consent for root was given to, by name.
// Only files that differ are returned; all their lines are, those that stayed too.
// known is false where there is no consent to compare with, and then everything is
// new.
func (s Store) Diff(root string, files []File) (changes []Change, known bool, err error) {
	if err := check(root, files); err != nil {
		return nil, false, err
	}
	kept, err := s.load(root)
	if err != nil {
		return nil, false, err
	}
	var before []File
	if kept != nil {
		before = kept.files
	}
	for _, name := range names(before, files) {
		a, b := find(before, name), find(files, name)
		if a != nil && b != nil && bytes.Equal(a.Data, b.Data) {
			continue
		}
		changes = append(changes, Change{name, lines(split(a), split(b))})
	}
	return changes, kept != nil, nil
}

// names returns the names of both lists, sorted, each once.
func names(a, b []File) []string {
	var out []string
	for _, f := range slices.Concat(a, b) {
		out = append(out, f.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func find(files []File, name string) *File {
	for i := range files {
		if files[i].Name == name {
			return &files[i]
		}
	}
	return nil
}

// split cuts a file into lines. A last line without an end differs from one with
// an end, so each keeps its own.
func split(f *File) []string {
	if f == nil || len(f.Data) == 0 {
		return nil
	}
	var out []string
	for _, line := range bytes.SplitAfter(f.Data, []byte("\n")) {
		if len(line) > 0 {
			out = append(out, string(line))
		}
	}
	return out
}

// most bounds the table of a comparison; beyond it the middle is shown as wholly
// replaced, which is true as well.
const most = 1 << 22

// lines compares two files. What is alike at both ends needs no table.
func lines(a, b []string) []Line {
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out := mark(' ', a[:head])
	out = append(out, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	return append(out, mark(' ', a[len(a)-tail:])...)
}

// middle finds the longest common subsequence: rows[i][j] is its length for a[i:]
// and b[j:].
func middle(a, b []string) []Line {
	if len(a)*len(b) > most {
		return append(mark('-', a), mark('+', b)...)
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			rows[i][j] = max(rows[i+1][j], rows[i][j+1])
			if a[i] == b[j] {
				rows[i][j] = rows[i+1][j+1] + 1
			}
		}
	}
	var out []Line
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, Line{' ', a[i]})
			i, j = i+1, j+1
		case rows[i+1][j] >= rows[i][j+1]:
			out = append(out, Line{'-', a[i]})
			i++
		default:
			out = append(out, Line{'+', b[j]})
			j++
		}
	}
	out = append(out, mark('-', a[i:])...)
	return append(out, mark('+', b[j:])...)
}

func mark(op byte, text []string) []Line {
	out := make([]Line, 0, len(text))
	for _, t := range text {
		out = append(out, Line{op, t})
	}
	return out
}
