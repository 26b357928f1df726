package settings

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// tool returns the row of Tools for a path.
func tool(t testing.TB, path string) Tool {
	t.Helper()
	for _, known := range Tools() {
		if known.Path == path {
			return known
		}
	}
	if known, ok := Of(path); ok {
		return known
	}
	t.Fatalf("no tool reads %s", path)
	return Tool{}
}

func inside(files map[string]string, variables ...string) Inside {
	return Inside{
		Home: "/home/me",
		Read: func(path string) ([]byte, error) {
			if content, ok := files[path]; ok {
				return []byte(content), nil
			}
			return nil, fs.ErrNotExist
		},
		Passes: func(name string) bool { return slices.Contains(variables, name) },
	}
}

type fixture struct {
	name, path   string
	in           Inside
	content      string
	want         string
	left         []string
	files        []File
	certificates []string
}

func TestStrip(t *testing.T) {
	for _, f := range slices.Concat(npmFixtures(), pipFixtures(), gitFixtures(), tomlFixtures(), yamlFixtures(), goFixtures(), yarnFixtures()) {
		t.Run(f.name, func(t *testing.T) {
			tool := tool(t, f.path)
			got, err := Strip(tool, []byte(f.content), f.in)
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Data) != f.want {
				t.Errorf("got\n%s\nwant\n%s", got.Data, f.want)
			}
			if !slices.Equal(got.Left, f.left) {
				t.Errorf("left out\n%q\nwant\n%q", got.Left, f.left)
			}
			if !slices.EqualFunc(got.Files, f.files, sameFile) {
				t.Errorf("files %q, want %q", got.Files, f.files)
			}
			if !slices.Equal(got.Certificates, f.certificates) {
				t.Errorf("certificates %q, want %q", got.Certificates, f.certificates)
			}
			checkCopy(t, tool, f.in, got)
		})
	}
}

func sameFile(a, b File) bool { return a.Path == b.Path && bytes.Equal(a.Data, b.Data) }

// checkCopy holds what is true of every copy.
func checkCopy(t testing.TB, tool Tool, in Inside, c Copy) {
	t.Helper()
	all := string(c.Data) + strings.Join(c.Left, "\n") + strings.Join(c.Certificates, "\n")
	for _, f := range c.Files {
		all += f.Path + string(f.Data)
	}
	if strings.Contains(all, "SENTINEL") {
		t.Errorf("the sentinel is in the copy:\n%s", all)
	}
	again, err := Strip(tool, c.Data, in)
	if err != nil {
		t.Fatalf("the copy cannot be read: %v\n%s", err, c.Data)
	}
	if !bytes.Equal(again.Data, c.Data) {
		t.Errorf("the copy of the copy is another:\n%s\nfrom\n%s", again.Data, c.Data)
	}
	if !slices.EqualFunc(again.Files, c.Files, sameFile) {
		t.Errorf("the copy of the copy has other files: %q, not %q", again.Files, c.Files)
	}
	if !slices.IsSorted(c.Left) {
		t.Errorf("not sorted: %q", c.Left)
	}
	for _, l := range c.Left {
		if !isPrintable(l, "") || len(l) > 400 {
			t.Errorf("left out: %q", l)
		}
	}
}
