package main_test

import (
	"flag"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"jail/internal/textbusy"
)

// testUser is whom root's tests run as once more. `make test` makes it.
const testUser = "jail-test"

// TestScriptsAsUser runs the scripts once more, as an ordinary user, in a copy of
// this very test.
func TestScriptsAsUser(t *testing.T) {
	t.Parallel()
	asUser(t, "TestScripts", "15m")
}

// asUser runs a test of this package as the test user.
func asUser(t *testing.T, test, timeout string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skipf("not root: %s runs as an ordinary user already", test)
	}
	u, err := user.Lookup(testUser)
	if err != nil {
		t.Fatalf("there is no user %s; make test makes it: %v", testUser, err)
	}
	lock(t, u.HomeDir)
	copyTest(t, theStage())
	plant(t, u)
	lend(t, realHome(), u.HomeDir)
	args := []string{"-test.run=^" + test + "$" + below(flag.Lookup("test.run").Value.String()), "-test.timeout=" + timeout}
	if testing.Verbose() {
		args = append(args, "-test.v")
	}
	cmd := exec.Command(filepath.Join(theStage().dir, "user", "jail.test"), args...)
	cmd.Dir = filepath.Join(theStage().dir, "user")
	cmd.Env = append(passedOn(),
		"HOME="+u.HomeDir, "USER="+testUser, "LOGNAME="+testUser, "PATH="+filepath.Join(u.HomeDir, ".cargo/bin")+":"+filepath.Join(u.HomeDir, ".pyenv/shims")+":"+systemPath,
		stageVariable+"="+theStage().dir, plantedVariable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential(t, u)}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as %s: %v\n%s", testUser, err, out)
	} else if testing.Verbose() {
		t.Logf("as %s:\n%s", testUser, out)
	}
}

// lock waits until no other run of these tests uses the test user's home.
func lock(t *testing.T, home string) {
	t.Helper()
	fd, err := unix.Open(home, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Cleanups run last in first out, so this comes after those that empty the home.
	t.Cleanup(func() { unix.Close(fd) })
	for err = unix.EINTR; err == unix.EINTR; {
		err = unix.Flock(fd, unix.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// below is what a -run pattern says about the subtests.
func below(pattern string) string {
	_, rest, ok := strings.Cut(pattern, "/")
	if !ok {
		return ""
	}
	return "/" + rest
}

func credential(t *testing.T, u *user.User) *syscall.Credential {
	t.Helper()
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err1 != nil || err2 != nil {
		t.Fatalf("user %s: %v %v", testUser, err1, err2)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), Groups: []uint32{uint32(gid)}}
}

// copyTest puts this test where another user may read it: the directory that go
// test made is closed to others, and so may be the source tree.
func copyTest(t *testing.T, s stage) {
	t.Helper()
	dir := filepath.Join(s.dir, "user")
	os.RemoveAll(dir) // of the round before, with -count
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	if err := copyFile("/proc/self/exe", filepath.Join(dir, "jail.test")); err != nil {
		t.Fatal(err)
	}
}

func copyFile(from, to string) error {
	program, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return textbusy.WriteProgram(to, program)
}

// plant puts secrets into the home that passwd names, which is the one that a
// lying HOME must not uncover.
func plant(t *testing.T, u *user.User) {
	t.Helper()
	c := credential(t, u)
	for _, name := range []string{".ssh", ".aws"} {
		dir := filepath.Join(u.HomeDir, name)
		if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "planted")
		if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		os.Chown(dir, int(c.Uid), int(c.Gid))
		os.Chown(file, int(c.Uid), int(c.Gid))
		t.Cleanup(func() {
			os.Remove(file)
			os.Remove(dir)
		})
	}
}
