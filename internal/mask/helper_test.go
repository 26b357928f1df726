package mask

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// tree makes files in a new directory and returns its physical path. A name with
// a slash at the end is a directory, "a -> b" a link, "a = b" a hard link to b,
// and "a: text" a file that holds text; other files hold a word.
func tree(t testing.TB, entries ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	grow(t, root, entries...)
	return root
}

func grow(t testing.TB, root string, entries ...string) {
	t.Helper()
	for _, e := range entries {
		if err := plant(root, e); err != nil {
			t.Fatal(err)
		}
	}
}

func plant(root, e string) error {
	if dir, found := strings.CutSuffix(e, "/"); found {
		return os.MkdirAll(filepath.Join(root, dir), 0o755)
	}
	name, text, _ := strings.Cut(e, ": ")
	from, to, link := strings.Cut(e, " -> ")
	other, old, hard := strings.Cut(e, " = ")
	switch {
	case link:
		name = from
	case hard:
		name = other
	}
	p := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		return err
	}
	switch {
	case link:
		return os.Symlink(strings.ReplaceAll(to, "ROOT", root), p)
	case hard:
		return os.Link(filepath.Join(root, old), p)
	}
	if text == "" {
		text = "word\n"
	}
	return os.WriteFile(p, []byte(text), 0o644)
}

// walk runs Walk and fails the test if it does.
func walkTree(t testing.TB, root string, patterns []plan.Pattern) Result {
	t.Helper()
	r, err := Walk(Request{Root: root, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// hits returns the paths below root that are hidden, denies with a '!' in front.
func hits(root string, r Result) []string {
	var out []string
	for _, h := range r.Hits {
		p, _ := filepath.Rel(root, h.Path)
		if h.Action == plan.ActDeny {
			p = "!" + p
		}
		out = append(out, p)
	}
	return out
}

func opens(root string, r Result) []string {
	var out []string
	for _, o := range r.Open {
		p, _ := filepath.Rel(root, o.Path)
		out = append(out, p)
	}
	return out
}

// user makes patterns that somebody wrote: "!x" is a deny, "+x" an exception from
// masks, "+!x" one from denies.
func user(texts ...string) []plan.Pattern {
	var out []plan.Pattern
	for _, t := range texts {
		p := plan.Pattern{Text: t, Action: plan.ActMask, Reason: plan.Reason{Layer: "user", Text: "mask"}}
		if s, found := strings.CutPrefix(t, "+"); found {
			p.Text, p.Except = s, true
		}
		if s, found := strings.CutPrefix(p.Text, "!"); found {
			p.Text, p.Action = s, plan.ActDeny
		}
		out = append(out, p)
	}
	return out
}

func wantPaths(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s %q\nwant %q", what, got, want)
	}
}
