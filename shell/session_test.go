package shell

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"jail/internal/textbusy"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A place is a directory tree to move about in:
//
//	bin/npm          the real program
//	jail/shims/npm   the farm
//	proj/.ai-jail    a project, with a/b/c in it
//	out              a directory that is in none
type place struct {
	t        *testing.T
	dir      string
	settings Settings
}

func newPlace(t *testing.T) place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := place{t: t, dir: dir}
	for _, sub := range []string{"proj/.ai-jail", "proj/a/b/c", "out", "home"} {
		must(t, os.MkdirAll(p.at(sub), 0o755))
	}
	p.program("bin/npm", "real npm")
	p.program("jail/shims/npm", "shim npm")
	p.settings = Settings{Version: "test", Farm: p.at("jail/shims"), Roots: p.at("jail/roots"), Known: p.at("jail/known-roots"), Launcher: p.at("bin/jail"), Probe: "npm", Names: []string{"npm"}}
	return p
}

func (p place) at(path string) string { return filepath.Join(p.dir, path) }

// farms is what the hook puts first on PATH in the project proj.
func (p place) farms() string {
	return p.at("jail/roots") + p.at("proj") + "/shims:" + p.at("jail/shims")
}

// program makes a program that says what it is.
func (p place) program(path, says string) {
	p.t.Helper()
	must(p.t, os.MkdirAll(filepath.Dir(p.at(path)), 0o755))
	must(p.t, textbusy.WriteProgram(p.at(path), []byte("#!/bin/sh\necho '"+says+"'\n")))
}

// path is the PATH that a session begins with.
func (p place) path() string { return p.at("bin") + ":/usr/bin:/bin" }

// init writes the code of a hook to a file, and returns how to load it.
func (p place) init(shell string) string {
	p.t.Helper()
	code, ok := Init(shell, p.settings)
	if !ok {
		p.t.Fatalf("no hook for %s", shell)
	}
	must(p.t, os.WriteFile(p.at("init."+shell), []byte(code), 0o644))
	return ". " + quote(p.at("init."+shell))
}

func (p place) uninit(shell string) string {
	p.t.Helper()
	code, _ := Uninit(shell, p.settings)
	must(p.t, os.WriteFile(p.at("uninit."+shell), []byte(code), 0o644))
	return ". " + quote(p.at("uninit."+shell))
}

// move gives jail's own files another place, as another XDG_DATA_HOME does.
func (p *place) move() {
	p.settings.Farm, p.settings.Roots = p.settings.Farm+"/moved/shims", p.settings.Roots+"/moved/roots"
}

func (p place) env(more ...string) []string {
	return append([]string{
		"PATH=" + p.path(), "HOME=" + p.at("home"), "TERM=dumb", "LC_ALL=C.UTF-8", "HISTFILE=",
		"DIRENV_WARN_TIMEOUT=10m", // what it says after five seconds would be in the output
	}, more...)
}

// script runs words in a shell that is not interactive.
func (p place) script(dir string, argv ...string) (stdout, stderr string, status int) {
	p.t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(p.env(), "PWD="+dir)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	_ = cmd.Run()
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

// prompt is what every shell here prints when it is ready.
const prompt = "@ready@ "

// A session is an interactive shell on a terminal of its own. Nothing in here
// sleeps: every step ends when the shell shows its next prompt.
type session struct {
	t      *testing.T
	tty    *os.File
	chunks chan []byte
	seen   []byte
}

// start starts argv on a terminal and waits for the first prompt.
func (p place) start(dir string, env []string, argv ...string) (*session, string) {
	p.t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(env), "PWD="+dir, "PS1="+prompt, "PS2=")
	tty, name, err := pty.Open()
	must(p.t, err)
	noEcho(p.t, name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = name, name, name
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	must(p.t, cmd.Start())
	must(p.t, name.Close())
	s := &session{t: p.t, tty: tty, chunks: make(chan []byte, 64)}
	go s.read()
	p.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = tty.Close()
	})
	return s, s.wait()
}

// noEcho makes a terminal print only what the shell prints.
func noEcho(t *testing.T, tty *os.File) {
	t.Helper()
	tio, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	must(t, err)
	tio.Lflag &^= unix.ECHO
	tio.Oflag &^= unix.ONLCR
	must(t, unix.IoctlSetTermios(int(tty.Fd()), unix.TCSETS, tio))
}

func (s *session) read() {
	for {
		chunk := make([]byte, 4096)
		n, err := s.tty.Read(chunk)
		if n > 0 {
			s.chunks <- chunk[:n]
		}
		if err != nil {
			close(s.chunks)
			return
		}
	}
}

// wait returns what was printed before the next prompt.
func (s *session) wait() string {
	s.t.Helper()
	text, ok := s.until(prompt)
	if !ok {
		s.t.Fatalf("no prompt came; there was %q", text)
	}
	return text
}

func (s *session) until(mark string) (string, bool) {
	deadline := time.After(time.Minute)
	for {
		if i := bytes.Index(s.seen, []byte(mark)); i >= 0 {
			text := string(s.seen[:i])
			s.seen = s.seen[i+len(mark):]
			return text, true
		}
		select {
		case chunk, open := <-s.chunks:
			if !open {
				return string(s.seen), false
			}
			s.seen = append(s.seen, chunk...)
		case <-deadline:
			return string(s.seen), false
		}
	}
}

// send types a line, without waiting.
func (s *session) send(line string) {
	s.t.Helper()
	_, err := s.tty.WriteString(line + "\n")
	must(s.t, err)
}

// run types a line and returns what was printed before the next prompt.
func (s *session) run(line string) string {
	s.t.Helper()
	s.send(line)
	return s.wait()
}

// silent runs a line that must print nothing.
func (s *session) silent(line string) {
	s.t.Helper()
	if out := s.run(line); out != "" {
		s.t.Errorf("%s\nprinted %q", line, out)
	}
}

// says runs a line that must print want and a newline.
func (s *session) says(line, want string) {
	s.t.Helper()
	if out := s.run(line); strings.TrimSuffix(out, "\n") != want {
		s.t.Errorf("%s\nprinted %q\nwant    %q", line, out, want)
	}
}

// shows is says without the line about entering or leaving a project.
func (s *session) shows(line, want string) {
	s.t.Helper()
	if got := s.quiet(line); got != want {
		s.t.Errorf("%s\nprinted %q\nwant    %q", line, got, want)
	}
}

// quiet is run without the line about entering or leaving a project.
func (s *session) quiet(line string) string {
	s.t.Helper()
	var kept []string
	for _, l := range strings.Split(strings.TrimSuffix(s.run(line), "\n"), "\n") {
		if !strings.HasPrefix(l, "jail: on (") && l != "jail: off" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}
