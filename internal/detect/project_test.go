package detect

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// world is a home with projects in every situation that there is a rule for.
func world(t *testing.T) scene {
	tr := newScene(t)
	for _, dir := range []string{
		"home/ann/plain/sub",
		"home/ann/proj/.ai-jail", "home/ann/proj/sub/deep",
		"home/ann/proj/vendor/.ai-jail", "home/ann/proj/vendor/x",
		"home/ann/a b\n'c'/.ai-jail", "home/ann/a b\n'c'/sub",
		"home/ann/proj-evil/sub",
		"outside",
		"data/real/.ai-jail", "data/real/in",
		"data/plain",
	} {
		tr.dir(dir)
	}
	tr.file("home/ann/filemark/sub/x", 0o644)
	tr.file("home/ann/filemark/.ai-jail", 0o644)
	tr.link(tr.path("data/plain"), "home/ann/proj/out")
	tr.link(tr.path("data/real"), "home/ann/in")
	tr.link(tr.path("home/ann/proj/sub"), "home/ann/short")

	tr.dir("home/ann/linkmark")
	tr.link("../proj/.ai-jail", "home/ann/linkmark/.ai-jail")
	tr.dir("home/ann/dangling")
	tr.link("nothing", "home/ann/dangling/.ai-jail")
	tr.dir("home/ann/linkfile")
	tr.link("../filemark/.ai-jail", "home/ann/linkfile/.ai-jail")

	tr.dir("open/.ai-jail")
	tr.dir("open/mine/.ai-jail")
	tr.dir("open/mine/sub")
	tr.dir("open/theirs/sub")
	tr.dirMode("open", 0o1777)
	tr.dir("loose/.ai-jail")
	tr.dirMode("loose", 0o777)
	tr.dir("team/.ai-jail")
	tr.dirMode("team", 0o2775)
	return tr
}

func TestFindProject(t *testing.T) {
	tr := world(t)
	home := tr.path("home/ann")
	for _, tt := range []struct {
		name, cwd, pwd string // below the tree
		root, as       string
		away           bool
	}{
		{name: "none", cwd: "home/ann/plain/sub"},
		{name: "none, home", cwd: "home/ann"},
		{name: "none, above home", cwd: "home"},
		{name: "none, elsewhere", cwd: "outside"},
		{name: "a name that begins like a project's", cwd: "home/ann/proj-evil/sub"},
		{name: "root", cwd: "home/ann/proj", root: "home/ann/proj"},
		{name: "below", cwd: "home/ann/proj/sub/deep", root: "home/ann/proj"},
		{name: "in the marker", cwd: "home/ann/proj/.ai-jail", root: "home/ann/proj"},
		{name: "nearest", cwd: "home/ann/proj/vendor/x", root: "home/ann/proj/vendor"},
		{name: "odd name", cwd: "home/ann/a b\n'c'/sub", root: "home/ann/a b\n'c'"},
		{name: "a file is no marker", cwd: "home/ann/filemark/sub"},
		{name: "a link to a marker", cwd: "home/ann/linkmark", root: "home/ann/linkmark"},
		{name: "a link to nothing", cwd: "home/ann/dangling", root: "home/ann/dangling"},
		{name: "a link to a file", cwd: "home/ann/linkfile"},
		{name: "by a link into it", cwd: "data/real/in", pwd: "home/ann/in/in", root: "data/real", as: "home/ann/in"},
		{name: "by a link to below it", cwd: "home/ann/proj/sub/deep", pwd: "home/ann/short/deep", root: "home/ann/proj"},
		{name: "by a link out of it", cwd: "data/plain", pwd: "home/ann/proj/out", root: "home/ann/proj", away: true},
		{name: "the same without the link", cwd: "data/plain"},
		{name: "outside of homes", cwd: "data/real/in", root: "data/real"},
		{name: "below a sticky directory", cwd: "open/mine/sub", root: "open/mine"},
		{name: "writable by a group", cwd: "team", root: "team"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pwd := tr.path(tt.pwd)
			if tt.pwd == "" {
				pwd = tr.path(tt.cwd)
			}
			got, ok, err := FindProject(tr.path(tt.cwd), pwd, []string{home}, nil)
			if err != nil || ok != (tt.root != "") {
				t.Fatalf("got %+v, %t, %v", got, ok, err)
			}
			if !ok {
				return
			}
			if tt.as == "" {
				tt.as = tt.root
			}
			r := got.Root
			if r.Path != tr.path(tt.root) || r.As != tr.path(tt.as) || !r.Marker || got.Away != tt.away {
				t.Errorf("got %+v, away %t", r, got.Away)
			}
			if src, err := Stat(r.Path); err != nil || src.ID != r.ID {
				t.Errorf("ID %v, want %v, %v", r.ID, src.ID, err)
			}
			if last := got.Markers[len(got.Markers)-1]; last.Dir != r.Path {
				t.Errorf("the last marker is %+v", last)
			}
		})
	}
}

