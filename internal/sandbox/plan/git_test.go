package plan_test

import (
	"bytes"
	"testing"

	"jail/internal/sandbox/plan"
)

// What hides a file that git tracks has the size that git knows, and nothing in it.
func TestTracked(t *testing.T) {
	const most = 64 << 10
	for _, c := range []struct {
		name string
		hit  plan.Hit
		data int
		perm uint32
		size uint64
	}{
		{"not tracked", plan.Hit{Type: plan.Regular, Action: plan.ActMask, Size: 5}, 0, 0, 0},
		{"a file", plan.Hit{Type: plan.Regular, Action: plan.ActMask, Size: 5, Mtime: 7, Tracked: true}, 5, 0o444, 0},
		{"a program", plan.Hit{Type: plan.Regular, Action: plan.ActMask, Size: 5, Exec: true, Tracked: true}, 5, 0o555, 0},
		{"an empty one", plan.Hit{Type: plan.Regular, Action: plan.ActMask, Tracked: true}, 0, 0, 0},
		{"a large one", plan.Hit{Type: plan.Regular, Action: plan.ActMask, Size: most + 1, Tracked: true}, 0, 0, 0},
		{"the largest", plan.Hit{Type: plan.Regular, Action: plan.ActMask, Size: most, Tracked: true}, most, 0o444, 0},
		{"a denied one", plan.Hit{Type: plan.Regular, Action: plan.ActDeny, Size: most + 1, Mtime: 7, Tracked: true}, 0, 0, most + 1},
		{"a directory", plan.Hit{Type: plan.Directory, Action: plan.ActDeny, Size: 4096, Mtime: 7, Tracked: true}, 0, 0, 0},
	} {
		in := input()
		c.hit.Path, c.hit.ID = "/home/u/proj/x", plan.ID{Dev: 1, Ino: 999}
		in.Found.Hits, in.Found.Attributes = []plan.Hit{c.hit}, []byte("x filter=y\n")
		found, attributes := false, false
		for _, m := range build(t, in).Mounts {
			switch m.Destination {
			case c.hit.Path:
				found = true
				if len(m.Data) != c.data || len(bytes.Trim(m.Data, "\n")) > 0 || m.Perm != c.perm || m.Size != c.size || m.Mtime != 0 != (c.size > 0) {
					t.Errorf("%s: %+v", c.name, m)
				}
			case plan.AttributesFile:
				attributes = string(m.Data) == "x filter=y\n" && m.Perm == 0o444
			}
		}
		if !found || !attributes {
			t.Errorf("%s: found %v, attributes %v", c.name, found, attributes)
		}
	}
}
