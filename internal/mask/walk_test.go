package mask

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"jail/internal/sandbox/plan"
)

const privateKey = "-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----\n"

func TestBuiltin(t *testing.T) {
	for _, c := range []struct {
		name string
		tree []string
		want []string
	}{
		{
			"every kind",
			[]string{".env", ".env.local", ".env.production", "credentials.json", "secrets.yml", "secrets.yaml", "id_rsa", "id_rsa_old", "id_ed25519", "id_ed25519_sk", "a.key", "secrets/x", ".gnupg/y"},
			[]string{".env", ".env.local", ".env.production", "!.gnupg", "!a.key", "credentials.json", "id_ed25519", "id_ed25519_sk", "id_rsa", "id_rsa_old", "!secrets", "secrets.yaml", "secrets.yml"},
		},
		{"what tools log in with", []string{".netrc", "a/.git-credentials", "b/c/.pgpass", "netrc"}, []string{".netrc", "a/.git-credentials", "b/c/.pgpass"}},
		{"at any depth", []string{"a/b/c/.env", "a/secrets/x", "a/b/.gnupg/x", "a/b/k.key"}, []string{"!a/b/.gnupg", "a/b/c/.env", "!a/b/k.key", "!a/secrets"}},
		{"samples and public keys", []string{".env.example", ".env.sample", ".env.template", "x/.ENV.Example", "id_rsa.pub", "id_ed25519.pub", "env", "x.keys", "my.env", "secrets", "gnupg/x"}, nil},
		{"a template of a template", []string{".env.example.local", ".env.template.bak"}, []string{".env.example.local", ".env.template.bak"}},
		{"virtual environments", []string{".env/pyvenv.cfg", ".env/bin/python", "x/.env.d/pyvenv.cfg", "y/.env/x"}, []string{"y/.env"}},
		{"inside of one", []string{".env/pyvenv.cfg", ".env/lib/.env", ".env/etc/.env"}, []string{".env/etc/.env"}},
		{"dependency trees", []string{"node_modules/.env", "node_modules/x/a.key", "a/node_modules/secrets/k", ".venv/lib/python3/site-packages/x/.env", "site-packages/x.key", "a/.git/secrets/x", ".git/x.key"}, nil},
		{"their names are exact", []string{"Node_Modules/.env", "node_modules2/.env", "xnode_modules/.env"}, []string{"Node_Modules/.env", "node_modules2/.env", "xnode_modules/.env"}},
		{"a virtual environment", []string{"v/pyvenv.cfg", "v/bin/x.key", "v/lib/x.key", "v/lib64/x.key", "v/include/x.key", "v/share/x.key", "w/bin/x.key"}, []string{"!v/share/x.key", "!w/bin/x.key"}},
		{"the root is never exempt", []string{"pyvenv.cfg", "bin/.env", "lib/.env", "CACHEDIR.TAG", ".env"}, []string{".env", "bin/.env", "lib/.env"}},
		{"targets", []string{"target/CACHEDIR.TAG", "target/x.key", "target/debug/.env", "a/target/.env", "b/CACHEDIR.TAG", "b/.env"}, []string{"a/target/.env", "b/.env"}},
		{"pem", []string{"server.pem: " + privateKey, "broken.pem: hello", "empty.pem", "d.pem/x"}, []string{"broken.pem", "d.pem", "empty.pem", "server.pem"}},
		{"a directory hides what lies in it", []string{"secrets/.env", "secrets/a/b.key", ".env.d/.env"}, []string{".env.d", "!secrets"}},
		{
			"source packages",
			[]string{"app/secrets/__init__.py", "app/secrets/x.py", "app/secrets/k.txt", "app/secrets/sub/y.py", "app/secrets/sub/z.yml", "app/secrets/__pycache__/x.pyc"},
			[]string{"!app/secrets/k.txt", "!app/secrets/sub/z.yml"},
		},
		{"source packages in go", []string{"secrets/a.go", "secrets/b.s", "secrets/c.py", "secrets/d"}, []string{"!secrets/c.py", "!secrets/d"}},
		{
			"source packages in javascript",
			[]string{"a/secrets/index.ts", "a/secrets/x.tsx", "a/secrets/package.json", "b/secrets/index.js", "b/secrets/.env", "c/secrets/main.js"},
			[]string{"!a/secrets/package.json", "b/secrets/.env", "!c/secrets"},
		},
		{"source packages in rust", []string{"secrets/mod.rs", "secrets/x.rs", "secrets/prod.toml", "secrets/id_rsa.rs", "secrets/x.pub"}, []string{"secrets/id_rsa.rs", "!secrets/prod.toml", "!secrets/x.pub"}},
		{"a package in secrets", []string{"secrets/__init__.py", "secrets/secrets/k", "secrets/node_modules/x.txt", "secrets/secrets2/x.py"}, []string{"!secrets/node_modules/x.txt", "!secrets/secrets"}},
		{"a directory called like a source", []string{"secrets/x.go/k"}, []string{"!secrets"}},
	} {
		root := tree(t, c.tree...)
		r := walkTree(t, root, Builtin())
		if got := hits(root, r); !slices.Equal(got, c.want) {
			t.Errorf("%s: hidden %q\nwant %q", c.name, got, c.want)
		}
		checkSorted(t, r)
	}
}

