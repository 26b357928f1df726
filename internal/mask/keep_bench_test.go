package mask

import (
	"fmt"
	"testing"
)

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
		if s.ledger != 1 || s.walk != 1 {
			b.Errorf("written %d and %d times", s.ledger, s.walk)
		}
		b.Logf("%d bytes", len(s.files[s.name(b, recordsKind)]))
	}
}