func TestFindProjectRefuses(t *testing.T) {
	tr := world(t)
	tr.dir("other/home/.ai-jail")
	tr.dir("other/home/sub")
	tr.dir("other/.ai-jail")
	home := tr.path("home/ann")
	otherHome := tr.path("other/home")
	proj := tr.path("home/ann/proj")
	for _, tt := range []struct {
		name  string
		cwd   string
		homes []string
		path  string
		cause string
		hint  string
	}{
		{"the home", "other/home", []string{otherHome}, "other/home", "home directory", "mv "},
		{"below the home, whose marker is nearest", "other/home/sub", []string{otherHome}, "other/home", "home directory", "mv "},
		{"above the home", "other", []string{otherHome}, "other", "lies below", "mv "},
		{"the home by HOME", "other/home", []string{home, otherHome}, "other/home", "$HOME", "export HOME=" + home},
		{"HOME set to the project", "home/ann/proj/sub", []string{home, proj}, "home/ann/proj", "$HOME", "export HOME=" + home},
		{"HOME set below the project", "home/ann/proj/sub/deep", []string{home, proj + "/sub"}, "home/ann/proj", "$HOME names, lies below", "export HOME=" + home},
		{"a sticky directory", "open", []string{home}, "open", "everybody may write", "mv "},
		{"below it, without a marker", "open/theirs/sub", []string{home}, "open", "everybody may write", "mv "},
		{"writable by all", "loose", []string{home}, "loose", "everybody may write", "chmod o-w "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok, err := FindProject(tr.path(tt.cwd), "", tt.homes, nil)
			var refused *RefusedError
			if ok || !errors.As(err, &refused) {
				t.Fatalf("got %+v, %t, %v", got, ok, err)
			}
			if refused.Path != tr.path(tt.path) || !strings.Contains(refused.Cause, tt.cause) || !strings.Contains(refused.Hint, tt.hint) {
				t.Errorf("got %+v", refused)
			}
			if strings.ContainsAny(refused.Cause+refused.Hint, "\n\x1b") {
				t.Errorf("control characters in %+v", refused)
			}
		})
	}
}

func TestByHand(t *testing.T) {
	tr := world(t)
	home := tr.path("home/ann")
	for _, cwd := range []string{"home/ann/plain", "home/ann/proj/sub", "open/theirs", "team", "home/ann/a b\n'c'"} {
		root, err := ByHand(tr.path(cwd), "", []string{home})
		if err != nil || root.Path != tr.path(cwd) || root.As != root.Path || root.Marker || root.ID.IsZero() {
			t.Errorf("%q: %+v, %v", cwd, root, err)
		}
	}
	root, err := ByHand(tr.path("data/real/in"), tr.path("home/ann/in/in"), []string{home})
	if err != nil || root.As != tr.path("home/ann/in/in") {
		t.Errorf("by a link: %+v, %v", root, err)
	}
	for _, cwd := range []string{"/", "/usr", "/etc", "/proc", "/proc/self", "/dev", home, tr.path("home"), tr.root, tr.path("open"), tr.path("loose"), "", "relative"} {
		var refused *RefusedError
		if root, err := ByHand(cwd, "", []string{home}); !errors.As(err, &refused) || refused.Hint == "" {
			t.Errorf("%q: %+v, %v", cwd, root, err)
		}
	}
	if _, err := ByHand(tr.path("gone"), "", []string{home}); err == nil {
		t.Error("a directory that is not there is a root")
	}
}