func checkSorted(t *testing.T, r Result) {
	t.Helper()
	for i := 1; i < len(r.Hits); i++ {
		if plan.ComparePaths(r.Hits[i-1].Path, r.Hits[i].Path) >= 0 {
			t.Errorf("%q stands before %q", r.Hits[i-1].Path, r.Hits[i].Path)
		}
	}
	for _, h := range r.Hits {
		var st syscall.Stat_t
		if err := syscall.Lstat(h.Path, &st); err != nil {
			t.Errorf("%q is hidden and does not exist: %v", h.Path, err)
		} else if id := (plan.ID{Dev: uint64(st.Dev), Ino: st.Ino}); id != h.ID {
			t.Errorf("%q is %v, and the hit says %v", h.Path, id, h.ID)
		}
	}
}

func TestUserPatterns(t *testing.T) {
	base := []string{"vault/a", "vault/b/c", "vault/b/d", "x/vault/e", "node_modules/m/.env", "node_modules/m/k", "v/pyvenv.cfg", "v/lib/p/k", "t/target/CACHEDIR.TAG", "t/target/k", "ca.pem: " + privateKey, "certs/dev.pem: " + privateKey, "app/secrets/__init__.py", "app/secrets/k", "y/secrets/dev.json", "y/secrets/prod.json", "y/secrets/sub/k", "y/secrets/sub/l", ".env", ".env.example"}
	for _, c := range []struct {
		name     string
		patterns []string
		want     []string // besides what the built-in ones hide
		less     []string // of what those hide
	}{
		{"a mask and a deny", []string{"a", "!vault/b/c"}, []string{"vault/a", "!vault/b/c"}, nil},
		{"an exception", []string{"+certs/dev.pem"}, nil, []string{"certs/dev.pem"}},
		{"masked, where the denial is taken back", []string{"y/secrets/", "+!y/secrets/"}, []string{"y/secrets"}, []string{"!y/secrets"}},
		{"denied, where the mask is taken back", []string{"!vault/a", "vault/a", "+vault/a"}, []string{"!vault/a"}, nil},
		{"both taken back", []string{"!vault/a", "vault/a", "+vault/a", "+!vault/a"}, nil, nil},
		{"both taken back, the other way", []string{"vault/a", "!vault/a", "+!vault/a", "+vault/a"}, nil, nil},
		{"an exception of the other kind", []string{"+y/secrets/dev.json", "+!ca.pem"}, nil, nil},
		{"an exception for a name", []string{"+.env"}, nil, []string{".env"}},
		{"a later pattern wins", []string{"+*.pem", "certs/dev.pem"}, nil, []string{"ca.pem"}},
		{"a sample that somebody names", []string{".env.example"}, []string{".env.example"}, nil},
		{"a directory but for one file", []string{"!/vault/", "+!vault/b/d"}, []string{"!vault/a", "!vault/b/c"}, nil},
		{"a directory but for a directory", []string{"!/vault/", "+!vault/b/"}, []string{"!vault/a"}, nil},
		{"a directory, and an exception for names", []string{"!/vault/", "+!d"}, []string{"!vault"}, nil},
		{"an exception before what hides", []string{"+!vault/b/d", "!/vault/"}, []string{"!vault"}, nil},
		{"a package that the user names", []string{"!app/secrets/"}, []string{"!app/secrets"}, []string{"!app/secrets/k"}},
		{"a package that the user names anywhere", []string{"!secrets/"}, []string{"!app/secrets"}, []string{"!app/secrets/k"}},
		{"a file of what is no package", []string{"+!y/secrets/dev.json"}, []string{"!y/secrets/prod.json", "!y/secrets/sub"}, []string{"!y/secrets"}},
		{"a file further down in it", []string{"+!y/secrets/sub/k"}, []string{"!y/secrets/dev.json", "!y/secrets/prod.json", "!y/secrets/sub/l"}, []string{"!y/secrets"}},
		{"a file of a package", []string{"+!app/secrets/k"}, nil, []string{"!app/secrets/k"}},
		{"in a directory of a name, anywhere", []string{"**/vault/[ae]"}, []string{"vault/a", "x/vault/e"}, nil},
		{"the same in capitals, and further down", []string{"**/VAULT/b/c"}, []string{"vault/b/c"}, nil},
		{"the same, everything", []string{"**/vault/**"}, []string{"vault/a", "vault/b", "x/vault/e"}, nil},
		{"outright in node_modules", []string{"node_modules/m/.env", "/node_modules/m/K"}, []string{"node_modules/m/.env", "node_modules/m/k"}, nil},
		{"outright in a virtual environment", []string{"v/lib/p/k"}, []string{"v/lib/p/k"}, nil},
		{"outright in a target", []string{"t/target/k"}, []string{"t/target/k"}, nil},
		{"not outright", []string{"node_modules/*/k", "**/m/k", "v/lib/**", "t/target/?"}, nil, nil},
		{"a directory that is not searched", []string{"node_modules/", "/t/target"}, []string{"node_modules", "t/target"}, nil},
		{"all of a virtual environment's library", []string{"v/lib/"}, []string{"v/lib"}, nil},
		{"a directory with its parent", []string{"vault/b", "vault"}, []string{"vault", "x/vault"}, nil},
		{"everything in a directory", []string{"vault/**"}, []string{"vault/a", "vault/b"}, nil},
	} {
		root := tree(t, base...)
		before := hits(root, walkTree(t, root, Builtin()))
		r := walkTree(t, root, slices.Concat(Builtin(), user(c.patterns...)))
		want := slices.DeleteFunc(slices.Concat(before, c.want), func(p string) bool { return slices.Contains(c.less, p) })
		got := hits(root, r)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: hidden %q\nwant %q", c.name, got, want)
		}
		checkSorted(t, r)
	}
}

