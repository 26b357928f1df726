package environ

import (
	"slices"
	"strings"

	"jail/internal/environ/secret"
	"jail/internal/sandbox/plan"
)

// Input is what Judge must know besides the variables themselves.
type Input struct {
	Listed  bool                   // only the allow-list passes: worker, lockdown, env_policy = "listed"
	Rules   []plan.EnvRule         // the user's own words; they overrule everything, a later one an earlier
	Visible func(path string) bool // reports whether an absolute, clean path exists inside
	Path    string                 // PATH inside; empty leaves the caller's
	Home    string                 // HOME inside; empty leaves the caller's
	Git     []GitSetting           // what git is told besides, after what the caller tells it
}

// Judge returns the variables that a command gets, in the order in which they
// came, and what became of each by name. Of a name that comes twice every value
// is judged and the first is kept, as getenv(3) has it: a program that takes the
// last must not find what the first was dropped for.
func Judge(env []string, in Input) (kept []string, report plan.Environ) {
	j := judge{Input: in, at: make(map[string]int, len(env)+2), list: make([]variable, 0, len(env)+2)}
	j.git.read(env)
	if !ruled(in.Rules, gitCount) {
		j.git.settings = append(j.git.settings, in.Git...)
	}
	for _, e := range env {
		name, value, found := strings.Cut(e, "=")
		if !found || name == "" || secretName(name) {
			j.nameless = true // not even a part of it may be shown
			continue
		}
		j.add(e, name, value)
	}
	if len(in.Git) > 0 {
		j.tellGit()
	}
	for i, r := range in.Rules {
		if r.Set && !ruled(in.Rules[i+1:], r.Name) {
			j.set(r.Name, r.Value)
		}
	}
	return j.result()
}

// secretName reports whether a name is a secret itself: npm puts the address of a
// registry into names, and some of those hold a user.
func secretName(name string) bool {
	_, address, found := strings.Cut(name, "//")
	return found && strings.Contains(address[:until(address, "/")], "@")
}

// A variable is one name and what is decided about it.
type variable struct {
	entry       string // as it came
	name, value string
	changed     bool   // value is not the caller's
	dropped     string // why; empty if it is kept
}

type judge struct {
	Input
	git      gitConfig
	list     []variable
	at       map[string]int // where in list a name stands
	nameless bool
}

// add judges one variable of the caller's.
func (j *judge) add(entry, name, value string) {
	v := variable{entry: entry, name: name, value: value}
	j.one(&v)
	i, twice := j.at[name]
	if !twice {
		j.at[name] = len(j.list)
		j.list = append(j.list, v)
		return
	}
	if v.dropped != "" {
		j.list[i] = v
	}
}

// set gives a variable a value that the user chose.
func (j *judge) set(name, value string) {
	v := variable{name: name, value: value, changed: true}
	if i, found := j.at[name]; found {
		j.list[i] = v
		return
	}
	j.at[name] = len(j.list)
	j.list = append(j.list, v)
}

// one decides about a variable.
func (j *judge) one(v *variable) {
	switch {
	case ruled(j.Rules, v.name):
	case v.name == "PATH" && j.Path != "":
		v.change(j.Path)
	case v.name == "HOME" && j.Home != "":
		v.change(j.Home)
	case isGitConfig(v.name):
		j.git.decide(v)
	default:
		if v.dropped = j.refuse(v.name, v.value); v.dropped == "" {
			j.prune(v)
		}
	}
}

// change gives a variable another value than the caller's.
func (v *variable) change(value string) {
	v.changed = v.changed || value != v.value
	v.value = value
}

// ruled reports whether one of the rules lets a variable pass by its name.
func ruled(rules []plan.EnvRule, name string) bool {
	for i := range rules {
		if rules[i].Name == name {
			return true
		}
	}
	return false
}

// refuse says why a variable does not pass, or nothing.
func (j *judge) refuse(name, value string) string {
	if why := handle(name); why != "" && !trusted(name) {
		return why
	}
	if j.Listed && !listed(name) {
		return "it is not on the list of what passes in this mode"
	}
	if isSwitch(value) {
		return ""
	}
	if word, found := secret.Name(name); found && !harmlessName(name, value) {
		return "its name holds " + word
	}
	if harmlessValue(name) {
		return ""
	}
	if looks, found := secret.Value(address(name, value)); found {
		return "its value looks like " + looks
	}
	return ""
}

// address is a value as a URL, where it may have come without its scheme: curl, pip
// and others take a proxy as user:password@host:port. Without the name nobody can
// tell that from an image's digest or the address of a repository.
func address(name, value string) string {
	const suffix = "proxy"
	i := len(name) - len(suffix)
	if i < 0 || !strings.EqualFold(name[i:], suffix) || strings.Contains(value, "://") || !strings.Contains(value, "@") {
		return value
	}
	return "http://" + value
}

// result appends what the caller did not have, and sorts the report.
func (j *judge) result() (kept []string, report plan.Environ) {
	for _, v := range [...]variable{{name: "PATH", value: j.Path}, {name: "HOME", value: j.Home}} {
		if _, found := j.at[v.name]; !found && v.value != "" {
			v.changed = true
			j.list = append(j.list, v)
		}
	}
	kept = make([]string, 0, len(j.list))
	report.Kept = make([]string, 0, len(j.list))
	for i := range j.list {
		switch v := &j.list[i]; {
		case v.dropped != "":
			report.Dropped = append(report.Dropped, plan.Dropped{Name: v.name, Why: v.dropped})
		case v.changed:
			report.Changed = append(report.Changed, v.name)
			kept = append(kept, v.name+"="+v.value)
		default:
			report.Kept = append(report.Kept, v.name)
			kept = append(kept, v.entry)
		}
	}
	if j.nameless {
		report.Dropped = append(report.Dropped, plan.Dropped{Name: "=", Why: "an entry without a name"})
	}
	slices.Sort(report.Kept)
	slices.Sort(report.Changed)
	slices.SortFunc(report.Dropped, func(a, b plan.Dropped) int { return strings.Compare(a.Name, b.Name) })
	return kept, report
}
