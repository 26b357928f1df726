package trace

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// decide runs the filter on one call.
func decide(t *testing.T, arch, number uint32) uint32 {
	t.Helper()
	var raw []bpf.RawInstruction
	for _, f := range Filter() {
		raw = append(raw, bpf.RawInstruction{Op: f.Code, Jt: f.Jt, Jf: f.Jf, K: f.K})
	}
	code, ok := bpf.Disassemble(raw)
	if !ok {
		t.Fatal("not a program")
	}
	vm, err := bpf.NewVM(code)
	if err != nil {
		t.Fatal(err)
	}
	// The machine reads as the network does.
	data := make([]byte, 64)
	binary.BigEndian.PutUint32(data[offsetNumber:], number)
	binary.BigEndian.PutUint32(data[offsetArch:], arch)
	got, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(got)
}

func TestFilter(t *testing.T) {
	listened := map[uint32]bool{}
	for _, c := range calls() {
		listened[c.number] = true
	}
	for nr := uint32(0); nr < 600; nr++ {
		want := uint32(unix.SECCOMP_RET_ALLOW)
		if listened[nr] {
			want = unix.SECCOMP_RET_USER_NOTIF
		}
		if got := decide(t, arch(), nr); got != want {
			t.Errorf("call %d: %#x, want %#x", nr, got, want)
		}
	}
	if got := decide(t, arch()+1, unix.SYS_OPENAT); got != unix.SECCOMP_RET_ALLOW {
		t.Errorf("another architecture: %#x", got)
	}
	// The child sends the launcher its descriptor by it, when nobody can answer yet.
	if listened[unix.SYS_SENDMSG] || listened[unix.SYS_EXIT_GROUP] {
		t.Error("the child would wait for ever")
	}
}

func TestQuestion(t *testing.T) {
	ask := func(name string) []byte {
		b := []byte{1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}
		for _, label := range strings.Split(name, ".") {
			b = append(append(b, byte(len(label))), label...)
		}
		return append(b, 0, 0, 1, 0, 1)
	}
	if got := question(ask("registry.example.test")); got != "registry.example.test" {
		t.Errorf("%q", got)
	}
	whole := ask("a.b")
	for n := range whole {
		if got := question(whole[:n]); got != "" {
			t.Errorf("the first %d bytes: %q", n, got)
		}
	}
	for why, b := range map[string][]byte{
		"an answer":     append([]byte{1, 2, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0}, ask("a")[12:]...),
		"two questions": append([]byte{1, 2, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0}, ask("a")[12:]...),
		"control bytes": ask("a\x1b[2J"),
		"a long label":  append([]byte{1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 64}, bytes.Repeat([]byte{'a'}, 80)...),
		"text":          []byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
		"class not IN":  append(ask("a")[:len(ask("a"))-1], 3),
	} {
		if got := question(b); got != "" {
			t.Errorf("%s: %q", why, got)
		}
	}
}

func TestAddressOf(t *testing.T) {
	family := func(f uint16, rest ...byte) []byte { return append(binary.NativeEndian.AppendUint16(nil, f), rest...) }
	for _, c := range []struct {
		b    []byte
		kind Kind
		what string
	}{
		{family(unix.AF_UNIX, []byte("/run/x.sock\x00junk")...), Socket, "/run/x.sock"},
		{family(unix.AF_UNIX, []byte("\x00/tmp/.X11-unix/X0")...), Socket, "@/tmp/.X11-unix/X0"},
		{family(unix.AF_INET, 1, 187, 10, 1, 2, 3, 0, 0), Host, "10.1.2.3:443"},
		{family(unix.AF_INET, 1, 187, 127, 0, 0, 1), "", ""},
		{family(unix.AF_INET, 0, 0, 10, 1, 2, 3), "", ""},
		{family(unix.AF_INET6, append([]byte{0, 80, 0, 0, 0, 0, 0x20, 1}, make([]byte, 14)...)...), Host, "[2001::]:80"},
		{family(unix.AF_INET, 1), "", ""}, {family(unix.AF_NETLINK, 1, 2, 3, 4, 5, 6), "", ""}, {nil, "", ""}, {[]byte{1}, "", ""},
	} {
		if kind, what := addressOf(c.b); kind != c.kind || what != c.what {
			t.Errorf("%v: %s %q, want %s %q", c.b, kind, what, c.kind, c.what)
		}
	}
}

