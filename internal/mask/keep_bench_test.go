package mask

import (
	"fmt"
	"testing"
	"time"

	"jail/internal/memory"
	"jail/internal/sandbox/plan"
)

// A shelf is a Memory in a variable that counts what was kept.
type shelf struct {
	text []byte
	kept int
}

func (s *shelf) memory() memory.Memory {
	return memory.Memory{Recall: func() []byte { return s.text }, Keep: func(b []byte) { s.text = b; s.kept++ }}
}

// later is a moment at which all that was done until now has settled.
func later() time.Time { return time.Now().Add(time.Minute) }

// walkLater walks with a memory, as if a minute had passed since the last change.
func walkLater(t testing.TB, root string, patterns []plan.Pattern, s *shelf) Result {
	t.Helper()
	r, err := walkAt(later(), root, plan.ID{}, patterns, s.memory())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func BenchmarkWalkAgain(b *testing.B) {
	for _, size := range []struct{ dirs, files int }{{1, 9}, {50, 20}, {1000, 100}} {
		root := forest(b, size.dirs, size.files)
		var s shelf
		walkLater(b, root, Builtin(), &s)
		b.Run(fmt.Sprintf("%dfiles", size.dirs*size.files), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r := walkLater(b, root, Builtin(), &s); len(r.Hits) != 1 {
					b.Fatal(r)
				}
			}
		})
		if s.kept != 1 {
			b.Errorf("kept %d times", s.kept)
		}
		b.Logf("%d bytes", len(s.text))
	}
}
