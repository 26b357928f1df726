package config

import (
	"slices"
	"strings"

	"jail/internal/sandbox/plan"
)

// A kind is what the value of a key must be.
type kind int

const (
	boolean      kind = iota // a choice between true and false
	word                     // a choice of one word
	patternList              // a list of patterns
	mapList                  // a list of paths, or of path:path
	envList                  // a list of NAME or NAME=value
	commandList              // a list of command names
	variableList             // a list of variable names
	dirList                  // a list of directories
)

// A scope is where a key may stand.
type scope int

const (
	anywhere scope = iota // in both files, and below [commands.NAME]
	topLevel              // in both files
	userOnly              // in the user's file
)

// A key is one word of the configuration's language.
type key struct {
	name   string
	kind   kind
	scope  scope
	order  []string    // of a choice: its values, the strictest first
	action plan.Action // of patterns
	except bool        // of patterns: they keep open what others hide
	grant  string      // what it asks for, in words; %s is the value. Empty: it only tightens
	onOff  bool        // of a boolean: as a flag it takes on or off
}

// keys is the whole language, in the order in which one layer is applied and in
// which the manual explains it.
func keys() []key {
	return []key{
		{name: "mode", kind: word, order: []string{"lockdown", "worker", "normal"}, grant: "run in mode %s"},
		{name: "mask", kind: patternList, action: plan.ActMask},
		{name: "mask_except", kind: patternList, action: plan.ActMask, except: true, grant: "leave %s readable"},
		{name: "deny", kind: patternList, action: plan.ActDeny},
		{name: "deny_except", kind: patternList, action: plan.ActDeny, except: true, grant: "leave %s accessible"},
		{name: "ro", kind: mapList, grant: "read %s"},
		{name: "rw", kind: mapList, grant: "read and write %s"},
		{name: "env", kind: envList, grant: "get the variable %s"},
		{name: "env_policy", kind: word, order: []string{"listed", "judged"}, grant: "get every variable that looks harmless"},
		{name: "network", kind: word, order: []string{"off", "on"}, grant: "reach the network"},
		{name: "gpu", order: off(), grant: "use the GPU", onOff: true},
		{name: "docker", order: off(), grant: "reach the Docker socket, which is root on this host"},
		{name: "display", order: off(), grant: "reach the display"},
		{name: "ssh", order: off(), grant: "use the ssh agent"},
		{name: "userns", order: off(), grant: "make user namespaces"},
		{name: "nested", order: off(), grant: "mount, without Landlock"},
		{name: "ptrace", order: off(), grant: "trace its own processes"},
		{name: "no_landlock", order: off(), grant: "run without Landlock"},
		{name: "strict", scope: topLevel, order: []string{"true", "false"}, grant: "run where something cannot be enforced"},
		{
			name: "cache", kind: word, grant: "keep package caches (%s)",
			order: []string{plan.CacheNone, plan.CacheProject, unset, plan.CacheShared, plan.CacheHost},
		},
		{name: "shims", kind: commandList, scope: topLevel, grant: "shim the command %s"},
		{name: "shims_except", kind: commandList, scope: userOnly},
		{name: "worker_env", kind: variableList, scope: userOnly},
		{name: "jail_below", kind: dirList, scope: userOnly},
	}
}

// find returns the key of that name, or nil.
func find(known []key, name string) *key {
	for i := range known {
		if known[i].name == name {
			return &known[i]
		}
	}
	return nil
}

// off is the order of a boolean that loosens when it is true.
func off() []string { return []string{"false", "true"} }

// unset stands in the order of cache for "as each preset says": the project's
// store for packages and the host's directory for models, so neither of the two
// that one word can ask for.
const unset = ""

// tables is the one key that holds tables: [commands.NAME].
const tables = "commands"

func (k *key) choice() bool { return k.kind == boolean || k.kind == word }

// rank is the place of a value in the order of a choice; 0 is the strictest.
func (k *key) rank(value string) int { return slices.Index(k.order, value) }

// words lists what somebody may write for a choice.
func (k *key) words() []string {
	return slices.DeleteFunc(slices.Clone(k.order), func(v string) bool { return v == unset })
}

// asks says in words what a value asks for.
func (k *key) asks(value string) string {
	if !k.choice() {
		value = quote(value)
	}
	return strings.Replace(k.grant, "%s", value, 1)
}

// wants says what the value must be, and example shows it with the word that
// stands there now.
func (k *key) wants() string {
	switch k.kind {
	case boolean:
		return "true or false"
	case word:
		return "one of " + strings.Join(k.words(), ", ")
	}
	return "a list of strings"
}

func (k *key) example(now any) string {
	text, _ := now.(string)
	switch {
	case k.kind == boolean && k.rank(strings.ToLower(text)) >= 0:
		return k.name + " = " + strings.ToLower(text)
	case k.choice():
		return k.name + " = " + literal(k.order[0])
	case text != "" && k.kind != envList && printable(text) == text:
		return k.name + " = [" + quote(text) + "]"
	}
	return k.name + ` = ["..."]`
}

// literal writes a value as TOML does: booleans bare, words quoted.
func literal(v string) string {
	if v == "true" || v == "false" {
		return v
	}
	return quote(v)
}
