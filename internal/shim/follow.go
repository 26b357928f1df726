package shim

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A follower keeps a root's own farm up to date while a command runs. In the
// background a command can put a git into node_modules/.bin while the prompt waits,
// and the next one would call it.
type follower struct {
	req   RootRequest
	still time.Duration
	timer *time.Timer
	done  chan struct{}

	mu     sync.Mutex
	events *os.File // of inotify(7), once there is a need for it
	ended  bool
}

const (
	// grace is how long a command runs before its directories are watched: most are
	// over by then, and pay nothing for it.
	grace = 100 * time.Millisecond
	// pause is how long events are gathered: an install makes thousands of them.
	pause = 20 * time.Millisecond
	// still is how often to look where nothing was heard: a link's target may become a
	// program far from any directory of PATH, and a kernel may have no watch to give.
	still = time.Second
)

// Follow watches the directories of PATH in the root until stop is called. It only
// adds shims, so that no program that comes and goes has a moment without one; the
// call of InstallRoot after the command takes away what is too much.
func Follow(req RootRequest) (stop func()) { return follow(req, grace, still) }

// follow is Follow, which begins after a grace and looks by itself where nothing was
// heard for so long.
func follow(req RootRequest, grace, still time.Duration) (stop func()) {
	req.Grow = true
	f := &follower{req: req, still: still, done: make(chan struct{})}
	f.timer = time.AfterFunc(grace, f.run)
	return f.stop
}

func (f *follower) stop() {
	if f.timer.Stop() {
		return
	}
	f.mu.Lock()
	f.ended = true
	if f.events != nil {
		_ = f.events.Close()
	}
	f.mu.Unlock()
	<-f.done
}

// begin is false where the command has ended meanwhile.
func (f *follower) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return false
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err == nil {
		f.events = os.NewFile(uintptr(fd), "inotify")
	}
	return true
}

func (f *follower) over() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ended
}

func (f *follower) run() {
	defer close(f.done)
	if len(rootSearch{RootRequest: f.req}.dirs()) == 0 || !f.begin() {
		return
	}
	for !f.over() {
		// Watched first, so that nothing happens between the look and the watch.
		f.watch()
		_, _ = InstallRoot(f.req)
		f.wait()
	}
}

// wait returns when something happened, or nothing for a while.
func (f *follower) wait() {
	if f.events == nil {
		time.Sleep(pause)
		return
	}
	var buffer [16 << 10]byte
	_ = f.events.SetReadDeadline(time.Now().Add(f.still))
	if _, err := f.events.Read(buffer[:]); err == nil {
		time.Sleep(pause)
		_ = f.events.SetReadDeadline(time.Now())
		for err == nil {
			_, err = f.events.Read(buffer[:])
		}
	} else if !errors.Is(err, os.ErrDeadlineExceeded) {
		time.Sleep(pause) // closed, or broken
	}
}

// watch watches each directory of PATH in the root, and those above it: one may be
// made, or be renamed into its place. To watch one again changes nothing.
func (f *follower) watch() {
	if f.events == nil {
		return
	}
	const what = unix.IN_CREATE | unix.IN_MOVED_TO | unix.IN_ATTRIB | unix.IN_ONLYDIR
	var dirs []string
	for _, dir := range (rootSearch{RootRequest: f.req}).dirs() {
		for ; within(dir, f.req.Root) && !slices.Contains(dirs, dir); dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs) // from above: what is made meanwhile in one that is watched is heard of
	raw, err := f.events.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		for _, dir := range dirs {
			_, _ = unix.InotifyAddWatch(int(fd), dir, what)
		}
	})
}
