package mask

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

func TestLinks(t *testing.T) { // F8, C16, C17
	outside := tree(t, "dev.settings", "key.pem: "+privateKey, "dir/x", "public.pem: "+certificate(t), "secrets/k")
	for _, c := range []struct {
		name       string
		tree       []string
		want, open []string
	}{
		{"to a file inside", []string{"config/dev.settings", ".env -> config/dev.settings"}, []string{".env", "config/dev.settings"}, nil},
		{"by an absolute path", []string{"config/dev.settings", ".env -> ROOT/config/dev.settings"}, []string{".env", "config/dev.settings"}, nil},
		{"through other links", []string{"config/real", "a -> config", "b -> a/real", "svc/.env -> ../b"}, []string{"config/real", "svc/.env"}, nil},
		{"out of the tree", []string{".env -> OUT/dev.settings"}, []string{".env"}, nil},
		{"out and in again", []string{"x/real", "y/.env -> OUT/back/x/real"}, []string{"x/real", "y/.env"}, nil},
		{"nowhere", []string{".env -> /nonexistent/x", "b/.env -> gone", "c.pem -> gone.pem", "d.token.json -> x"}, []string{".env", "b/.env", "c.pem", "d.token.json"}, nil},
		{"in a circle", []string{"a/.env -> ../b/.env", "b/.env -> ../a/.env", "self -> .", "c/up -> ../.."}, []string{"a/.env", "b/.env"}, nil},
		{"links are not followed by the walk", []string{"bazel -> OUT", "real/.env", "loop -> real"}, []string{"real/.env"}, nil},
		{"to a directory inside", []string{"conf/x", ".env -> conf"}, []string{".env", "conf"}, nil},
		{"to a directory above", []string{"a/b/.env -> ..", "c/.env -> ../..", "d/.env -> ."}, []string{"a/b/.env", "c/.env", "d/.env"}, nil},
		{"to a virtual environment", []string{".venv/pyvenv.cfg", ".env -> .venv"}, nil, []string{".env"}},
		{"to what is not searched", []string{"node_modules/x/settings", ".env -> node_modules/x/settings"}, []string{".env", "node_modules/x/settings"}, nil},
		{"a rule for directories, a link to one", []string{"conf/vault/k", "secrets -> conf/vault"}, []string{"!conf/vault"}, nil},
		{"a rule for directories, a link to a file", []string{"conf/k", "secrets -> conf/k"}, nil, nil},
		{"a rule for directories, a link out", []string{"secrets -> OUT/secrets"}, []string{"!secrets"}, nil},
		{"a rule for directories, a link to a package", []string{"lib/s/__init__.py", "lib/s/k.txt", "secrets -> lib/s"}, []string{"!lib/s/k.txt"}, []string{"lib/s"}},
		{"a rule for directories, a link above", []string{"a/secrets -> .."}, []string{"!a/secrets"}, nil},
		{"pem in private", []string{"k: " + privateKey, "x.pem -> k"}, []string{"k", "x.pem"}, nil},
		{"pem in public", []string{"c: " + certificate(t), "x.pem -> c"}, nil, []string{"x.pem"}},
		{"pem outside", []string{"x.pem -> OUT/key.pem", "y.pem -> OUT/public.pem", "z.pem -> OUT/gone"}, []string{"z.pem"}, []string{"x.pem", "y.pem"}},
		{"pem that is a directory", []string{"d/x", "x.pem -> d"}, []string{"d", "x.pem"}, nil},
		{"a public key", []string{"k", "id_rsa.pub -> k"}, nil, []string{"id_rsa.pub"}},
		{"a target in a hidden directory", []string{"secrets/k", ".env -> secrets/k"}, []string{".env", "!secrets"}, nil},
	} {
		root := tree(t)
		if err := os.RemoveAll(outside + "/back"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(root, outside+"/back"); err != nil {
			t.Fatal(err)
		}
		for _, e := range c.tree {
			grow(t, root, strings.ReplaceAll(e, "OUT", outside))
		}
		r := walkTree(t, root, Builtin())
		if got := hits(root, r); !slices.Equal(got, c.want) {
			t.Errorf("%s: hidden %q\nwant %q", c.name, got, c.want)
		}
		if got := opens(root, r); !slices.Equal(got, c.open) {
			t.Errorf("%s: open %q\nwant %q", c.name, got, c.open)
		}
		checkSorted(t, r)
		if got := slices.IndexFunc(r.Hits, func(h plan.Hit) bool { return !plan.Below(h.Path, root) }); got >= 0 {
			t.Errorf("%s: %q lies outside", c.name, r.Hits[got].Path)
		}
	}
}

func TestLinkExceptions(t *testing.T) {
	root := tree(t, "config/dev", ".env -> config/dev", "rel/5/app.yml", "rel/5/Other.yml", "rel/5/more.yml -> ../shared", "rel/shared", "current -> rel/5")
	r := walkTree(t, root, append(Builtin(), user("+config/dev", "current/app.yml", "!current/Other.yml", "current/more.yml", "current/none", "current/*.x")...))
	wantPaths(t, "hidden", hits(root, r), []string{".env", "!rel/5/Other.yml", "rel/5/app.yml", "rel/5/more.yml", "rel/shared"})
	wantPaths(t, "open", opens(root, r), []string{"config/dev"})
}

func TestHardLinks(t *testing.T) { // F15, C28
	root := tree(t, "a/.env", "notes.txt = a/.env", "deep/er/x.md = a/.env", ".env", "b/.env.local = .env", "other", "other2 = other", "c.key", "d/e = c.key", "node_modules/m/f = c.key")
	r := walkTree(t, root, append(Builtin(), user("+b/.env.local")...))
	wantPaths(t, "hidden", hits(root, r), []string{".env", "a/.env", "!c.key", "!d/e", "deep/er/x.md", "notes.txt"})
	for _, h := range r.Hits {
		if strings.HasSuffix(h.Path, "notes.txt") && (!strings.Contains(h.Reason.Text, "a/.env") || h.Pattern != ".env") {
			t.Errorf("the other name has the reason %+v", h)
		}
	}
	// Two have names that the walk does not reach, or that the user excepts.
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, root+"/.env\" and 1 more have another name") {
		t.Errorf("notes %+v", r.Notes)
	}
	if r := walkTree(t, tree(t, ".env", "b/.env = .env", "x"), Builtin()); len(r.Notes) != 0 || len(r.Hits) != 2 {
		t.Errorf("a file with two hidden names: %+v", r)
	}
}

func TestHardLinkOutside(t *testing.T) {
	root := tree(t, ".env")
	if err := os.Link(root+"/.env", filepath.Join(filepath.Dir(root), "leak")); err != nil {
		t.Fatal(err)
	}
	if r := walkTree(t, root, Builtin()); len(r.Notes) != 1 || len(r.Hits) != 1 {
		t.Errorf("a name outside: %+v", r)
	}
}
