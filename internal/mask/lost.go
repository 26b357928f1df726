package mask

import (
	"fmt"
	"slices"

	"jail/internal/sandbox/plan"
)

// search looks for what is lost wherever it may be. What is nowhere is forgotten.
// Where that cannot be told, nothing is started: it may be in front of the command.
func (a *account) search() error {
	if len(a.lost) == 0 {
		return nil
	}
	s := newSeeker(a.top.fd, a.euid)
	for _, k := range a.lost {
		s.want[k.id.Ino] = true
	}
	sure, err := s.run(func() bool { return complete(a.lost, s.found()) })
	if err != nil {
		return err
	}
	if !sure {
		return &plan.Refusal{
			Cause: fmt.Sprintf("%q was hidden, has moved, and cannot be found before what writes here holds still", a.topAbs(a.lost[0].path)),
			Hint:  changing(a.top.path),
		}
	}
	a.sought = s.dirs
	names := s.found()
	a.match(names)
	a.lost = slices.DeleteFunc(a.lost, func(k known) bool {
		return slices.ContainsFunc(names, func(n namesake) bool { return k.is(&n.st) })
	})
	if len(a.lost) > 0 {
		a.shut = s.closed()
	}
	return nil
}

// complete reports whether these are all the names of all that is lost.
func complete(lost []known, names []namesake) bool {
	count, links := map[plan.ID]uint64{}, map[plan.ID]uint64{}
	for i := range names {
		n := &names[i]
		count[n.st.id]++
		if links[n.st.id] = 1; n.st.typ == plan.Regular {
			links[n.st.id] = n.st.links
		}
	}
	return !slices.ContainsFunc(lost, func(k known) bool { return count[k.id] == 0 || count[k.id] < links[k.id] })
}

// match tells what is lost where it is now. A file with several names has a place
// for each; one that has gained some takes those too.
func (a *account) match(names []namesake) {
	taken := map[string]bool{} // by what is known to be there
	for i := range a.next {
		taken[a.next[i].path] = true
	}
	for i := range a.stands {
		taken[a.stands[i].below] = true
	}
	for _, all := range [...]bool{false, true} {
		for i := range a.lost {
			k := &a.lost[i]
			for j := range names {
				n := &names[j]
				if taken[n.path] || !k.is(&n.st) {
					continue
				}
				a.place(k, n)
				if taken[n.path] = true; !all {
					break
				}
			}
		}
	}
}

// place notes that k is at n now, where a pattern hides it perhaps.
func (a *account) place(k *known, n *namesake) {
	for _, h := range a.byID[k.id] {
		if a.below(h) == n.path {
			a.moved(k, []*hit{h})
			return
		}
	}
	a.stand(k, n.path, &n.st)
}

// suspect hides directories that nobody could look into, as long as what is lost
// may be there, and keeps that in mind.
func (a *account) suspect() error {
	for i := range a.shut {
		n := &a.shut[i]
		here, inside := a.local(n.path)
		if !inside {
			continue
		}
		const why = "something that was hidden before may lie in it, and it cannot be searched"
		if err := a.hit(&a.walk.hidden, here, &n.st, none, why); err != nil {
			return err
		}
	}
	if len(a.shut) > 0 {
		for _, k := range a.lost {
			a.keep(k)
		}
		a.walk.hidden.sort()
	}
	return nil
}
