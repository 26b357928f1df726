package trace

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"jail/internal/mask"
)

// A Finding is something that was wanted and not got.
type Finding struct {
	Kind string // path, masked, denied, write, secret, socket, host, name, variable
	What string // the path, absolute; the address; the variable
	Line string // what a configuration would say to allow it; empty where nothing should
}

// A View is what the command had, and what of the host may be spoken of.
type View struct {
	Root     string
	Shows    func(path string) bool            // it is there inside
	Writable func(path string) bool            // and can be written
	Hidden   func(path string) (deny, ok bool) // a pattern hides it
	Exists   func(path string) bool            // on the host
	Private  func(path string) bool            // it lies in a place of credentials
	Offer    func(path string) bool            // a line may be suggested that shows it
	Keeps    func(path string) bool            // and one that lets a command write there
	Home     string                            // for ~
	Network  bool                              // the command had one
	Dropped  []string                          // variables that it did not get
}

const (
	maxFindings = 60
	manyInOne   = 3 // so many files of one directory are named by the directory
)

// Report returns what of events was wanted and not got, sorted, secrets first. more
// is how much was left out.
func Report(events []Event, v View) (found []Finding, more int) {
	for _, e := range events {
		if f, ok := v.judge(e); ok && !slices.ContainsFunc(found, func(g Finding) bool { return g.Kind == f.Kind && g.What == f.What }) {
			found = append(found, f)
		}
	}
	found = v.collapse(found)
	for _, name := range v.Dropped {
		found = append(found, Finding{"variable", name, `env = ["` + name + `"]`})
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return rank(a.Kind) - rank(b.Kind) })
	if len(found) > maxFindings {
		return found[:maxFindings], len(found) - maxFindings
	}
	return found, 0
}

// rank is the order of the kinds.
func rank(kind string) int {
	return slices.Index([]string{"secret", "masked", "denied", "path", "write", "socket", "name", "host", "variable"}, kind)
}

func (v *View) judge(e Event) (Finding, bool) {
	switch e.Kind {
	case Host, Lookup:
		if v.Network {
			return Finding{}, false
		}
		return Finding{string(e.Kind), e.What, `network = "on"`}, true
	case Socket:
		return v.socket(e.What)
	case Write:
		if f, ok := v.path(e.What); ok {
			return f, true
		}
		return v.write(e.What)
	}
	return v.path(e.What)
}

// socket is about services of the host. Which key opens one says the manual; none is
// suggested, as each is a way out.
func (v *View) socket(name string) (Finding, bool) {
	if name == "" || name[0] == '@' && name == "@" || name[0] != '/' && name[0] != '@' {
		return Finding{}, false
	}
	if name[0] == '/' && (v.Shows(name) || !v.Exists(name)) {
		return Finding{}, false
	}
	return Finding{"socket", name, ""}, true
}

func (v *View) path(path string) (Finding, bool) {
	if deny, ok := v.Hidden(path); ok {
		return v.hidden(path, deny), true
	}
	switch {
	case within(path, v.Root), v.Shows(path), !v.Exists(path):
		return Finding{}, false
	case v.Private(path):
		return Finding{"secret", path, ""}, true
	case !v.Offer(path):
		return Finding{"path", path, ""}, true
	}
	return Finding{"path", path, v.line("ro", path)}, true
}

// hidden is about a path of the project. What a key or a certificate is hidden for is
// not offered; settings are, as a dev server may need them.
func (v *View) hidden(path string, deny bool) Finding {
	f := Finding{Kind: "masked", What: path}
	key := "mask_except"
	if deny {
		f.Kind, key = "denied", "deny_except"
	}
	if isKey(filepath.Base(path)) {
		f.Kind = "secret"
		return f
	}
	rel, err := filepath.Rel(v.Root, path)
	if err == nil && printable(rel) {
		f.Line = key + " = [" + strconv.Quote(mask.Literal(rel)) + "]"
	}
	return f
}

// isKey reports whether a name is that of a key rather than of settings.
func isKey(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "id_") || strings.HasSuffix(name, ".pem") || strings.HasSuffix(name, ".key") || name == ".gnupg" || name == "credentials.json"
}

// write is about a path that is there and cannot be written. Only in a cache of downloads
// is the right to write suggested: elsewhere the host runs what lies there.
func (v *View) write(path string) (Finding, bool) {
	if within(path, v.Root) || !v.Shows(path) || v.Writable(path) || v.Private(path) {
		return Finding{}, false
	}
	f := Finding{Kind: "write", What: path}
	if v.Keeps(path) {
		f.Line = v.line("rw", path)
	}
	return f, true
}

// line is a line of configuration that shows path.
func (v *View) line(key, path string) string {
	if v.Home != "" && path != v.Home && within(path, v.Home) {
		path = "~" + strings.TrimPrefix(path, v.Home)
	}
	if !printable(path) || strings.Contains(path, ":") { // "a:b" shows a as b
		return ""
	}
	return key + " = [" + strconv.Quote(path) + "]"
}

// maxOptions bounds a command that is offered.
const maxOptions = 16

// Options are those of jail with which a command gets the paths and hosts that it
// wanted, or else the one variable that it did not get. Of several variables nobody
// knows which was wanted, and they are not handed out at once.
func Options(found []Finding) (options []string) {
	var variables []string
	for _, f := range found {
		option := []string{"--ro", f.What}
		switch {
		case f.Line == "" || len(options) == maxOptions:
			continue
		case f.Kind == "variable":
			variables = append(variables, f.What)
			continue
		case f.Kind == "write":
			option[0] = "--rw"
		case f.Kind == "host" || f.Kind == "name":
			if option = []string{"--network", "on"}; slices.Contains(options, option[0]) {
				continue
			}
		case f.Kind != "path":
			continue
		}
		options = append(options, option...)
	}
	if len(options) == 0 && len(variables) == 1 {
		options = []string{"--env", variables[0]}
	}
	return options
}

// collapse names many files of one directory by the directory.
func (v *View) collapse(found []Finding) []Finding {
	count := map[string]int{}
	for _, f := range found {
		if f.Kind == "path" && f.Line != "" {
			count[filepath.Dir(f.What)]++
		}
	}
	var out []Finding
	for _, f := range found {
		dir := filepath.Dir(f.What)
		if f.Kind == "path" && f.Line != "" && count[dir] >= manyInOne && v.Offer(dir) {
			if count[dir] < 0 {
				continue
			}
			f = Finding{"path", dir, v.line("ro", dir)}
			count[dir] = -1
		} else if count[dir] < 0 && f.Kind == "path" {
			continue
		}
		if slices.ContainsFunc(out, func(g Finding) bool {
			return g.Kind == "path" && f.Kind == "path" && within(f.What, g.What) && g.Line != ""
		}) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// printable reports whether a text can stand in a file of configuration and on a
// terminal as it is.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) || r == '\uFFFD' })
}

// within reports whether path is dir or lies below it, by whole components.
func within(path, dir string) bool {
	if path == dir {
		return true
	}
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/"))
	return ok && rest != "" && rest[0] == '/'
}
