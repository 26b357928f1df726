package detect

import (
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

var (
	pyenvTree = tree{
		"home/work/", "home/.pyenv/bin/pyenv -> ../libexec/pyenv", "home/.pyenv/libexec/pyenv*",
		"home/.pyenv/shims/python3*", "home/.pyenv/pyenv.d/exec/pip-rehash.bash", "home/.pyenv/.git/config", "home/.pyenv/cache/x.tgz",
		"home/.pyenv/plugins/pyenv-virtualenv/shims/activate*", "home/.pyenv/plugins/pyenv-virtualenv/bin/pyenv-activate*",
		"home/.pyenv/version = 3.11.7\n",
		"home/.pyenv/versions/3.11.7/bin/python3.11*", "home/.pyenv/versions/3.11.7/lib/python3.11/os.py",
		"home/.pyenv/versions/3.11.7/bin/python3 -> python3.11",
		"home/.pyenv/versions/3.12.1/bin/python3.12*", "home/.pyenv/versions/3.12.1/lib/python3.12/os.py",
		"home/.pyenv/versions/3.12.1/bin/python3 -> python3.12",
		"home/.pyenv/versions/3.12.10/bin/python3.12*", "home/.pyenv/versions/3.12.10/lib/python3.12/os.py",
		"home/.pyenv/versions/3.12.10/bin/python3 -> python3.12",
		"home/.pyenv/versions/3.12.11rc1/", "home/.pyenv/versions/3.12-dev/",
		"home/.pyenv/versions/3.11.7/envs/mine/pyvenv.cfg = home = $T/home/.pyenv/versions/3.11.7/bin\nversion = 3.11.7\n",
		"home/.pyenv/versions/3.11.7/envs/mine/bin/python -> $T/home/.pyenv/versions/3.11.7/bin/python3.11",
		"home/.pyenv/versions/mine -> $T/home/.pyenv/versions/3.11.7/envs/mine",
	}
	pyenvPath  = "$T/home/.pyenv/plugins/pyenv-virtualenv/shims:$T/home/.pyenv/shims:$T/home/.pyenv/bin:/usr/bin:/bin"
	pyenvNeeds = []string{
		"home/.pyenv/bin/", "home/.pyenv/libexec/", "home/.pyenv/plugins/", "home/.pyenv/shims/", "home/.pyenv/version",
	}
	pyenv311 = []string{"home/.pyenv/versions/3.11.7/bin/", "home/.pyenv/versions/3.11.7/lib/"} // not the envs beside them
)

func TestPyenv(t *testing.T) {
	for _, c := range []struct {
		why  string
		more tree
		env  string
		want []string
	}{
		{"the global version", nil, "", pyenv311},
		{"by variable", nil, "3.12.1", []string{"home/.pyenv/versions/3.12.1/"}},
		{"several", nil, "3.12.1:3.11.7:system", append(slices.Clone(pyenv311), "home/.pyenv/versions/3.12.1/")},
		{"with the word in front", nil, "python-3.12.1", []string{"home/.pyenv/versions/3.12.1/"}},
		{"the newest of a prefix, by number, finished ones only", nil, "3.12", []string{"home/.pyenv/versions/3.12.10/"}},
		{"with the word in front too", nil, "python-3.12", []string{"home/.pyenv/versions/3.12.10/"}},
		{"a prefix ends at a dot", nil, "3.1", nil},
		{"system", nil, "system", nil},
		{"a path is no version", nil, "3.11.7/envs/mine", nil},
		{"one that is not installed", nil, "3.9.9", nil},
		{"the project's file", tree{"home/work/.python-version = 3.12.1\n"}, "", []string{"home/.pyenv/versions/3.12.1/"}},
		{"its comments and spaces", tree{"home/work/.python-version = # mine\n\n  3.12.1 x\r\n3.11.7\n"}, "", append(slices.Clone(pyenv311), "home/.pyenv/versions/3.12.1/")},
		{"the variable comes first", tree{"home/work/.python-version = 3.11.7\n"}, "3.12.1", []string{"home/.pyenv/versions/3.12.1/"}},
		{"a file above the project, which must be seen inside", tree{"home/.python-version = 3.12.1\n"}, "", []string{"home/.pyenv/versions/3.12.1/", "home/.python-version"}},
		{"but not one that holds more than versions", tree{"home/.python-version = 3.12.1 hunter2\n"}, "", []string{"home/.pyenv/versions/3.12.1/"}},
		{"nor one that holds what is no version", tree{"home/.python-version = 3.12.1\nTOKEN=a/b\n"}, "", []string{"home/.pyenv/versions/3.12.1/"}},
		{"nor one with comments", tree{"home/.python-version = #hunter2\n3.12.1\n"}, "", []string{"home/.pyenv/versions/3.12.1/"}},
		{"a virtual environment, and the python it is made from", nil, "mine", []string{
			"home/.pyenv/versions/3.11.7/bin/", "home/.pyenv/versions/3.11.7/envs/mine/", "home/.pyenv/versions/3.11.7/lib/",
			"home/.pyenv/versions/mine -> $T/home/.pyenv/versions/3.11.7/envs/mine",
		}},
		{"a version that lies elsewhere", tree{
			"home/py/bin/python3 -> python3.10", "home/py/lib/python3.10/os.py", "home/.pyenv/versions/far -> ../../py",
		}, "far", []string{"home/.pyenv/versions/far -> ../../py", "home/py/"}},
	} {
		top := append(slices.Clone(pyenvTree), c.more...).build(t)
		in := input(top, pyenvPath, map[string]string{"PYENV_VERSION": c.env})
		t.Run(c.why, func(t *testing.T) {
			expectNeeds(t, top, Toolchains(in), append(slices.Clone(pyenvNeeds), c.want...)...)
		})
	}
}

func TestPyenvReason(t *testing.T) {
	top := pyenvTree.build(t)
	needs := Toolchains(input(top, "$T/home/.pyenv/shims", nil))
	want := "pyenv 3.11.7, for " + top + "/home/.pyenv/shims on PATH"
	for _, need := range needs {
		if strings.Contains(need.Source.Path, "versions") && need.Reason.Text != want {
			t.Errorf("%q, want %q", need.Reason.Text, want)
		}
	}
}

// ~/bin is the user's own, and what lies beside it is the user's life.
func TestHomeBin(t *testing.T) {
	top := tree{
		"home/work/", "home/bin/x*", "home/bin/helper.sh", "home/lib/mine", "home/share/mine", "home/lib/node_modules/y/",
		"home/repo/.git/", "home/repo/app/bin/y*", "home/repo/app/lib/code.py",
		"home/mixed/run*", "home/mixed/notes.txt", "home/pure/run*", "home/pure/walk -> run",
		"home/pair/node_modules/.bin/x*", "home/pair/vendor/bin/y*", "home/pair/vendor/autoload.php",
	}.build(t)
	for _, c := range []struct {
		why, path string
		want      []string
	}{
		{"the home's bin", "$T/home/bin", []string{"home/bin/", "home/lib/node_modules/"}},
		{"the bin of a work tree: no code beside it", "$T/home/repo/app/bin", []string{"home/repo/app/bin/"}},
		{"two places in one directory", "$T/home/pair/node_modules/.bin:$T/home/pair/vendor/bin", []string{"home/pair/node_modules/", "home/pair/vendor/"}},
		{"programs among other things", "$T/home/mixed", []string{"home/mixed/run"}},
		{"nothing but programs", "$T/home/pure", []string{"home/pure/"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			expectNeeds(t, top, Toolchains(input(top, c.path, nil)), c.want...)
		})
	}
}

// With a home that is a link, both spellings lead to the same places, and the link
// exists inside, since shims name it.
func TestHomeIsALink(t *testing.T) {
	top := tree{"data/u/work/", "home -> data/u"}.build(t)
	append(slices.Clone(pyenvTree[1:]), "home/.local/bin/x*").buildIn(t, top)
	want := []string{"data/u/.local/bin/"}
	for _, line := range slices.Concat(pyenvNeeds, pyenv311) {
		want = append(want, strings.Replace(line, "home/", "data/u/", 1))
	}
	for _, c := range []struct{ why, path string }{
		{"by the link", strings.ReplaceAll(pyenvPath+":$T/home/.local/bin", "$T", top)},
		{"by the place", strings.ReplaceAll(pyenvPath+":$T/home/.local/bin", "$T/home", top+"/data/u")},
	} {
		in := input(top, c.path, nil)
		in.Homes = []string{top + "/home", top + "/data/u"}
		in.Root, in.Cwd = top+"/data/u/work", top+"/data/u/work"
		more := want
		if c.why == "by the link" {
			more = append(slices.Clone(want), "home -> data/u")
		}
		t.Run(c.why, func(t *testing.T) { expectNeeds(t, top, Toolchains(in), more...) })
	}
}

func TestProgramNeeds(t *testing.T) {
	lines := append(slices.Clone(pyenvTree),
		"usr/bin/x", "home/.local/bin/black -> $T/home/.local/share/pipx/venvs/black/bin/black",
		"home/.local/share/pipx/venvs/black/bin/black* = #!$T/home/.local/share/pipx/venvs/black/bin/python\n",
		"home/.local/share/pipx/venvs/black/bin/python -> $T/home/.pyenv/versions/3.12.1/bin/python3",
		"home/.local/share/pipx/venvs/black/pyvenv.cfg = home = $T/home/.pyenv/versions/3.12.1/bin\n",
		"home/x/one -> two", "home/x/two -> ../y/three", "home/y/three* = #!$T/home/z/interp -x\n",
		"home/z/interp* = #!/usr/bin/env -S deno run\n", "home/.deno/bin/deno*",
		"home/x/loop -> loop", "home/x/a* = #!$T/home/x/b\n", "home/x/b* = #!$T/home/x/a\n",
		"home/x/gone* = #!$T/home/none\n", "home/work/run* = #!/usr/bin/env deno\n",
		"home/x/long* = #!/bin/sh\n'''exec' \"$T/home/z/interp\" \"$0\" \"$@\"\n",
	)
	top := lines.build(t)
	for _, c := range []struct {
		why, program string
		want         []string
	}{
		{"a program of the system", "/usr/bin/env", nil},
		{"a shim, with its manager", "home/.pyenv/shims/python3", slices.Concat(pyenvNeeds, pyenv311)},
		{"a tool of pipx, with the python below it", "home/.local/bin/black", []string{
			"home/.local/bin/black -> $T/home/.local/share/pipx/venvs/black/bin/black",
			"home/.local/share/pipx/venvs/black/", "home/.pyenv/versions/3.12.1/",
		}},
		{"links, an interpreter, and its interpreter by env", "home/x/one", []string{
			"home/.deno/bin/", "home/x/one -> two", "home/x/two -> ../y/three", "home/y/three", "home/z/interp",
		}},
		{"an interpreter too long for a first line", "home/x/long", []string{"home/.deno/bin/", "home/x/long", "home/z/interp"}},
		{"interpreters in a circle", "home/x/a", []string{"home/x/a", "home/x/b"}},
		{"an interpreter that is missing", "home/x/gone", []string{"home/x/gone"}},
		{"a script of the project, by env", "home/work/run", []string{"home/.deno/bin/"}},
	} {
		path := c.program
		if path[0] != '/' {
			path = top + "/" + path
		}
		t.Run(c.why, func(t *testing.T) {
			needs, err := ProgramNeeds(path, input(top, "$T/home/.deno/bin:/usr/bin", nil))
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Clone(c.want)
			slices.Sort(want)
			expectNeeds(t, top, needs, want...)
		})
	}
	for _, name := range []string{"loop", "none"} {
		if needs, err := ProgramNeeds(top+"/home/x/"+name, input(top, "", nil)); err == nil {
			t.Errorf("%s: no error, %v", name, found(top, needs))
		}
	}
}

// A chain of interpreters ends somewhere, and the kernel's own limit is lower.
func TestInterpreterDepth(t *testing.T) {
	lines := tree{"home/work/"}
	for c := 'a'; c < 'z'; c++ {
		lines = append(lines, "home/i/"+string(c)+"* = #!$T/home/i/"+string(c+1)+"\n")
	}
	top := lines.build(t)
	needs, err := ProgramNeeds(top+"/home/i/a", input(top, "", nil))
	if err != nil || len(needs) != 1+maxDepth {
		t.Errorf("%d needs, %v", len(needs), err)
	}
}

func TestIsVersion(t *testing.T) {
	for name, want := range map[string]bool{
		"3.11.7": true, "pypy3.10-7.3": true, "mine": true, "3.13.0t": true, "miniconda3-latest": true,
		"": false, ".": false, "..": false, ".x": false, "-x": false, "a/b": false, "/": false, "a:b": false, "a b": false, "a\n": false, "a\x00": false, "ä": false, strings.Repeat("x", 200): false,
	} {
		if got := isVersion(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestNewer(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"3.12.10", "3.12.9"}, {"3.12.10", "3.12.1"}, {"3.12.1", "3.12"}, {"miniconda3-4.7.12", "miniconda3-4.7.1"}, {"22.1.0", "9.9.9"},
	} {
		if !newer(c.a, c.b) || newer(c.b, c.a) {
			t.Errorf("%s is newer than %s", c.a, c.b)
		}
	}
}

func TestAbove(t *testing.T) {
	for _, c := range []struct{ dir, tail, root string }{
		{"/h/.cargo/bin", "bin", "/h/.cargo"},
		{"/h/p/plugins/x/shims", "plugins/*/shims", "/h/p"},
		{"/h/m/installs/node/22/bin", "installs/*/*/bin", "/h/m"},
		{"/h/xbin", "bin", ""}, {"/bin", "bin", ""}, {"/", "bin", ""}, {"bin", "bin", ""}, {"/x/shims", "plugins/*/shims", ""},
	} {
		root, ok := above(c.dir, c.tail)
		if !ok {
			root = ""
		}
		if root != c.root {
			t.Errorf("above(%q, %q) = %q", c.dir, c.tail, root)
		}
	}
}

func TestIsWindows(t *testing.T) {
	for dir, want := range map[string]bool{
		"/mnt/c": true, "/mnt/c/Windows/System32": true, "/mnt//d/x": true,
		"/mnt": false, "/mnt/": false, "/mnt/data/bin": false, "/mntx/c": false, "/c": false,
	} {
		if got := isWindows(dir); got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
}

func TestMergeNeeds(t *testing.T) {
	need := func(path string, kind plan.Type) plan.Need {
		return plan.Need{Source: plan.Source{Path: path, Type: kind}, Reason: plan.Reason{Text: path}}
	}
	got := MergeNeeds(
		[]plan.Need{need("/a-b", plan.Directory), need("/a/x", plan.Symlink), need("/c", plan.Symlink)},
		[]plan.Need{need("/a", plan.Directory), need("/c/d", plan.Directory), need("/a-b", plan.Directory), need("/a/y/z", plan.Directory)},
	)
	paths := []string{}
	for _, n := range got {
		paths = append(paths, n.Source.Path)
	}
	if want := []string{"/a", "/a-b", "/c", "/c/d"}; !slices.Equal(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
	if got := MergeNeeds(); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
