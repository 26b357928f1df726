package shell

import (
	"os"
	"strings"
	"testing"

	"jail/internal/needed"
)

// A dialect is how the three shells say the same.
type dialect struct {
	name   string
	argv   []string
	prompt string // what runs at a prompt
	where  string // prints which npm runs
	path   string // prints PATH
}

func dialects() []dialect {
	return []dialect{
		{"bash", []string{"bash", "--norc", "-c"}, `eval "$PROMPT_COMMAND"`, "type -P npm", `printf '%s\n' "$PATH"`},
		{"zsh", []string{"zsh", "-fc"}, "for f in $precmd_functions; do $f; done", "whence -p npm", `print -r -- "$PATH"`},
		{"fish", []string{"fish", "-N", "-c"}, "emit fish_prompt", "command -s npm", "string join : -- $PATH"},
	}
}

// each runs a test once for each shell that there is.
func each(t *testing.T, test func(t *testing.T, d dialect)) {
	for _, d := range dialects() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			needed.Program(t, d.argv[0])
			test(t, d)
		})
	}
}

// says runs lines in a shell with the hook and returns what was printed. The words
// "prompt", "where" and "path" are what a dialect says for them.
func (p place) says(d dialect, dir string, lines ...string) (stdout, stderr string) {
	p.t.Helper()
	lines = append([]string{p.init(d.name)}, lines...)
	for i, line := range lines {
		switch line {
		case "prompt":
			lines[i] = d.prompt
		case "where":
			lines[i] = d.where
		case "path":
			lines[i] = d.path
		}
	}
	out, errs, _ := p.script(dir, append(d.argv, strings.Join(lines, "\n"))...)
	return strings.TrimSuffix(out, "\n"), errs
}

// word is a word that every one of the shells reads as text.
func (d dialect) word(text string) string {
	if d.name == "fish" {
		return fishQuote(text)
	}
	return quote(text)
}

// knows writes the list of known roots with another serial number each time, and gives
// it its second name. Those of the lists before stay, as after a crash.
func (p place) knows(serial string, lines ...string) {
	p.t.Helper()
	text := "jail roots 1 " + serial + "\n"
	for _, line := range lines {
		text += line + "\n"
	}
	p.writeList(text)
	_ = os.Remove(p.settings.Known + "." + serial)
	must(p.t, os.Link(p.settings.Known, p.settings.Known+"."+serial))
}

func (p place) writeList(text string) {
	p.t.Helper()
	must(p.t, os.MkdirAll(p.at("jail"), 0o755))
	must(p.t, os.WriteFile(p.settings.Known+".new", []byte(text), 0o600))
	must(p.t, os.Rename(p.settings.Known+".new", p.settings.Known))
}

// encoded is a path as the list writes it.
func encoded(path string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(path)
}

// A root without a marker, and what lies directly below a jail_below, count as
// projects, as long as the list says so.
func TestKnownRoots(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		for _, dir := range []string{"src/one/deep", "src/two", "lost/sub", "lost2", "link/x"} {
			must(t, os.MkdirAll(p.at(dir), 0o755))
		}
		must(t, os.Symlink(p.at("lost/sub"), p.at("in")))
		p.knows("1", "below "+p.at("src"), "else "+p.at("out"), "root "+p.at("lost"), "root "+p.at("proj"))
		shim, real := p.at("jail/shims/npm"), p.at("bin/npm")
		for _, step := range [][2]string{
			{"lost", shim}, {"lost/sub", shim}, {"lost2", real}, {"src", real}, {"src/one", shim}, {"src/one/deep", shim}, {"src/two", shim},
			{"out", real}, {"in", shim}, {"proj/a", shim}, {"", real}, {"link/x", real},
		} {
			out, errs := p.says(d, p.dir, "cd "+d.word(p.at(step[0])), "where")
			if out != step[1] || errs != "" {
				t.Errorf("in %q: %q, %q, want %q", step[0], out, errs, step[1])
			}
		}
		// The nearest one is the root, whatever makes it one.
		must(t, os.MkdirAll(p.at("lost/sub/.ai-jail"), 0o755))
		for dir, root := range map[string]string{"lost/sub": "lost/sub", "lost": "lost", "src/one/deep": "src/one"} {
			out, errs := p.says(d, p.at(dir), "path")
			if want := p.at("jail/roots") + p.at(root) + "/shims:" + p.at("jail/shims") + ":" + p.path(); out != want || errs != "" {
				t.Errorf("in %q: %q, %q, want %q", dir, out, errs, want)
			}
		}
	})
}

// The list is read when it has changed, at a prompt and on the way.
func TestKnownRootsChange(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		replace := func(with string) string {
			return "cp " + d.word(p.at(with)) + " " + d.word(p.at("new")) + "; mv " + d.word(p.at("new")) + " " + d.word(p.settings.Known)
		}
		forget := replace("forgotten")
		shim, real := p.at("jail/shims/npm"), p.at("bin/npm")
		p.knows("2")
		must(t, os.Rename(p.settings.Known, p.at("forgotten")))
		p.knows("1", "root "+p.at("out"))
		out, errs := p.says(d, p.at("out"), "where", forget, "prompt", "where", "rm "+d.word(p.settings.Known), "prompt", "where")
		if want := strings.Join([]string{shim, real, real}, "\n"); out != want || errs != "" {
			t.Errorf("%q, %q, want %q", out, errs, want)
		}
		must(t, os.WriteFile(p.at("learnt"), []byte("jail roots 1 9\nroot "+p.at("out")+"\n"), 0o600))
		learn := replace("learnt")
		out, errs = p.says(d, p.dir, "cd out", "where", learn, "prompt", "where", "cd ..", "where", "cd out", "where")
		if want := strings.Join([]string{real, shim, real, shim}, "\n"); out != want || errs != "" {
			t.Errorf("%q, %q, want %q", out, errs, want)
		}
	})
}

