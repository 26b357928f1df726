package config

import (
	"slices"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// sep joins the parts of a key to one name for lookups.
const sep = "\x00"

// deepest bounds the keys that lines remembers: commands, a name, a key of it. A
// key of a thousand dots would otherwise cost the square of its length.
const deepest = 3

// lines knows where the keys and list elements of a file stand. The parser and the
// decoder below it drop that.
type lines struct {
	breaks []int // offsets of the line breaks
	keys   map[string]int
	items  map[string][]int
}

// findLines reads a file that is known to be valid TOML.
func findLines(data []byte) *lines {
	l := &lines{keys: map[string]int{}, items: map[string][]int{}}
	for i, c := range data {
		if c == '\n' {
			l.breaks = append(l.breaks, i)
		}
	}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = l.enter(nil, e)
		case unstable.KeyValue:
			l.value(l.enter(table, e), e.Value())
		}
	}
	return l
}

// enter notes where the key of node stands, which lies below the table above,
// and returns its full path.
func (l *lines) enter(above []string, node *unstable.Node) []string {
	path := slices.Clip(above)
	for it := node.Key(); it.Next(); {
		path = append(path, string(it.Node().Data))
		if len(path) > deepest {
			continue
		}
		if name := strings.Join(path, sep); l.keys[name] == 0 {
			l.keys[name] = l.at(it.Node().Raw.Offset)
		}
	}
	return path
}

// value notes where the elements of a list and the keys of an inline table stand.
func (l *lines) value(path []string, node *unstable.Node) {
	if len(path) > deepest {
		return
	}
	switch node.Kind {
	case unstable.InlineTable:
		for it := node.Children(); it.Next(); {
			l.value(l.enter(path, it.Node()), it.Node().Value())
		}
	case unstable.Array:
		name := strings.Join(path, sep)
		for it := node.Children(); it.Next(); {
			line := l.keys[name]
			if it.Node().Kind == unstable.String { // only strings know their place
				line = l.at(it.Node().Raw.Offset)
			}
			l.items[name] = append(l.items[name], line)
		}
	}
}

func (l *lines) at(offset uint32) int { return sort.SearchInts(l.breaks, int(offset)) + 1 }

// key is the line of a key, or 0 where nobody knows it.
func (l *lines) key(path ...string) int {
	if l == nil {
		return 0
	}
	return l.keys[strings.Join(path, sep)]
}

// item is the line of the element i of a list.
func (l *lines) item(i int, path ...string) int {
	if l == nil {
		return 0
	}
	if at := l.items[strings.Join(path, sep)]; i < len(at) {
		return at[i]
	}
	return l.key(path...)
}
