package settings

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tools themselves read the copies and find in them what the originals say.

// run runs a program with a copy in place, in a home of its own.
func run(t *testing.T, home string, env []string, argv ...string) string {
	t.Helper()
	path, err := exec.LookPath(argv[0])
	if err != nil {
		t.Skipf("no %s on this machine", argv[0])
	}
	cmd := exec.Command(path, argv[1:]...)
	cmd.Dir = home
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(e string) bool {
		e = strings.ToLower(e)
		return strings.HasPrefix(e, "npm_config") || strings.HasPrefix(e, "pip_") || strings.HasPrefix(e, "cargo_") || strings.HasPrefix(e, "git_") || strings.HasPrefix(e, "xdg_")
	})
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.Output()
	if err != nil {
		stderr := ""
		if exit, ok := err.(*exec.ExitError); ok {
			stderr = string(exit.Stderr)
		}
		t.Fatalf("%q: %v\n%s", argv, err, stderr)
	}
	return string(out)
}

// home makes a home that holds the copy of a fixture's file, and what else goes
// with it.
func home(t *testing.T, fixtures []fixture, name string) (dir string, f fixture) {
	t.Helper()
	dir = t.TempDir()
	i := slices.IndexFunc(fixtures, func(f fixture) bool { return f.name == name })
	f = fixtures[i]
	c, err := Strip(tool(t, f.path), []byte(f.content), f.in)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(c.Files, File{Path: f.path, Data: c.Data}, File{Path: "original", Data: []byte(f.content)}) {
		at := filepath.Join(dir, strings.TrimPrefix(file.Path, "~/"))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, f
}

// cleaned are the keys whose values are others in the copy, since they lose user
// info.
func cleaned(key string) bool {
	return key == "http.proxy" || strings.HasPrefix(key, "url.") || key == "core.excludesfile"
}

func TestGitReadsTheCopy(t *testing.T) {
	dir, _ := home(t, gitFixtures(), "git hostile")
	list := func(name string) []string {
		return strings.Split(run(t, dir, nil, "git", "config", "-z", "--file", name, "--no-includes", "--list"), "\x00")
	}
	original, kept := list("original"), list(".gitconfig")
	if len(kept) < 25 {
		t.Errorf("only %d keys are kept", len(kept))
	}
	for _, setting := range kept {
		key, _, _ := strings.Cut(setting, "\n")
		// The git of some years ago makes a space of each tab.
		if !cleaned(key) && !slices.Contains(original, setting) && !slices.Contains(original, strings.ReplaceAll(setting, "\t", " ")) {
			t.Errorf("git reads %q in the copy, but not in the original", setting)
		}
	}
	env := []string{"HOME=" + dir}
	for key, want := range map[string]string{
		"user.name": "Jane D. Doe", "user.email": "jane@corp.test", "alias.st": "status -sb", "http.proxy": "http://proxy.corp.test:3128",
		"url.https://github.test/.insteadof": "https://github.test/", "core.autocrlf": "input",
	} {
		if got := strings.TrimSpace(run(t, dir, env, "git", "config", "--global", "--get", key)); got != want {
			t.Errorf("%s is %q, not %q", key, got, want)
		}
	}
}

func TestGitReadsConditionalCopies(t *testing.T) {
	dir, _ := home(t, gitFixtures(), "git includes")
	env := []string{"HOME=" + dir}
	for place, want := range map[string]string{"work/a": "jane@work.test", "other": "mine@test"} {
		at := filepath.Join(dir, place)
		run(t, dir, env, "git", "init", "-q", at)
		if got := strings.TrimSpace(run(t, dir, env, "git", "-C", at, "config", "user.email")); got != want {
			t.Errorf("in %s the user is %q, not %q", place, got, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "other/x.swp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(t, dir, env, "git", "-C", filepath.Join(dir, "other"), "status", "--porcelain"); got != "" {
		t.Errorf("the patterns in the home are not in force: %q", got)
	}
}

func TestNpmReadsTheCopy(t *testing.T) {
	dir, _ := home(t, npmFixtures(), "npm hostile")
	out := run(t, dir, []string{"HOME=" + dir}, "npm", "config", "list", "--json")
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"registry": "https://npm.corp.test/npm/", "@corp:registry": "https://npm.corp.test/", "@other:registry": "https://npm.other.test/api/npm/",
		"save-exact": true, "strict-ssl": false, "proxy": "http://proxy.corp.test:3128", "loglevel": "warn", "init-author-name": "Jane",
		"user-agent": `npm "quoted`,
	} {
		if got[key] != want {
			t.Errorf("%s is %v, not %v", key, got[key], want)
		}
	}
	if strings.Contains(out, "SENTINEL") {
		t.Error("npm finds the sentinel")
	}
}

func TestPipReadsTheCopy(t *testing.T) {
	dir, _ := home(t, pipFixtures(), "pip hostile")
	out := run(t, dir, []string{"HOME=" + dir}, "pip", "config", "list")
	for _, want := range []string{
		"global.index-url='https://pypi.corp.test/simple'", `global.extra-index-url='https://a.test/simple\nhttps://b.test/simple\nhttps://c.test/simple'`,
		`global.trusted-host='pypi.corp.test\na.test'`, "global.retries='5'", "install.no-binary=':all:'", "install.user='true'",
	} {
		if !slices.Contains(strings.Split(out, "\n"), want) {
			t.Errorf("pip does not read %s:\n%s", want, out)
		}
	}
}

func TestCargoReadsTheCopy(t *testing.T) {
	dir, _ := home(t, tomlFixtures(), "cargo hostile")
	env := []string{"CARGO_HOME=" + filepath.Join(dir, ".cargo"), "RUSTC_BOOTSTRAP=1"}
	for key, want := range map[string]string{
		"registries.corp.index": `"sparse+https://cargo.corp.test/index/"`, "build.rustflags": `["-C","target-cpu=native"]`, "http.timeout": "30",
		"http.proxy": `"proxy.corp.test:3128"`, "source.crates-io.replace-with": `"mirror"`, "target": `{"cfg(target_os = \"linux\")":{"linker":"clang","rustflags":["-C","link-arg=-fuse-ld=mold"]}}`,
		"profile.release.lto": `"thin"`,
	} {
		got := strings.TrimSpace(run(t, dir, env, "cargo", "-Zunstable-options", "config", "get", "--format", "json-value", key))
		if got != want {
			t.Errorf("%s is %s, not %s", key, got, want)
		}
	}
}
