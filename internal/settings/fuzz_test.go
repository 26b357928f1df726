package settings

import (
	"slices"
	"strings"
	"testing"
	"time"

	"jail/internal/cputime"
)

// Whatever stands around a line that holds a credential: nothing panics, the copy
// can be read, is its own copy, and the credential is not in it. The sentinel looks
// like a token here, since what stands before it can make a part of any value out
// of it.
const planted = "npm_SENTINEL7q2Zk9Lw4Bn6Rt8Yp5Xc3"

func fuzz(f *testing.F, path, line string, fixtures []fixture, more ...string) {
	for _, x := range fixtures {
		if x.path == path {
			more = append(more, x.content)
		}
	}
	for _, s := range more {
		s = strings.ReplaceAll(s, "SENTINEL", "planted")
		f.Add(s, "")
		f.Add("", s)
		f.Add(s[:len(s)/2], s[len(s)/2:])
	}
	known := tool(f, path)
	in := inside(map[string]string{"a": "[user]\nname=x\n[include]\npath=a\n", "ignore": "*.swp\n"}, "A")
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(strings.ToUpper(before+after), "SENTINEL") {
			return // a sentinel of its own, wherever it is
		}
		content := []byte(before + "\n" + line + "\n" + after)
		start := cputime.Spent()
		c, err := Strip(known, content, in)
		if err == nil {
			checkCopy(t, known, in, c)
		} else if strings.Contains(err.Error(), "SENTINEL") || !isPrintable(err.Error(), "") {
			t.Errorf("the error quotes the file: %q", err)
		}
		project := known
		project.Project = true
		if known.Format != Git && known.Format != Ignore && known.Format != Env && !Literal(project, content) {
			t.Errorf("no credential is seen in %q", content)
		}
		if d := cputime.Spent() - start; d > 10*time.Second {
			t.Errorf("%d bytes take %v", len(content), d)
		}
	})
}

func FuzzNpmrc(f *testing.F) {
	fuzz(f, "~/.npmrc", "//r.test/:_authToken="+planted, npmFixtures(), "a=\\", "a='", "[x", "ca=\"", "@a:registry=https://u:", "registry=https://h/${A:-")
}

func FuzzINI(f *testing.F) {
	fuzz(f, "~/.config/pip/pip.conf", "password = "+planted, pipFixtures(), "[global]\nproxy=\n ", "[global]\nindex-url = https://h/\n\n  x", "[global]\ncert:=[a]\n")
}

func FuzzGit(f *testing.F) {
	fuzz(f, "~/.gitconfig", "\textraHeader = "+planted, gitFixtures(), "[alias]\nx=\"", "[alias]\nx=\\", "[url \"", "[include]path=a\n[core]excludesfile=~/ignore", "[user]name")
}

func FuzzTOML(f *testing.F) {
	fuzz(f, "~/.cargo/config.toml", "token = \""+planted+"\"", tomlFixtures(), "[alias]\nx = \"\"\"", "a.b.c = [[{d = 1}]]", "[http]\nproxy = '''", "[profile.x]\na = 1e9", "[http]\nuser-agent = \"\\u0000\"")
}

func FuzzBun(f *testing.F) {
	fuzz(f, "~/.bunfig.toml", "token = \""+planted+"\"", tomlFixtures(), "[install]\nregistry = '$A'", "[[install.scopes.x]]\nurl = 'https://h/'")
}

func FuzzYAML(f *testing.F) {
	fuzz(f, "~/.yarnrc.yml", "npmAuthToken: "+planted, yamlFixtures(), "npmScopes:\n  a:\n    npmRegistryServer: ", "a: [", "a: {b: ", "a: \"", "- - - -", "a:\n-\n  - b:", "logFilters: [{text: '")
}

func FuzzGoEnv(f *testing.F) {
	fuzz(f, "~/.config/go/env", "GOAUTH="+planted, goFixtures(), "GOPROXY=,|", "GOPROXY=https://u:", "A", "=")
}

func FuzzYarn1(f *testing.F) {
	fuzz(f, "~/.yarnrc", "\"_authToken\" \""+planted+"\"", yarnFixtures(), "registry \"https://u:p@h/\"", "a \"\\\"\"", "--a.b 1", "\"@a:registry\" \"\"")
}

func FuzzIgnore(f *testing.F) {
	fuzz(f, "~/.config/git/ignore", planted, gitFixtures(), "*.swp", "\\", "\t")
}

