package config

import (
	"errors"
	"strings"
	"testing"
)

func TestErrorsOfAFile(t *testing.T) {
	for _, c := range []struct {
		name, text  string
		line        int
		cause, hint string
	}{
		{"unknown", "mode = \"normal\"\n\nmaks = []", 3, `unknown key "maks"`, `did you mean "mask"?`},
		{"unknown, other tool's", "rw_maps = []", 1, `unknown key "rw_maps"`, "the keys are "},
		{"unknown, upper case", "MASK = []", 1, `unknown key "MASK"`, `did you mean "mask"?`},
		{"unknown, hostile", "\"a\\u001b[31m\" = 1", 1, `unknown key "a\x1b[31m"`, "the keys are "},
		{"unknown table", "\n[comands.npm]\ncache = \"none\"", 2, `unknown key "comands"`, `did you mean "commands"?`},
		{"unknown list of tables", "[[a]]\n[[a]]", 1, `unknown key "a"`, "the keys are "},
		{"unknown in a command", "[commands.npm]\n# a\ncahce = 'none'", 3, `unknown key "cahce"`, `did you mean "cache"?`},
		{"unknown, dotted", "gpu = true\ncommands.npm.cahce = 'none'", 2, `unknown key "cahce"`, `did you mean "cache"?`},
		{"unknown, inline", "commands = {npm = {\"cahce\" = 'none'}}", 1, `unknown key "cahce"`, `did you mean "cache"?`},
		{"table in a command", "[commands.npm.commands.x]", 1, `unknown key "commands"`, "the keys are "},
		{"the first error", "gpu = 1\nmaks = []\nmode = 2", 1, "gpu: want true or false, got a number", "gpu = false"},
		{"misplaced", "[commands.npm]\ncache = 'none'\nshims = ['x']", 3, `"shims" does not belong in [commands.npm]`, "move it above the first [table]"},
		{"strict in a command", "[commands.npm]\nstrict = true", 2, `"strict" does not belong in [commands.npm]`, "move it above the first [table]"},
		{"not the project's", "worker_env = ['X']", 1, `"worker_env" is the user's to say, in the user's own file`, ""},

		{"boolean as text", "gpu = 'True'", 1, "gpu: want true or false, got a string", "gpu = true"},
		{"boolean as any text", "docker = 'yes'", 1, "docker: want true or false, got a string", "docker = false"},
		{"word as boolean", "network = false", 1, "network: want one of off, on, got true or false", `network = "off"`},
		{"word as list", "mode = ['worker']", 1, "mode: want one of lockdown, worker, normal, got a list", `mode = "lockdown"`},
		{"word as table", "[mode]\na = 1", 1, "mode: want one of lockdown, worker, normal, got a table", `mode = "lockdown"`},
		{"word as date", "mode = 2020-01-01", 1, "mode: want one of lockdown, worker, normal, got a date", `mode = "lockdown"`},
		{"no such word", "mode = 'lokdown'", 1, `mode: "lokdown" is not one of lockdown, worker, normal`, `mode = "lockdown"`},
		{"empty word", "cache = ''", 1, `cache: "" is not one of none, project, shared, host`, `cache = "project"`},
		{"list as text", "mask = '*.pem'", 1, "mask: want a list of strings, got a string", `mask = ["*.pem"]`},
		{"list as number", "mask = 1.5", 1, "mask: want a list of strings, got a number", `mask = ["..."]`},
		{"list with a number", "mask = ['a',\n 1]", 1, "mask: want a list of strings, and element 2 is a number", ""},
		{"list with a list", "mask = [['a']]", 1, "mask: want a list of strings, and element 1 is a list", ""},
		{"commands as text", "commands = 'npm'", 1, "commands: want a table for each command, got a string", "[commands.npm]"},
		{"command as text", "commands.npm = 'npm'", 1, `commands."npm": want a table, got a string`, `[commands."npm"]`},
		{"command without a name", "[commands.' ']", 1, `"" is not the name of a command`, ""},
		{"command as a path", "[commands.'/usr/bin/npm']", 1, `"/usr/bin/npm" is not the name of a command`, ""},

		{"pattern of nothing", "mask = ['a',\n'/ /']", 2, `mask: the pattern "/ /" names nothing`, ""},
		{"empty pattern", "deny = ['']", 1, `deny: the pattern "" names nothing`, ""},
		{"pattern that opens", "mask = ['*',\n\n'!.env']", 3, `mask: the pattern "!.env" begins with an exclamation mark, which has no meaning here`, `mask_except = [".env"]`},
		{"deny that opens", "deny = ['!a']", 1, `deny: the pattern "!a" begins with an exclamation mark, which has no meaning here`, `deny_except = ["a"]`},
		{"pattern upwards", "mask = ['a/../../b']", 1, `mask: the pattern "a/../../b" leads out of its directory`, ""},
		{"pattern of the home", "mask = ['~/x']", 1, `mask: the pattern "~/x" names the home, and patterns hide what lies in a project`, ""},
		{"pattern with a break", `mask = ["a\nb"]`, 1, `mask: "a\nb" holds a control character`, ""},
		{"pattern that check refuses", "mask = ['a[']", 1, `mask: the pattern "a[" is not valid: no closing bracket`, ""},

		{"map without a source", "rw = [':/x']", 1, `rw: the map ":/x" has no source`, ""},
		{"empty map", "ro = ['']", 1, `ro: the map "" has no source`, ""},
		{"map without an end", "ro = ['/x:']", 1, `ro: the map "/x:" is neither a path nor source:destination`, ""},
		{"map with three parts", "ro = ['/x:/y:ro']", 1, `ro: the map "/x:/y:ro" is neither a path nor source:destination`, ""},
		{"map as docker says it", "rw = ['/x:ro']", 1, `rw: the map "/x:ro": the key says ro or rw, not the value`, `ro = ["/x"]`},
		{"map to a relative end", "ro = ['/x:y']", 1, `ro: the map "/x:y": where it appears must be an absolute path`, ""},
		{"map of the root", "ro = ['/']", 1, `ro: "/" cannot be mapped: it is or holds "/"`, `ro = ["~/one/directory"]`},
		{"map to the root", "ro = ['/x:/']", 1, `ro: "/" cannot be mapped: it is or holds "/"`, `ro = ["~/one/directory"]`},
		{"map of the home", "ro = ['~']", 1, `ro: "/h/me" cannot be mapped: it is or holds "/h/me"`, `ro = ["~/one/directory"]`},
		{"map of the other home", "ro = ['/other/']", 1, `ro: "/other" cannot be mapped: it is or holds "/other"`, `ro = ["~/one/directory"]`},
		{"map above the home", "rw = ['~/x/../..']", 1, `rw: "/h" cannot be mapped: it is or holds "/h/me"`, `rw = ["~/one/directory"]`},
		{"map to the home", "rw = ['/srv:~/']", 1, `rw: "/h/me" cannot be mapped: it is or holds "/h/me"`, `rw = ["~/one/directory"]`},
		{"map out of the project", "rw = ['../..']", 1, `rw: "/h" cannot be mapped: it is or holds "/h/me"`, `rw = ["~/one/directory"]`},
		{"map of the host's processes", "ro = ['/proc/']", 1, `ro: "/proc" cannot be mapped: it shows the processes of this host`, ""},
		{"map below them", "ro = ['/x:/y', '/x/../proc/1/root:/y']", 1, `ro: "/proc/1/root" cannot be mapped: it shows the processes of this host`, ""},
		{"map of another's home", "ro = ['~bob/x']", 1, `ro: "~bob/x": only ~ itself is expanded, not another user's home`, ""},
		{"map by a variable", "ro = ['$HOME/x']", 1, `ro: "$HOME/x": variables are not expanded; write ~/ or an absolute path`, ""},
		{"map with a NUL", `ro = ["/a\u0000b"]`, 1, `ro: "/a\x00b" holds a control character`, ""},

		{"variable without a name", "env = ['=x']", 1, `env: "" is not the name of a variable; each is named in full`, ""},
		{"variables by a star", "env = ['AWS_*']", 1, `env: "AWS_*" is not the name of a variable; each is named in full`, ""},
		{"variable with a space", "env = ['A B=secret']", 1, `env: "A B" is not the name of a variable; each is named in full`, ""},
		{"variable with a NUL", `env = ["A=secret\u0000"]`, 1, `env: "A=..." holds a control character`, ""},
		{"variable as text", "env = 'A=secret'", 1, "env: want a list of strings, got a string", `env = ["..."]`},
		{"shim by a path", "shims = ['bin/x']", 1, `shims: "bin/x" is not the name of a command`, ""},
		{"shim like a flag", "shims = ['-x']", 1, `shims: "-x" is not the name of a command`, ""},

		{"syntax", "gpu = true\nmode =\n", 2, "", ""},
		{"same key twice", "gpu = true\n\ngpu = false\nmask = [\n", 3, "", ""},
		{"same list twice", "mask = []\nmask = [\n'a']\n", 3, "", ""},
		{"same table twice", "[commands.npm]\nrw = []\n[commands.npm]\n", 3, "", ""},
		{"same key of a table", "[commands]\nnpm.rw = []\nnpm.rw = []\n", 3, "", ""},
		{"invalid UTF-8", "gpu = true\n# \xff", 2, "", ""},
		{"unclosed", "a = \"", 1, "", ""},
	} {
		s := &scene{known: keys(), layer: layerProject, file: "/p/.ai-jail/config.toml", base: "/h/me/p", homes: []string{"/h/me", "/other"}, check: bracket}
		_, err := parse(&File{Path: s.file, Data: []byte(c.text)}, s)
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%s: error %v", c.name, err)
			continue
		}
		if syntax := c.cause == "" && e.Cause != ""; syntax {
			c.cause, c.hint = e.Cause, e.Hint
		}
		if e.Line != c.line || e.Cause != c.cause || !strings.HasPrefix(e.Hint, c.hint) || c.hint == "" && e.Hint != "" {
			t.Errorf("%s: line %d: %s (hint %s)\nwant line %d: %s (hint %s)", c.name, e.Line, e.Cause, e.Hint, c.line, c.cause, c.hint)
		}
	}
}

