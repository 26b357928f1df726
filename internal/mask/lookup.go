package mask

import (
	"fmt"

	"jail/internal/sandbox/plan"
)

// A lookup is the second look at one entry. What it opens, it opens once, and
// only if some rule wants to know.
type lookup struct {
	*worker
	d *dir
	f int // d's descriptor
	e *entry

	looked bool
	st     stat // of the entry, if it was looked at

	followed bool
	target   target // where a link leads

	excepted bool // somebody opened it by name
}

// An answer is what a rule says about an entry.
type answer uint8

const (
	silent answer = iota // the rule does not hold here, or its question acquits
	hidden               // it is dealt with
)

// ask puts an entry to a rule that matches its name.
func (l *lookup) ask(rule int) (answer, error) {
	r := &l.rules.rules[rule]
	switch l.e.kind() {
	case isLink:
		return l.askLink(rule, r)
	case isDir:
		return l.askDir(rule, r)
	}
	if why, open := l.judged(r.judge); open {
		l.acquit(r, why)
		return silent, nil
	}
	return hidden, l.hide(rule)
}

func (l *lookup) askDir(rule int, r *rule) (answer, error) {
	switch {
	case r.judge == judgeVenv && isVenv(l.f, l.e.name):
		l.acquit(r, whyVenv)
		return silent, nil
	case r.judge == judgeSource:
		l.e.suspect = rule
		l.below = append(l.below, *l.e)
		return hidden, nil
	case l.exceptsBelow(l.d, l.e, rule):
		l.e.inherit = &partial{rule: rule}
		l.below = append(l.below, *l.e)
		l.found.parted = append(l.found.parted, l.abs(l.d.in(l.e.name)))
		return hidden, nil
	}
	return hidden, l.hide(rule)
}

const whyVenv = "a virtual environment"

func isVenv(f int, name string) bool {
	var st stat
	return statAt(f, name+"/pyvenv.cfg", &st) == nil
}

// askLink hides a link and what it leads to, if that lies inside. A rule whose
// question is about content asks it of the target; a target outside has rules of
// its own there, so the link alone gives nothing away.
func (l *lookup) askLink(rule int, r *rule) (answer, error) {
	t, err := l.follow()
	if err != nil {
		return silent, err
	}
	if r.dirOnly && t.typ != plan.Directory {
		return silent, nil
	}
	switch r.judge {
	case judgeVenv:
		if t.typ == plan.Directory && isVenv(t.fd, ".") {
			l.acquit(r, whyVenv)
			return silent, nil
		}
	case judgePEM, judgeToken, judgeSettings:
		if t.fd >= 0 && !t.inside {
			l.acquit(r, "a link that leads out of the project, where other rules hold")
			return silent, nil
		}
		var st stat
		if why, open := l.content(r.judge, t.fd, "", l.d.in(l.e.name), &st); open {
			l.acquit(r, why)
			return silent, nil
		}
	case judgeSource:
		if t.below(l.d) {
			return hidden, l.suspectTarget(rule, t)
		}
	}
	if err := l.hide(rule); err != nil || !t.below(l.d) {
		return hidden, err
	}
	return hidden, l.hideTarget(rule, t)
}

// suspectTarget puts the question for a source package to the directory that a
// link leads to. The link itself stays: it shows no more than that directory.
func (l *lookup) suspectTarget(rule int, t *target) error {
	l.next = append(l.next, &dir{name: t.path, states: l.rules.at(t.path), suspect: rule, fd: -1})
	return nil
}

// hideTarget hides what a link leads to, unless a later exception names it.
func (l *lookup) hideTarget(rule int, t *target) error {
	if x := l.verdictAt(t.path, t.typ); x > rule && l.rules.rules[x].Except && l.rules.rules[x].Action == l.rules.rules[rule].Action {
		l.found.excuse(l.abs(t.path), l.rules.rules[rule].Text, fmt.Sprintf("the exception %q", l.rules.rules[x].Text))
		return nil
	}
	return l.hit(t.path, &t.st, rule, fmt.Sprintf("%q leads to it", l.abs(l.d.in(l.e.name))))
}

// hide hides the entry itself.
func (l *lookup) hide(rule int) error {
	if err := l.look(); err != nil {
		return l.unseen(err)
	}
	return l.hitIn(l.d, l.d.in(l.e.name), &l.st, rule)
}

// unseen deals with an entry that could not be looked at.
func (l *lookup) unseen(err error) error {
	switch {
	case refused(err):
		l.locked = true
		return nil
	case gone(err):
		return nil
	}
	return fmt.Errorf("look at %q: %w", l.d.in(l.e.name), err)
}

// open leaves an entry as it is, unless it is a link on the way to something that
// a rule names. What may be another name of a hidden file is noted: that is known
// when everything has been read.
func (l *lookup) open() error {
	if l.e.kind() == isDir {
		l.below = append(l.below, *l.e)
		return nil
	}
	if l.e.alias {
		if err := l.look(); err != nil {
			return l.unseen(err)
		}
		l.found.names = append(l.found.names, namesake{l.d.in(l.e.name), l.st, l.excepted})
	}
	if l.e.kind() == isLink {
		return l.through()
	}
	return nil
}

func (l *lookup) acquit(r *rule, why string) {
	l.found.acquit(l.abs(l.d.in(l.e.name)), r.Text, why)
}

// verdictAt returns the last rule that matches a path below the root.
func (w *walk) verdictAt(path string, typ plan.Type) int {
	parent, name := split(path)
	in := w.rules.at(parent)
	kind := isFile
	if typ == plan.Directory {
		kind = isDir
	}
	return w.rules.verdict(fold(nil, []byte(name)), kind, &in, len(w.rules.rules))
}

func split(path string) (parent, name string) {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[:i], path[i+1:]
		}
	}
	return "", path
}
