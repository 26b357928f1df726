package mask

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A Result is what one walk found.
type Result struct {
	Hits  []plan.Hit    // what to hide, sorted: a directory before what lies in it
	Open  []plan.Open   // what a pattern named and something acquitted, sorted
	Pins  []plan.Pinned // what must be read-only, and the directories above it, sorted
	Notes []plan.Note
	Dirs  int // directories that were read
	Files int // everything else in them
}

// ErrMoved says that the root is no longer what it was when somebody looked.
var ErrMoved = errors.New("the project has moved")

// Walk searches root, a physical and absolute path, for what patterns hide. It
// returns ErrMoved if root is not the directory that rootID names, unless that is
// zero.
func Walk(root string, rootID plan.ID, patterns []plan.Pattern) (Result, error) {
	rules, err := newRuleset(root, patterns)
	if err != nil {
		return Result{}, fmt.Errorf("read the patterns: %w", err)
	}
	f, err := openRoot(root, rootID)
	if err != nil {
		return Result{}, err
	}
	defer unix.Close(f)
	w := newWalk(root, f, rules)
	if err := w.run(); err != nil {
		return Result{}, fmt.Errorf("search %q: %w", root, err)
	}
	// A file with more names than the walk hid is looked for by its inode. That
	// is rare, so everything is read again rather than remembered at first.
	if more := w.hidden.missing(); len(more) > 0 {
		w = newWalk(root, f, rules)
		w.seek(more)
		if err := w.run(); err != nil {
			return Result{}, fmt.Errorf("search %q for hard links: %w", root, err)
		}
		w.rest = w.hidden.missing()
	}
	return w.result(), nil
}

func openRoot(root string, id plan.ID) (int, error) {
	const flags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	f, err := unix.Open(root, flags, 0)
	if err != nil {
		return -1, fmt.Errorf("open the project %q: %w", root, err)
	}
	var st stat
	err = statOf(f, &st)
	if err == nil && !id.IsZero() && st.id != id {
		err = ErrMoved
	}
	if err != nil {
		unix.Close(f)
		return -1, fmt.Errorf("open the project %q: %w", root, err)
	}
	return f, nil
}

// A walk is one search through a tree, by several workers.
type walk struct {
	path    string // of the root
	root    int    // its descriptor
	rules   *ruleset
	euid    uint32
	aliases map[plan.ID]alias // files to be found by their inodes
	inodes  map[uint64]bool   // the inodes of aliases
	rest    map[plan.ID]alias // what was not found

	mu      sync.Mutex
	more    sync.Cond
	stack   []*dir // directories to be read, the deepest last
	working int    // workers that may still add to stack
	started int
	group   sync.WaitGroup
	err     error
	kept    atomic.Int32 // descriptors that directories hold open for their children

	hidden findings
}

func newWalk(path string, root int, rules *ruleset) *walk {
	w := &walk{path: path, root: root, rules: rules, euid: uint32(unix.Geteuid())}
	w.more.L = &w.mu
	return w
}

// run reads the whole tree. The calling goroutine does what a small project
// needs; a thread for another one costs more than a few directories.
func (w *walk) run() error {
	w.stack = []*dir{{states: w.rules.start, isRoot: true, fd: -1, suspect: none}}
	w.started = 1
	w.work()
	w.group.Wait()
	for _, d := range w.stack { // after an error
		w.leave(d.parent)
	}
	return w.err
}

// worthHelp is how many directories must wait before another worker is started.
const worthHelp = 64

func (w *walk) work() {
	k := newWorker(w)
	w.mu.Lock()
	w.working++
	for d := w.take(); d != nil; d = w.take() {
		w.mu.Unlock()
		err := k.read(d)
		w.mu.Lock()
		if err != nil && w.err == nil {
			w.err = err
		}
		w.push(k)
	}
	w.hidden.merge(&k.found)
	w.mu.Unlock()
}

// take returns the next directory, or nil when all are read. It is called with
// the lock held and the caller counted as working.
func (w *walk) take() *dir {
	for w.err == nil {
		if n := len(w.stack); n > 0 {
			d := w.stack[n-1]
			w.stack = w.stack[:n-1]
			return d
		}
		if w.working--; w.working == 0 {
			break
		}
		w.more.Wait()
		w.working++
	}
	w.more.Broadcast()
	return nil
}

// push hands the directories that k has found to whoever is free.
func (w *walk) push(k *worker) {
	w.stack = append(w.stack, k.next...)
	k.next = k.next[:0]
	if len(w.stack) > 1 {
		w.more.Broadcast()
	}
	for len(w.stack) >= worthHelp*w.started && w.started < runtime.GOMAXPROCS(0) {
		w.started++
		w.group.Go(w.work)
	}
}