func TestOpenSaysWhy(t *testing.T) {
	root := tree(t, ".env.example", "id_rsa.pub", "v/.env/pyvenv.cfg", "tokenizer.json: {\"a\": \"b\"}", "app/secrets/__init__.py", "certs/x.key", "unrelated.pub", "README")
	r := walkTree(t, root, append(Builtin(), user("+!certs/x.key")...))
	wantPaths(t, "open", opens(root, r), []string{".env.example", "app/secrets", "certs/x.key", "id_rsa.pub", "tokenizer.json", "v/.env"})
	for _, o := range r.Open {
		if o.Pattern == "" || o.Why == "" {
			t.Errorf("nothing is said about %+v", o)
		}
	}
}

func TestErrors(t *testing.T) {
	root := tree(t, "a/b/c")
	for _, c := range []struct {
		what     string
		root     string
		id       plan.ID
		patterns []plan.Pattern
	}{
		{"a bad pattern", root, plan.ID{}, user("[")},
		{"a base elsewhere", root, plan.ID{}, []plan.Pattern{{Text: "x", Base: "/somewhere/else"}}},
		{"a base that begins alike", root, plan.ID{}, []plan.Pattern{{Text: "x", Base: root + "-evil"}}},
		{"no root", root + "/none", plan.ID{}, nil},
		{"a file", root + "/a/b/c", plan.ID{}, nil},
		{"another root", root, plan.ID{Dev: 1, Ino: 1}, nil},
		{"a root that an outer project hides", root + "/a/b", plan.ID{}, []plan.Pattern{{Text: "a/", Base: root}}},
		{"by its name", root + "/a/b", plan.ID{}, []plan.Pattern{{Text: "B", Base: root}}},
		{"by everything", root + "/a/b", plan.ID{}, []plan.Pattern{{Text: "a/**", Base: root}}},
	} {
		if _, err := Walk(Request{Root: c.root, ID: c.id, Patterns: c.patterns}); err == nil {
			t.Errorf("%s is no error", c.what)
		}
	}
	if _, err := Walk(Request{Root: root, ID: plan.ID{Dev: 1, Ino: 1}}); !errors.Is(err, ErrMoved) {
		t.Errorf("another root gives %v", err)
	}
	for _, p := range [][]plan.Pattern{
		{{Text: "a/", Base: root}, {Text: "a/", Base: root, Except: true}},
		{{Text: "c/", Base: root}},
		{{Text: "a/b/c", Base: root}},
	} {
		if _, err := Walk(Request{Root: root + "/a/b", Patterns: p}); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestOuterProject(t *testing.T) {
	top := tree(t, "packages/app/conf.json", "packages/app/sub/conf.json", "packages/app/.env", "packages/lib/conf.json")
	root := filepath.Join(top, "packages/app")
	p := user("packages/*/conf.json", "/conf.json", "+.env")
	for i := range p {
		p[i].Base = top
	}
	r := walkTree(t, root, append(Builtin(), p...))
	wantPaths(t, "hidden", hits(root, r), []string{"conf.json"})
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 251)
	names := []string{"new\nline.key", "sp ace.key", "-dash.key", "qu\"ote.key", "back\\slash.key", "$HOME.key", "*.key", "%s.key", "\xff\xfe.key", "日本.key", "\t.key", long + ".key", ".key"}
	dirs := []string{"new\nline", "-d", "*", "[slug]", "\xff", "a:b", "日本"}
	var entries, want []string
	for _, d := range append(dirs, "") {
		for _, n := range names {
			entries = append(entries, filepath.Join(d, n))
			want = append(want, "!"+filepath.Join(d, n))
		}
	}
	root := tree(t)
	for _, e := range entries {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, e)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, e), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := walkTree(t, root, Builtin())
	got := hits(root, r)
	slices.Sort(got)
	slices.Sort(want)
	wantPaths(t, "hidden", got, want)
	checkSorted(t, r)
}

