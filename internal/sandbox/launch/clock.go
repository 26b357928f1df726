package launch

import (
	"math"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// timeIsUp is how the launcher tells pid 1 that the time is over. It is not among
// the signals that are passed on.
const timeIsUp = unix.SIGALRM

// grace is what a command has to end by itself, after TERM and before KILL.
const grace = 3 * time.Second

// A clock ends the jail when the plan's time is over: first pid 1 is told to send
// TERM to everything in it, then it is ended by KILL, with which the kernel ends
// the rest. The zero clock never rings.
type clock struct {
	next time.Time      // when it rings
	sig  syscall.Signal // what it then sends; 0: nothing more
	rung bool
}

func newClock(milliseconds uint64) clock {
	if milliseconds == 0 {
		return clock{}
	}
	return clock{next: time.Now().Add(time.Duration(milliseconds) * time.Millisecond), sig: timeIsUp}
}

// left is how long to wait at most, in the words of poll(2).
func (c *clock) left() int {
	if c.sig == 0 {
		return -1
	}
	// One more, so that it does not wake up a moment too early, again and again.
	return int(min(max(0, time.Until(c.next).Milliseconds()+1), math.MaxInt32))
}

// ring returns the signal that is due, or 0.
func (c *clock) ring() syscall.Signal {
	if c.sig == 0 || time.Now().Before(c.next) {
		return 0
	}
	sig := c.sig
	c.rung, c.sig, c.next = true, unix.SIGKILL, time.Now().Add(grace)
	if sig == unix.SIGKILL {
		c.sig = 0
	}
	return sig
}
