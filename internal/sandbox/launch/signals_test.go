package launch

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestCatch sends this process each signal that is passed on: it must come out of
// the pipe, once, and all actions must be as before afterwards. It also runs under
// an emulator, which is how the handler of another architecture is tried.
func TestCatch(t *testing.T) {
	var before, after sigaction
	if err := setAction(unix.SIGUSR1, nil, &before); err != nil {
		t.Fatal(err)
	}
	from, release, err := catch()
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range passed {
		if err := unix.Kill(unix.Getpid(), sig); err != nil {
			t.Fatal(err)
		}
		fds := []unix.PollFd{{Fd: int32(from), Events: unix.POLLIN}}
		for {
			n, err := unix.Poll(fds, 10_000)
			if err == unix.EINTR {
				continue
			}
			if n != 1 {
				t.Fatalf("signal %d: poll says %d, %v", sig, n, err)
			}
			break
		}
		var b [8]byte
		if n, err := unix.Read(from, b[:]); n != 1 || b[0] != byte(sig) {
			t.Fatalf("signal %d: read %v, %v", sig, b[:max(n, 0)], err)
		}
	}
	release()
	if err := setAction(unix.SIGUSR1, nil, &after); err != nil {
		t.Fatal(err)
	}
	if before != after {
		t.Errorf("SIGUSR1 was %+v and is %+v", before, after)
	}
}

// TestCatchIgnored looks at a signal that is ignored: it stays so.
func TestCatchIgnored(t *testing.T) {
	var before, now sigaction
	setAction(unix.SIGTERM, &sigaction{handler: sigIgn}, &before)
	defer setAction(unix.SIGTERM, &before, nil)
	from, release, err := catch()
	if err != nil {
		t.Fatal(err)
	}
	setAction(unix.SIGTERM, nil, &now)
	unix.Kill(unix.Getpid(), unix.SIGTERM)
	var b [8]byte
	if n, err := unix.Read(from, b[:]); err != unix.EAGAIN {
		t.Errorf("an ignored signal came out: %d, %v", n, err)
	}
	if now.handler != sigIgn {
		t.Errorf("an ignored signal is caught by %#x", now.handler)
	}
	release()
	setAction(unix.SIGTERM, nil, &now)
	if now.handler != sigIgn {
		t.Errorf("an ignored signal has got the handler %#x", now.handler)
	}
}
