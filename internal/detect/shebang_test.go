package detect

import (
	"slices"
	"strings"
	"testing"
)

func TestShebang(t *testing.T) {
	long := "/" + strings.Repeat("x", 300)
	for _, c := range []struct{ text, interpreter, name string }{
		{"#!/bin/sh\n", "/bin/sh", ""},
		{"#! /bin/sh -e\n", "/bin/sh", ""},
		{"#!\t/usr/bin/python3 -I\n", "/usr/bin/python3", ""},
		{"#!/usr/bin/python3\t-I\n", "/usr/bin/python3", ""},
		{"#!/usr/bin/env node\n", "/usr/bin/env", "node"},
		{"#!/usr/bin/env  node \n", "/usr/bin/env", "node"},
		{"#!/usr/bin/env node", "/usr/bin/env", "node"},
		{"#!/usr/bin/env node\r\n", "/usr/bin/env", "node"},
		{"#!/usr/bin/env -S node --flag\n", "/usr/bin/env", "node"},
		{"#!/usr/bin/env -Snode --flag\n", "/usr/bin/env", "node"},
		{"#!/usr/bin/env -vS deno run\n", "/usr/bin/env", "deno"},
		{"#!/usr/bin/env --split-string=uv run\n", "/usr/bin/env", "uv"},
		{"#!/usr/bin/env -S A=b -i -u HOME node\n", "/usr/bin/env", "node"},
		{"#!/usr/bin/env -S -C /x 'node'\n", "/usr/bin/env", "node"},
		{"#!/usr/bin/env -S\n", "/usr/bin/env", ""},
		{"#!/usr/bin/env -i\n", "/usr/bin/env", ""},
		{"#!/usr/bin/env\n", "/usr/bin/env", ""},
		{"#!/usr/bin/env python3 -u\n", "/usr/bin/env", "python3 -u"}, // the kernel gives env one word
		{"#!/bin/sh\n'''exec' /h/venv/bin/python \"$0\" \"$@\"\n' '''\n", "/h/venv/bin/python", ""},
		{"#!/bin/sh\n'''exec' \"/h x/venv/bin/python\" \"$0\" \"$@\"\n", "/h x/venv/bin/python", ""},
		{"#!/bin/sh\nexec /h/python\n", "/bin/sh", ""},
		{"#!" + long + "\n", long[:shebangMax-2], ""},
	} {
		got, ok := parseShebang([]byte(c.text))
		if !ok || got.Interpreter != c.interpreter || got.Name != c.name {
			t.Errorf("%.60q: %+v %v", c.text, got, ok)
		}
	}
	for _, text := range []string{"", "#", "#!", "#!\n", "#! \t\n/bin/sh", "\x7fELF", "echo hi\n", " #!/bin/sh\n"} {
		if got, ok := parseShebang([]byte(text)); ok {
			t.Errorf("%q is no script: %+v", text, got)
		}
	}
}

func TestWraps(t *testing.T) {
	for text, want := range map[string][]string{
		"#!/bin/sh\nexec node /a/b.cjs \"$@\"\n":                          {"/a/b.cjs"},
		"#!/usr/bin/env bash\nset -e\nexec '/ab' \"/opt/x\" \"$@\"\n":     {"/ab", "/opt/x"},
		"#!/bin/bash\nX=1 exec /a\n exec  /b/c $*\nexec\n":                {"/b/c"},
		"#!/bin/sh\nexec \"$d/x\" /y* /z$a /w;\nexec /v `/u`\necho /t\n":  {"/v"},
		"#!/usr/bin/python3\nexec /a\n":                                   nil,
		"#!/bin/sh\n'''exec' /h/venv/bin/python \"$0\"\n' '''\nexec /a\n": nil,
	} {
		if got, _ := parseShebang([]byte(text)); !slices.Equal(got.Wraps, want) {
			t.Errorf("%q: %q, want %q", text, got.Wraps, want)
		}
	}
	cut := "#!/bin/sh\n# " + strings.Repeat("x", 2*shebangMax) + "\n"
	if got, _ := parseShebang([]byte(cut + "exec /etc/ho")); got.Wraps != nil {
		t.Errorf("half a path counts: %q", got.Wraps)
	}
}

func FuzzShebang(f *testing.F) {
	f.Add("#!/usr/bin/env -S A=b node --x\n")
	f.Add("#!/bin/sh\n'''exec' \"/x y/python\" \"$0\"\n")
	f.Add("#!\t /x\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseShebang([]byte(text))
		if ok != (got.Interpreter != "") {
			t.Errorf("%q: %+v %v", text, got, ok)
		}
		if !strings.Contains(text, strings.Trim(got.Interpreter, `"'`)) || !strings.Contains(text, got.Name) {
			t.Errorf("%q: %+v is not in it", text, got)
		}
		if strings.ContainsAny(got.Interpreter, "\n\t") && !strings.Contains(text, "'''exec' ") {
			t.Errorf("%q: %q", text, got.Interpreter)
		}
	})
}
