package launch

import (
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A terminal is the caller's, as it was before the command. The zero value is
// none.
type terminal struct {
	fd    int // a copy of our own; 0 means none
	group int // the launcher's process group
	front bool
	modes *unix.Termios
}

// openTerminal remembers who is in front of the terminal and in which modes it
// is.
func openTerminal(p *plan.Plan) terminal {
	for _, d := range p.Stdio {
		if !d.Terminal {
			continue
		}
		fd, err := unix.FcntlInt(uintptr(d.FD), unix.F_DUPFD_CLOEXEC, 10)
		if err != nil {
			continue
		}
		t := terminal{fd: fd, group: unix.Getpgrp()}
		t.front = t.foreground()
		t.modes, _ = unix.IoctlGetTermios(fd, unix.TCGETS)
		return t
	}
	return terminal{}
}

// foreground reports whether the launcher's process group is the one that the
// terminal sends its signals to.
func (t terminal) foreground() bool {
	if t.fd == 0 {
		return false
	}
	g, err := unix.IoctlGetInt(t.fd, unix.TIOCGPGRP)
	return err == nil && g == t.group
}

// free reports whether the terminal is nobody else's: the launcher's group is in
// front, or one that has ended with the jail. A shell that took it back, because
// the job went on in the background, must keep it: without it a shell at its
// prompt reads an end of file, and exits.
func (t terminal) free() bool {
	g, err := unix.IoctlGetInt(t.fd, unix.TIOCGPGRP)
	return err == nil && (g == t.group || g > 1 && unix.Kill(-g, 0) == unix.ESRCH)
}

// restore gives the terminal back as it was, if the launcher had it: a command
// that was killed in raw mode, or an interactive shell that made itself the
// foreground group, must not leave the caller's shell without a terminal.
func (t terminal) restore() {
	if t.fd == 0 {
		return
	}
	defer unix.Close(t.fd)
	if !t.front || !t.free() {
		return
	}
	// From the background these calls raise SIGTTOU, whose default is to stop.
	var before sigaction
	setAction(unix.SIGTTOU, &sigaction{handler: sigIgn}, &before)
	defer setAction(unix.SIGTTOU, &before, nil)
	if !t.foreground() {
		unix.IoctlSetPointerInt(t.fd, unix.TIOCSPGRP, t.group)
	}
	// An exclusive terminal would refuse to be opened by anybody else, and one whose output
	// was stopped by tcflow(3) is not started again by Ctrl-Q: whoever writes waits for ever.
	unix.IoctlSetInt(t.fd, unix.TIOCNXCL, 0)
	unix.IoctlSetInt(t.fd, unix.TCXONC, unix.TCOON)
	if now, err := unix.IoctlGetTermios(t.fd, unix.TCGETS); err == nil && t.modes != nil && *now != *t.modes {
		unix.IoctlSetTermios(t.fd, unix.TCSETS, t.modes)
	}
}
