package mask

import (
	"fmt"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// settle decides about d once all its names are known: some of them say what the
// directory is.
func (k *worker) settle(d *dir, f int) error {
	if d.suspect != none && !k.sourcePackage(d) {
		if !k.rules.excepts(&d.states, d.suspect) {
			return k.hideDir(d, d.suspect)
		}
		d.inherit = &partial{rule: d.suspect}
		k.found.parted = append(k.found.parted, k.abs(d.path()))
	}
	if d.name == "target" && k.marks.tag && !d.isRoot && d.inherit == nil && !d.named {
		k.restrict(d)
	}
	for i := range k.spoken {
		if err := k.consider(d, f, &k.spoken[i]); err != nil {
			return err
		}
	}
	k.descend(d)
	return nil
}

// sourcePackage reports whether d holds the file that makes a directory a source
// package; then its sources stay open and the rest is hidden.
func (k *worker) sourcePackage(d *dir) bool {
	var sources family
	for i := range k.spoken {
		if e := &k.spoken[i]; e.kind() != isDir {
			sources |= makesPackage(e.name)
		}
	}
	if sources == 0 {
		return false
	}
	d.inherit = &partial{rule: d.suspect, sources: sources}
	k.found.acquit(k.abs(d.path()), k.rules.rules[d.suspect].Text, "a source package: its sources stay, everything else in it is denied")
	return true
}

// restrict makes d a directory that is not searched, now that we know: what a
// build puts into target/ is tagged as a cache.
func (k *worker) restrict(d *dir) {
	d.named, d.states = true, k.rules.outright(&d.states)
	for i := range k.spoken {
		e := &k.spoken[i]
		k.folded = fold(k.folded[:0], []byte(e.name))
		e.rule = k.speak(d, k.folded, e.kind(), len(k.rules.rules))
	}
}

// consider asks the rules that match an entry, the last one first, until one
// hides it. An exception takes back the rules before it that do the same: what is
// both masked and denied stays masked where only the denial is taken back.
func (k *worker) consider(d *dir, f int, e *entry) error {
	if d.isRoot && guards([]byte(e.name)) {
		if err := k.guard(f, e.name); err != nil {
			return err
		}
	}
	l := lookup{worker: k, d: d, f: f, e: e}
	defer l.close()
	excused := plan.Action("")
	for rule := e.rule; rule != none; rule = k.lower(d, e, rule) {
		r := &k.rules.rules[rule]
		if r.Action == excused || r.Except && !k.reopens(d, rule) {
			continue
		}
		if r.Except {
			k.excepted(d, e, rule)
			if l.excepted {
				break // both ways to hide it are taken back
			}
			excused, l.excepted = r.Action, true
			continue
		}
		switch answer, err := l.ask(rule); {
		case err != nil:
			return err
		case answer == hidden:
			return nil
		}
	}
	if l.excepted {
		e.inherit = nil // whoever opens a name opens what is in it
		return l.open()
	}
	if d.inherit != nil {
		return k.inherited(&l)
	}
	return l.open()
}

// lower returns the next rule below the given one that matches e.
func (k *worker) lower(d *dir, e *entry, rule int) int {
	k.folded = fold(k.folded[:0], []byte(e.name))
	return k.speak(d, k.folded, e.kind(), rule)
}

// reopens reports whether an exception counts in d. In a hidden directory it must
// be later than what hides, do the same, and name a path; in a source package any
// later one does.
func (k *worker) reopens(d *dir, rule int) bool {
	if d.inherit == nil {
		return true
	}
	r := &k.rules.rules[rule]
	return rule > d.inherit.rule && r.Action == k.rules.rules[d.inherit.rule].Action && (r.anchored || d.inherit.sources != 0)
}

// excepted reports an exception, if it excepts from anything.
func (k *worker) excepted(d *dir, e *entry, by int) {
	for rule := k.lower(d, e, by); rule != none; rule = k.lower(d, e, rule) {
		x := &k.rules.rules[by]
		if r := &k.rules.rules[rule]; !r.Except && r.Action == x.Action {
			k.found.excuse(k.abs(d.in(e.name)), r.Text, fmt.Sprintf("the exception %q: %s", x.Text, x.Reason.Text))
			return
		}
	}
}

// inherited decides about an entry of a directory that is hidden but for parts.
func (k *worker) inherited(l *lookup) error {
	in, e := l.d.inherit, l.e
	switch {
	case e.kind() == isDir && (in.sources != 0 || k.exceptsBelow(l.d, e, in.rule)):
		e.inherit = in
		k.below = append(k.below, *e)
		return nil
	case e.kind() != isDir && in.sources.has(e.name):
		return l.open()
	}
	return l.hide(in.rule)
}

// exceptsBelow reports whether an exception later than rule names something that
// lies below the directory e.
func (k *worker) exceptsBelow(d *dir, e *entry, rule int) bool {
	if d.states.empty() {
		return false
	}
	next := k.rules.next(&d.states, fold(nil, []byte(e.name)))
	return k.rules.excepts(&next, rule)
}

// descend makes a dir of each directory below d that is to be read.
func (k *worker) descend(d *dir) {
	for i := range k.below {
		e := &k.below[i]
		if guards([]byte(e.name)) && !d.named {
			if e.name == dotGit {
				k.found.repositories = append(k.found.repositories, d.path())
			} else {
				k.found.settings = append(k.found.settings, string(join(d.appendPath(nil), e.name)))
			}
			if e.kind() != isDir {
				continue
			}
		}
		c := dir{parent: d, name: e.name, length: d.length + 1 + len(e.name), suspect: e.suspect, inherit: e.inherit, fd: -1, keeping: d.keeping, old: e.old}
		if !d.states.empty() || k.rules.float[e.name[0]] {
			k.folded = fold(k.folded[:0], []byte(e.name))
			c.states = k.rules.next(&d.states, k.folded)
		}
		if c.inherit == nil && c.suspect == none {
			c.named = d.named || unsearched([]byte(e.name)) || k.marks.venv && !d.isRoot && inVenv(e.name)
		}
		if c.named {
			if c.states = k.rules.outright(&c.states); c.states.empty() {
				continue
			}
		}
		n := k.newDir()
		*n = c
		k.next = append(k.next, n)
	}
}

// abs returns the absolute path of one below the root.
func (w *walk) abs(path string) string {
	if path == "" {
		return w.path
	}
	if w.path == "/" {
		return "/" + path
	}
	return w.path + "/" + path
}

// hideDir hides d itself by a rule.
func (k *worker) hideDir(d *dir, rule int) error {
	var st stat
	switch err := k.stat(d, &st); {
	case err != nil && refused(err):
		return k.closed(d.parent)
	case err != nil && gone(err):
		return nil
	case err != nil:
		return fmt.Errorf("look at %q: %w", d.path(), err)
	}
	return k.hitIn(d.parent, d.path(), &st, rule)
}

// hitIn is hit for what lies in a directory. If that is hidden but for parts, then
// only what opens parts of it can open what lies in it, wherever that moves.
func (k *worker) hitIn(d *dir, path string, st *stat, rule int) error {
	if err := k.hit(path, st, rule, ""); err != nil {
		return err
	}
	if d != nil && d.inherit != nil {
		h := &k.found.hits[len(k.found.hits)-1]
		h.by = max(rule, d.inherit.rule)
	}
	return nil
}

// stat looks at d itself. Only of the directory at hand is the parent surely open.
func (k *worker) stat(d *dir, st *stat) error {
	if d == k.current && d.parent != nil && d.parent.fd >= 0 {
		return statAt(d.parent.fd, d.name, st)
	}
	return statBelow(k.root, d.path(), st)
}

// statBelow looks at a path below a directory, through no link.
func statBelow(dir int, path string, st *stat) error {
	if path == "" {
		return statOf(dir, st)
	}
	f, err := openBelow(dir, path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(f)
	return statOf(f, st)
}

// unreadable deals with a directory that could not be opened or read.
func (k *worker) unreadable(d *dir, cause error) error {
	switch {
	case d.isRoot:
		return fmt.Errorf("read it: %w", cause)
	case gone(cause):
		return nil
	case !refused(cause):
		return fmt.Errorf("open %q: %w", d.path(), cause)
	case d.suspect != none:
		return k.hideDir(d, d.suspect)
	case d.inherit != nil:
		return k.hideDir(d, d.inherit.rule)
	}
	return k.closed(d)
}

const whyClosed = "it cannot be searched, and its owner could open it from inside"

// closed deals with a directory that the caller may not read or not search. Its
// owner may change that at any time, from inside as well: what nobody could search
// before is then hidden whole, which takes nothing from anybody. A directory of
// somebody else's stays as unreadable as it is.
func (k *worker) closed(d *dir) error {
	if d == nil || d.isRoot {
		return fmt.Errorf("look into it: %w", unix.EACCES)
	}
	var st stat
	switch err := k.stat(d, &st); {
	case err != nil && refused(err):
		return k.closed(d.parent)
	case err != nil && gone(err):
		return nil
	case err != nil:
		return fmt.Errorf("look at %q: %w", d.path(), err)
	case st.uid != k.euid:
		k.found.skip(k.abs(d.path()))
		return nil
	}
	return k.hit(d.path(), &st, none, whyClosed)
}

// hit notes a path to be hidden, by a rule, or by none for the reason given.
func (k *worker) hit(path string, st *stat, rule int, why string) error {
	return k.walk.hit(&k.found, path, st, rule, why)
}

func (w *walk) hit(f *findings, path string, st *stat, rule int, why string) error {
	h := hit{Hit: plan.Hit{Path: w.abs(path), Type: st.typ, ID: st.id}, rule: rule, by: rule, born: st.born}
	if len(h.Path) >= unix.PathMax {
		return fmt.Errorf("%q and so on must be hidden, and its path is too long for that", h.Path[:64])
	}
	if h.Type == plan.Regular {
		h.links, h.Size, h.Mtime, h.Exec = st.links, st.size, st.mtime/1e9, st.mode&0o100 != 0
	}
	if rule == none {
		h.Action, h.Reason = plan.ActDeny, plan.Reason{Layer: layerBuiltin}
	} else {
		r := &w.rules.rules[rule]
		h.Action, h.Pattern, h.Reason = r.Action, r.Text, r.Reason
	}
	if why != "" {
		h.Reason.Text = why
	}
	f.hits = append(f.hits, h)
	return nil
}
