package confine

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// rightNames are LANDLOCK_ACCESS_FS_* in the order of their bits.
var rightNames = []string{
	"execute", "write_file", "read_file", "read_dir", "remove_dir", "remove_file",
	"make_char", "make_dir", "make_reg", "make_sock", "make_fifo", "make_block",
	"make_sym", "refer", "truncate", "ioctl_dev", "resolve_unix",
}

func names(access uint64) string {
	var list []string
	for i, name := range rightNames {
		if access&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, " ")
}

func TestHandledByABI(t *testing.T) {
	first := "execute write_file read_file read_dir remove_dir remove_file make_char make_dir make_reg make_sock make_fifo make_block make_sym"
	for abi, want := range map[int]string{
		1:  first,
		2:  first + " refer",
		3:  first + " refer truncate",
		4:  first + " refer truncate",
		5:  first + " refer truncate ioctl_dev",
		6:  first + " refer truncate ioctl_dev",
		8:  first + " refer truncate ioctl_dev",
		9:  first + " refer truncate ioctl_dev resolve_unix",
		11: first + " refer truncate ioctl_dev resolve_unix",
		99: first + " refer truncate ioctl_dev resolve_unix",
	} {
		rs, err := Landlock(plan.Landlock{ABI: abi})
		if err != nil {
			t.Fatal(err)
		}
		if have := names(rs.HandledFS); have != want || rs.HandledNet != 0 || rs.Scoped != 0 {
			t.Errorf("ABI %d handles %q, net %#x, scoped %#x", abi, have, rs.HandledNet, rs.Scoped)
		}
	}
}

func TestRightsOfAccess(t *testing.T) {
	dir, file := true, false
	for _, test := range []struct {
		access plan.Access
		dir    bool
		abi    int
		want   string
	}{
		{plan.AccessList, dir, 7, "read_dir"},
		{plan.AccessRead, dir, 7, "read_file read_dir"},
		{plan.AccessRead, file, 7, "read_file"},
		{plan.AccessExecute, dir, 7, "execute read_file read_dir"},
		{plan.AccessExecute, file, 1, "execute read_file"},
		{plan.AccessChange, file, 2, "write_file"},
		{plan.AccessChange, file, 3, "write_file truncate"},
		{plan.AccessWrite, dir, 1, "execute write_file read_file read_dir remove_dir remove_file make_dir make_reg make_sock make_fifo make_sym"},
		{plan.AccessWrite, dir, 2, "execute write_file read_file read_dir remove_dir remove_file make_dir make_reg make_sock make_fifo make_sym refer"},
		{plan.AccessWrite, dir, 8, "execute write_file read_file read_dir remove_dir remove_file make_dir make_reg make_sock make_fifo make_sym refer truncate"},
		{plan.AccessWrite, dir, 9, "execute write_file read_file read_dir remove_dir remove_file make_dir make_reg make_sock make_fifo make_sym refer truncate resolve_unix"},
		{plan.AccessWrite, file, 9, "execute write_file read_file truncate resolve_unix"},
		{plan.AccessDevice, file, 4, "write_file read_file truncate"},
		{plan.AccessDevice, file, 5, "write_file read_file truncate ioctl_dev"},
		{plan.AccessDeviceDir, dir, 5, "execute write_file read_file read_dir remove_dir remove_file make_dir make_reg make_sock make_fifo make_sym refer truncate ioctl_dev"},
		{plan.AccessSocket, file, 8, ""},
		{plan.AccessSocket, file, 9, "resolve_unix"},
		{plan.AccessSocket, dir, 11, "resolve_unix"},
	} {
		rs, err := Landlock(plan.Landlock{ABI: test.abi, Rules: []plan.LandlockRule{{Path: "/x", Dir: test.dir, Access: test.access}}})
		if err != nil {
			t.Errorf("%q, ABI %d: %v", test.access, test.abi, err)
			continue
		}
		have := ""
		if len(rs.Rules) > 0 {
			have = names(rs.Rules[0].Access)
		}
		if have != test.want || len(rs.Rules) > 0 && rs.Rules[0].Path != "/x" {
			t.Errorf("%q, dir %v, ABI %d: have %+v, %q, want %q", test.access, test.dir, test.abi, rs.Rules, have, test.want)
		}
	}
}

func TestScopes(t *testing.T) {
	for _, test := range []struct {
		l    plan.Landlock
		want uint64
	}{
		{plan.Landlock{ABI: 6}, 0},
		{plan.Landlock{ABI: 6, ScopeSignals: true}, unix.LANDLOCK_SCOPE_SIGNAL},
		{plan.Landlock{ABI: 7, ScopeSockets: true}, unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET},
		{plan.Landlock{ABI: 11, ScopeSignals: true, ScopeSockets: true}, unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET},
	} {
		rs, err := Landlock(test.l)
		if err != nil || rs.Scoped != test.want {
			t.Errorf("%+v: scoped %#x, %v", test.l, rs.Scoped, err)
		}
	}
}