func bracket(text string) error {
	if strings.Contains(text, "[") && !strings.Contains(text, "]") {
		return errors.New("no closing bracket")
	}
	return nil
}

func TestErrorIsOneLineWithItsPlace(t *testing.T) {
	for _, c := range []struct {
		e    Error
		want string
	}{
		{Error{File: "/p/.ai-jail/config.toml", Line: 3, Cause: `unknown key "maks"`}, `/p/.ai-jail/config.toml:3: unknown key "maks"`},
		{Error{File: "/p/c.toml", Cause: "is larger than 64 KiB"}, "/p/c.toml: is larger than 64 KiB"},
		{Error{Cause: "--rw: x"}, "--rw: x"},
		{Error{File: "/p\n\x1b[2J/a b/ü", Line: 1, Cause: "x\u202ey\xff"}, `/p\n\x1b[2J/a b/ü:1: x\u202ey\ufffd`},
	} {
		if got := c.e.Error(); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

// A user's file knows no directory of its own, so a relative path in it means
// nothing.
func TestUserFileHasNoRelativePaths(t *testing.T) {
	s := &scene{known: keys(), layer: layerUser, file: "/c", homes: []string{"/h/me"}}
	for text, want := range map[string]string{
		"rw = ['build']":         `rw: "build": a path here must be absolute or begin with ~/`,
		"ro = ['/a:~x']":         `ro: "~x": only ~ itself is expanded, not another user's home`,
		"mask = ['a/b', '/c']":   "",
		"worker_env = ['A', '']": `worker_env: "" is not the name of a variable; each is named in full`,
		"worker_env = []":        "",
	} {
		_, err := parse(&File{Path: "/c", Data: []byte(text)}, s)
		if e, _ := errors.AsType[*Error](err); (e == nil) != (want == "") || e != nil && e.Cause != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	s.homes = nil
	if _, f := s.path("~/x"); f == nil {
		t.Error("~ was expanded without a home")
	}
}

func TestWithinComparesWholeParts(t *testing.T) {
	for _, c := range []struct {
		path, dir string
		want      bool
	}{
		{"/a/b", "/a", true}, {"/a", "/a", true}, {"/a", "/", true}, {"/", "/", true},
		{"/ab", "/a", false}, {"/a", "/a/b", false}, {"/a/..b", "/a", true}, {"/", "/a", false},
	} {
		if got := within(c.path, c.dir); got != c.want {
			t.Errorf("%s within %s: %v", c.path, c.dir, got)
		}
	}
}

func TestNearest(t *testing.T) {
	var all []string
	for _, k := range keys() {
		all = append(all, k.name)
	}
	for word, want := range map[string]string{
		"maks": "mask", "mask": "mask", "mask_exept": "mask_except", "denny": "deny", "netwrok": "network", "nolandlock": "no_landlock",
		"r": "", "w": "", "": "", "password": "", strings.Repeat("mask", 100): "",
	} {
		if got, _ := Nearest(word, all); want != "" && got != want || want == "" && len(word) > 2 && got != "" {
			t.Errorf("nearest to %.20s is %q, want %q", word, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"ca", "abc", 3}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance %q %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestLinesOfKeysAndElements(t *testing.T) {
	text := strings.ReplaceAll(`# comment
mask = [ # one
  "a",

  'b', "c\n",
  """d
d""",
  "e" ]
"gp\u0075" = true
commands."npm run".rw = ["x",
  "y"]
[commands.npm]
  env = []

  [commands . 'pip']
ro = ["z"]
[a.b.c.d.e]
[in]
line = { deep = { k = 1,  l = ["1"] } }
`, "\n", "\r\n")
	l := findLines([]byte(text))
	for _, c := range []struct {
		path string
		want int
	}{
		{"mask", 2}, {"gpu", 9}, {"commands", 10}, {"commands/npm run", 10}, {"commands/npm run/rw", 10}, {"commands/npm", 12},
		{"commands/npm/env", 13}, {"commands/pip", 15}, {"commands/pip/ro", 16}, {"a", 17}, {"a/b/c", 17}, {"a/b/c/d", 0}, {"in/line/deep", 19}, {"none", 0},
	} {
		if got := l.key(strings.Split(c.path, "/")...); got != c.want {
			t.Errorf("%s is in line %d, want %d", c.path, got, c.want)
		}
	}
	for i, want := range []int{3, 5, 5, 6, 8, 2} {
		if got := l.item(i, "mask"); got != want {
			t.Errorf("mask %d is in line %d, want %d", i, got, want)
		}
	}
	if got := l.item(1, "commands", "npm run", "rw"); got != 11 {
		t.Errorf("rw 1 is in line %d, want 11", got)
	}
	if got := (*lines)(nil).item(0, "x") + (*lines)(nil).key("x"); got != 0 {
		t.Errorf("no lines: %d", got)
	}
}
