package detect

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// these claims the directories of a list.
func these(dirs ...string) Claims {
	return func(dir string) string {
		for _, d := range dirs {
			if d == dir {
				return "the list"
			}
		}
		return ""
	}
}

// A directory that is claimed is a project without a marker, and the nearest of
// both kinds is the root.
func TestFindProjectClaims(t *testing.T) {
	tr := world(t)
	tr.dir("home/ann/lost/sub")
	tr.dir("home/ann/proj/inner/sub")
	tr.dir("home/ann/lost/marked/.ai-jail")
	tr.link(tr.path("home/ann/lost"), "home/ann/way")
	tr.link(tr.path("data/plain"), "home/ann/lost/out")
	claims := these(tr.path("home/ann/lost"), tr.path("home/ann/proj/inner"), tr.path("home/ann/proj"))
	for _, tt := range []struct {
		name, cwd, pwd, root string
		marker               bool
		markers              int
	}{
		{name: "itself", cwd: "home/ann/lost", root: "home/ann/lost"},
		{name: "below", cwd: "home/ann/lost/sub", root: "home/ann/lost"},
		{name: "above", cwd: "home/ann"},
		{name: "a name that begins like it", cwd: "home/ann/plain"},
		{name: "nearer than a marker", cwd: "home/ann/proj/inner/sub", root: "home/ann/proj/inner", markers: 1},
		{name: "with a marker of its own", cwd: "home/ann/proj/sub", root: "home/ann/proj", marker: true, markers: 1},
		{name: "further than a marker", cwd: "home/ann/lost/marked", root: "home/ann/lost/marked", marker: true, markers: 1},
		{name: "by a link into it", cwd: "home/ann/lost/sub", pwd: "home/ann/way/sub", root: "home/ann/lost"},
		{name: "by a link out of it", cwd: "data/plain", pwd: "home/ann/lost/out", root: "home/ann/lost"},
		{name: "by a link into it and one out of it", cwd: "data/plain", pwd: "home/ann/way/out", root: "home/ann/lost"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok, err := FindProject(tr.path(tt.cwd), tr.path(tt.pwd), []string{tr.path("home/ann")}, claims)
			if err != nil || ok != (tt.root != "") {
				t.Fatalf("%+v, %t, %v", got, ok, err)
			}
			if !ok {
				return
			}
			if got.Root.Path != tr.path(tt.root) || got.Root.Marker != tt.marker || len(got.Markers) != tt.markers || got.Root.ID.IsZero() {
				t.Errorf("%+v", got)
			}
			if (got.Root.Why == "the list") == tt.marker {
				t.Errorf("why: %s", got.Root.Why)
			}
		})
	}
}

// What is claimed where no project may be is a refusal, as with a marker.
func TestFindProjectRefusesClaims(t *testing.T) {
	tr := world(t)
	open := tr.dirMode("home/ann/wide", 0o777)
	home := tr.path("home/ann")
	for dir, hint := range map[string]string{open: "chmod o-w ", home: "jail-hook forget "} {
		_, ok, err := FindProject(dir, "", []string{home}, these(open, home))
		var refused *RefusedError
		if ok || !errors.As(err, &refused) || refused.Path != dir || !strings.HasPrefix(refused.Hint, hint) || !strings.Contains(refused.Cause, "the list") {
			t.Errorf("%s: %t, %v", dir, ok, err)
		}
	}
	// One that is gone claims nothing.
	gone := tr.dir("home/ann/gone")
	must(t, os.Remove(gone))
	if _, ok, err := FindProject(gone, "", nil, these(gone)); ok || err != nil {
		t.Errorf("gone: %t, %v", ok, err)
	}
}
