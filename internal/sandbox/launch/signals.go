package launch

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// passed are the signals that the launcher catches. A signal that the caller
// ignores (nohup) stays ignored, here and in the command.
var passed = [...]syscall.Signal{
	unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2,
	unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU, unix.SIGCONT,
}

// watch passes signals on until stop, which returns at once: Go needs two thread
// switches to catch a signal and two to let go of it, and nobody should wait for
// the latter. The former happen while the child makes the jail, in a goroutine of
// their own because this one is locked to its thread and each switch would be two.
func (j *jail) watch() (stop func()) {
	signals := make(chan os.Signal, 32)
	done, ready := make(chan struct{}), make(chan struct{})
	go func() {
		for _, s := range passed {
			if !signal.Ignored(s) {
				signal.Notify(signals, s)
			}
		}
		close(ready)
		for {
			select {
			case s := <-signals:
				j.pass(s.(syscall.Signal))
			case <-done:
				signal.Stop(signals)
				return
			}
		}
	}()
	<-ready
	return func() { close(done) }
}

// pass sends a signal on to pid 1, which sends it to the command, unless the
// terminal gave it to the command already.
func (j *jail) pass(sig syscall.Signal) {
	switch sig {
	case unix.SIGTTIN, unix.SIGTTOU:
		// The terminal's word to a whole group. The launcher neither reads nor writes
		// one; where the command did, it stops, and says so.
		return
	case unix.SIGTSTP, unix.SIGCONT:
		// Who stops a job or continues it does so with its whole group. Passed on, each
		// would come late: the launcher may have been stopped before it got to this, and
		// the command would be stopped once more after bg, or continued after Ctrl-Z.
		if !j.own {
			return
		}
	case unix.SIGINT, unix.SIGQUIT:
		if !j.own && j.tty.foreground() {
			return
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.pid != 0 {
		unix.Kill(j.pid, sig)
	}
}

// stopSelf stops the launcher because the command stopped: the shell that waits
// for the launcher must see a stopped job. It goes on with SIGCONT, as the command
// does: by its group, or because pass sends it on.
func stopSelf() { unix.Kill(unix.Getpid(), unix.SIGSTOP) }