func TestMarkersOutermostFirst(t *testing.T) {
	tr := world(t)
	got, _, err := FindProject(tr.path("home/ann/proj/vendor/x"), "", []string{tr.path("home/ann")}, nil)
	must(t, err)
	want := []Marker{{Dir: tr.path("home/ann/proj"), Usable: true}, {Dir: tr.path("home/ann/proj/vendor"), Usable: true}}
	if !slices.Equal(got.Markers, want) {
		t.Errorf("got %+v", got.Markers)
	}
}

func TestMarkersThatDoNotCount(t *testing.T) {
	tr := world(t)
	home := tr.path("home/ann")
	for _, tt := range []struct{ cwd, dir, why string }{
		{"open/mine/sub", "open", "everybody may write to it"},
		{"home/ann/linkmark", "home/ann/linkmark", "it is a link"},
		{"home/ann/dangling", "home/ann/dangling", "it is a link"},
	} {
		got, ok, err := FindProject(tr.path(tt.cwd), "", []string{home}, nil)
		if err != nil || !ok {
			t.Fatalf("%s: %t, %v", tt.cwd, ok, err)
		}
		if m := got.Markers[0]; m.Dir != tr.path(tt.dir) || m.Usable || m.Why != tt.why {
			t.Errorf("%s: got %+v", tt.cwd, m)
		}
	}
	tr.dir("home/ann/.ai-jail")
	got, ok, err := FindProject(tr.path("home/ann/proj"), "", []string{home}, nil)
	if err != nil || !ok || len(got.Markers) != 2 || got.Markers[0].Usable {
		t.Errorf("a marker in the home: %+v, %t, %v", got, ok, err)
	}
}

func TestMarkerOfAStranger(t *testing.T) {
	tr := newScene(t)
	dir := tr.dir("proj")
	me := uint32(os.Geteuid())
	for _, tt := range []struct {
		name   string
		marker sighting
		uid    uint32
		want   string
	}{
		{"mine", sighting{uid: me, perm: 0o755}, me, ""},
		{"root's", sighting{uid: 0, perm: 0o755}, me, ""},
		{"the directory owner's", sighting{uid: me, perm: 0o755}, me + 7, ""},
		{"a stranger's", sighting{uid: me + 8, perm: 0o755}, me + 7, "it belongs to another user"},
		{"writable by all", sighting{uid: me, perm: 0o777}, me, "everybody may write to it"},
		{"writable by the group", sighting{uid: me, perm: 0o775}, me, ""},
	} {
		tt.marker.dir = dir
		got := search{uid: tt.uid}.markers([]sighting{tt.marker})
		if len(got) != 1 || got[0].Why != tt.want || got[0].Usable != (tt.want == "") {
			t.Errorf("%s: got %+v", tt.name, got)
		}
	}
}

func TestFilesOfAnotherTool(t *testing.T) {
	tr := world(t)
	got, ok, err := FindProject(tr.path("home/ann/filemark/sub"), "", nil, nil)
	if want := []string{tr.path("home/ann/filemark/.ai-jail")}; err != nil || ok || !slices.Equal(got.Files, want) {
		t.Errorf("got %q, %t, %v", got.Files, ok, err)
	}
	tr.file("home/ann/.ai-jail", 0o644)
	got, ok, err = FindProject(tr.path("home/ann"), "", []string{tr.path("home/ann")}, nil)
	if err != nil || ok || len(got.Files) != 1 {
		t.Errorf("in the home: %+v, %t, %v", got, ok, err)
	}
}

// lies are what a variable may hold; none of them may change what is found.
func lies(tr scene) []string {
	return []string{
		"", "relative", ".", "..", "/", "/nonexistent", tr.path("outside"), tr.path("home/ann/plain"),
		tr.path("home/ann/proj/sub/../sub/deep"), tr.path("home/ann/proj/./sub"),
		"/proc/self/cwd", "/proc/thread-self/cwd", "/dev/fd/../..", tr.path("home/ann/short/none"),
		"/" + strings.Repeat("x/", 100_000), "\x00", "/a\x00b", tr.path("home/ann/dangling/.ai-jail"),
	}
}

