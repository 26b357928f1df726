package detect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

func idOf(t *testing.T, path string) plan.ID {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		t.Fatal(path, err)
	}
	return plan.ID{Dev: st.Dev, Ino: st.Ino}
}

func TestLookup(t *testing.T) {
	top := tree{
		"a/npm*", "b/npm*", "b/only*", "plain/npm", "dir/npm/", "empty/",
		"link/npm -> ../b/npm", "loop/npm -> npm", "file", "cwd/rel/tool*", "cwd/here*",
	}.build(t)
	for _, c := range []struct {
		why, name, path, want string
		fails                 any // *NotFoundError or *NotExecutableError
	}{
		{"the first that has it", "npm", "$T/a:$T/b", "$T/a/npm", nil},
		{"the next where the first has none", "only", "$T/a:$T/b", "$T/b/only", nil},
		{"a missing directory is passed over", "npm", "$T/none:$T/b", "$T/b/npm", nil},
		{"a file among the directories is passed over", "npm", "$T/file:$T/b", "$T/b/npm", nil},
		{"a file without the bit is passed over", "npm", "$T/plain:$T/b", "$T/b/npm", nil},
		{"a directory of that name is passed over", "npm", "$T/dir:$T/b", "$T/b/npm", nil},
		{"a loop of links is passed over", "npm", "$T/loop:$T/b", "$T/b/npm", nil},
		{"a link is not resolved", "npm", "$T/link", "$T/link/npm", nil},
		{"a trailing slash is not doubled", "npm", "$T/a/", "$T/a/npm", nil},
		{"an empty entry is the working directory", "here", "$T/a::$T/b", "$T/cwd/here", nil},
		{"an empty PATH too", "here", "", "$T/cwd/here", nil},
		{"an entry at the end too", "here", "$T/a:", "$T/cwd/here", nil},
		{"a relative entry starts there", "tool", "rel", "$T/cwd/rel/tool", nil},
		{"with a dot as well", "tool", "./rel", "$T/cwd/rel/tool", nil},
		{"a dot", "here", ".", "$T/cwd/here", nil},
		{"a name with a slash is not searched for", "./here", "$T/a", "$T/cwd/here", nil},
		{"nor an absolute one", "$T/b/only", "$T/a", "$T/b/only", nil},
		{"nor one from above", "../b/only", "$T/a", "$T/cwd/../b/only", nil},
		{"nowhere", "npm", "$T/empty:$T/none", "", new(*NotFoundError)},
		{"no name", "", "$T/a", "", new(*NotFoundError)},
		{"no file at a path", "./none", "$T/a", "", new(*NotFoundError)},
		{"found but not executable", "npm", "$T/plain:$T/empty", "", new(*NotExecutableError)},
		{"only a directory", "npm", "$T/dir", "", new(*NotExecutableError)},
		{"a directory by its path", "$T/dir/npm", "$T/a", "", new(*NotExecutableError)},
		{"the working directory is no program", ".", "$T/a", "", new(*NotExecutableError)},
	} {
		expand := strings.NewReplacer("$T", top).Replace
		got, err := Lookup(expand(c.name), expand(c.path), top+"/cwd", nil)
		if got != expand(c.want) {
			t.Errorf("%s: %q (%v), want %q", c.why, got, err, expand(c.want))
		}
		if c.fails == nil && err != nil || c.fails != nil && !errors.As(err, c.fails) {
			t.Errorf("%s: error %v", c.why, err)
		}
	}
}

func TestLookupErrors(t *testing.T) {
	top := tree{"plain/npm"}.build(t)
	_, err := Lookup("npm", top+"/plain", "/", nil)
	if !errors.Is(err, unix.EACCES) || !strings.HasSuffix(err.Error(), "/plain/npm: permission denied") {
		t.Errorf("not executable: %v", err)
	}
	_, err = Lookup("none", top+"/plain", "/", nil)
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != "none: command not found" {
		t.Errorf("not found: %v", err)
	}
}

