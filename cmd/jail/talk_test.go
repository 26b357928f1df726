package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// A dialogue is what a script says to a program on a terminal of its own. Lines
// of FILE:
//
//	expect TEXT   wait until TEXT appears, after what was expected before
//	send TEXT     type TEXT; "\r" and the like in quotes
//	never TEXT    TEXT has not appeared so far
//	modes         the terminal echoes and reads by lines
//	resize R C    change the size of the terminal
//	log TEXT      wait until the file log holds TEXT
//	gone WORD     wait until no process has WORD among its arguments
//	kill          end the program by KILL
//	wait STATUS   wait until the program ends; -1 is: by a signal
type dialogue struct {
	ts     *testscript.TestScript
	cmd    *exec.Cmd
	tty    *os.File // the side of the one who types
	mu     sync.Mutex
	output bytes.Buffer
	from   int           // where the next expect begins
	closed chan struct{} // no more output
}

func talk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: talk FILE COMMAND...")
	}
	lines := ts.ReadFile(args[0])
	d := newDialogue(ts, args[1:])
	defer d.end()
	n := 0
	for line := range strings.Lines(lines) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := d.line(line); err != nil {
			ts.Fatalf("%s:%d: %s: %v\noutput so far: %q", args[0], n, line, err, d.text())
		}
	}
}

func newDialogue(ts *testscript.TestScript, args []string) *dialogue {
	path := args[0]
	if !strings.Contains(path, "/") {
		path = which(ts.Getenv("PATH"), path)
	}
	d := &dialogue{ts: ts, cmd: exec.Command(path, args[1:]...), closed: make(chan struct{})}
	d.cmd.Args[0] = args[0]
	d.cmd.Dir, d.cmd.Env = ts.MkAbs("."), environOf(ts)
	tty, err := pty.StartWithSize(d.cmd, &pty.Winsize{Rows: 24, Cols: 200})
	ts.Check(err)
	d.tty = tty
	go d.listen()
	return d
}

func which(path, name string) string {
	for dir := range strings.SplitSeq(path, ":") {
		if unix.Access(dir+"/"+name, unix.X_OK) == nil {
			return dir + "/" + name
		}
	}
	return name
}

// listen collects what appears on the terminal until nobody has it open.
func (d *dialogue) listen() {
	defer close(d.closed)
	b := make([]byte, 4096)
	for {
		n, err := d.tty.Read(b)
		d.mu.Lock()
		d.output.Write(b[:n])
		d.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (d *dialogue) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.output.String()
}

// end leaves nothing behind, however the dialogue went.
func (d *dialogue) end() {
	if d.cmd.ProcessState == nil {
		unix.Kill(-d.cmd.Process.Pid, unix.SIGKILL)
		d.tty.Close()
		d.cmd.Wait()
		return
	}
	d.tty.Close()
}

func (d *dialogue) line(line string) error {
	verb, text, _ := strings.Cut(line, " ")
	if unquoted, err := strconv.Unquote(text); err == nil {
		text = unquoted
	}
	switch verb {
	case "expect":
		return d.expect(text)
	case "send":
		_, err := d.tty.WriteString(text)
		return err
	case "never":
		if strings.Contains(d.text(), text) {
			return errors.New("it did")
		}
		return nil
	case "modes":
		return d.modes()
	case "resize":
		var rows, cols uint16
		if _, err := fmt.Sscan(text, &rows, &cols); err != nil {
			return err
		}
		return pty.Setsize(d.tty, &pty.Winsize{Rows: rows, Cols: cols})
	case "log":
		return d.log(text)
	case "gone":
		text = os.Expand(text, d.ts.Getenv)
		if !poll(func() bool { return len(processes(text)) == 0 }) {
			return errors.New("it is still there")
		}
		return nil
	case "kill":
		return d.cmd.Process.Kill()
	case "wait":
		return d.wait(text)
	}
	return errors.New("not a line of a dialogue")
}

func (d *dialogue) expect(text string) error {
	ok := poll(func() bool {
		all := d.text()
		i := strings.Index(all[d.from:], text)
		if i < 0 {
			return false
		}
		d.from += i + len(text)
		return true
	})
	if !ok {
		return errors.New("it did not appear")
	}
	return nil
}

// modes waits until the terminal is as a person wants it; who puts it back does
// so a moment after the command has ended.
func (d *dialogue) modes() error {
	const want = unix.ECHO | unix.ICANON | unix.ISIG
	var t *unix.Termios
	ok := poll(func() bool {
		var err error
		t, err = unix.IoctlGetTermios(int(d.tty.Fd()), unix.TCGETS)
		return err == nil && t.Lflag&want == want && t.Oflag&unix.OPOST != 0 && t.Iflag&unix.ICRNL != 0
	})
	if !ok {
		return fmt.Errorf("they are %+v", t)
	}
	return nil
}

// log waits for text in the file of that name.
func (d *dialogue) log(text string) error {
	if !poll(func() bool {
		b, err := os.ReadFile(d.ts.MkAbs("log"))
		return err == nil && strings.Contains(string(b), text)
	}) {
		return errors.New("it is not in the file log")
	}
	return nil
}

func (d *dialogue) wait(status string) error {
	want, err := strconv.Atoi(status)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- d.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		return errors.New("it goes on")
	}
	if got := d.cmd.ProcessState.ExitCode(); got != want {
		return fmt.Errorf("it ended with %d (%s)", got, d.cmd.ProcessState)
	}
	return nil
}
