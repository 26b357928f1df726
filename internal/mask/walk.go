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
	Hits   []plan.Hit    // what to hide, sorted: a directory before what lies in it
	Open   []plan.Open   // what a pattern named and something acquitted, sorted
	Pins   []plan.Pinned // what must be read-only, and the directories above it, sorted
	Notes  []plan.Note
	Tree   Tree
	Dirs   int // directories that were searched
	Files  int // everything else in them
	Read   int // directories that had to be read for that
	Sought int // and those that were read to find what has moved
}

// A Tree is what there was of a project when it was searched, what lies highest first.
// Paths are below its root, which is the empty one.
type Tree struct {
	Dirs         []string // that were searched
	Repositories []string // those of them with a .git
	Settings     []string // what Guarded knows by name, in whichever of them
}

// ErrMoved says that the root is no longer what it was when somebody looked.
var ErrMoved = errors.New("the project has moved")

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
	path  string // of the root
	root  int    // its descriptor
	rules *ruleset
	euid  uint32

	keeping bool              // what is seen is remembered
	old     saved             // what there was, of the root,
	top     *record           // and what there is, if that is another
	dev     uint64            // of the root
	before  int64             // what changed later than that may change again without a trace
	inodes  map[uint64]bool   // what is looked for by its inode; nil for nothing
	asked   []uint64          // inodes of hidden files with more names than a pattern found
	rest    map[plan.ID]alias // those with names that nothing found

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
	w.stack = []*dir{{states: w.rules.start, isRoot: true, fd: -1, suspect: none, keeping: w.keeping, old: w.old}}
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
