package roots

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"jail/internal/needed"

	"golang.org/x/sys/unix"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, data string) List {
	t.Helper()
	l, err := Read(data)
	must(t, err)
	return l
}

func serial(l List) string {
	line, _, _ := strings.Cut(l.text, "\n")
	return line
}

var odd = []string{"/a\nb", `/a\b`, `/a\nb`, "/a b", "/-n", "/'\"$(x)*", "/a\\", "/a\n", "/\xff\xfe", "/ü", `/\\n`}

func TestListKeepsWhatItIsGiven(t *testing.T) {
	data := filepath.Join(t.TempDir(), "jail")
	if l := list(t, data); l.Claim("/a") != None || len(l.All(Known)) != 0 {
		t.Error("a list that does not exist says something")
	}
	must(t, Add(data, odd...))
	must(t, Add(data, "/plain", "/plain"))
	l := list(t, data)
	want := append(slices.Clone(odd), "/plain")
	slices.Sort(want)
	if got := l.All(Known); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, path := range want {
		if l.Claim(path) != Known {
			t.Errorf("%q is not known", path)
		}
	}
	for _, path := range []string{"/", "/plai", "/plain/x", "/b", "/a\\nb\n", "plain", "/a b\nroot /plain"} {
		if l.Claim(path) != None {
			t.Errorf("%q is known", path)
		}
	}
	if n := strings.Count(l.text, "\n"); n != 1+len(want) {
		t.Errorf("%d lines", n)
	}
	var st unix.Stat_t
	must(t, unix.Stat(Path(data), &st))
	if st.Mode&0o7777 != 0o600 {
		t.Errorf("mode %o", st.Mode)
	}
}

