package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/knadh/koanf/parsers/toml/v2"

	"jail/internal/sandbox/plan"
)

// other takes from another tool's file what tightens, and nothing else. What is
// wrong with such a file is a Note: it is not ours to insist on, and without it
// the jail is what it would have been.
func (l *loader) other() {
	if l.in.OtherFile == "" {
		return
	}
	f, err := readUser(l.in.OtherFile, l.in.UID)
	if f == nil && err == nil {
		return
	}
	if e, ok := errors.AsType[*Error](err); ok && e.directory {
		return // a marker; the home cannot be a project, which detect sees to
	}
	var raw map[string]any
	if err == nil {
		l.result.Files = append(l.result.Files, f.Path)
		if raw, err = toml.Parser().Unmarshal(f.Data); err != nil {
			err = syntax(f, err)
		}
	}
	if err != nil {
		l.state.notes = append(l.state.notes, notTaken(err))
		return
	}
	l.take(f, raw)
}

// take reads each value by itself, so that one that we cannot read does not lose
// the others.
func (l *loader) take(f *File, raw map[string]any) {
	at := findLines(f.Data)
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		ours, parts := translate(name, raw[name])
		if ours == "" {
			l.result.Other = append(l.result.Other, name)
		}
		for i, v := range parts {
			d := decoder{scene: l.in.scene(l.state.known, layerUser, f.Path, "")}
			found, err := d.decode(map[string]any{ours: v})
			line := at.item(i, name)
			if err != nil {
				l.state.notes = append(l.state.notes, notTaken(placed(err, line)))
				continue
			}
			l.state.merge(located(found, line), Command{}, false)
		}
	}
}

// translate gives our name for a key, and its value in parts. A key that does not
// tighten has none.
func translate(name string, raw any) (ours string, parts []any) {
	switch v := raw.(type) {
	case bool:
		switch {
		case !v:
		case name == "no_gpu":
			return "gpu", []any{false}
		case name == "no_docker":
			return "docker", []any{false}
		case name == "lockdown":
			return "mode", []any{string(plan.Lockdown)}
		}
	case []any:
		switch name {
		case "mask":
			return "mask", oneByOne(v)
		case "deny_paths":
			return "deny", oneByOne(v)
		}
	}
	return "", nil
}

// oneByOne makes a list of each element.
func oneByOne(list []any) []any {
	var out []any
	for _, v := range list {
		out = append(out, []any{v})
	}
	return out
}

// located says in which line of the other file the entries stand.
func located(found []entry, line int) []entry {
	for i := range found {
		found[i].reason.Line = line
		for j := range found[i].patterns {
			found[i].patterns[j].Reason.Line = line
		}
	}
	return found
}

func placed(err error, line int) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Line = line
	}
	return err
}

func notTaken(err error) plan.Note {
	return plan.Note{
		Text:   fmt.Sprintf("the file of another tool is not taken whole: %s", err),
		Reason: plan.Reason{Layer: layerUser},
	}
}
