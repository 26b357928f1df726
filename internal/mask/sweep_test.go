package mask

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"jail/internal/memory"
)

// TestSweep holds that what is left of projects that are gone goes some day, and
// nothing else does.
func TestSweep(t *testing.T) {
	dir := tree(t, "stays/.env", "moves/.env", "goes/.env", "replaced/.env")
	var s shelf
	for _, p := range []string{"stays", "moves", "goes", "replaced"} {
		walkLater(t, dir+"/"+p, Builtin(), &s)
	}
	edit(t, dir, "rm goes", "mv replaced other", "put replaced/x", "mv moves moved")
	before := slices.Clone(must(s.Names()))
	s.Write("etc", []byte("x"))
	later := func(days int) time.Time { return time.Now().AddDate(0, 0, days) }
	now := time.Now().UnixNano()
	for n, m := range s.marks {
		s.marks[n] = memory.Mark{Ino: m.Ino, Ctime: now}
	}
	for i, days := range []int{1, 29} {
		grow(t, dir, fmt.Sprintf("new%d/x", i))
		walkThen(t, later(days), fmt.Sprintf("%s/new%d", dir, i), Builtin(), &s)
	}
	for _, n := range before {
		if s.files[n] == nil {
			t.Errorf("%s is gone too early", n)
		}
	}
	walkThen(t, later(20), dir+"/moved", Builtin(), &s)
	for n, m := range s.marks {
		if m.Ctime != now { // as a real clock would have it
			s.marks[n] = memory.Mark{Ino: m.Ino, Ctime: later(20).UnixNano()}
		}
	}
	for i := range 200 {
		grow(t, dir, fmt.Sprintf("more%d/x", i))
		walkThen(t, later(40), fmt.Sprintf("%s/more%d", dir, i), Builtin(), &s)
		for n, m := range s.marks {
			if m.Ctime < now {
				s.marks[n] = memory.Mark{Ino: m.Ino, Ctime: later(40).UnixNano()}
			}
		}
	}
	left := map[string]int{}
	for _, n := range before {
		if s.files[n] == nil {
			continue
		}
		path, l := readLedger(s.files[n], 0)
		if !l.broken {
			left[path[len(dir)+1:]]++
		}
	}
	if fmt.Sprint(left) != "map[moved:1 stays:1]" || s.files["etc"] == nil {
		t.Errorf("left are %v", left)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