func TestALyingPWDChangesNothing(t *testing.T) {
	tr := world(t)
	homes := []string{tr.path("home/ann")}
	for _, cwd := range []string{"home/ann/proj/sub/deep", "home/ann/plain/sub", "open/theirs/sub", "data/plain"} {
		t.Chdir(tr.path(cwd))
		want, wantOK, wantErr := FindProject(tr.path(cwd), tr.path(cwd), homes, nil)
		for _, pwd := range lies(tr) {
			got, ok, err := FindProject(tr.path(cwd), pwd, homes, nil)
			if got.Root != want.Root || ok != wantOK || (err == nil) != (wantErr == nil) {
				t.Errorf("in %s, PWD=%.60q: %+v, %t, %v", cwd, pwd, got.Root, ok, err)
			}
		}
	}
}

func TestDeletedDirectory(t *testing.T) {
	tr := world(t)
	for _, tt := range []struct {
		name, cwd, remove string
		refused           bool
	}{
		{"in a project", "home/ann/proj/sub/deep", "home/ann/proj/sub", true},
		{"outside", "home/ann/plain/sub", "home/ann/plain", false},
		{"a whole project", "home/ann/a b\n'c'/sub", "home/ann/a b\n'c'", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(tr.path(tt.cwd))
			must(t, os.RemoveAll(tr.path(tt.remove)))
			if cwd, err := unix.Getcwd(make([]byte, 4096)); err == nil {
				t.Fatalf("the directory is still there: %v", cwd)
			}
			_, ok, err := FindProject("", tr.path(tt.cwd), []string{tr.path("home/ann")}, nil)
			var refused *RefusedError
			if ok || errors.As(err, &refused) != tt.refused || !tt.refused && err != nil {
				t.Errorf("got %t, %v", ok, err)
			}
			if _, err := ByHand("", tr.path(tt.cwd), nil); !errors.As(err, &refused) {
				t.Errorf("by hand: %v", err)
			}
		})
	}
}

// Whoever takes the right to search a project away must not leave the jail.
func TestUnsearchableDirectory(t *testing.T) {
	tr := world(t)
	must(t, os.Chmod(tr.path("home/ann/proj"), 0o600))
	t.Cleanup(func() { os.Chmod(tr.path("home/ann/proj"), 0o755) })
	asNobody(t, func() {
		_, ok, err := FindProject(tr.path("home/ann/proj/sub"), "", nil, nil)
		var refused *RefusedError
		if ok || !errors.As(err, &refused) || refused.Path != tr.path("home/ann/proj") {
			t.Errorf("got %t, %v", ok, err)
		}
	})
}

func TestQuotedInHints(t *testing.T) {
	tr := newScene(t)
	dir := tr.dir("a b\n\x1b[31m'c'/.ai-jail")
	dir = parent(dir)
	_, _, err := FindProject(dir, "", []string{dir}, nil)
	var refused *RefusedError
	if !errors.As(err, &refused) || strings.ContainsAny(refused.Cause+refused.Hint, "\n\x1b") {
		t.Errorf("got %+v, %v", refused, err)
	}
}

// A home whose name is a link is refused by each of its names, and so is what
// lies above any of them.
func TestHomeByAnotherName(t *testing.T) {
	tr := newScene(t)
	home := tr.dir("real/ann")
	named := tr.link(home, "ann")
	homes := Homes(1, "", func(int) (string, bool) { return named, true })
	for _, dir := range []string{home, parent(home), tr.root} {
		must(t, os.Mkdir(join(dir, markerName), 0o755))
		var refused *RefusedError
		if _, ok, err := FindProject(dir, "", homes, nil); ok || !errors.As(err, &refused) || refused.Path != dir {
			t.Errorf("%s: %t, %v", dir, ok, err)
		}
		must(t, os.Remove(join(dir, markerName)))
	}
	var refused *RefusedError
	if _, err := ByHand(home, named, []string{named}); !errors.As(err, &refused) {
		t.Errorf("by identity: %v", err)
	}
}

func BenchmarkFindProjectNone(b *testing.B) {
	dir := physical(b.TempDir())
	for b.Loop() {
		if _, ok, err := FindProject(dir, dir, nil, nil); ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
