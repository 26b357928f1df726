package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// patience is how long anything is waited for: a loaded machine is slow, and a
// wait that succeeds costs only what it takes.
const patience = 30 * time.Second

// commands are what scripts can say besides testscript's own.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"alive":     alive,     // alive WORD: wait until a process has WORD among its arguments
		"gone":      gone,      // gone WORD: wait until none has
		"await":     awaitFile, // await FILE [TEXT]: wait until FILE is there (and holds TEXT)
		"signal":    signalPID, // signal [-group] NAME PIDFILE
		"snapshot":  snapshot,  // snapshot NAME DIR...: remember everything about what is in DIR
		"unchanged": unchanged, // unchanged NAME: nothing of that is different
		"killed":    killed,    // killed COUNT MICROSECONDS JAIL ARG...: start it, KILL it some time within that
		"talk":      talk,      // talk FILE COMMAND...: hold a dialogue with COMMAND on a terminal
		"chown":     chown,     // chown UID:GID FILE...
		"registry":  registry,  // registry: npm's registry is one of this test's own
		"bytes":     writeBytes,
	}
}

// poll asks until the answer is yes.
func poll(yes func() bool) bool {
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		if yes() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

func alive(ts *testscript.TestScript, neg bool, args []string) {
	takes(ts, neg, args, 1)
	if !poll(func() bool { return len(processes(args[0])) > 0 }) {
		ts.Fatalf("no process has %q among its arguments", args[0])
	}
}

func gone(ts *testscript.TestScript, neg bool, args []string) {
	takes(ts, neg, args, 1)
	if !poll(func() bool { return len(processes(args[0])) == 0 }) {
		ts.Fatalf("left behind: %s", strings.Join(processes(args[0]), "; "))
	}
}

// processes are those that have word among their arguments or as their name.
func processes(word string) (found []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		cmdline, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		comm, _ := os.ReadFile(filepath.Join(dir, "comm"))
		if bytes.Contains(cmdline, []byte(word)) || strings.TrimSpace(string(comm)) == word {
			found = append(found, fmt.Sprintf("%s %s %q", filepath.Base(dir), bytes.TrimSpace(comm), cmdline))
		}
	}
	return found
}

func awaitFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: await FILE [TEXT]")
	}
	var last []byte
	ok := poll(func() bool {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		last = b
		return err == nil && len(b) > 0 && (len(args) == 1 || bytes.Contains(b, []byte(args[1])))
	})
	if !ok {
		ts.Fatalf("%s holds %q", args[0], last)
	}
}

func signalPID(ts *testscript.TestScript, neg bool, args []string) {
	group := len(args) > 0 && args[0] == "-group"
	if group {
		args = args[1:]
	}
	takes(ts, neg, args, 2)
	sig := unix.SignalNum("SIG" + args[0])
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[1])))
	if sig == 0 || err != nil || pid < 2 {
		ts.Fatalf("signal %v: pid %d: %v", args, pid, err)
	}
	if group {
		pid = -pid
	}
	ts.Check(unix.Kill(pid, sig))
}

func takes(ts *testscript.TestScript, neg bool, args []string, n int) {
	if neg || len(args) != n {
		ts.Fatalf("takes %d arguments and no !", n)
	}
}

// A view is what some directories looked like.
type view struct {
	dirs []string
	text string
}

type viewsKey struct{}

// snapshots are those of one script.
func snapshots(ts *testscript.TestScript) map[string]view {
	return ts.Value(viewsKey{}).(map[string]view)
}

func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: snapshot NAME DIR...")
	}
	dirs := make([]string, len(args)-1)
	for i, d := range args[1:] {
		dirs[i] = ts.MkAbs(d)
	}
	snapshots(ts)[args[0]] = view{dirs, look(dirs)}
}

func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	takes(ts, neg, args, 1)
	before := snapshots(ts)[args[0]]
	if now := look(before.dirs); now != before.text {
		ts.Fatalf("changed:\n%s", difference(before.text, now))
	}
}

// difference lists the lines that only one of two texts has.
func difference(before, now string) string {
	var out strings.Builder
	for _, side := range [][3]string{{"-", before, now}, {"+", now, before}} {
		other := map[string]bool{}
		for line := range strings.Lines(side[2]) {
			other[line] = true
		}
		for line := range strings.Lines(side[1]) {
			if !other[line] {
				out.WriteString(side[0] + line)
			}
		}
	}
	return out.String()
}

// look describes every file below dirs by all that changes when it is touched,
// the time of the last access excepted, and the mounts there and at the root, over which
// a jail's own is attached.
func look(dirs []string) string {
	var out strings.Builder
	for _, dir := range dirs {
		filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
			var st unix.Stat_t
			if err := unix.Lstat(path, &st); err != nil {
				fmt.Fprintf(&out, "%s %v\n", path, err)
				return nil
			}
			fmt.Fprintf(&out, "%s ino %d mode %o links %d owner %d:%d size %d modified %d.%d changed %d.%d\n", path,
				st.Ino, st.Mode, st.Nlink, st.Uid, st.Gid, st.Size, st.Mtim.Sec, st.Mtim.Nsec, st.Ctim.Sec, st.Ctim.Nsec)
			return nil
		})
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		at := strings.Fields(line)[4]
		if at == "/" || slices.ContainsFunc(dirs, func(dir string) bool { return plan.Below(at, dir) }) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// killed starts a launcher many times and ends it by KILL at a random moment, in
// the middle of making a jail as often as not. The launcher is a copy with a
// name of its own, so that whatever it leaves behind can be told from the jails
// of other tests.
func killed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: killed COUNT MICROSECONDS JAIL ARG...")
	}
	count, err1 := strconv.Atoi(args[0])
	within, err2 := strconv.Atoi(args[1])
	if err1 != nil || err2 != nil {
		ts.Fatalf("killed: %v %v", err1, err2)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range count {
		cmd := exec.Command(ts.MkAbs(args[2]), args[3:]...)
		cmd.Args[0] = "jail"
		cmd.Dir, cmd.Env = ts.MkAbs("."), environOf(ts)
		// Not through a pipe: waiting for its end would wait for what was left behind.
		ts.Check(cmd.Start())
		time.Sleep(time.Duration(random.IntN(within)) * time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	gone(ts, false, []string{filepath.Base(args[2])})
}

// environOf is the environment of a script's commands.
func environOf(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"HOME", "PATH", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "PROBE", "LC_ALL", "TERM", "SECRET", "WORK", "PS1", "BIN"} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func chown(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: chown UID:GID FILE...")
	}
	u, g, _ := strings.Cut(args[0], ":")
	uid, err1 := strconv.Atoi(u)
	gid, err2 := strconv.Atoi(g)
	if err1 != nil || err2 != nil {
		ts.Fatalf("chown %s: %v %v", args[0], err1, err2)
	}
	for _, f := range args[1:] {
		ts.Check(os.Lchown(ts.MkAbs(f), uid, gid))
	}
}

// writeBytes makes a file of so many bytes that no two pieces are alike.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	takes(ts, neg, args, 2)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	b := make([]byte, n)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(b)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
}