// TestMany is C25: certificates of a test suite, all in private.
func TestMany(t *testing.T) {
	root := tree(t)
	for i := range 60 {
		for j := range 50 {
			grow(t, root, fmt.Sprintf("fixtures/a-rather-long-name-%03d/key-%03d.pem: %s", i, j, privateKey))
		}
	}
	var first []string
	for _, procs := range []int{1, 2, 8} {
		old := runtime.GOMAXPROCS(procs)
		r := walkTree(t, root, Builtin())
		runtime.GOMAXPROCS(old)
		if len(r.Hits) != 3000 || r.Files != 3000 || r.Dirs != 62 {
			t.Errorf("%d hits in %d files and %d directories", len(r.Hits), r.Files, r.Dirs)
		}
		checkSorted(t, r)
		if got := hits(root, r); first == nil {
			first = got
		} else if !slices.Equal(first, got) {
			t.Errorf("with %d workers the result differs", procs)
		}
	}
}

// TestManyPatterns holds that rules beyond the first word of the tables count.
func TestManyPatterns(t *testing.T) {
	var texts, entries, want []string
	for i := range 200 {
		texts = append(texts, fmt.Sprintf("name%d", i))
		if i%3 == 0 {
			entries = append(entries, fmt.Sprintf("d/name%d", i), fmt.Sprintf("d/name%dx", i))
			want = append(want, fmt.Sprintf("d/name%d", i))
		}
	}
	root := tree(t, entries...)
	r := walkTree(t, root, user(texts...))
	slices.Sort(want)
	got := hits(root, r)
	slices.Sort(got)
	wantPaths(t, "hidden", got, want)
	r = walkTree(t, root, append(user(texts...), user("+name0", "!name3")...))
	if got := hits(root, r); slices.Contains(got, "d/name0") || !slices.Contains(got, "!d/name3") {
		t.Errorf("rule 200 and 201 do not overrule: %q", got)
	}
}

