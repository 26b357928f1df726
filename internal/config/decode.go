package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"jail/internal/sandbox/plan"
)

// An entry is one key of one layer with its value, checked.
type entry struct {
	key      *key
	command  []string    // the words of [commands.NAME]; nil outside of one
	reason   plan.Reason // of a choice
	value    string      // of a choice
	patterns []plan.Pattern
	maps     []plan.Map
	env      []plan.EnvRule
	names    []plan.Shim // names of commands and of variables, and directories
}

// A decoder turns the raw map of one layer into entries, and finds everything
// that is wrong with it.
type decoder struct {
	scene *scene
	lines *lines
	found []entry
	wrong []*Error
}

// decode returns the entries in the order in which they apply: the keys of the
// top in the language's order, then those of each command's table, by its name.
// Where something is wrong it returns the first error of the file.
func (d *decoder) decode(raw map[string]any) ([]entry, error) {
	d.table(raw, nil)
	if t, ok := raw[tables]; ok {
		d.commands(t)
	}
	if len(d.wrong) > 0 {
		return nil, slices.MinFunc(d.wrong, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	}
	return d.found, nil
}

func (d *decoder) commands(raw any) {
	byName, ok := raw.(map[string]any)
	if !ok {
		d.fail([]string{tables}, 0, faultf("[commands.npm]", "commands: want a table for each command, got %s", kindOf(raw)))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		path := []string{tables, name}
		table, ok := byName[name].(map[string]any)
		if !ok {
			d.fail(path, 0, faultf("[commands."+quote(name)+"]", "commands.%s: want a table, got %s", quote(name), kindOf(byName[name])))
			continue
		}
		first, _, _ := strings.Cut(joined(strings.Fields(name)), " ")
		if f := commandName(first); f != nil {
			d.fail(path, 0, f)
			continue
		}
		d.table(table, path)
	}
}

// table reads the keys of one table. path is empty for the top.
func (d *decoder) table(raw map[string]any, path []string) {
	for i := range d.scene.known {
		k := &d.scene.known[i]
		v, ok := raw[k.name]
		if !ok {
			continue
		}
		at := append(slices.Clip(path), k.name)
		if f := d.misplaced(k, path); f != nil {
			d.fail(at, 0, f)
		} else if f := d.entry(k, at, v); f != nil {
			d.fail(at, 0, f.about(d.scene.name(k)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		if isTables := name == tables && len(path) == 0; !isTables && find(d.scene.known, name) == nil {
			d.fail(append(slices.Clip(path), name), 0, d.unknown(name, len(path) == 0))
		}
	}
}

// misplaced says why a key does not belong where it stands.
func (d *decoder) misplaced(k *key, path []string) *fault {
	switch {
	case k.scope == userOnly && d.scene.layer != layerUser:
		return faultf("", "%q is the user's to say, in the user's own file", k.name)
	case k.scope != anywhere && len(path) > 0:
		// Usually a line of the top that was added below the last table.
		return faultf("move it above the first [table]", "%q does not belong in [commands.%s]", k.name, path[1])
	}
	return nil
}

// unknown names the key that was most likely meant.
func (d *decoder) unknown(name string, top bool) *fault {
	f := faultf("", "unknown key %s", quote(name))
	var all []string
	for _, k := range d.scene.known {
		if top || k.scope == anywhere {
			all = append(all, k.name)
		}
	}
	if top {
		all = append(all, tables)
	}
	switch near, ok := Nearest(strings.ToLower(name), all); {
	case ok:
		f.hint = fmt.Sprintf("did you mean %q?", near)
	default:
		f.hint = "the keys are " + strings.Join(all, ", ")
	}
	return f
}

// entry reads the value of one key.
func (d *decoder) entry(k *key, at []string, raw any) *fault {
	e := entry{key: k}
	if len(at) == 3 {
		e.command = strings.Fields(at[1])
	}
	if k.choice() {
		value, f := d.scene.choose(k, raw)
		e.value, e.reason = value, d.reason(d.lines.key(at...), k, value, e.command)
		d.found = append(d.found, e)
		return f
	}
	list, ok := raw.([]any)
	if !ok {
		return wrongType(k, raw)
	}
	for i, v := range list {
		text, ok := v.(string)
		if !ok {
			return faultf("", "want %s, and element %d is %s", k.wants(), i+1, kindOf(v))
		}
		why := d.reason(d.lines.item(i, at...), k, shown(k, text), e.command)
		if f := d.element(&e, k, text, why); f != nil {
			d.fail(at, d.lines.item(i, at...), f.about(d.scene.name(k)))
		}
	}
	d.found = append(d.found, e)
	return nil
}

// choose reads a value that is one of few.
func (s *scene) choose(k *key, raw any) (string, *fault) {
	switch v := raw.(type) {
	case bool:
		if k.kind == boolean {
			return strconv.FormatBool(v), nil
		}
	case string:
		if k.kind == word {
			return s.oneOf(k, v)
		}
	}
	return "", wrongType(k, raw)
}

func (s *scene) oneOf(k *key, value string) (string, *fault) {
	if value != unset && k.rank(value) >= 0 {
		return value, nil
	}
	near, ok := Nearest(value, k.words())
	if !ok {
		near = k.usual()
	}
	return "", faultf(s.say(k, near), "%s is not %s", quote(value), k.wants())
}

// element reads one string of a list.
func (d *decoder) element(e *entry, k *key, text string, why plan.Reason) (f *fault) {
	if strings.Contains(text, "\x00") || k.kind != envList && unprintable(text) {
		return faultf("", "%s holds a control character", quote(shown(k, text)))
	}
	switch k.kind {
	case patternList:
		var p plan.Pattern
		p, f = d.scene.pattern(text, k)
		p.Reason = why
		e.patterns = append(e.patterns, p)
	case mapList:
		var m plan.Map
		m, f = d.scene.mapping(text, k)
		m.Reason = why
		e.maps = append(e.maps, m)
	case envList:
		var v plan.EnvRule
		v, f = d.scene.variable(text)
		v.Reason = why
		e.env = append(e.env, v)
	case commandList:
		f = commandName(text)
		e.names = append(e.names, plan.Shim{Name: text, Reason: why})
	case variableList:
		f = variableName(text)
		e.names = append(e.names, plan.Shim{Name: text, Reason: why})
	case dirList:
		var dir string
		if dir, f = d.scene.path(text); f == nil {
			f = d.scene.tooWide(dir, k)
		}
		e.names = append(e.names, plan.Shim{Name: dir, Reason: why})
	}
	return f
}

// shown is an element as messages quote it: of a variable only the name, since no
// value is ever printed.
func shown(k *key, text string) string {
	if name, _, set := strings.Cut(text, "="); set && k.kind == envList {
		return name + "=..."
	}
	return text
}

// reason says who asked for a value and where, in the words of the file.
func (d *decoder) reason(line int, k *key, value string, command []string) plan.Reason {
	text := d.scene.say(k, value)
	if command != nil {
		text = "commands." + quote(joined(command)) + " " + text
	}
	return plan.Reason{Layer: d.scene.layer, File: d.scene.file, Line: line, Text: text}
}

// fail notes what is wrong with a key, at a line of its own or at the key's.
func (d *decoder) fail(path []string, line int, f *fault) {
	if line == 0 {
		line = d.lines.key(path...)
	}
	d.wrong = append(d.wrong, &Error{File: d.scene.file, Line: line, Key: strings.Join(path, "."), Cause: printable(f.cause), Hint: f.hint})
}

func wrongType(k *key, raw any) *fault {
	return faultf(k.example(raw), "want %s, got %s", k.wants(), kindOf(raw))
}

// kindOf names what stands there in TOML's words.
func kindOf(raw any) string {
	switch raw.(type) {
	case bool:
		return "true or false"
	case string:
		return "a string"
	case int64, float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date"
}

// syntax turns what the TOML decoder says into an Error with a line.
func syntax(f *File, err error) error {
	e := &Error{File: f.Path, Cause: printable(strings.TrimPrefix(err.Error(), "toml: "))}
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
		e.Line, _ = at.Position()
	} else {
		e.Line = definedTwice(f.Data)
	}
	return e
}

// definedTwice finds the line that defines a key again, which the decoder names
// without its place. It is the first line with which that error appears: what
// comes before decodes, or is cut in the middle, and that error has a place.
func definedTwice(data []byte) int {
	all := bytes.SplitAfter(data, []byte("\n"))
	return 1 + sort.Search(len(all)-1, func(i int) bool {
		var into map[string]any
		err := toml.Unmarshal(bytes.Join(all[:i+1], nil), &into)
		_, placed := errors.AsType[*toml.DecodeError](err)
		return err != nil && !placed
	})
}
