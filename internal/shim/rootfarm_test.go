package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func (b bench) rootRequest(root string, path ...string) RootRequest {
	return RootRequest{DataDir: b.data, Launcher: b.launcher, Root: root, Path: b.request(path...).Path}
}

func (b bench) installRoot(req RootRequest) Report {
	b.t.Helper()
	report, err := InstallRoot(req)
	if err != nil {
		b.t.Fatal(err)
	}
	return report
}

func TestRootFarmHoldsWhatTheProjectPutOnPath(t *testing.T) {
	b := newBench(t, "npm", "git")
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	venv := filepath.Join(root, ".venv/bin")
	for _, name := range []string{"python", "pytest", "git", "sudo", ".hidden"} {
		b.program(venv, name)
	}
	must(t, os.WriteFile(filepath.Join(venv, "activate"), nil, 0o644))
	users := b.install(b.request())
	req := b.rootRequest(root, venv, filepath.Join(root, "none"), "node_modules/.bin", root+"-evil", b.bin)
	req.Extra = []string{"terraform", "bash"}
	report := b.installRoot(req)
	b.agrees(report)
	// sudo is refused by configuration only: the project's own would run first.
	b.wantNames(report, "git", "pytest", "python", "sudo", "terraform")
	if len(report.Refused) != 1 || report.Refused[0].Name != "bash" {
		t.Errorf("%+v", report.Refused)
	}
	if report.Dir != b.data+"/roots"+root+"/shims" || report.Dir != RootFarmDir(b.data, root) {
		t.Errorf("the farm is %s", report.Dir)
	}
	if inode(t, report.Dir+"/pytest") != inode(t, users.Dir+"/npm") {
		t.Error("a root's shims are another file than the user's")
	}
	before := inode(t, report.Dir+"/pytest")
	if again := b.installRoot(req); again.Renewed || again.Added != nil || inode(t, report.Dir+"/pytest") != before {
		t.Errorf("%+v", again)
	}
	must(t, os.WriteFile(b.launcher, []byte("#!launcher 2\n"), 0o755))
	b.install(b.request())
	b.agrees(b.installRoot(req))
}

// What a later run adds is found: a new file, and one that was there and could not
// be run, of which its directory shows nothing.
func TestRootFarmFollowsTheProject(t *testing.T) {
	b := newBench(t, "npm", "git")
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	bin := filepath.Join(root, "node_modules/.bin")
	b.program(bin, "vite")
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\n"), 0o644))
	b.install(b.request())
	req := b.rootRequest(root, bin, b.bin)
	b.wantNames(b.installRoot(req), "vite")
	settle(t, bin, func() bool { return readStateAt(RootFarmDir(b.data, root)).places[0].stamp != (stamp{}) }, func() { b.installRoot(req) })
	before := snapshot(t, RootFarmDir(b.data, root))
	b.wantNames(b.installRoot(req), "vite")
	if after := snapshot(t, RootFarmDir(b.data, root)); after != before {
		t.Errorf("an unchanged farm was touched:\n%s\n%s", before, after)
	}
	must(t, os.Chmod(filepath.Join(bin, "git"), 0o755))
	b.wantNames(b.installRoot(req), "git", "vite")
	// With the times put back, as a jailed program can.
	info, err := os.Stat(bin)
	must(t, err)
	b.program(bin, "ls")
	must(t, os.Chtimes(bin, info.ModTime(), info.ModTime()))
	b.wantNames(b.installRoot(req), "git", "ls", "vite")
	// An environment that is active in another shell only.
	b.wantNames(b.installRoot(b.rootRequest(root, b.bin)), "git", "ls", "vite")
	// A link out of the project is the project's.
	must(t, os.Symlink(filepath.Join(b.bin, "npm"), filepath.Join(bin, "npm")))
	b.wantNames(b.installRoot(req), "git", "ls", "npm", "vite")
	// The user's farm is renewed, and with it this one.
	must(t, os.WriteFile(b.launcher, []byte("#!launcher 2\n"), 0o755))
	b.install(b.request())
	b.agrees(b.installRoot(req))
}