// TestDeep goes deeper than a path can be long, with more directories open at
// once than are kept open.
func TestDeep(t *testing.T) {
	const depth = 600
	root := tree(t)
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := os.Chdir(home); err != nil {
			t.Fatal(err)
		}
	}()
	if err := os.Chdir(root); err != nil {
		t.Fatal(err)
	}
	for i := range depth {
		for _, d := range []string{"directory", "side1", "side2"} {
			if err := os.Mkdir(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if i == 300 {
			if err := os.WriteFile("side1/.env", nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chdir("directory"); err != nil {
			t.Fatal(err)
		}
	}
	before := descriptors(t)
	r := walkTree(t, root, Builtin())
	if len(r.Hits) != 1 || r.Dirs != 3*depth+1 {
		t.Errorf("%d hits in %d directories, want 1 in %d", len(r.Hits), r.Dirs, 3*depth+1)
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
	if err := os.WriteFile(".env", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Walk(Request{Root: root, Patterns: Builtin()}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a secret that no path reaches gives %v", err)
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after an error", before, after)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// TestUnreadable is C26. Root reads everything, so only an ordinary user sees it.
func TestUnreadable(t *testing.T) {
	root := tree(t, "data/pg/.env", "listed/.env", "listed/sub/x.key", "search/.env", "open/.env", "secrets/x", "pkg/secrets/__init__.py", "pkg/secrets/sub/k")
	for dir, mode := range map[string]os.FileMode{"data/pg": 0, "listed": 0o600, "search": 0o100, "secrets": 0, "pkg/secrets/sub": 0} {
		p := filepath.Join(root, dir)
		if err := os.Chmod(p, mode); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(p, 0o755)
	}
	r := walkTree(t, root, Builtin())
	want := []string{"!data/pg", "!listed", "open/.env", "!pkg/secrets/sub", "!search", "!secrets"}
	if os.Geteuid() == 0 {
		want = []string{"data/pg/.env", "listed/.env", "!listed/sub/x.key", "open/.env", "!pkg/secrets/sub/k", "search/.env", "!secrets"}
	}
	wantPaths(t, "hidden", hits(root, r), want)
	if len(r.Notes) != 0 {
		t.Errorf("notes %+v", r.Notes)
	}
}

func TestSpecialFiles(t *testing.T) {
	root := tree(t, ".env.x/")
	for _, n := range []string{"pipe.pem", "token.json", ".env"} {
		if err := syscall.Mkfifo(filepath.Join(root, n), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: filepath.Join(root, "s.pem")}); err != nil {
		t.Fatal(err)
	}
	r := walkTree(t, root, Builtin())
	wantPaths(t, "hidden", hits(root, r), []string{".env", ".env.x", "pipe.pem", "s.pem", "token.json"})
	types := []plan.Type{plan.FIFO, plan.Directory, plan.FIFO, plan.Socket, plan.FIFO}
	for i, h := range r.Hits {
		if i < len(types) && h.Type != types[i] {
			t.Errorf("%q is a %s, want %s", h.Path, h.Type, types[i])
		}
	}
}