func FuzzParsers(f *testing.F) {
	f.Add([]byte{1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 0, 0, 1, 0, 1})
	f.Add([]byte("\x01\x00/run/x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if name := question(b); len(name) > 320 || strings.ContainsAny(name, "\n\x1b") {
			t.Errorf("%q", name)
		}
		addressOf(b)
		_, _ = ReadFile(bytes.NewReader(b))
	})
}

// host is a view of a host that does not exist.
func host() View {
	list := func(paths ...string) func(string) bool {
		return func(p string) bool { return slices.ContainsFunc(paths, func(q string) bool { return within(p, q) }) }
	}
	return View{
		Root: "/h/u/p", Home: "/h/u",
		Shows:    list("/usr", "/h/u/.nvm", "/h/u/.cache", "/h/u/p"),
		Writable: list("/h/u/.cache/pip", "/h/u/p"),
		Exists:   list("/usr", "/h/u", "/run", "/srv"),
		Private:  list("/h/u/.ssh", "/h/u/.aws"),
		Offer:    func(p string) bool { return !list("/h/u/.ssh", "/h/u/.aws", "/run")(p) && p != "/h/u" && p != "/srv" },
		Keeps:    list("/h/u/.cache/uv"),
		Hidden: func(p string) (bool, bool) {
			return p == "/h/u/p/vault", list("/h/u/p/.env", "/h/u/p/vault", "/h/u/p/tls.key", "/h/u/p/id_rsa")(p)
		},
		Dropped: []string{"A_TOKEN"},
	}
}

