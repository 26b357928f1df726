package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/knadh/koanf/parsers/toml/v2"

	"jail/internal/sandbox/plan"
)

// Imported is another tool's file in our words.
type Imported struct {
	top    []line
	tables []table
	Left   []string // what was not taken, each with the reason, in words
}

// A line is one key with its value.
type line struct {
	key     string
	values  []string // as TOML writes them
	list    bool
	loosens bool
}

type table struct {
	name  string
	lines []line
}

// Import reads the file that in.OtherFile names, or returns nil where there is
// none. Unlike Load it takes what loosens as well: the user reads what it says and
// makes it a file of the user's own.
func Import(in Input) (*Imported, error) {
	f, err := readUser(in.OtherFile, in.UID)
	if f == nil {
		return nil, err
	}
	raw, err := toml.Parser().Unmarshal(f.Data)
	if err != nil {
		return nil, syntax(f, err)
	}
	r := importer{scene: in.scene(keys(), layerUser, f.Path, ""), at: findLines(f.Data)}
	r.out.top = r.lines(raw, "")
	commands, _ := raw[tables].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		body, _ := commands[name].(map[string]any)
		if unprintable(name) {
			r.leave("", tables, quote(name)+" is not the name of a command")
			continue
		}
		if found := r.lines(body, name); len(found) > 0 {
			r.out.tables = append(r.out.tables, table{name, found})
		}
	}
	return &r.out, nil
}

// An importer is one Import under way.
type importer struct {
	scene *scene
	at    *lines
	out   Imported
}

// lines translates the keys of one table, in the order of our own keys.
func (r *importer) lines(raw map[string]any, command string) []line {
	var found []line
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		if name == tables && command == "" {
			continue
		}
		ours, values, list := foreign(name, raw[name])
		if ours == "" {
			r.leave(command, name, "it has no equal here")
			continue
		}
		k := find(r.scene.known, ours)
		l := line{key: ours, list: list}
		for _, v := range values {
			r.take(&l, k, v, command, name)
		}
		if len(l.values) > 0 {
			found = append(found, l)
		}
	}
	order := func(l line) int { return slices.IndexFunc(r.scene.known, func(k key) bool { return k.name == l.key }) }
	slices.SortStableFunc(found, func(a, b line) int { return order(a) - order(b) })
	return found
}

// take adds one value if it is one that our own file could hold.
func (r *importer) take(l *line, k *key, v any, command, name string) {
	text, isText := v.(string)
	if isText && k.kind == envList && strings.Contains(text, "=") {
		r.leave(command, name, "the value of "+shown(k, text)+" would be shown")
		return
	}
	d := decoder{scene: r.scene}
	whole := v
	if l.list {
		whole = []any{v}
	}
	raw := map[string]any{k.name: whole}
	if command != "" {
		raw = map[string]any{tables: map[string]any{command: raw}}
	}
	found, err := d.decode(raw)
	if err != nil {
		e, _ := errors.AsType[*Error](err)
		r.leave(command, name, e.Cause)
		return
	}
	for _, e := range found {
		if k.choice() && e.value == k.start() && command == "" {
			return // it holds anyway
		}
		l.loosens = l.loosens || len(e.asks()) > 0
	}
	if isText {
		l.values = append(l.values, tomlString(text))
	} else {
		l.values = append(l.values, fmt.Sprint(v))
	}
}

func (r *importer) leave(command, name, why string) {
	line := r.at.key(name)
	if command != "" {
		line, name = r.at.key(tables, command, name), tables+"."+command+"."+name
	}
	r.out.Left = append(r.out.Left, printable(fmt.Sprintf("%s (line %d): %s", name, line, why)))
}

// foreign gives our name for another tool's key and the values to take, one by
// one. Keys that mean nothing here have no name.
func foreign(name string, raw any) (ours string, values []any, list bool) {
	same := map[string]string{
		"mask": "mask", "mask_exceptions": "mask_except", "deny_paths": "deny", "deny_path_exceptions": "deny_except",
		"ro_maps": "ro", "rw_maps": "rw", "env_pass": "env",
	}
	if l, ok := raw.([]any); ok && same[name] != "" {
		return same[name], l, true
	}
	on, ok := raw.(bool)
	if !ok {
		return "", nil, false
	}
	switch name {
	case "no_gpu", "no_docker", "no_display":
		return strings.TrimPrefix(name, "no_"), []any{!on}, false
	case "ssh", "no_landlock":
		return name, []any{on}, false
	case "network":
		return name, []any{map[bool]string{true: "on", false: "off"}[on]}, false
	case "lockdown":
		return "mode", []any{string(map[bool]plan.Mode{true: plan.Lockdown, false: plan.Normal}[on])}, false
	}
	return "", nil, false
}

// tomlString is a basic string. What it cannot hold as it is, no value may hold.
func tomlString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func (l line) String() string {
	text := l.key + " = " + l.values[0]
	if l.list {
		text = l.key + " = [" + strings.Join(l.values, ", ") + "]"
	}
	if l.loosens {
		text += " # loosens"
	}
	return text
}

// Empty reports whether nothing was taken.
func (i *Imported) Empty() bool { return len(i.top) == 0 && len(i.tables) == 0 }

// Text is what was taken, as a file.
func (i *Imported) Text() string { return i.head() + i.tail() }

// head are the lines before the first table.
func (i *Imported) head() string {
	var b strings.Builder
	for _, l := range i.top {
		fmt.Fprintln(&b, l)
	}
	return b.String()
}

func (i *Imported) tail() string {
	var b strings.Builder
	for _, t := range i.tables {
		fmt.Fprintf(&b, "\n[%s.%s]\n", tables, tomlString(t.name))
		for _, l := range t.lines {
			fmt.Fprintln(&b, l)
		}
	}
	return b.String()
}

// Into adds what was taken to a file that exists. Keys and tables that are there
// already are not touched; where both have one, it is named and nothing is made.
func (i *Imported) Into(existing []byte) (text string, clashes []string, err error) {
	raw, err := toml.Parser().Unmarshal(existing)
	if err != nil {
		return "", nil, err
	}
	for _, l := range i.top {
		if _, ok := raw[l.key]; ok {
			clashes = append(clashes, l.key)
		}
	}
	commands, _ := raw[tables].(map[string]any)
	for _, t := range i.tables {
		if _, ok := commands[t.name]; ok {
			clashes = append(clashes, tables+"."+t.name)
		}
	}
	if len(clashes) > 0 {
		return "", clashes, nil
	}
	body := strings.TrimRight(string(existing), "\n")
	if body != "" {
		body += "\n"
	}
	return i.head() + body + i.tail(), nil, nil
}
