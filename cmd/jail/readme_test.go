package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestReadmeSession types what the README shows, and compares what a terminal shows
// with what the README does. A registry of this test's own has the one package.
func TestReadmeSession(t *testing.T) {
	for _, name := range []string{"bash", "npm", "node", "python3"} {
		if which(systemPath, name) == name {
			t.Skipf("%s is not installed", name)
		}
	}
	want := readmeSession(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for path, text := range map[string]string{
		"home/ada/.ssh/id_ed25519": secret, "home/ada/shop/.ai-jail/README": "", "home/ada/shop/.env": "API_KEY=" + secret,
		"home/ada/shop/package.json": `{"name": "shop", "private": true}`, "home/ada/shop/node_modules/.keep": "",
	} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644))
	}
	home := filepath.Join(dir, "home/ada")
	registry, err := newRegistry()
	must(t, err)
	t.Cleanup(registry.Close)
	cmd := exec.Command("bash", "--norc", "--noprofile", "--noediting", "-i")
	cmd.Dir = home
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + theStage().bin() + ":" + systemPath, "TERM=dumb", "PS1=$ ", "LC_ALL=C.UTF-8", "PWD=" + home,
		"XDG_DATA_HOME=" + filepath.Join(dir, "data"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
		"npm_config_registry=" + registry.URL, "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false", "npm_config_progress=false",
	}
	got := typed(t, cmd, commandsOf(want))
	got = strings.ReplaceAll(got, home, "/home/ada")
	got = regexp.MustCompile(`in \d+m?s\n`).ReplaceAllString(got, "in 1s\n")
	if got != want {
		t.Errorf("the README shows\n%s\nand a terminal\n%s", want, got)
	}
}

// TestReadmeDemo runs the demo, and compares its table with the README's.
func TestReadmeDemo(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish", "npm", "python3"} {
		if which(systemPath, name) == name {
			t.Skipf("%s is not installed", name)
		}
	}
	text, err := os.ReadFile("../../README.md")
	must(t, err)
	_, rest, _ := strings.Cut(string(text), "```\n  ")
	want, _, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("the README shows no table of the demo")
	}
	demo := exec.Command("../../demo/run")
	demo.Env = append(passedOn(), "PATH="+systemPath, "HOME="+t.TempDir(), "TERM=dumb", "JAIL_BIN="+theStage().bin())
	out, err := demo.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\n  "+want+"\n") {
		t.Errorf("the README shows\n  %s\nand the demo %v\n%s", want, err, out)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// readmeSession is the first block of the README.
func readmeSession(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	must(t, err)
	_, rest, _ := strings.Cut(string(text), "```\n$ ")
	block, _, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("the README shows no session")
	}
	return "$ " + block
}

func commandsOf(session string) (commands []string) {
	for line := range strings.Lines(session) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, command)
		}
	}
	return commands
}

// typed is what a terminal shows while commands are typed, each after a prompt.
func typed(t *testing.T, cmd *exec.Cmd, commands []string) string {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 200})
	must(t, err)
	defer tty.Close()
	defer cmd.Wait()
	defer cmd.Process.Kill()
	chunks := make(chan string)
	go func() {
		defer close(chunks)
		for b := make([]byte, 4096); ; {
			n, err := tty.Read(b)
			if err != nil {
				return
			}
			chunks <- string(b[:n])
		}
	}()
	shown := ""
	for i := 0; ; i++ {
		// One prompt for each command before, and an empty one.
		for deadline := time.After(patience); strings.Count("\n"+shown, "\n$ ") <= i || !strings.HasSuffix("\n"+shown, "\n$ "); {
			select {
			case chunk := <-chunks:
				shown = strings.ReplaceAll(shown+chunk, "\r\n", "\n")
			case <-deadline:
				t.Fatalf("no prompt; there is\n%s", shown)
			}
		}
		if i == len(commands) {
			return strings.TrimSuffix(shown, "$ ")
		}
		_, err := tty.WriteString(commands[i])
		must(t, err)
	}
}
