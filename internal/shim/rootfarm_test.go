package shim

import (
	"os"
	"path/filepath"
	"testing"
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
	before := snapshot(t, report.Dir)
	if again := b.installRoot(req); again.Renewed || again.Added != nil || snapshot(t, report.Dir) != before {
		t.Errorf("%+v", again)
	}
	must(t, os.WriteFile(b.launcher, []byte("#!launcher 2\n"), 0o755))
	b.install(b.request())
	b.agrees(b.installRoot(req))
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