// Every spelling of a farm is the farm; comparing strings looped for ever.
func TestLookupSkipsFarms(t *testing.T) {
	top := tree{
		"farm/npm*", "other/npm*", "real/npm*", "alias -> farm", "x/", "copy/npm -> ../farm/npm", "cwd/",
	}.build(t)
	farms := []plan.ID{idOf(t, top+"/farm"), idOf(t, top+"/other"), idOf(t, top+"/farm/npm")}
	for _, dir := range []string{
		"farm", "farm/", "farm/.", "x/../farm", "/farm", "alias", "alias/", "copy", "other",
	} {
		path := top + "/" + dir
		got, err := Lookup("npm", path+":"+top+"/real", top, farms)
		if err != nil || got != top+"/real/npm" {
			t.Errorf("%s: %q %v", dir, got, err)
		}
		var missing *NotFoundError
		if _, err = Lookup("npm", path, top, farms); !errors.As(err, &missing) {
			t.Errorf("%s alone: %v, want not found", dir, err)
		}
	}
	if _, err := Lookup("npm", "farm:../farm:"+top+"/real", top+"/cwd", farms); err != nil {
		t.Error("a relative farm:", err)
	}
	var refused *NotExecutableError
	if _, err := Lookup(top+"/farm/npm", "", top, farms); !errors.As(err, &refused) {
		t.Errorf("a shim by its path: %v, want refused", err)
	}
}

// A directory that the caller may not search is passed over, as shells do: su leaves
// root's own on PATH. Root may search it.
func TestLookupUnsearchable(t *testing.T) {
	top := tree{"shut/npm*", "b/npm*"}.build(t)
	if err := os.Chmod(top+"/shut", 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(top+"/shut", 0o755)
	want, alone := top+"/b/npm", ""
	if os.Getuid() == 0 {
		want, alone = top+"/shut/npm", top+"/shut/npm"
	}
	if got, err := Lookup("npm", top+"/shut:"+top+"/b", "/", nil); got != want {
		t.Errorf("%q %v", got, err)
	}
	got, err := Lookup("npm", top+"/shut", "/", nil)
	var missing *NotFoundError
	if got != alone || alone == "" && !errors.As(err, &missing) {
		t.Errorf("alone: %q %v", got, err)
	}
}

func TestPathInside(t *testing.T) {
	top := tree{"farm/", "alias -> farm", "a/", "b/", "gone/"}.build(t)
	farms := []plan.ID{idOf(t, top+"/farm")}
	visible := func(dir string) bool { return filepath.Base(dir) != "gone" }
	for _, c := range []struct{ why, path, want string }{
		{"nothing to do", "$T/a:$T/b", "$T/a:$T/b"},
		{"farms in any spelling", "$T/farm:$T/a:$T/alias:$T/farm/:$T//farm:$T/b/../farm", "$T/a"},
		{"empty and relative entries", ":$T/a::.:node_modules/.bin:$T/b:", "$T/a:$T/b"},
		{"what is not there inside", "$T/a:$T/gone:$T/b", "$T/a:$T/b"},
		{"the caller's order and repeats stay", "$T/b:$T/a:$T/b/:$T/b", "$T/b:$T/a:$T/b/:$T/b"},
		{"nothing left", ".:$T/farm", ""},
		{"nothing at all", "", ""},
	} {
		expand := strings.NewReplacer("$T", top).Replace
		if got := PathInside(expand(c.path), farms, visible); got != expand(c.want) {
			t.Errorf("%s: %q, want %q", c.why, got, expand(c.want))
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	lines := tree{"z/npm*"}
	path := ""
	for _, name := range strings.Split("abcdefghijk", "") {
		lines = append(lines, name+"/")
		path += "$T/" + name + ":"
	}
	top := lines.build(b)
	path = strings.ReplaceAll(path+"$T/z", "$T", top)
	farms := []plan.ID{{Dev: 1, Ino: 1}}
	for b.Loop() {
		if _, err := Lookup("npm", path, "/", farms); err != nil {
			b.Fatal(err)
		}
	}
}
