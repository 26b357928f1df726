package trust

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// What is kept is written down here, so that a change of it is seen: it would end
// everybody's consent.
func TestEncodingIsFixed(t *testing.T) {
	text, err := encode("/src/my proj", []File{{"z", nil}, {"config.toml", []byte("a = 1\n")}})
	must(t, err)
	want := "jail trust 1\n12 /src/my proj\n11 config.toml\n6 a = 1\n\n1 z\n0 \n"
	if string(text) != want {
		t.Errorf("encoding %q\nwant     %q", text, want)
	}
	got, err := Sum("/src/my proj", []File{{"z", nil}, {"config.toml", []byte("a = 1\n")}})
	must(t, err)
	if len(got) != 64 || got != sum([]byte(want)) {
		t.Errorf("sum %s", got)
	}
	s := newStore(t)
	must(t, s.Allow("/src/my proj", []File{{"z", nil}, {"config.toml", []byte("a = 1\n")}}))
	kept, err := os.ReadFile(filepath.Join(s.Dir, entryName("/src/my proj")))
	must(t, err)
	if string(kept) != got+"\n"+want {
		t.Errorf("kept %q", kept)
	}
}

func TestDecodeRefusesWhatEncodeNeverWrote(t *testing.T) {
	for _, text := range []string{
		"", magic, "jail trust 2\n1 /\n", magic + "1 /\n1 a\n", magic + "2 /\n", magic + "1 /", magic + "-1 /\n", magic + "x /\n", magic + "1 /\n\n",
		magic + "99999999999999999999 /\n", magic + "9 /\n", magic + "01 /\n", magic + "+1 /\n", magic + "2 /.\n",
		magic + "1 /\n1 b\n0 \n1 a\n0 \n", magic + "1 /\n1 a\n0 \n1 a\n0 \n",
	} {
		if root, files, err := decode([]byte(text)); err == nil {
			t.Errorf("%q is %q %v", text, root, files)
		}
	}
}

// What decodes encodes to the same bytes, so no entry can mean two things; and
// what was encoded comes back.
func FuzzEncoding(f *testing.F) {
	f.Add([]byte(magic+"2 /p\n11 config.toml\n3 a=1\n"), "/p", "config.toml", []byte("a = 1\n"))
	f.Add([]byte("x"), "/", "5 a\n", []byte("1 /\n0 \n"))
	f.Fuzz(func(t *testing.T, text []byte, root, name string, data []byte) {
		if root, files, err := decode(text); err == nil {
			if again, err := encode(root, files); err != nil || !bytes.Equal(again, text) {
				t.Fatalf("%q decodes, and encodes as %q, %v", text, again, err)
			}
		}
		in := []File{{name, data}, {name + "2", nil}}
		out, err := encode(root, in)
		if err != nil {
			return
		}
		gotRoot, got, err := decode(out)
		if err != nil || gotRoot != root || len(got) != 2 || got[0].Name != name || !bytes.Equal(got[0].Data, data) {
			t.Fatalf("%q %q %q came back as %q %v, %v", root, name, data, gotRoot, got, err)
		}
	})
}

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []Line
	}{
		{"same", "a\nb\n", "a\nb\n", nil},
		{"changed", "a\nb\nc\n", "a\nB\nc\n", []Line{{' ', "a\n"}, {'-', "b\n"}, {'+', "B\n"}, {' ', "c\n"}}},
		{"added", "a\n", "a\nb\n", []Line{{' ', "a\n"}, {'+', "b\n"}}},
		{"removed", "a\nb\n", "b\n", []Line{{'-', "a\n"}, {' ', "b\n"}}},
		{"without an end", "a\n", "a", []Line{{'-', "a\n"}, {'+', "a"}}},
		{"emptied", "a\n", "", []Line{{'-', "a\n"}}},
		{"repeated", "a\na\n", "a\na\na\n", []Line{{' ', "a\n"}, {' ', "a\n"}, {'+', "a\n"}}},
		{"moved", "a\nb\nc\n", "c\na\nb\n", []Line{{'+', "c\n"}, {' ', "a\n"}, {' ', "b\n"}, {'-', "c\n"}}},
	} {
		s := newStore(t)
		must(t, s.Allow("/p", config(c.before)))
		changes, known, err := s.Diff("/p", config(c.after))
		must(t, err)
		var got []Line
		if len(changes) == 1 && changes[0].Name == "config.toml" {
			got = changes[0].Lines
		}
		if !known || !reflect.DeepEqual(got, c.want) || len(changes) > 1 {
			t.Errorf("%s: %+v, want %q", c.name, changes, c.want)
		}
	}
}

func TestDiffOfFiles(t *testing.T) {
	s := newStore(t)
	changes, known, err := s.Diff("/p", config("a\n"))
	must(t, err)
	if want := []Change{{"config.toml", []Line{{'+', "a\n"}}}}; known || !reflect.DeepEqual(changes, want) {
		t.Errorf("without consent: %v %v", changes, known)
	}
	must(t, s.Allow("/p", []File{{"a", []byte("1")}, {"b", []byte("2")}}))
	changes, known, err = s.Diff("/p", []File{{"c", []byte("3")}, {"b", []byte("2")}})
	must(t, err)
	want := []Change{{"a", []Line{{'-', "1"}}}, {"c", []Line{{'+', "3"}}}}
	if !known || !reflect.DeepEqual(changes, want) {
		t.Errorf("got %v, want %v", changes, want)
	}
}

// A comparison gives both files back, whatever it finds in common.
func FuzzDiff(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc\nd"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 4096 {
			return
		}
		var was, is []byte
		for _, l := range lines(split(&File{Data: a}), split(&File{Data: b})) {
			if l.Op != '+' {
				was = append(was, l.Text...)
			}
			if l.Op != '-' {
				is = append(is, l.Text...)
			}
		}
		if !bytes.Equal(was, a) || !bytes.Equal(is, b) {
			t.Fatalf("%q, %q came back as %q, %q", a, b, was, is)
		}
	})
}

func TestDiffOfLargeFilesEnds(t *testing.T) {
	a := bytes.Repeat([]byte("a\n"), 30000)
	b := bytes.Repeat([]byte("b\n"), 30000)
	if got := lines(split(&File{Data: a}), split(&File{Data: b})); len(got) != 60000 || got[0].Op != '-' || got[59999].Op != '+' {
		t.Errorf("%d lines", len(got))
	}
}