// Every text of a few signs is read in the same way again: what fuzzing seldom
// finds, small alphabets do.
func TestSmallTexts(t *testing.T) {
	for path, alphabet := range map[string][]string{
		"~/.npmrc":               {"registry", "omit[]", "=", "https://u:p@h/", "\n", "\"", "'", ";", "\\", " "},
		"~/.config/pip/pip.conf": {"[global]", "index-url", "=", "https://u:p@h/", "\n", "\n ", ":", "#", "[install]"},
		"~/.yarnrc":              {"registry", "omit", " ", "\"https://u:p@h/\"", "\n", "\"", "--", "1", "\\", "true"},
		"~/.gitconfig":           {"[alias]", "[url \"a\"]", "x", "insteadOf", "=", "\"", "\\", "\n", " ", "#"},
		"~/.cargo/config.toml":   {"[alias]", "x", "=", "\"a\"", "\n", "[", "]", "1", "[[alias]]"},
		"~/.yarnrc.yml":          {"nodeLinker", ": ", "-", "\n", "\n  ", "\"", "x", "[", "]", "{", "}", ","},
	} {
		known := tool(t, path)
		var all func(text string, depth int)
		all = func(text string, depth int) {
			if c, err := Strip(known, []byte(text), Inside{}); err == nil {
				checkCopy(t, known, Inside{}, c)
			}
			Literal(known, []byte(text))
			if depth == 0 {
				return
			}
			for _, s := range alphabet {
				all(text+s, depth-1)
			}
		}
		all("", 4)
	}
}

// Large files cost no more than their size.
func TestLarge(t *testing.T) {
	for _, known := range Tools() {
		for _, s := range []string{"a=b\n", "[", "{", "a: ", "- ", "\"", "a.", "[a]\n", "${", "https://", "@", "\\\n", "[a.b]\nc=1\n", "registry=https://u:p@h/\n", "x = [", "-"} {
			content := []byte(strings.Repeat(s, maxFile/len(s)))
			start := cputime.Spent()
			Strip(known, content, Inside{})
			Literal(known, content)
			if d := cputime.Spent() - start; d > 5*time.Second {
				t.Errorf("%s: 128 KiB of %q take %v", known.Path, s, d)
			}
		}
	}
	if _, err := Strip(tool(t, "~/.npmrc"), make([]byte, maxFile+1), Inside{}); err == nil {
		t.Error("a file of any size is read")
	}
}

func TestErrors(t *testing.T) {
	for path, contents := range map[string][]string{
		"~/.npmrc":               {"a=\xff", "a\x00"},
		"~/.config/pip/pip.conf": {"SENTINELpw = 1", "[a]\nSENTINELpw", "[a]\nx=1\nx=SENTINELpw", "[a]\n[a]", "[a]\n= SENTINELpw"},
		"~/.gitconfig":           {"SENTINELpw = x", "[a]\nSENTINELpw ; x", "[a", "[a \"b", "[a \"b\nc\"]", "[a]\nx = \"SENTINELpw", "[a]\nx = \\SENTINELpw", "[]", "[a]\n!SENTINELpw", "[a b]"},
		"~/.cargo/config.toml":   {"SENTINELpw", "a = SENTINELpw", "[a]\n[a]", "a = \"\"\"SENTINELpw"},
		"~/.yarnrc.yml":          {"SENTINELpw", "- SENTINELpw", "a: &SENTINELpw b"},
	} {
		for _, content := range contents {
			c, err := Strip(tool(t, path), []byte(content), Inside{})
			switch {
			case err == nil:
				t.Errorf("%s: %q is taken for %q", path, content, c.Data)
			case strings.Contains(err.Error(), "SENTINEL"):
				t.Errorf("%s: the error quotes the file: %v", path, err)
			case len(c.Data) > 0:
				t.Errorf("%s: an error, and a copy", path)
			}
		}
	}
}

func TestTools(t *testing.T) {
	var paths []string
	for _, known := range Tools() {
		if !strings.HasPrefix(known.Path, "~/") || known.Project || slices.Contains(paths, known.Path) {
			t.Errorf("%+v", known.Path)
		}
		paths = append(paths, known.Path)
		if _, err := Strip(known, nil, Inside{}); err != nil {
			t.Errorf("%s: nothing cannot be read: %v", known.Path, err)
		}
	}
}
