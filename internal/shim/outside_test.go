package shim

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

var errNotFound = errors.New("not found")

// find is what detect.Lookup promises.
func find(name, pathVar, cwd string, farms []plan.ID) (string, error) {
	for _, dir := range filepath.SplitList(pathVar) {
		if id, ok := identify(dir); ok && slices.Contains(farms, id) {
			continue
		}
		if path := filepath.Join(dir, name); runs(path) {
			return path, nil
		}
	}
	return "", errNotFound
}

func TestOutside(t *testing.T) {
	b := newBench(t, "npm")
	farm := b.install(b.request()).Dir
	ids := FarmIDs(b.data, filepath.Join(farm, "npm"), "", "")
	path := "/nowhere:" + farm + "::" + b.bin + ":"
	args := []string{"npm", "run", "a b", "", "--", "-c", "\xff"}
	env := []string{"A=1", "PATH=" + path, "B=2", "PATH=" + path, "JAIL=off"}
	before := slices.Clone(env)
	exec, err := Outside(args, env, "/", ids, find)
	if err != nil {
		t.Fatal(err)
	}
	npm := filepath.Join(b.bin, "npm")
	if exec.Path != npm || !slices.Equal(exec.Args, append([]string{npm}, args[1:]...)) {
		t.Errorf("%s %q", exec.Path, exec.Args)
	}
	without := "PATH=/nowhere::" + b.bin + ":"
	if want := []string{"A=1", without, "B=2", without, "JAIL=off", "JAIL_DEPTH=1"}; !slices.Equal(exec.Env, want) {
		t.Errorf("%q\nwant %q", exec.Env, want)
	}
	if !slices.Equal(env, before) || args[0] != "npm" {
		t.Error("what was given was changed")
	}
}

// A venv's python must see the path by which it was found, link and all.
func TestOutsideKeepsTheLink(t *testing.T) {
	b := newBench(t, "python3.11")
	venv := filepath.Join(filepath.Dir(b.bin), "venv/bin")
	must(t, os.MkdirAll(venv, 0o755))
	must(t, os.Symlink(filepath.Join(b.bin, "python3.11"), filepath.Join(venv, "python")))
	exec, err := Outside([]string{"/some/shims/python"}, []string{"PATH=" + venv}, "/", nil, find)
	if err != nil || exec.Path != filepath.Join(venv, "python") || exec.Args[0] != exec.Path {
		t.Errorf("%+v, %v", exec, err)
	}
}

// A farm is known by what it is, in every spelling (pyenv#2696, asdf#2166).
func TestFarmIsTakenOutInEverySpelling(t *testing.T) {
	b := newBench(t, "npm", "python3")
	tmp := filepath.Dir(b.bin)
	farm := b.install(b.request()).Dir
	must(t, os.Symlink(farm, filepath.Join(tmp, "link")))
	must(t, os.Symlink(b.data, filepath.Join(tmp, "datalink")))
	t.Chdir(farm)
	ids := FarmIDs(b.data, filepath.Join(farm, "npm"), "", "")
	for _, entry := range []string{
		farm, farm + "/", farm + "/.", farm + "//", filepath.Dir(farm) + "//shims", filepath.Dir(farm) + "/./shims",
		filepath.Join(tmp, "link"), filepath.Join(tmp, "datalink/shims"), farm + "/../shims", ".", "", "./", "../shims",
	} {
		for _, path := range []string{entry + ":" + b.bin, b.bin + ":" + entry, entry + ":" + b.bin + ":" + entry + ":" + entry} {
			if got := PathWithout(path, ids); got != b.bin {
				t.Errorf("%q became %q", path, got)
			}
		}
	}
	if got := PathWithout(farm, ids); got != nowhere {
		t.Errorf("a PATH of nothing but the farm became %q, where an empty one means the working directory", got)
	}
}

func TestPathWithoutLeavesTheRest(t *testing.T) {
	for _, path := range []string{"", ":", "/a", "/a:", ":/a", "/a::/b", "/b:/a:/b", "/a/:/a//b/./c:~/bin:./x", "/\xff:/ "} {
		if got := PathWithout(path, []plan.ID{{Dev: 1, Ino: 1 << 60}}); got != path {
			t.Errorf("%q became %q", path, got)
		}
	}
}

func TestFarmIDs(t *testing.T) {
	b := newBench(t, "npm")
	tmp := filepath.Dir(b.bin)
	root, other := filepath.Join(tmp, "proj"), filepath.Join(tmp, "other")
	for _, r := range []string{root, other} {
		b.program(filepath.Join(r, "bin"), "tool")
		b.installRoot(b.rootRequest(r, filepath.Join(r, "bin")))
	}
	users := b.install(b.request()).Dir
	elsewhere := newBench(t, "npm")
	theirs := elsewhere.install(elsewhere.request()).Dir
	pyenv := filepath.Join(tmp, "pyenv/shims") // called the same, and not ours
	b.program(pyenv, "python3")
	path := strings.Join([]string{pyenv, RootFarmDir(b.data, other), b.bin}, ":")
	ids := FarmIDs(b.data, filepath.Join(theirs, "npm"), root, path)
	for _, dir := range []string{users, theirs, RootFarmDir(b.data, root), RootFarmDir(b.data, other)} {
		if id, _ := identify(dir); !slices.Contains(ids, id) {
			t.Errorf("%s is not in the list", dir)
		}
		if id, _ := identify(filepath.Join(dir, copyName)); !slices.Contains(ids, id) {
			t.Errorf("the shims of %s are not in the list", dir)
		}
	}
	for _, dir := range []string{pyenv, b.bin, tmp, "/"} {
		if id, _ := identify(dir); slices.Contains(ids, id) {
			t.Errorf("%s is in the list", dir)
		}
	}
	// Called from no farm, as `jail npm`.
	ids = FarmIDs(b.data, "/usr/bin/env", "", "")
	if id, _ := identify("/usr/bin"); slices.Contains(ids, id) || len(ids) != 2 {
		t.Errorf("%v", ids)
	}
}