func TestBelow(t *testing.T) {
	dir := t.TempDir()
	data, src := filepath.Join(dir, "jail"), filepath.Join(dir, "link")
	must(t, os.Mkdir(filepath.Join(dir, "src"), 0o755))
	must(t, os.Symlink("src", src))
	must(t, Add(data, "/known"))
	must(t, SetBelow(data, []string{src, "/od\nd"}))
	l := list(t, data)
	for path, want := range map[string]Kind{
		src + "/x": Below, src + "/x/y": None, src: None, filepath.Join(dir, "src/x"): Below, "/od\nd/x": Below, "/od\nd": None,
		"/known": Known, "/known/x": None, "/x": None, "/": None,
	} {
		if got := l.Claim(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	must(t, SetBelow(data, nil))
	if l := list(t, data); l.Claim(src+"/x") != None || l.Claim("/known") != Known {
		t.Errorf("%q", l.text)
	}
}

// A hook has a copy of the list, and reads it again when the first line is another.
func TestSerialIsAnotherAfterEachChangeAndOnlyThen(t *testing.T) {
	data := t.TempDir()
	must(t, Add(data, "/a"))
	first := serial(list(t, data))
	must(t, Add(data, "/a"))
	_, err := Forget(data, "/b")
	must(t, err)
	if again := serial(list(t, data)); again != first {
		t.Error("nothing changed, and the number did")
	}
	must(t, Add(data, "/b"))
	second := serial(list(t, data))
	if second == first || len(first) != len(header)+16 {
		t.Errorf("%q, then %q", first, second)
	}
	had, err := Forget(data, "/b", "/c")
	if err != nil || !slices.Equal(had, []string{"/b"}) {
		t.Errorf("%q %v", had, err)
	}
	if l := list(t, data); l.Claim("/b") != None || l.Claim("/a") != Known || serial(l) == first {
		t.Errorf("%q", l.text)
	}
}

// The second name is the first one's file, and alone: what was left behind goes.
func TestSecondName(t *testing.T) {
	data := t.TempDir()
	for _, root := range []string{"/a", "/b", "/c"} {
		must(t, os.WriteFile(Path(data)+".left", nil, 0o600))
		must(t, Add(data, root))
		names, err := filepath.Glob(Path(data) + ".*")
		must(t, err)
		if want := Path(data) + "." + list(t, data).serial(); !slices.Equal(names, []string{want}) {
			t.Fatalf("%q, want %q", names, want)
		}
		a, err := os.Stat(Path(data))
		must(t, err)
		b, err := os.Stat(names[0])
		must(t, err)
		if !os.SameFile(a, b) {
			t.Error("it is another file")
		}
	}
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	data := t.TempDir()
	var all sync.WaitGroup
	for _, c := range "abcdefghijklmnop" {
		all.Go(func() {
			if err := Add(data, "/"+string(c)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(list(t, data).All(Known)); n != 16 {
		t.Errorf("%d of 16", n)
	}
	if names, _ := filepath.Glob(data + "/.new*"); names != nil {
		t.Errorf("left behind: %q", names)
	}
}

func TestCrowdDropsWhatIsGone(t *testing.T) {
	data := t.TempDir()
	var gone []string
	for i := range crowd {
		gone = append(gone, filepath.Join(data, "gone", strings.Repeat("x", i%200), string(rune('a'+i%26)), strings.Repeat("y", i/26)))
	}
	must(t, Add(data, append(gone, data)...))
	must(t, Add(data, "/new"))
	if got := list(t, data).All(Known); !slices.Equal(got, []string{"/new", data}) && !slices.Equal(got, []string{data, "/new"}) {
		t.Errorf("%d are left", len(got))
	}
}

// What cannot be read does not mean that nothing is known.
func TestReadRefuses(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"a link":      func(p string) error { return os.Symlink("/dev/null", p) },
		"a FIFO":      func(p string) error { return unix.Mkfifo(p, 0o600) },
		"a directory": func(p string) error { return os.Mkdir(p, 0o700) },
		"empty":       func(p string) error { return os.WriteFile(p, nil, 0o600) },
		"another one": func(p string) error { return os.WriteFile(p, []byte("jail roots 2 x\nroot /a\n"), 0o600) },
		"half":        func(p string) error { return os.WriteFile(p, []byte(header+"x\nroot /a"), 0o600) },
		"large":       func(p string) error { return os.WriteFile(p, []byte(header+strings.Repeat("x", maxSize)+"\n"), 0o600) },
	} {
		data := t.TempDir()
		must(t, spoil(Path(data)))
		_, err := Read(data)
		if known := (*Error)(nil); !errors.As(err, &known) || known.Path != Path(data) {
			t.Errorf("%s: %v", name, err)
		}
		if err := Add(data, "/a"); err == nil {
			t.Errorf("%s: it was written over", name)
		}
	}
	if _, err := Read("relative"); err != nil {
		t.Errorf("no home: %v", err)
	}
	if err := Add("relative", "/a"); err == nil {
		t.Error("kept below the working directory")
	}
}

// Somebody else's list, which may not be read, is none of the caller's; one's own is.
func TestReadWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything; the scripts of cmd/jail run as a user")
	}
	data := t.TempDir()
	must(t, Add(data, "/a"))
	must(t, os.Chmod(Path(data), 0))
	if _, err := Read(data); err == nil {
		t.Error("a list of one's own that cannot be read says nothing")
	}
	must(t, os.Chmod(data, 0))
	defer os.Chmod(data, 0o700)
	if _, err := Read(data); err != nil {
		t.Errorf("a closed directory: %v", err)
	}
}

func TestAddRefusesADirectoryOfOthers(t *testing.T) {
	data := t.TempDir()
	must(t, os.Chmod(data, 0o777))
	if err := Add(data, "/a"); err == nil || !strings.Contains(err.Error(), "others") {
		t.Errorf("%v", err)
	}
}

// What the hooks do, in the shells: one string, one comparison, no process.
func TestShellsReadIt(t *testing.T) {
	data := t.TempDir()
	must(t, Add(data, odd...))
	must(t, SetBelow(data, odd))
	for shell, script := range map[string]string{
		"bash": `IFS= read -rd '' list <"$1"; d=${2//\\/\\\\}; d=${d//$'\n'/\\n}
[[ $list == *$'\n'"root $d"$'\n'* && $list == *$'\n'"below $d"$'\n'* ]]`,
		"zsh": `IFS= read -rd '' list <"$1"; d=${2//\\/\\\\}; d=${d//$'\n'/\\n}
[[ $list == *$'\n'"root $d"$'\n'* && $list == *$'\n'"below $d"$'\n'* ]]`,
	} {
		t.Run(shell, func(t *testing.T) {
			path := needed.Program(t, shell)
			for _, dir := range odd {
				if out, err := exec.Command(path, "-c", script, shell, Path(data), dir).CombinedOutput(); err != nil {
					t.Errorf("%q: %v %s", dir, err, out)
				}
				if exec.Command(path, "-c", script, shell, Path(data), dir+"x").Run() == nil {
					t.Errorf("%q is found", dir+"x")
				}
			}
		})
	}
}

func FuzzList(f *testing.F) {
	for _, p := range odd {
		f.Add(p, "/other")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = filepath.Clean("/"+a), filepath.Clean("/"+b)
		if a == "/" || b == "/" || strings.ContainsRune(a+b, 0) {
			return
		}
		l := List{}.with(Known, []string{a})
		if l.Claim(a) != Known || !slices.Equal(l.All(Known), []string{a}) {
			t.Errorf("%q is lost: %q", a, l.text)
		}
		if b != a && l.Claim(b) != None {
			t.Errorf("%q is taken for %q", b, a)
		}
	})
}
