package trace

import (
	"slices"
	"strings"
	"sync"
)

// Bounds of what a hostile command makes the launcher remember.
const (
	maxEvents = 20000
	maxLength = 4096 // PATH_MAX
)

// A Kind is what was asked for.
type Kind string

// The kinds of request.
const (
	Path   Kind = "path"   // to look at, read or execute
	Write  Kind = "write"  // a path, to be written or made
	Socket Kind = "socket" // a path, or a name after @
	Host   Kind = "host"   // an address and a port
	Lookup Kind = "name"   // a name that was asked for
)

// An Event is one request. What stands in it is the command's word.
type Event struct {
	Kind Kind
	What string
}

// A Record is all that a command asked for, each thing once.
type Record struct {
	mu   sync.Mutex
	seen map[Event]bool
	Full bool // there was more
}

// Add notes a request.
func (r *Record) Add(kind Kind, what string) {
	if what == "" || len(what) > maxLength {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil {
		r.seen = map[Event]bool{}
	}
	if len(r.seen) >= maxEvents {
		r.Full = true
		return
	}
	r.seen[Event{kind, what}] = true
}

// Events returns what was noted, sorted.
func (r *Record) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]Event, 0, len(r.seen))
	for e := range r.seen {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Event) int {
		if c := strings.Compare(string(a.Kind), string(b.Kind)); c != 0 {
			return c
		}
		return strings.Compare(a.What, b.What)
	})
	return all
}
