package shim

import (
	"reflect"
	"testing"
)

// What is written is read back, whatever directories and names are called.
func FuzzState(f *testing.F) {
	f.Add("/usr/bin", "npm", "terraform", uint64(1), int64(2))
	f.Add("/a\nb \"c\"", "x y", "\xff", uint64(1<<63), int64(-1))
	f.Add("", "", "", uint64(0), int64(0))
	f.Fuzz(func(t *testing.T, dir, name, extra string, n uint64, m int64) {
		if dir == "" || name == "" || extra == "" {
			return
		}
		some := stamp{dev: n, ino: n + 1, size: m, mtime: m / 2, mode: uint32(n)}
		want := state{
			launcher: some, copied: stamp{ino: n}, extra: []string{extra, name},
			places: []place{{dir: dir, stamp: some, names: []string{name, extra}, idle: []string{extra}}, {dir: name}},
		}
		got, ok := parseState(want.text())
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%v\nread %+v\nwant %+v", ok, got, want)
		}
	})
}

// Whatever is in the file, it is read without a panic, and never as something that
// would be written otherwise.
func FuzzParseState(f *testing.F) {
	f.Add(state{}.text())
	f.Add(state{extra: []string{"a"}, places: []place{{dir: "/usr/bin", names: []string{"npm"}}}}.text())
	f.Add(stateHeader + "\n1 2 3 4 5\n")
	f.Add("jail farm 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s, ok := parseState(text); ok {
			if again, ok := parseState(s.text()); !ok || !reflect.DeepEqual(again, s) {
				t.Errorf("%q was read as %+v and then as %+v", text, s, again)
			}
		}
	})
}