// settle waits until a change of dir is old enough to leave a trace.
func settle(t *testing.T, dir string, done func() bool, again func()) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); again() {
		if time.Now().After(deadline) {
			t.Fatalf("the stamp of %s is never kept", dir)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Entries of PATH that are empty or relative lead into the project from its root
// and from where the command ran.
func TestRootFarmOfRelativeEntries(t *testing.T) {
	b := newBench(t)
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	b.program(filepath.Join(root, "node_modules/.bin"), "one")
	b.program(filepath.Join(root, "sub/node_modules/.bin"), "two")
	b.program(filepath.Join(root, "sub"), "three")
	b.program(root, "four")
	req := b.rootRequest(root, "./node_modules/.bin", "", "../../bin")
	req.Cwd = filepath.Join(root, "sub")
	b.wantNames(b.installRoot(req), "four", "one", "three", "two")
}

// A directory of very many programs costs very many links at most, and the names
// that shadow a program of the host's are among them.
func TestRootFarmIsBounded(t *testing.T) {
	b := newBench(t, "zgit")
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	bin := filepath.Join(root, "bin")
	b.program(bin, "a")
	for i := range most {
		must(t, os.Link(filepath.Join(bin, "a"), filepath.Join(bin, fmt.Sprintf("a%05d", i))))
	}
	b.program(bin, "zgit")
	b.program(bin, "yarn")
	report, err := InstallRoot(b.rootRequest(root, bin, b.bin))
	if err == nil {
		t.Error("nothing is said of those without a shim")
	}
	if len(report.Names) != most || !slices.Contains(report.Names, "zgit") || !slices.Contains(report.Names, "yarn") {
		t.Errorf("%d names, zgit %t", len(report.Names), slices.Contains(report.Names, "zgit"))
	}
	if !runs(filepath.Join(report.Dir, "zgit")) {
		t.Error("there is no shim for zgit")
	}
}

// A program that has a shim keeps it, however many others a command puts beside it.
func TestRootFarmKeeps(t *testing.T) {
	b := newBench(t)
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	bin := filepath.Join(root, "bin")
	b.program(bin, "uvicorn")
	b.wantNames(b.installRoot(b.rootRequest(root, bin)), "uvicorn")
	for i := range most + 1 {
		must(t, os.Link(filepath.Join(bin, "uvicorn"), filepath.Join(bin, fmt.Sprintf("a%05d", i))))
	}
	if report, _ := InstallRoot(b.rootRequest(root, bin)); !runs(filepath.Join(report.Dir, "uvicorn")) {
		t.Error("there is no shim for uvicorn any more")
	}
}

// Nothing that a command does to a directory of PATH in its project keeps the programs
// in it from having shims.
func TestRootFarmOfOddDirectories(t *testing.T) {
	for name, trick := range map[string]func(t *testing.T, b bench, bin string){
		"like a farm":    func(t *testing.T, b bench, bin string) { b.program(bin, copyName) },
		"a link to none": func(t *testing.T, _ bench, bin string) { must(t, os.Symlink("/nowhere", filepath.Join(bin, "x"))) },
		"closed":         func(t *testing.T, _ bench, bin string) { must(t, os.Chmod(bin, 0o111)) },
	} {
		b := newBench(t)
		root := filepath.Join(filepath.Dir(b.bin), "proj")
		bin := filepath.Join(root, "bin")
		b.program(bin, "pytest")
		b.wantNames(b.installRoot(b.rootRequest(root, bin)), "pytest")
		b.program(bin, "git")
		trick(t, b, bin)
		if got := b.installRoot(b.rootRequest(root, bin)).Names; !slices.Equal(got, []string{"git", "pytest"}) {
			t.Errorf("%s: shims %q", name, got)
		}
	}
}

// Which shims are there because somebody said so.
func TestConfigured(t *testing.T) {
	b := newBench(t, "npm", "terraform")
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	b.program(filepath.Join(root, "bin"), "git")
	b.program(filepath.Join(root, "bin"), "npm")
	req := b.request()
	req.Extra = []string{"terraform"}
	users := b.install(req).Dir
	rootReq := b.rootRequest(root, filepath.Join(root, "bin"))
	rootReq.Extra = []string{"packer"}
	own := b.installRoot(rootReq).Dir
	for _, test := range []struct {
		farm, name string
		want       bool
	}{
		{users, "npm", true}, {users, "terraform", true},
		{own, "npm", true}, {own, "packer", true}, {own, "git", false}, {own, "terraform", false},
		{filepath.Join(root, "nothing"), "git", true}, // no farm of a root's
	} {
		if got := Configured(test.farm, test.name); got != test.want {
			t.Errorf("%s in %s: %t", test.name, test.farm, got)
		}
	}
}

func TestRootWithoutNeedHasNoFarm(t *testing.T) {
	b := newBench(t, "npm")
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	b.installRoot(b.rootRequest(root))
	if _, err := os.Lstat(b.data); !os.IsNotExist(err) {
		t.Errorf("something was made: %v", err)
	}
	venv := filepath.Join(root, ".venv/bin")
	b.program(venv, "pytest")
	dir := b.installRoot(b.rootRequest(root, venv)).Dir
	if !IsFarm(dir) {
		t.Fatal("there is no farm")
	}
	must(t, os.RemoveAll(venv))
	report := b.installRoot(b.rootRequest(root, venv))
	if IsFarm(dir) || len(report.Removed) != 1 || runs(filepath.Join(dir, "pytest")) {
		t.Errorf("%+v", report)
	}
}

func TestRootFarmThroughALink(t *testing.T) {
	b := newBench(t, "npm")
	tmp := filepath.Dir(b.bin)
	root := filepath.Join(tmp, "proj")
	b.program(filepath.Join(root, "node_modules/.bin"), "vite")
	must(t, os.Symlink(root, filepath.Join(tmp, "link")))
	report := b.installRoot(b.rootRequest(root, filepath.Join(tmp, "link/node_modules/.bin")))
	b.wantNames(report, "vite")
}

// One root lies in the directory of another; both have a farm.
func TestFarmsOfNestedRoots(t *testing.T) {
	b := newBench(t, "npm")
	outer := filepath.Join(filepath.Dir(b.bin), "proj")
	nested := filepath.Join(outer, "shims") // the worst name
	b.program(filepath.Join(outer, "bin"), "one")
	b.program(filepath.Join(nested, "bin"), "two")
	first, second := b.rootRequest(outer, filepath.Join(outer, "bin")), b.rootRequest(nested, filepath.Join(nested, "bin"))
	for range 2 {
		b.wantNames(b.installRoot(first), "one")
		b.wantNames(b.installRoot(second), "two")
	}
	if !runs(RootFarmDir(b.data, outer)+"/one") || !runs(RootFarmDir(b.data, nested)+"/two") {
		t.Error("one farm emptied the other")
	}
}

// A shell that came through a link looks for the farm at the link's path.
func TestRootFarmByAnotherPath(t *testing.T) {
	b := newBench(t, "npm")
	tmp := filepath.Dir(b.bin)
	root, link := filepath.Join(tmp, "proj"), filepath.Join(tmp, "links/link")
	b.program(filepath.Join(root, "bin"), "vite")
	must(t, os.Mkdir(filepath.Dir(link), 0o755))
	must(t, os.Symlink(root, link))
	req := b.rootRequest(root, filepath.Join(root, "bin"))
	req.As = link
	for range 2 {
		b.installRoot(req)
		if !runs(RootFarmDir(b.data, link)+"/vite") || !IsFarm(RootFarmDir(b.data, link)) {
			t.Fatal("it is not found by the link's path")
		}
	}
	// The link becomes a directory, and a root of its own.
	must(t, os.Remove(link))
	b.program(filepath.Join(link, "bin"), "other")
	b.wantNames(b.installRoot(b.rootRequest(link, filepath.Join(link, "bin"))), "other")
	if !runs(RootFarmDir(b.data, root) + "/vite") {
		t.Error("the farm behind the link was changed")
	}
	// And a link again: what is there stays.
	b.installRoot(req)
	if !runs(RootFarmDir(b.data, link) + "/other") {
		t.Error("a farm was replaced by a link")
	}
}