// A prompt where the list is the same one opens nothing: it compares its two names.
func TestKnownRootsAreNotReadAgain(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		needed.Program(t, "strace")
		for _, twin := range []bool{true, false} {
			p := newPlace(t)
			p.knows("1", "root "+p.at("out"))
			if !twin {
				must(t, os.Remove(p.settings.Known+".1"))
			}
			script := []string{p.init(d.name)}
			for range 10 {
				script = append(script, d.prompt)
			}
			log := p.at("strace.log")
			argv := append([]string{"strace", "-o", log, "-e", "trace=openat"}, append(d.argv, strings.Join(script, "\n"))...)
			if _, errs, status := p.script(p.at("out"), argv...); status != 0 || errs != "" {
				t.Fatalf("%d, %q", status, errs)
			}
			text, err := os.ReadFile(log)
			must(t, err)
			opened := strings.Count(string(text), "\""+p.settings.Known+"\"")
			if opened == 0 || twin == (opened >= 10) {
				t.Errorf("with a second name %v: opened %d times in 10 prompts", twin, opened)
			}
		}
	})
}

// A list that is none counts as nothing, and is no obstacle.
func TestKnownRootsOfAnotherKind(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		line := "root " + p.at("out") + "\n"
		for _, text := range []string{
			"", "\n", "jail roots 2 5\n" + line, line, "jail roots 1 5\n\n\nroot\nroot \n", "jail roots 1", "jail roots 1 \nroot /\nbelow /\n",
			"jail roots 1 5\nroot " + p.at("ou") + "\nroot " + p.at("out") + "/\nroot" + p.at("out") + "\nbelow " + p.dir + "x\nroot \\\nroot $(touch " + p.at("pwned") + ")\n",
		} {
			p.writeList(text)
			out, errs := p.says(d, p.at("out"), "where", "prompt", "cd ../proj", "where")
			if out != p.at("bin/npm")+"\n"+p.at("jail/shims/npm") || errs != "" {
				t.Errorf("%q: %q, %q", text, out, errs)
			}
		}
		must(t, os.Remove(p.settings.Known))
		must(t, os.Mkdir(p.settings.Known, 0o755))
		if out, _ := p.says(d, p.at("out"), "where", "cd ../proj", "where"); out != p.at("bin/npm")+"\n"+p.at("jail/shims/npm") {
			t.Errorf("%q", out)
		}
		if _, err := os.Stat(p.at("pwned")); err == nil {
			t.Error("the list was evaluated")
		}
	})
}

// Names that break what is not quoted, in the list and as the working directory.
func TestKnownRootsOddNames(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		var lines []string
		for _, name := range odd() {
			must(t, os.MkdirAll(p.at("odd/"+name+"/sub"), 0o755))
			must(t, os.MkdirAll(p.at("bel"+name+"/x"), 0o755))
			lines = append(lines, "root "+encoded(p.at("odd/"+name)), "below "+encoded(p.at("bel"+name)))
		}
		p.knows("1", lines...)
		must(t, os.Symlink(p.at(`odd/back\slash/sub`), p.at("in")))
		for _, name := range append(odd(), "[x]", "a]b", "@", "*") {
			known := strings.Contains(strings.Join(lines, "|"), encoded(p.at("odd/"+name))+"|")
			want := p.at("bin/npm")
			if known {
				want = p.at("jail/shims/npm")
			}
			must(t, os.MkdirAll(p.at("odd/"+name+"/sub"), 0o755))
			out, errs := p.says(d, p.dir, "cd "+d.word(p.at("odd/"+name+"/sub")), "where", "prompt", "cd /")
			if out != want || errs != "" {
				t.Errorf("%q: %q, %q, want %q", name, out, errs, want)
			}
			if !known {
				continue
			}
			out, errs = p.says(d, p.dir, "cd "+d.word(p.at("bel"+name+"/x")), "where", "cd ..", "where")
			if out != p.at("jail/shims/npm")+"\n"+p.at("bin/npm") || errs != "" {
				t.Errorf("below %q: %q, %q", name, out, errs)
			}
		}
		if out, errs := p.says(d, p.dir, "cd in", "where"); out != p.at("jail/shims/npm") || errs != "" {
			t.Errorf("by a link: %q, %q", out, errs)
		}
		if _, err := os.Stat(p.at("pwned")); err == nil {
			t.Error("a name was evaluated")
		}
	})
}

// A list as long as a busy machine's.
func TestKnownRootsMany(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		lines := []string{"root " + p.at("out")}
		for i := range 500 {
			lines = append(lines, "root /srv/some/where/project-"+strings.Repeat("x", i%7)+string(rune('a'+i%26)))
		}
		p.knows("1", lines...)
		out, errs := p.says(d, p.at("out"), "where", "prompt", "cd /", "where")
		if out != p.at("jail/shims/npm")+"\n"+p.at("bin/npm") || errs != "" {
			t.Errorf("%q, %q", out, errs)
		}
	})
}
