// Package oracle compares what package confine makes of a plan's Landlock with
// go-landlock. It is apart from confine's own tests because go-landlock may make a
// dynamic binary of what imports it, and those tests confine their own binary.
package oracle

import (
	"fmt"
	"strings"
	"testing"

	"jail/internal/sandbox/confine"
	"jail/internal/sandbox/plan"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// configs are go-landlock's, by ABI.
var configs = []landlock.Config{
	{},
	landlock.V1, landlock.V2, landlock.V3, landlock.V4, landlock.V5, landlock.V6,
	landlock.V7, landlock.V8, landlock.V9, landlock.V10, landlock.V11,
}

func lower(t *testing.T, l plan.Landlock) confine.Ruleset {
	t.Helper()
	rs, err := confine.Landlock(l)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

// TestHandledLikeTheLibrary compares the rights that are handled, and the scopes where
// all are asked for, for each ABI that both know, and beyond.
func TestHandledLikeTheLibrary(t *testing.T) {
	for abi := 1; abi < len(configs)+3; abi++ {
		want := configs[min(abi, len(configs)-1)]
		rs := lower(t, plan.Landlock{ABI: abi, ScopeSignals: abi >= 6, ScopeSockets: abi >= 6})
		if rs.HandledFS != uint64(want.HandledAccessFS) || rs.Scoped != uint64(want.Scoped) {
			t.Errorf("ABI %d: have %v and scopes %#x, the library has %v",
				abi, landlock.AccessFSSet(rs.HandledFS), rs.Scoped, want)
		}
	}
}

// TestRulesLikeTheLibrary compares the rights of each access with the library's rule
// of the same meaning. Its rule prints its rights before an ABI takes some away.
func TestRulesLikeTheLibrary(t *testing.T) {
	const devices = ll.AccessFSMakeChar | ll.AccessFSMakeBlock // ours make no device nodes
	for _, test := range []struct {
		access  plan.Access
		dir     bool
		library landlock.FSRule
		less    uint64 // what the library's rule has and ours has not
	}{
		{plan.AccessExecute, true, landlock.RODirs("/x"), 0},
		{plan.AccessExecute, false, landlock.ROFiles("/x"), 0},
		{plan.AccessRead, true, landlock.RODirs("/x"), ll.AccessFSExecute},
		{plan.AccessWrite, true, landlock.RWDirs("/x").WithRefer().WithResolveUnix(), devices},
		{plan.AccessWrite, false, landlock.RWFiles("/x").WithResolveUnix(), 0},
		{plan.AccessDeviceDir, true, landlock.RWDirs("/x").WithRefer().WithResolveUnix().WithIoctlDev(), devices},
		{plan.AccessDevice, false, landlock.RWFiles("/x").WithIoctlDev(), ll.AccessFSExecute},
	} {
		rs := lower(t, plan.Landlock{ABI: 11, Rules: []plan.LandlockRule{{Path: "/x", Dir: test.dir, Access: test.access}}})
		ours := landlock.AccessFSSet(rs.Rules[0].Access | test.less)
		if want := fmt.Sprintf("REQUIRE %v for paths [/x]", ours); test.library.String() != want || rs.Rules[0].Access&test.less != 0 {
			t.Errorf("%q, dir %v: have %v less %v, the library has %v",
				test.access, test.dir, ours, landlock.AccessFSSet(test.less), strings.TrimPrefix(test.library.String(), "REQUIRE "))
		}
	}
}