func TestReport(t *testing.T) {
	events := []Event{
		{Path, "/usr/bin/x"}, {Path, "/h/u/p/src"}, {Path, "/nowhere"}, {Write, "/h/u/p/out"}, {Write, "/h/u/.cache/pip/x"},
		{Write, "/h/u/.cache/gitstatus/x"}, {Write, "/h/u/.cache/uv/x"},
		{Path, "/h/u/.ssh/id"}, {Write, "/h/u/.ssh/authorized_keys"}, {Path, "/h/u/p/tls.key"}, {Path, "/h/u/p/id_rsa"},
		{Path, "/h/u/p/.env"}, {Write, "/h/u/p/.env"}, {Path, "/h/u/p/vault"},
		{Path, "/h/u/lib/a"}, {Path, "/h/u/lib/b"}, {Path, "/h/u/lib/c"}, {Path, "/h/u/one"}, {Path, "/srv/a"}, {Path, "/srv/b"}, {Path, "/srv/c"},
		{Path, "/run/user/1/x"}, {Write, "/h/u/.nvm/bin/node"}, {Path, "/h/u/odd\n[commands.x]"},
		{Socket, "/run/docker.sock"}, {Socket, "@/tmp/.X11-unix/X0"}, {Socket, "/nowhere/sock"}, {Socket, "/h/u/p/my.sock"}, {Socket, "@"},
		{Host, "10.1.2.3:443"}, {Lookup, "example.test"},
	}
	found, more := Report(events, host())
	got := []string{}
	for _, f := range found {
		got = append(got, f.Kind+" "+f.What+" | "+f.Line)
	}
	want := []string{
		"secret /h/u/.ssh/id | ", "secret /h/u/.ssh/authorized_keys | ", "secret /h/u/p/tls.key | ", "secret /h/u/p/id_rsa | ",
		`masked /h/u/p/.env | mask_except = ["/.env"]`, `denied /h/u/p/vault | deny_except = ["/vault"]`,
		`path /h/u/lib | ro = ["~/lib"]`, `path /h/u/one | ro = ["~/one"]`, `path /srv/a | ro = ["/srv/a"]`, `path /srv/b | ro = ["/srv/b"]`, `path /srv/c | ro = ["/srv/c"]`,
		"path /run/user/1/x | ", "path /h/u/odd\n[commands.x] | ", "write /h/u/.cache/gitstatus/x | ", `write /h/u/.cache/uv/x | rw = ["~/.cache/uv/x"]`, "write /h/u/.nvm/bin/node | ",
		"socket /run/docker.sock | ", "socket @/tmp/.X11-unix/X0 | ",
		`name example.test | network = "on"`, `host 10.1.2.3:443 | network = "on"`, `variable A_TOKEN | env = ["A_TOKEN"]`,
	}
	if !slices.Equal(got, want) || more != 0 {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	v := host()
	v.Network = true
	if found, _ := Report([]Event{{Host, "1.2.3.4:5"}, {Lookup, "x"}}, v); len(found) != 1 {
		t.Errorf("with a network: %+v", found)
	}
}

// What a file of a project claims makes no line that its author chose.
func TestFile(t *testing.T) {
	found, _ := Report([]Event{{Path, "/h/u/.ssh/id"}, {Path, "/h/u/one"}, {Path, "/h/u/p/.env"}, {Host, "1.2.3.4:5"}}, host())
	var b bytes.Buffer
	if err := WriteFile(&b, found); err != nil {
		t.Fatal(err)
	}
	read, err := ReadFile(&b)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(found []Finding) (all []string) {
		for _, f := range Rejudge(found, host()) {
			all = append(all, f.Kind+" "+f.Line)
		}
		slices.Sort(all)
		return all
	}
	want := []string{`host network = "on"`, `masked mask_except = ["/.env"]`, `path ro = ["~/one"]`, "secret ", `variable env = ["A_TOKEN"]`}
	if got := lines(read); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, f := range Rejudge([]Finding{
		{Kind: "path", What: "/h/u/.ssh/id"}, {Kind: "masked", What: "/h/u/.ssh/id"}, {Kind: "masked", What: "/h/u/p/../.ssh"}, {Kind: "masked", What: "/h/u/p/id_rsa"},
		{Kind: "variable", What: "A\"]\nro = [\"/\"]"}, {Kind: "secret", What: "x", Line: "ro = [\"/\"]"}, {Kind: "path", What: "/h/u"}, {Kind: "path", What: "/run/docker.sock"},
	}, host()) {
		if f.Line != "" {
			t.Errorf("%+v", f)
		}
	}
	for _, text := range []string{"x", `{"kind":"evil","what":"y"}`, `{"kind":"path"}`, strings.Repeat(`{"kind":"path","what":"/x"}`+"\n", maxLines+1)} {
		if _, err := ReadFile(strings.NewReader(text)); err == nil {
			t.Errorf("%.40q was read", text)
		}
	}
}

func TestRecordIsBounded(t *testing.T) {
	var r Record
	for i := range maxEvents + 10 {
		r.Add(Path, "/x/"+strings.Repeat("a", i%5)+string(rune(i)))
	}
	r.Add(Path, strings.Repeat("x", maxLength+1))
	r.Add(Path, "")
	if n := len(r.Events()); n > maxEvents || !r.Full {
		t.Errorf("%d, full %v", n, r.Full)
	}
}

func TestOptions(t *testing.T) {
	path := func(what string) Finding { return Finding{"path", what, "ro = [...]"} }
	for name, c := range map[string]struct {
		found []Finding
		want  string
	}{
		"nothing":           {nil, ""},
		"paths":             {[]Finding{path("/x"), path("/y"), {"variable", "A", "env"}}, "--ro /x --ro /y"},
		"a secret":          {[]Finding{{"secret", "/home/u/.ssh", ""}}, ""},
		"not to be offered": {[]Finding{{"path", "/home/u", ""}, {"socket", "/run/x", ""}}, ""},
		"a cache":           {[]Finding{{"write", "/home/u/.cache/x", "rw"}}, "--rw /home/u/.cache/x"},
		"hosts":             {[]Finding{{"name", "a.test", "network"}, {"host", "192.0.2.1:1", "network"}}, "--network on"},
		"a variable":        {[]Finding{{"variable", "A", "env"}, {"masked", "/p/.env", "mask_except"}}, "--env A"},
		"several variables": {[]Finding{{"variable", "A", "env"}, {"variable", "B", "env"}}, ""},
	} {
		if got := strings.Join(Options(c.found), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	many := make([]Finding, 40)
	for i := range many {
		many[i] = path("/x")
	}
	if got := Options(many); len(got) != maxOptions {
		t.Errorf("%d options of 40 paths", len(got))
	}
}