// ln -s shims/python3 ~/bin/python3: the search goes on behind ~/bin.
func TestLinkToAShimElsewhere(t *testing.T) {
	b := newBench(t, "python3")
	tmp := filepath.Dir(b.bin)
	farm := b.install(b.request()).Dir
	soft, hard := filepath.Join(tmp, "soft"), filepath.Join(tmp, "hard")
	must(t, os.Mkdir(soft, 0o755))
	must(t, os.Mkdir(hard, 0o755))
	must(t, os.Symlink(filepath.Join(farm, "python3"), filepath.Join(soft, "python3")))
	must(t, os.Link(filepath.Join(farm, "python3"), filepath.Join(hard, "python3")))
	ids := FarmIDs(b.data, filepath.Join(farm, "python3"), "", "")
	env := []string{"PATH=" + strings.Join([]string{soft, farm, hard, b.bin}, ":")}
	exec, err := Outside([]string{"python3"}, env, "/", ids, find)
	if err != nil || exec.Path != filepath.Join(b.bin, "python3") {
		t.Errorf("%+v, %v", exec, err)
	}
	env = []string{"PATH=" + strings.Join([]string{farm, soft}, ":")}
	if exec, err := Outside([]string{"python3"}, env, "/", ids, find); !errors.Is(err, errNotFound) {
		t.Errorf("%+v, %v", exec, err)
	}
}

// The counter ends a loop, and no value of it makes a shim behave otherwise.
func TestDepthEndsInAnError(t *testing.T) {
	b := newBench(t, "npm")
	env := []string{"PATH=" + b.bin}
	for hop := range maxDepth {
		exec, err := Outside([]string{"npm"}, env, "/", nil, find)
		if err != nil {
			t.Fatalf("hop %d: %v", hop, err)
		}
		env = exec.Env
	}
	_, err := Outside([]string{"npm"}, env, "/", nil, find)
	var loop *LoopError
	if !errors.As(err, &loop) || loop.Advice() == "" {
		t.Errorf("%v", err)
	}
	for _, text := range []string{"", "-1", "x", "9999999999999999999999", "off", "0"} {
		exec, err := Outside([]string{"npm"}, []string{"PATH=" + b.bin, "JAIL_DEPTH=" + text}, "/", nil, find)
		if err != nil || exec.Path != filepath.Join(b.bin, "npm") || exec.Env[1] != "JAIL_DEPTH=1" {
			t.Errorf("JAIL_DEPTH=%s: %+v, %v", text, exec, err)
		}
	}
}

func TestOutsideWithoutPath(t *testing.T) {
	exec, err := Outside([]string{"env"}, []string{"A=1"}, "/", nil, find)
	if err != nil || (exec.Path != "/usr/bin/env" && exec.Path != "/bin/env") {
		t.Errorf("%+v, %v", exec, err)
	}
	if !slices.Equal(exec.Env, []string{"A=1", "JAIL_DEPTH=1"}) {
		t.Errorf("%q", exec.Env)
	}
}

// The farms of roots stay on PATH for what the program starts; a directory of the
// project's is there too.
func TestOutsideKeepsTheFarmsOfRoots(t *testing.T) {
	b := newBench(t, "npm")
	users := b.install(b.request()).Dir
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	venv := filepath.Join(root, ".venv/bin")
	b.program(venv, "git")
	own := b.installRoot(b.rootRequest(root, venv, b.bin)).Dir
	path := strings.Join([]string{own, users, venv, b.bin}, ":")
	exec, err := Outside([]string{"npm"}, []string{"PATH=" + path}, "/", FarmIDs(b.data, filepath.Join(users, "npm"), "", path), find)
	if err != nil {
		t.Fatal(err)
	}
	if want := "PATH=" + strings.Join([]string{own, venv, b.bin}, ":"); exec.Env[0] != want || exec.Path != filepath.Join(b.bin, "npm") {
		t.Errorf("%s %q, want %q", exec.Path, exec.Env, want)
	}
}

// Every directory on the way to a program has a say in what it is.
func TestTrail(t *testing.T) {
	b := newBench(t, "npm")
	tmp := filepath.Dir(b.bin)
	for _, dir := range []string{"a", "b", "c"} {
		must(t, os.MkdirAll(filepath.Join(tmp, dir), 0o755))
	}
	must(t, os.Symlink(filepath.Join(tmp, "b"), filepath.Join(tmp, "link")))
	must(t, os.Symlink("../link/npm", filepath.Join(tmp, "a/npm")))
	must(t, os.Symlink(filepath.Join(b.bin, "npm"), filepath.Join(tmp, "b/npm")))
	want := []string{filepath.Join(tmp, "a"), filepath.Join(tmp, "b"), b.bin}
	if got := Trail(filepath.Join(tmp, "a/npm")); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	must(t, os.Symlink("loop", filepath.Join(tmp, "c/loop")))
	if got := Trail(filepath.Join(tmp, "c/loop")); !slices.Equal(got, []string{filepath.Join(tmp, "c")}) {
		t.Errorf("%q", got)
	}
	if !FromProject(filepath.Join(tmp, "c/loop"), "/nowhere", "") {
		t.Error("a chain without an end was taken for the host's")
	}
}
