package settings

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A shape is what a node is.
type shape uint8

const (
	scalar shape = iota
	array
	table
	foreign // a date, or what else no setting is
)

// A node is a file in TOML or YAML, or a part of one.
type node struct {
	shape shape
	text  string   // of a scalar
	bare  bool     // of a scalar of TOML: a number or a boolean
	names []string // of a table: the keys, in order
	items []node   // of a table, beside its names; of an array
}

func (n *node) add(name string, item node) {
	n.names = append(n.names, name)
	n.items = append(n.items, item)
}

func (n *node) has(name string) bool { return slices.Contains(n.names, name) }

// isTables reports whether a node is an array with tables in it.
func (n *node) isTables() bool {
	return n.shape == array && slices.ContainsFunc(n.items, func(i node) bool { return i.shape == table })
}

func parseTree(f Format, content string) (node, error) {
	if f == YAML {
		return parseYAML(content)
	}
	var raw map[string]any
	if err := toml.Unmarshal([]byte(content), &raw); err != nil {
		var at *toml.DecodeError // its text may quote the file
		if errors.As(err, &at) {
			line, _ := at.Position()
			return node{}, badLine(line, "not TOML")
		}
		return node{}, errors.New("not TOML")
	}
	return treeOf(raw), nil
}

// treeOf returns a value of TOML as a node, tables sorted by key.
func treeOf(raw any) node {
	switch v := raw.(type) {
	case string:
		return node{text: v}
	case bool:
		return node{text: strconv.FormatBool(v), bare: true}
	case int64:
		return node{text: strconv.FormatInt(v, 10), bare: true}
	case float64:
		if s := strconv.FormatFloat(v, 'f', -1, 64); isNumber(s) {
			return node{text: s, bare: true}
		}
	case []any:
		n := node{shape: array}
		for _, item := range v {
			n.items = append(n.items, treeOf(item))
		}
		return n
	case map[string]any:
		n := node{shape: table}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			n.add(name, treeOf(v[name]))
		}
		return n
	}
	return node{shape: foreign}
}

// tree returns what stays of a node. at is where it is, in parts.
func (s *stripper) tree(n node, at []string) (node, bool) {
	switch {
	case n.shape == table:
		return s.table(n, at)
	case n.isTables():
		return s.tables(n, at)
	}
	r := find(s.tool.rows, at, false)
	if r == nil {
		s.leave(shown(s.tool.rows, at...))
		return n, false
	}
	if tells(r, at) {
		s.leave(named(r, at...))
		return n, false
	}
	return s.leaf(n, r, named(r, at...))
}

// table returns a table with the keys that stay. One without any goes.
func (s *stripper) table(n node, at []string) (node, bool) {
	out := node{shape: table}
	for i, name := range n.names {
		below := append(slices.Clip(at), name)
		item := &n.items[i]
		if !isName(name) || (item.shape == table || item.isTables()) && !under(s.tool.rows, below) {
			s.leave(shown(s.tool.rows, below...))
			continue
		}
		if item, ok := s.tree(*item, below); ok {
			out.add(name, item)
		}
	}
	return out, len(out.names) > 0
}

// tables returns an array of tables. One that was about an address and lost it
// goes whole: without it the tool would refuse the file.
func (s *stripper) tables(n node, at []string) (node, bool) {
	out := node{shape: array}
	for _, item := range n.items {
		kept, ok := s.tree(item, at)
		if ok && (item.shape != table || kept.has("url") == item.has("url")) {
			out.items = append(out.items, kept)
		}
	}
	return out, len(out.items) > 0
}

// leaf returns a value, or an array of values that goes whole if one of them
// does: half of a command line, or of a list of flags, is another one.
func (s *stripper) leaf(n node, r *row, name string) (node, bool) {
	if n.shape == foreign {
		s.leave(name)
		return n, false
	}
	if n.shape == scalar {
		value, ok := s.value(r, name, n.text)
		n.bare = n.bare && value == n.text
		n.text = value
		return n, ok
	}
	if r.kind == command && !isCommand(joined(n)) {
		s.leave(name) // an option and what it is given are two of them
		return n, false
	}
	out := node{shape: array}
	for _, item := range n.items {
		kept, ok := s.leaf(item, r, name)
		if !ok {
			return n, false
		}
		out.items = append(out.items, kept)
	}
	return out, true
}

// joined returns the scalars of an array as one line.
func joined(n node) string {
	var all []string
	for _, item := range n.items {
		all = append(all, item.text)
	}
	return strings.Join(all, " ")
}

// tells reports whether a name that the user chose says that the value is a
// secret. What stands below such a name is free only for the widest kinds: a
// registry may well be called private.
func tells(r *row, at []string) bool {
	rest := r.key
	for _, name := range at {
		var p string
		p, rest = part(rest)
		free := r.kind == text || r.kind == command || r.kind == word && rest == ""
		if free && p == "*" && secretName(name) {
			return true
		}
	}
	return false
}

// isName knows what users name registries, targets and profiles.
func isName(s string) bool { return s != "" && len(s) <= 200 && isText(s) && !drawn(s) }
