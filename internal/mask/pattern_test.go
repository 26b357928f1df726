package mask

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"jail/internal/needed"
	"jail/internal/sandbox/plan"
)

func TestCheck(t *testing.T) {
	for _, ok := range []string{
		"x", "*", "**", "/x", "a/b", "a/", "./a", "a//b", "*.[oa]", "[!a]b", `\!x`, `\#x`, "#x", "x ", `x\ `, "[]]", "[]-]", "[a-]", "[[:digit:]]x",
		"[[:]", "**/a/**", "a/**/b/", "é", "\xff", "{a,b}", "~x",
	} {
		if err := Check(ok); err != nil {
			t.Errorf("Check(%q) = %v", ok, err)
		}
	}
	for _, bad := range []string{"", " ", "/", "//", "./", "!x", "[a", "[", "a[]", `a\`, `a/b\`, "..", "a/../b", "../x", "a/./b", "x\x00y", "[[:what:]]", `[\`} {
		if err := Check(bad); err == nil {
			t.Errorf("Check(%q) says it is fine", bad)
		}
	}
}

// The tree and the patterns on which git and we must agree.
var (
	oracleTree = []string{
		".env", ".ENV.local", "env", "a/.env", "a/b/.env", "a/b/c/d.txt", "a/b/c/D.TXT", "a/bc/d.txt", "a/b.key", "A2/x.Key", "secret/x", "sub/secret/y",
		"sub/secrets", "sub/deep/er/secrets/z", "foo", "bar/foo", "bar/foobar", "foo.d/foo", "x y", "sub/x y ", "#hash", "sub/#hash", "!bang", "sub/!bang",
		"file[1].txt", "file1.txt", "file2.txt", "filea.txt", "sub/file-.txt", "back\\slash", "star*", "starry", "what?", "token.json", "my-Token-x.json", "mytoken.jsonx",
		"tokens/a.json", "abc/def/ghi", "abc/x/def/ghi", "tilde~", "new\nline", "sub/new\nline", "deep/1/2/3/4/5/.env", "id_rsa", "id_rsa.pub", "id_rsa_old", "sub/ID_RSA",
		"build/out.o", "build/out.a", "build/out.c", "ab", "aab", "aaab", "a-b", "a]b", "a^b", "dash-", "under_", "brace{a,b}", "dot.", "..dots", "...", "sp ace/x",
	}
	oraclePatterns = []string{
		".env", ".env.*", ".ENV", "*.key", "*.KEY", "secret", "secret/", "secrets/", "/secret", "sub/secret", "sub/secret/", "/sub/secret/", "**/secret", "**/secret/", "sub/**", "/sub/**/secrets",
		"foo", "/foo", "foo/", "bar/foo", "bar/*", "bar/foo*", "*/foo", "**/foo", "foo*", "*foo", "*foo*", "*oo*", "x y", "x y ", `x y\ `, `\#hash`, `\!bang`,
		"file[1].txt", `file\[1\].txt`, "file?.txt", "file[0-9].txt", "file[!0-9].txt", "file[^a].txt", "file[a-z].txt", "file[[:alpha:]].txt", "file[[:digit:]].txt", "file[-].txt", "*[1-2].txt", "file[]1].txt",
		`back\\slash`, `star\*`, "star*", `what\?`, "what?", "*token*.json", "*token*", "tokens/*.json", "tokens/", "abc/**/ghi", "abc/**", "abc/*/ghi", "abc/def", "abc/def/", "**/def/ghi", "a/**/d.txt", "a/b*/d.txt",
		"**/b/**", "a/**/", "*", "/*", "*/", "**", "/**", "*/*", "*/*/*", "?", "??", "???", "a*b", "a?b", "a**b", "*a*b*", "a[]]b", "a[^]]b", "a[!a]b", "a[a-]b", "id_rsa*", "ID_rsa", "*.[oa]", "build/*.[!c]", "[a-c]*", "[!a-z]*",
		"new?line", "new*", "deep/**/.env", "deep/*/.env", "/deep/1/2/3/4/5/.env", "*~", "dash-", "brace{a,b}", "dot.", "..dots", "...", "sp ace/", "sp*/x", "d*p/**/[.]env", "A/B/C", "a/B/*.TXT", "sub/sub/x", "nothing", "*.*.*",
	}
)

// TestOracle asks git itself what a pattern matches.
func TestOracle(t *testing.T) {
	git := needed.Program(t, "git")
	root := tree(t, oracleTree...)
	run(t, git, root, "init", "-q")
	all := everything(t, root)
	for _, p := range oraclePatterns {
		if err := os.WriteFile(filepath.Join(root, ".git/info/exclude"), []byte(p+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		want := ignored(t, git, root, all)
		r := walkTree(t, root, user(p)[:1:1])
		if got := covered(all, root, r); !slices.Equal(got, want) {
			t.Errorf("pattern %q hides %q\ngit says %q", p, got, want)
		}
	}
}

// TestOracleBase asks git about patterns that stand in a directory above or below.
func TestOracleBase(t *testing.T) {
	git := needed.Program(t, "git")
	top := tree(t, "in/root/x/.env", "in/root/x/k/v", "in/root/.env", "in/root/y/x/.env", "in/other/.env", "in/root/x/in/root/x/k", "k/v")
	run(t, git, top, "init", "-q")
	root := filepath.Join(top, "in/root")
	all := everything(t, root)
	for _, c := range []struct{ base, pattern string }{
		{"", ".env"},
		{"", "in/root/.env"},
		{"", "/in/root/x/k"},
		{"", "in/*/x/"},
		{"", "**/x/.env"},
		{"", "root/.env"},
		{"", "in/**/k"},
		{"", "in/root/*"},
		{"", "in/root/**"},
		{"in", "root/x"},
		{"in", "root/**/.env"},
		{"in", "x/.env"},
		{"in", "/x"},
		{"in", "other/.env"},
		{"in", "k/"},
		{"in/root", "x/k"},
		{"in/root/x", ".env"},
		{"in/root/x", "/k/"},
		{"in/root/x", "in/root/x"},
		{"in/root/x", "k"},
		{"in/root/x", "**"},
		{"in/root/y", "x/"},
		{"in/root/y", "*"},
	} {
		file := filepath.Join(top, c.base, ".gitignore")
		if err := os.WriteFile(file, []byte(c.pattern+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, p := range ignored(t, git, top, prefixed("in/root/", all)) {
			want = append(want, strings.TrimPrefix(p, "in/root/"))
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		p := user(c.pattern)
		p[0].Base = filepath.Join(top, c.base)
		if got := covered(all, root, walkTree(t, root, p)); !slices.Equal(got, want) {
			t.Errorf("pattern %q in %q hides %q\ngit says %q", c.pattern, c.base, got, want)
		}
	}
}

func run(t *testing.T, git, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command(git, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func everything(t *testing.T, root string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" && d.IsDir() {
			return fs.SkipDir
		}
		if p != root {
			rel, _ := filepath.Rel(root, p)
			all = append(all, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func prefixed(prefix string, all []string) []string {
	var out []string
	for _, a := range all {
		out = append(out, prefix+a)
	}
	return out
}

// ignored returns which of the paths git ignores.
func ignored(t *testing.T, git, root string, all []string) []string {
	t.Helper()
	cmd := exec.Command(git, "-c", "core.ignorecase=true", "check-ignore", "--no-index", "-z", "--stdin")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "HOME="+root, "XDG_CONFIG_HOME="+root, "GIT_CONFIG_NOSYSTEM=1")
	cmd.Stdin = strings.NewReader(strings.Join(all, "\x00") + "\x00")
	out, err := cmd.Output()
	if e, ok := err.(*exec.ExitError); err != nil && (!ok || e.ExitCode() != 1) {
		t.Fatalf("git check-ignore: %v", err)
	}
	var list []string
	for _, p := range bytes.Split(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if len(p) > 0 {
			list = append(list, string(p))
		}
	}
	slices.Sort(list)
	return list
}

// covered returns which of the paths are hidden, by themselves or by a directory.
func covered(all []string, root string, r Result) (list []string) {
	for _, p := range all {
		for _, h := range r.Hits {
			abs := filepath.Join(root, p)
			if abs == h.Path || h.Type == plan.Directory && plan.Below(abs, h.Path) {
				list = append(list, p)
				break
			}
		}
	}
	return list
}

// hides says of one pattern and one path what the walk would.
func hides(s *ruleset, path string, dir bool) bool {
	in := s.start
	parts := strings.Split(path, "/")
	for i, name := range parts {
		kind := isDir
		if i == len(parts)-1 && !dir {
			kind = isFile
		}
		folded := fold(nil, []byte(name))
		if rule := s.verdict(folded, kind, &in, len(s.rules)); rule != none {
			if s.silent([]byte(name)) && !s.rules[rule].anchored {
				panic("silent denies a name that a rule matches")
			}
			return !s.rules[rule].Except
		}
		in = s.next(&in, folded)
	}
	return false
}

// naive is gitignore(5) word for word, by recursion over the text.
func naive(pattern, path string, dir bool) bool {
	pattern = strings.ReplaceAll(trimSpaces(pattern), `\/`, "/")
	for strings.Contains(pattern, "//") {
		pattern = strings.ReplaceAll(pattern, "//", "/")
	}
	if rest, found := strings.CutPrefix(pattern, "./"); found {
		pattern = "/" + rest
	}
	dirOnly := strings.HasSuffix(pattern, "/")
	pattern = strings.TrimSuffix(pattern, "/")
	anchored := strings.Contains(pattern, "/")
	want := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	parts := strings.Split(path, "/")
	for i := range parts {
		isLast := i == len(parts)-1
		if dirOnly && isLast && !dir {
			continue
		}
		have := parts[:i+1]
		if !anchored {
			have = parts[i : i+1]
		}
		if naiveParts(want, have) {
			return true
		}
	}
	return false
}

func naiveParts(want, have []string) bool {
	switch {
	case len(want) == 0:
		return len(have) == 0
	case want[0] == "**" && len(want) == 1:
		return len(have) > 0
	case want[0] == "**":
		return naiveParts(want[1:], have) || len(have) > 0 && naiveParts(want, have[1:])
	case len(have) == 0:
		return false
	}
	return naiveName(want[0], have[0]) && naiveParts(want[1:], have[1:])
}

func naiveName(p, s string) bool {
	if p == "" {
		return s == ""
	}
	if p[0] == '*' {
		for i := 0; i <= len(s); i++ {
			if i < len(s) && !utf8.RuneStart(s[i]) && utf8.ValidString(s) {
				continue
			}
			if naiveName(p[1:], s[i:]) {
				return true
			}
		}
		return false
	}
	if s == "" {
		return false
	}
	r, n := utf8.DecodeRuneInString(s)
	switch p[0] {
	case '?':
		return naiveName(p[1:], s[n:])
	case '[':
		it, rest, err := parseClass(p[1:])
		return err == nil && it.matches(r, n, s[0]) && naiveName(rest, s[n:])
	case '\\':
		p = p[1:]
	}
	q, m := utf8.DecodeRuneInString(p)
	same := sameLetter(q, r)
	if q == utf8.RuneError && m == 1 || r == utf8.RuneError && n == 1 {
		same = p[:m] == s[:n]
	}
	return same && naiveName(p[m:], s[n:])
}

func sameLetter(a, b rune) bool {
	for o := unicode.SimpleFold(a); ; o = unicode.SimpleFold(o) {
		if o == b {
			return true
		}
		if o == a {
			return false
		}
	}
}

func FuzzPattern(f *testing.F) {
	for i, p := range oraclePatterns {
		f.Add(p, oracleTree[i%len(oracleTree)], i%2 == 0)
	}
	f.Add("K/ſ*", "\u212a/Sx", false)
	f.Add("*é", "É", true)
	f.Add("**/**/a", "x/a", false)
	f.Add("\xff*", "\xffé", false)
	f.Fuzz(func(t *testing.T, pattern, path string, dir bool) {
		if Check(pattern) != nil || len(pattern) > 40 || len(path) > 60 || !isPath(path) || strings.Count(pattern, "*") > 6 {
			return // naive takes exponential time
		}
		s, err := newRuleset("/r", user(pattern)[:1])
		if err != nil || s.rules[0].Except || s.rules[0].Text != pattern {
			return // user reads + and ! as marks of its own
		}
		got, want := hides(s, path, dir), naive(pattern, path, dir)
		if got && !utf8.ValidString(pattern) {
			return // bytes that are no character match within one, as they do in git
		}
		if got != want {
			t.Errorf("pattern %q, path %q, directory %v: %v, and naively %v", pattern, path, dir, got, want)
		}
	})
}

// isPath reports whether path is one that a walk can meet.
func isPath(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." || name == ".." || strings.Contains(name, "\x00") {
			return false
		}
	}
	return true
}

func TestCase(t *testing.T) { // F20
	root := tree(t, ".ENV", "A/.Env.Local", "SECRETS/x", "Straße.PEM: x", "Kelvin.key", "\u212aelvin.key", "é.txt", "sub/É.TXT", "\xffbad.KEY")
	r := walkTree(t, root, append(Builtin(), user("É.txt", "kelvin.*")...))
	wantPaths(t, "hidden", hits(root, r), []string{
		".ENV", "A/.Env.Local", "Kelvin.key", "!SECRETS", "Straße.PEM", "sub/É.TXT", "é.txt", "\u212aelvin.key", "!\xffbad.KEY",
	})
}
