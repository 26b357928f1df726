package mask

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// An account says what has become of everything that was hidden once.
type account struct {
	*walk
	top    *top
	today  int64
	next   []known // what is remembered from now on
	lost   []known // what is not where it was, nor hidden elsewhere
	stands []stand
	shut   []namesake // directories in which what is lost may lie
	sought int        // directories that were read to find it
	fresh  bool       // something is remembered anew, or for another week

	byID                    map[plan.ID][]*hit
	covers                  map[string]bool // hidden directories, below the top
	opened, parted, excused map[string]bool
}

// A stand is a known thing that was found and is not hidden there yet.
type stand struct {
	known
	at    string // below the root
	below string // the same, below the top
	st    stat
}

// account compares what was hidden once with what this walk hides, and hides what
// it missed. Nearly always everything is a hit at its old path, and nothing has to
// be asked.
func (w *walk) account(t *top, list []known, today int64) (*account, error) {
	a := &account{walk: w, top: t, today: today}
	w.hidden.sort()
	a.wake(list)
	rest := a.confirm(list)
	if len(rest) > 0 {
		a.index()
	}
	for i := range rest {
		if err := a.trace(&rest[i]); err != nil {
			return nil, err
		}
	}
	if err := a.search(); err != nil {
		return nil, err
	}
	if err := a.decide(); err != nil {
		return nil, err
	}
	if err := a.suspect(); err != nil {
		return nil, err
	}
	if err := w.hideNames(); err != nil { // of what only its past hides
		return nil, err
	}
	a.add(list)
	return a, nil
}

// local returns the path below the root of one below the top.
func (a *account) local(path string) (string, bool) {
	if a.top.inner == "" {
		return path, true
	}
	if path == a.top.inner || !plan.Below(path, a.top.inner) {
		return "", false
	}
	return relative(path, a.top.inner), true
}

// below returns the path below the top of a hit.
func (a *account) below(h *hit) string { return relative(h.Path, a.top.path) }

// topAbs returns the absolute path of one below the top.
func (a *account) topAbs(path string) string { return strings.TrimSuffix(a.top.path, "/") + "/" + path }

// confirm takes what is a hit at its old path, and returns the rest. Both lists
// are in the order of their paths.
func (a *account) confirm(list []known) (rest []known) {
	hits, i := a.walk.hidden.hits, 0
	for _, k := range list {
		for i < len(hits) && plan.ComparePaths(a.below(&hits[i]), k.path) < 0 {
			i++
		}
		if i < len(hits) && a.below(&hits[i]) == k.path && k.isHit(&hits[i]) {
			hits[i].known = hits[i].known || k.rule != asleep
			a.keep(k)
		} else {
			rest = append(rest, k)
		}
	}
	return rest
}

// keep remembers k further on.
func (a *account) keep(k known) {
	switch age := a.today - k.day; {
	case k.rule == asleep && age > forgetAfter:
		return
	case k.rule != asleep && (age > renewAfter || age < 0):
		k.day, a.fresh = a.today, true
	}
	a.next = append(a.next, k)
}

func (a *account) index() {
	a.byID, a.covers = map[plan.ID][]*hit{}, map[string]bool{}
	for i := range a.walk.hidden.hits {
		h := &a.walk.hidden.hits[i]
		a.byID[h.ID] = append(a.byID[h.ID], h)
		if h.Type == plan.Directory {
			a.covers[a.below(h)] = true
		}
	}
	f := &a.walk.hidden
	a.opened, a.parted, a.excused = set(f.opened), set(f.parted), set(f.excused)
}

func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// trace finds k, which is no hit at its old path.
func (a *account) trace(k *known) error {
	if k.rule == asleep {
		a.keep(*k)
		return nil
	}
	if hits := a.byID[k.id]; len(hits) > 0 {
		if !k.isHit(hits[0]) {
			return nil // its inode is another file's now, so it is no more
		}
		if hits[0].links <= uint64(len(hits)) {
			a.moved(k, hits)
			return nil
		}
	}
	var st stat
	switch err := statBelow(a.top.fd, k.path, &st); {
	case err == nil && k.is(&st):
		a.stand(k, k.path, &st)
	case err == nil && k.id == st.id:
		// The same: its inode is another file's now.
	case err != nil && !gone(err) && !refused(err) && !errors.Is(err, unix.ENAMETOOLONG):
		return fmt.Errorf("look at %q: %w", a.topAbs(k.path), err)
	default:
		a.lost = append(a.lost, *k)
	}
	return nil
}

