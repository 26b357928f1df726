package environ

import (
	"strconv"
	"strings"

	"jail/internal/environ/secret"
)

// Settings that a caller hands to git by GIT_CONFIG_COUNT, GIT_CONFIG_KEY_n and
// GIT_CONFIG_VALUE_n. Git refuses to work if one of them is missing, so a setting
// goes as a whole, and the ones behind it move up.
type gitConfig struct {
	settings []GitSetting // that stay, in order
	looks    string       // what one that does not stay looks like
}

// A GitSetting is one line of git's configuration, with its section in the key.
type GitSetting struct{ Key, Value string }

const (
	gitCount = "GIT_CONFIG_COUNT"
	gitKey   = "GIT_CONFIG_KEY_"
	gitValue = "GIT_CONFIG_VALUE_"
)

// maxSettings bounds what a caller can make us look for.
const maxSettings = 1000

func isGitConfig(name string) bool {
	return strings.HasPrefix(name, "GIT_CONFIG_") &&
		(name == gitCount || strings.HasPrefix(name, gitKey) || strings.HasPrefix(name, gitValue))
}

// read collects the settings and judges each.
func (g *gitConfig) read(env []string) {
	var vars map[string]string
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if !isGitConfig(name) {
			continue
		}
		if vars == nil {
			vars = map[string]string{}
		}
		if old, twice := vars[name]; twice && old != value {
			g.looks = "set twice"
			return // nobody knows which counts; none stays
		}
		vars[name] = value
	}
	count, err := strconv.Atoi(vars[gitCount])
	if err != nil || count < 0 || count > maxSettings {
		return
	}
	for n := range count {
		key, hasKey := vars[gitKey+strconv.Itoa(n)]
		value, hasValue := vars[gitValue+strconv.Itoa(n)]
		if !hasKey || !hasValue {
			g.settings, g.looks = nil, "incomplete"
			return
		}
		if looks := (GitSetting{key, value}).Looks(); looks != "" {
			g.looks = looks
			continue
		}
		g.settings = append(g.settings, GitSetting{key, value})
	}
}

// Looks says what a setting looks like, or nothing if it may be seen. The name that
// counts is the last part of the key; the part in the middle may be a URL.
func (s GitSetting) Looks() string {
	key, value := s.Key, s.Value
	if looks, found := secret.Value(key); found {
		return looks
	}
	last := key[strings.LastIndexByte(key, '.')+1:]
	if value == "" || strings.EqualFold(last, "signingkey") {
		return ""
	}
	if strings.EqualFold(last, "extraheader") || strings.HasPrefix(strings.ToLower(key), "credential.") {
		return "a credential"
	}
	if word, found := secret.Name(last); found && !isSwitch(value) {
		return "a setting named " + word
	}
	looks, _ := secret.Value(value)
	return looks
}

// decide decides about one of the variables by what remains.
func (g *gitConfig) decide(v *variable) {
	if v.name == gitCount {
		if len(g.settings) == 0 && v.value != "0" {
			v.dropped = g.why()
			return
		}
		v.change(strconv.Itoa(len(g.settings)))
		return
	}
	number, isKey := strings.CutPrefix(v.name, gitKey)
	if !isKey {
		number = strings.TrimPrefix(v.name, gitValue)
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(g.settings) || strconv.Itoa(n) != number {
		v.dropped = g.why()
		return
	}
	if isKey {
		v.change(g.settings[n].Key)
	} else {
		v.change(g.settings[n].Value)
	}
}

func (g *gitConfig) why() string {
	if g.looks == "" {
		return "git would not read it"
	}
	return "a setting for git in it or before it is " + g.looks
}

// tellGit adds the variables that the caller's own settings have not brought along.
func (j *judge) tellGit() {
	tell := func(name, value string) {
		if _, found := j.at[name]; !found {
			j.set(name, value)
		}
	}
	for n, s := range j.git.settings {
		tell(gitKey+strconv.Itoa(n), s.Key)
		tell(gitValue+strconv.Itoa(n), s.Value)
	}
	tell(gitCount, strconv.Itoa(len(j.git.settings)))
}
