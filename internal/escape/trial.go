package escape

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"jail/internal/sandbox/plan"
)

// A trial is one row, once, with or without a sandbox.
type trial struct {
	scene  *scene
	row    Row
	script string
	secret string    // S
	proof  [2]string // W1 and W2
	given  []string  // NAME=VALUE, from plant
	env    []string  // of the sandbox, from plant

	output string
	status int // of what ran last
	began  bool
	why    string // it is out
}

func (t trial) out() bool { return t.why != "" }

// try lays out a fresh scene, runs the row in it and looks at what became of it.
func (s *scene) try(r Row, c Column) (trial, error) {
	script, err := r.Script()
	if err != nil {
		return trial{}, err
	}
	t := trial{scene: s, row: r, script: script, secret: word(), proof: [2]string{word(), word()}}
	defer s.sweep()
	if err := s.lay(); err != nil {
		return t, err
	}
	if err := t.plant(); err != nil {
		return t, err
	}
	if err := t.attack(c); err != nil {
		return t, err
	}
	t.judge()
	return t, nil
}

// The directories of every scene.
func (s *scene) project() string { return filepath.Join(s.Home, "work/proj") }
func (s *scene) other() string   { return filepath.Join(s.Home, "work/other") }

// lay makes the home, the project and the other project anew.
func (s *scene) lay() error {
	tops := []string{s.Home, workDir, "/run/harness", "/run/user/" + strconv.Itoa(s.UID)}
	if err := s.unmount(); err != nil {
		return err
	}
	for _, dir := range append(tops, "/tmp", "/dev/shm") {
		if err := s.empty(dir); err != nil {
			return err
		}
	}
	for _, dir := range []string{s.project() + "/.ai-jail", s.other() + "/.ai-jail"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	b, err := os.ReadFile(filepath.Join(binDir, filepath.Base(s.Probe)))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.project(), "probe"), b, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.project(), "README"), []byte("an honest file\n"), 0o644); err != nil {
		return err
	}
	for _, dir := range tops {
		if err := s.own(dir); err != nil {
			return err
		}
	}
	return errors.Join(os.WriteFile(askedFile, nil, 0o644), os.Chmod("/tmp", 0o1777), os.Chmod("/dev/shm", 0o1777), os.Chmod(s.Home, 0o700))
}

// empty removes what is in dir, which may be a mount point, but what is to be shown.
func (s *scene) empty(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if slices.ContainsFunc(s.Show, func(shown string) bool { return plan.Below(shown, path) }) {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

func (s *scene) own(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, s.UID, s.GID)
	})
}

// plant runs the row's plant, and reads what it gives.
func (t *trial) plant() error {
	out, err := t.host("plant").CombinedOutput()
	if err != nil {
		return fmt.Errorf("plant: %w\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if v, ok := strings.CutPrefix(line, "export "); ok {
			t.env = append(t.env, v)
		} else if strings.Contains(line, "=") {
			t.given = append(t.given, line)
		} else if line != "" {
			return fmt.Errorf("plant said %q", line)
		}
	}
	return nil
}

// host is one of the row's functions, run by the user outside. What it knows are
// variables of the shell and not of the environment, which the sandbox would see.
func (t *trial) host(call string, args ...string) *exec.Cmd {
	s := t.scene
	words := append(t.words(), "S="+t.secret, "W="+t.proof[0]+t.proof[1], "PROBE="+filepath.Join(binDir, "probe"))
	cmd := exec.Command("/bin/sh", append([]string{"-c", assign(words) + t.script + "\n" + call + ` "$@"`, "sh"}, args...)...)
	cmd.Dir = s.project()
	cmd.Env = append([]string{
		"HOME=" + s.Home, "USER=" + s.User, "LOGNAME=" + s.User, "SHELL=/bin/sh", "LANG=C", "TERM=dumb",
		"PATH=" + binDir + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	}, t.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(s.UID), Gid: uint32(s.GID), Groups: []uint32{uint32(s.GID)}}
	}
	return cmd
}

// words are the variables that every function has, inside and outside.
func (t *trial) words() []string {
	s := t.scene
	return append([]string{"H=" + s.Home, "P=" + s.project(), "O=" + s.other(), "D=" + workDir}, t.given...)
}

// assign writes assignments for a shell.
func assign(words []string) string {
	var b strings.Builder
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		b.WriteString(name + "='" + strings.ReplaceAll(value, "'", `'\''`) + "'\n")
	}
	return b.String()
}

// attack runs the sandbox with the attack in it.
func (t *trial) attack(c Column) error {
	args := append([]string{filepath.Join(t.scene.project(), "probe"), "row", t.row.ID, "W1=" + t.proof[0], "W2=" + t.proof[1]}, t.words()...)
	out, err := t.run(t.host("start "+c.Command, args...))
	t.output = out
	t.began = strings.Contains(out, Began(t.row.ID))
	return err
}

// run waits for cmd as long as the row says. Its output goes to a file and not
// through a pipe: waiting for a pipe's end would be waiting for what was left behind.
func (t *trial) run(cmd *exec.Cmd) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), t.row.Wait)
	defer cancel()
	if t.row.TTY {
		return t.onTerminal(ctx, cmd)
	}
	path := filepath.Join(workDir, "out")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr = f, f
	if err := cmd.Start(); err != nil {
		return "", err
	}
	t.status = wait(ctx, cmd)
	b, err := os.ReadFile(path)
	return string(b), err
}

// wait returns when cmd has ended, or has had its time and was killed.
func wait(ctx context.Context, cmd *exec.Cmd) (status int) {
	done := make(chan struct{})
	go func() { cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-done
	}
	return cmd.ProcessState.ExitCode()
}

// judge says whether anything came out or was changed.
func (t *trial) judge() {
	switch {
	case strings.Contains(t.output, t.secret):
		t.why = "the word came out"
		return
	case strings.Contains(t.output, t.proof[0]+t.proof[1]):
		t.why = "it got what it wanted"
		return
	}
	out, err := t.run(t.host("escaped"))
	t.output += out
	if err == nil && t.status == 0 {
		t.why = "the host was changed"
	}
}