// stand notes where k is. Out of the root, and in a hidden directory, that is all.
func (a *account) stand(k *known, at string, st *stat) {
	if here, inside := a.local(at); inside && !a.covered(at) {
		a.stands = append(a.stands, stand{known: *k, at: here, below: at, st: *st})
		return
	}
	n := *k
	n.path = at
	a.keep(n)
}

// covered reports whether a directory above path is hidden.
func (a *account) covered(path string) bool {
	for path != "" {
		if path, _ = split(path); path != "" && a.covers[path] {
			return true
		}
	}
	return false
}

// moved keeps k, all of whose names are hidden, one of them where no other known
// thing was.
func (a *account) moved(k *known, hits []*hit) {
	to := hits[0]
	for _, h := range hits {
		if !h.known {
			to = h
			break
		}
	}
	to.known = true
	n := *k
	n.path = a.below(to)
	a.keep(n)
}

// decide hides what stands somewhere, unless its content or somebody opened it.
// What is open by one name is open by all.
func (a *account) decide() error {
	open := map[plan.ID]bool{}
	for i := range a.stands {
		s := &a.stands[i]
		open[s.id] = open[s.id] || a.excepts(&s.known, s.at)
	}
	for i := range a.stands {
		s := &a.stands[i]
		if a.harmless(s) {
			continue
		}
		s.known.path = s.below
		a.keep(s.known)
		if open[s.id] {
			continue
		}
		if err := a.hide(s); err != nil {
			return err
		}
	}
	a.walk.hidden.sort()
	return nil
}

// hide hides what was hidden before, and says so. A directory that is still closed
// where it was needs no other reason than that.
func (a *account) hide(s *stand) error {
	was := a.topAbs(s.origin)
	why := fmt.Sprintf("it was hidden as %q before", was)
	switch {
	case s.below != s.origin:
	case s.rule == none:
		why, was = whyClosed, ""
	default:
		why = "it was hidden before"
	}
	if err := a.hit(&a.walk.hidden, s.at, &s.st, s.rule, why); err != nil {
		return err
	}
	h := &a.walk.hidden.hits[len(a.walk.hidden.hits)-1]
	h.known, h.was = true, was
	return nil
}

// harmless reports whether there is nothing to be hidden any more in what was
// hidden once: its content acquits it, its owner opened it, or what it holds is
// judged one by one because of an exception. Moved to where an exception reaches
// below it, it stays hidden whole.
func (a *account) harmless(s *stand) bool {
	path := a.abs(s.at)
	return a.opened[path] || a.parted[path] && s.below == s.origin || s.rule == none && !shut(&s.st, a.euid)
}

// add remembers what is hidden for the first time, or by another name: of that, the
// first place counts.
func (a *account) add(list []known) {
	var origins map[plan.ID]*known
	for i := range a.walk.hidden.hits {
		h := &a.walk.hidden.hits[i]
		if h.known {
			continue
		}
		if origins == nil {
			origins = make(map[plan.ID]*known, len(list))
			for i := range list {
				origins[list[i].id] = &list[i]
			}
		}
		path := a.below(h)
		k := known{id: h.ID, typ: h.Type, born: h.born, by: new(line), origin: path, path: path, day: a.today, rule: h.by}
		if h.by != none {
			*k.by = lineOf(&a.rules.rules[h.by].Pattern, a.top.path)
		}
		if o := origins[h.ID]; o != nil && o.isHit(h) {
			k.origin = o.origin
		}
		h.known, a.fresh = true, true
		a.next = append(a.next, k)
	}
	slices.SortFunc(a.next, func(a, b known) int { return a.compare(&b) })
	a.next = slices.CompactFunc(a.next, func(a, b known) bool { return a.compare(&b) == 0 })
}
