package confine

import (
	"testing"

	"golang.org/x/sys/unix"
)

// FuzzFilter compares a filter with the naive reading for any call by any gate.
func FuzzFilter(f *testing.F) {
	all := flavours()
	programs := make([]program, len(all))
	for i, v := range all {
		programs[i] = assemble(f, v.s, v.goarch)
	}
	for _, test := range argumentCases {
		for i, goarch := range []string{"amd64", "arm64"} {
			table, audit := tableOf(goarch)
			if nr, ok := table.SyscallNames[test.name]; ok {
				var a [6]uint64
				copy(a[:], test.words)
				f.Add(uint8(i*len(all)/2), audit, uint32(nr), a[0], a[1], a[2], a[3], a[4], a[5])
			}
		}
	}
	f.Add(uint8(0), uint32(auditI386), uint32(26), uint64(0), uint64(1), uint64(0), uint64(0), uint64(0), uint64(0))
	f.Add(uint8(3), uint32(auditAMD64), uint32(x32Bit|521), uint64(0), uint64(1), uint64(0), uint64(0), uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, which uint8, gate, nr uint32, a0, a1, a2, a3, a4, a5 uint64) {
		i := int(which) % len(all)
		c := call{gate, nr, [6]uint64{a0, a1, a2, a3, a4, a5}}
		have, want := programs[i].judge(t, c), naive(all[i].s, all[i].goarch, c)
		if have != want {
			t.Errorf("%v %#v: have %v, want %v", all[i], c, have, want)
		}
		if action := have & unix.SECCOMP_RET_ACTION_FULL; action != unix.SECCOMP_RET_ALLOW && action != unix.SECCOMP_RET_ERRNO {
			t.Errorf("%v %#v: %v is no answer", all[i], c, have)
		}
	})
}