func TestLandlockRefusesWhatCannotBeEnforced(t *testing.T) {
	rule := func(r plan.LandlockRule) plan.Landlock {
		return plan.Landlock{ABI: 7, Rules: []plan.LandlockRule{r}}
	}
	for what, l := range map[string]plan.Landlock{
		"no Landlock":                    {ABI: 0},
		"an error as a version":          {ABI: -1},
		"signals before ABI 6":           {ABI: 5, ScopeSignals: true},
		"sockets before ABI 6":           {ABI: 2, ScopeSockets: true},
		"listing a file":                 rule(plan.LandlockRule{Path: "/x", Access: plan.AccessList}),
		"an access that nobody knows":    rule(plan.LandlockRule{Path: "/x", Dir: true, Access: "all"}),
		"no access":                      rule(plan.LandlockRule{Path: "/x", Dir: true}),
		"a negative descriptor":          rule(plan.LandlockRule{FD: -1, Access: plan.AccessRead}),
		"a directory by its descriptor":  rule(plan.LandlockRule{FD: 1, Dir: true, Access: plan.AccessRead}),
		"one bad rule behind a good one": {ABI: 7, Rules: []plan.LandlockRule{{Path: "/", Dir: true, Access: plan.AccessList}, {FD: -9, Access: plan.AccessRead}}},
	} {
		if rs, err := Landlock(l); err == nil {
			t.Errorf("%s: lowered to %+v", what, rs)
		} else if rs.HandledFS != 0 || rs.Rules != nil {
			t.Errorf("%s: a ruleset beside the error: %+v", what, rs)
		}
	}
}

var accesses = []plan.Access{
	plan.AccessList, plan.AccessRead, plan.AccessExecute, plan.AccessChange, plan.AccessWrite,
	plan.AccessDevice, plan.AccessDeviceDir, plan.AccessSocket,
}

// TestPostcondition lowers many plans and checks what Landlock promises of each.
func TestPostcondition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		l := plan.Landlock{ABI: 1 + rnd.IntN(14)}
		l.ScopeSignals = l.ABI >= 6 && rnd.IntN(2) == 0
		for range rnd.IntN(9) {
			r := plan.LandlockRule{Path: "/x", Dir: rnd.IntN(2) == 0, Access: accesses[rnd.IntN(len(accesses))]}
			if r.Access == plan.AccessList {
				r.Dir = true
			}
			if rnd.IntN(4) == 0 && !r.Dir {
				r.Path, r.FD = "", rnd.IntN(3)
			}
			l.Rules = append(l.Rules, r)
		}
		rs, err := Landlock(l)
		if err != nil {
			t.Fatalf("%+v: %v", l, err)
		}
		checkPostcondition(t, l, rs)
	}
}

func checkPostcondition(t *testing.T, l plan.Landlock, rs Ruleset) {
	t.Helper()
	if rs.HandledNet != 0 || rs.HandledFS == 0 {
		t.Fatalf("%+v: handled %#x, net %#x", l, rs.HandledFS, rs.HandledNet)
	}
	next := 0
	for _, r := range l.Rules {
		if r.Access == plan.AccessSocket && l.ABI < 9 {
			continue // nothing there that could be refused
		}
		if next == len(rs.Rules) {
			t.Fatalf("%+v: the rule for %q %q was lost", l, r.Path, r.Access)
		}
		have := rs.Rules[next]
		next++
		if have.Path != r.Path || have.FD != r.FD {
			t.Fatalf("%+v: out of order: %+v", l, rs.Rules)
		}
		if have.Access == 0 || have.Access&^rs.HandledFS != 0 {
			t.Fatalf("%+v: %q of handled %q", l, names(have.Access), names(rs.HandledFS))
		}
		if directory := have.Access & (unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_REFER); !r.Dir && directory != 0 {
			t.Fatalf("%+v: a file with the rights %q", l, names(directory))
		}
	}
	if next != len(rs.Rules) {
		t.Fatalf("%+v: rules from nowhere: %+v", l, rs.Rules)
	}
}

// TestKernelTakesRulesets hands rulesets of every ABI up to the kernel's own to the
// kernel, with a rule of each access on a file and on a directory. A ruleset restricts
// nobody until it is enforced.
func TestKernelTakesRulesets(t *testing.T) {
	own := kernelABI(t)
	dir := t.TempDir()
	file, err := unix.Open(dir+"/file", unix.O_CREAT|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(file)
	below, err := unix.Open(dir, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(below)
	for abi := 1; abi <= own; abi++ {
		l := plan.Landlock{ABI: abi, ScopeSignals: abi >= 6, ScopeSockets: abi >= 6}
		for _, a := range accesses {
			l.Rules = append(l.Rules, plan.LandlockRule{Path: "dir", Dir: true, Access: a})
			if a != plan.AccessList {
				l.Rules = append(l.Rules, plan.LandlockRule{Path: "file", Access: a})
			}
		}
		rs, err := Landlock(l)
		if err != nil {
			t.Fatal(err)
		}
		fd := createRuleset(t, rs)
		for _, r := range rs.Rules {
			on := below
			if r.Path == "file" {
				on = file
			}
			if e := addRule(fd, on, r.Access); e != 0 {
				t.Errorf("ABI %d, %s, %q: %v", abi, r.Path, names(r.Access), e)
			}
		}
		unix.Close(fd)
	}
}

func kernelABI(t *testing.T) int {
	t.Helper()
	abi, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		t.Skipf("this kernel has no Landlock: %v", e)
	}
	return int(abi)
}

func createRuleset(t *testing.T, rs Ruleset) int {
	t.Helper()
	attr := unix.LandlockRulesetAttr{Handled_access_fs: rs.HandledFS, Handled_access_net: rs.HandledNet, Scoped: rs.Scoped}
	fd, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if e != 0 {
		t.Fatalf("create ruleset %+v: %v", rs, e)
	}
	return int(fd)
}

func addRule(ruleset, fd int, access uint64) unix.Errno {
	attr := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, e := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	return e
}
