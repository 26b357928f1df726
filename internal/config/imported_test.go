package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

const foreignFile = `command = ["bash"]
rw_maps = ["~/.cache/x", "/", "relative"]
ro_maps = ["/data:/models"]
mask = ["*.sql", "q\"uo\\te", 3]
mask_exceptions = ["dev.sql"]
deny_paths = ["ledger/"]
env_pass = ["CI", "TOKEN=hunter2"]
no_gpu = true
no_docker = false
no_display = true
network = false
lockdown = false
ssh = "yes"
secret_hosts = { API_KEY = "api.test" }
[commands.npm]
rw_maps = ["~/npm"]
no_gpu = false
[commands."a b"]
hide_dotdirs = ["x"]
`

func TestImport(t *testing.T) {
	b := newBench(t)
	b.in.OtherFile = filepath.Join(b.home, ".ai-jail")
	if i, err := Import(b.in); i != nil || err != nil {
		t.Errorf("of nothing: %v %v", i, err)
	}
	b.write(b.in.OtherFile, foreignFile)
	i, err := Import(b.in)
	if err != nil {
		t.Fatal(err)
	}
	want := `mask = ["*.sql", "q\"uo\\te"]
mask_except = ["dev.sql"] # loosens
deny = ["ledger/"]
ro = ["/data:/models"] # loosens
rw = ["~/.cache/x"] # loosens
env = ["CI"] # loosens
network = "off"
gpu = false
docker = true # loosens

[commands."npm"]
rw = ["~/npm"] # loosens
gpu = true # loosens
`
	if got := i.Text(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	left := strings.Join(i.Left, "\n")
	for _, l := range []string{
		"command (line 1): it has no equal here", `rw_maps (line 2): rw: "/" cannot be mapped`, "a path here must be absolute",
		"mask (line 4): mask: want", "env_pass (line 7): the value of TOKEN=... would be shown", "ssh (line 13): it has no equal here",
		"secret_hosts (line 14)", "commands.a b.hide_dotdirs (line 19)",
	} {
		if !strings.Contains(left, l) {
			t.Errorf("%q is not in\n%s", l, left)
		}
	}
	if n := len(i.Left); n != 8 || strings.Contains(left+i.Text(), "hunter2") {
		t.Errorf("%d:\n%s", n, left)
	}
	// It says what it seems to say.
	b.write(b.in.UserFile, i.Text())
	b.in.OtherFile = ""
	p := b.load().Policy
	if p.Network != plan.NetworkNone || !p.Docker || len(p.Writable) != 2 || !slices.Contains(texts(p.Mask), `mask q"uo\te`) {
		t.Errorf("%+v", p)
	}
}

func TestImportInto(t *testing.T) {
	b := newBench(t)
	b.in.OtherFile = filepath.Join(b.home, ".ai-jail")
	b.write(b.in.OtherFile, foreignFile)
	i, err := Import(b.in)
	if err != nil {
		t.Fatal(err)
	}
	text, clashes, err := i.Into([]byte("# mine\nstrict = true\n[commands.pip]\ncache = \"shared\"\n"))
	if err != nil || len(clashes) != 0 {
		t.Fatalf("%q %v", clashes, err)
	}
	b.write(b.in.UserFile, text)
	b.in.OtherFile = ""
	if p := b.load().Policy; !p.Strict || !p.Docker || !strings.Contains(text, "# mine\n") {
		t.Errorf("%s\n%+v", text, p)
	}
	_, clashes, err = i.Into([]byte("rw = []\n[commands.npm]\ngpu = false"))
	if err != nil || !slices.Equal(clashes, []string{"rw", "commands.npm"}) {
		t.Errorf("%q %v", clashes, err)
	}
	if _, _, err = i.Into([]byte("rw =")); err == nil {
		t.Error("into a broken file")
	}
}

func TestImportRefuses(t *testing.T) {
	b := newBench(t)
	b.in.OtherFile = filepath.Join(b.home, ".ai-jail")
	for _, text := range []string{"a =", "mask = ['x'", "\x00"} {
		b.write(b.in.OtherFile, text)
		if _, err := Import(b.in); err == nil {
			t.Errorf("%q", text)
		}
	}
	must(t, os.Remove(b.in.OtherFile))
	must(t, os.Mkdir(b.in.OtherFile, 0o700))
	if _, err := Import(b.in); err == nil {
		t.Error("a directory")
	}
}
