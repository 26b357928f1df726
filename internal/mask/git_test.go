package mask

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/needed"
	"jail/internal/sandbox/plan"
)

func gitAt(t *testing.T, dir string, args ...string) string {
	t.Helper()
	needed.Program(t, "git")
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@t"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// trackedHits returns the paths below root of the hits that git tracks.
func trackedHits(root string, r Result) (paths []string) {
	for _, h := range r.Hits {
		if h.Tracked {
			p, _ := filepath.Rel(root, h.Path)
			paths = append(paths, p)
		}
	}
	return paths
}

// TestGitTracks asks repositories in and below the project, in the moment in which
// they track something.
func TestGitTracks(t *testing.T) {
	root := tree(t, ".env", "a/.env", "sub/repo/.env", "sub/repo/other/.env", "plain/x.key")
	var s shelf
	walk := func() Result { return walkLater(t, root, Builtin(), &s) }
	if got := trackedHits(root, walk()); len(got) != 0 {
		t.Errorf("without git: %q", got)
	}
	gitAt(t, root, "init", "-q")
	gitAt(t, root, "add", ".env")
	r := walk()
	wantPaths(t, "tracked", trackedHits(root, r), []string{".env"})
	if len(r.Notes) != 1 || r.Notes[0].Said || !strings.Contains(r.Notes[0].Text, "git tracks it") || r.Notes[0].Hint == "" {
		t.Errorf("notes %+v", r.Notes)
	}
	if r = walk(); len(r.Notes) != 1 || !r.Notes[0].Said {
		t.Errorf("then notes %+v", r.Notes)
	}
	before := s.ledger
	if walk(); s.ledger != before {
		t.Error("written although nothing is new")
	}
	gitAt(t, root, "add", "a/.env")
	wantPaths(t, "then tracked", trackedHits(root, walk()), []string{".env", "a/.env"})
	gitAt(t, root, "rm", "-q", "--cached", ".env")
	wantPaths(t, "then tracked", trackedHits(root, walk()), []string{"a/.env"})
	// One that lies in it is seen when it is news, or after a week.
	gitAt(t, root+"/sub/repo", "init", "-q")
	gitAt(t, root+"/sub/repo", "add", ".env")
	r = walkThen(t, later().AddDate(0, 0, renewAfter+1), root, Builtin(), &s)
	wantPaths(t, "with another one", trackedHits(root, r), []string{"a/.env", "sub/repo/.env"})
}

// TestGitTracksInWorktree reads the index of a linked work tree, which lies elsewhere.
func TestGitTracksInWorktree(t *testing.T) {
	dir := tree(t, "main/.env", "main/x.key")
	gitAt(t, dir+"/main", "init", "-q")
	gitAt(t, dir+"/main", "add", ".")
	gitAt(t, dir+"/main", "commit", "-q", "-m", "x")
	gitAt(t, dir+"/main", "worktree", "add", "-q", dir+"/linked")
	var s shelf
	wantPaths(t, "tracked", trackedHits(dir+"/linked", walkLater(t, dir+"/linked", Builtin(), &s)), []string{".env", "x.key"})
}

// TestGitFilesOfOthers follows what a project says of its repository no further than
// to an index.
func TestGitFilesOfOthers(t *testing.T) {
	for what, plant := range map[string][]string{
		"no repository": {".git: gitdir: /nonexistent"}, "an endless link": {".git -> .git"}, "nonsense": {".git: hello"},
		"no index": {".git/index: hello"}, "a directory": {".git/index/x"}, "long": {".git: gitdir: " + strings.Repeat("x", 9000)},
		"a link to nothing": {".git -> none"}, "no text": {".git: gitdir: \x00"},
	} {
		root := tree(t, append(plant, ".env")...)
		var s shelf
		if r := walkLater(t, root, Builtin(), &s); len(r.Hits) != 1 || len(trackedHits(root, r)) != 0 {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// TestForGit holds how each thing that git tracks is hidden, and that nothing else
// is hidden otherwise than before.
func TestForGit(t *testing.T) {
	root := tree(t, ".env", "vault/k", "v2/k", "link.cfg -> .env", "link2.cfg -> .env", "x.key", "new.env/y", "b/.env")
	gitAt(t, root, "init", "-q")
	gitAt(t, root, "add", ".env", "vault", "link.cfg", "x.key")
	var s shelf
	r := walkLater(t, root, append(Builtin(), user("vault/", "v2/", "link.cfg", "link2.cfg")...), &s)
	wantPaths(t, "hidden", hits(root, r), []string{".env", "b/.env", "link2.cfg", "v2", "!vault", "!x.key"})
	wantPaths(t, "tracked", trackedHits(root, r), []string{".env", "vault", "x.key"})
}

// TestGitPattern asks git what the patterns match.
func TestGitPattern(t *testing.T) {
	names := []string{
		".env", "a b", "a*b", "a?b", "[ab]", `back\slash`, `"quoted"`, "!not", "#hash", "new\nline", "tab\t", "\xff\xfe", "ünï", " space ", "-x", "%f", "$(x)", "'", "x:y",
	}
	decoys := []string{"axb", "a", "b", "acb", "backslash", "quoted", "not", "hash", "newline", "new", "tab", "space"}
	var hidden []plan.Hit
	for _, n := range names {
		hidden = append(hidden, plan.Hit{Path: "/p/d/" + n, Action: plan.ActMask, Type: plan.Regular})
	}
	hidden = append(hidden, plan.Hit{Path: "/p/denied", Action: plan.ActDeny, Type: plan.Regular}, plan.Hit{Path: "/p/dir", Action: plan.ActMask, Type: plan.Directory}, hidden[0])
	text := Attributes(hidden)
	if n := strings.Count(string(text), "\n"); n != len(names) {
		t.Errorf("%d lines for %d names:\n%s", n, len(names), text)
	}
	root := tree(t, "attributes: "+string(text))
	gitAt(t, root, "init", "-q")
	args := []string{"-c", "core.attributesFile=" + root + "/attributes", "check-attr", "-z", "filter", "--"}
	for _, n := range append(append(slices.Clip(names), decoys...), "denied", "dir") {
		args = append(args, "sub/"+n)
	}
	var got []string
	fields := strings.Split(gitAt(t, root, args...), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		if fields[i+2] == GitFilter {
			got = append(got, strings.TrimPrefix(fields[i], "sub/"))
		}
	}
	wantPaths(t, "matched", got, names)
}
