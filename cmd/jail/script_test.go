package main_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata drive the real launcher, as a user and as an attacker.
// One behaviour a file. What attacks from inside does the same from outside
// first, where it must work.
//
// Each script starts in $WORK/proj, a project, with $WORK/home as HOME, secrets
// in it, and $WORK/other, another project. $PROBE is internal/probe, inside the
// project so that a jail shows it; $SECRET is the word that every planted secret
// holds.

// stageVariable tells a test process where the binaries are that its parent
// built, when the parent runs it once more as another user.
const stageVariable = "JAIL_TEST_STAGE"

// plantedVariable is set where the home that passwd names has secrets planted in
// it. No test does that to a home that somebody lives in.
const plantedVariable = "JAIL_TEST_PLANTED"

// testUser is whom root's tests run as once more. `make test` makes it.
const testUser = "jail-test"

// secret is in every file and variable that must not be seen.
const secret = "sentinel-bd4e1c7a"

// A stage is where the binaries are: a directory that everybody may read.
type stage struct{ dir string }

func (s stage) bin() string { return filepath.Join(s.dir, "bin") }

func (s stage) probe() string { return filepath.Join(s.bin(), "probe") }

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(withStage(m.Run))
}

// withStage builds what the scripts run, unless that was done already.
func withStage(run func() int) int {
	if os.Getenv(stageVariable) != "" {
		return run()
	}
	dir, err := os.MkdirTemp("", "jail-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv(stageVariable, dir)
	if err := build(stage{dir}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

func theStage() stage { return stage{os.Getenv(stageVariable)} }

// build makes the binaries as they are shipped, static and without paths.
func build(s stage) error {
	if err := os.Chmod(s.dir, 0o755); err != nil {
		return err
	}
	for _, pkg := range []string{"jail/cmd/jail", "jail/cmd/jail-hook", "jail/internal/probe"} {
		cmd := exec.Command("go", "build", "-trimpath", "-tags=urfave_cli_no_docs", "-ldflags=-s -w", "-o", s.bin()+"/", pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
		}
	}
	return nil
}

func TestScripts(t *testing.T) {
	work, err := os.MkdirTemp(theStage().dir, "work-")
	if err != nil {
		// As another user: the stage is the parent's.
		work, err = os.MkdirTemp("", "jail-test-")
	}
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(work, 0o755)
	t.Cleanup(func() { os.RemoveAll(work) })
	w := &world{stage: theStage(), dir: work}
	testscript.Run(t, testscript.Params{
		Dir: "testdata", WorkdirRoot: work, Setup: w.setup,
		Condition: w.condition, Cmds: commands(), RequireExplicitExec: true, RequireUniqueNames: true,
	})
}

// TestScriptsAsUser runs the scripts once more, as an ordinary user, in a copy of
// this very test.
func TestScriptsAsUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("not root: TestScripts runs as an ordinary user already")
	}
	t.Parallel()
	u, err := user.Lookup(testUser)
	if err != nil {
		t.Fatalf("there is no user %s; make test makes it: %v", testUser, err)
	}
	copyTest(t, theStage())
	plant(t, u)
	args := []string{"-test.run=^TestScripts$" + below(flag.Lookup("test.run").Value.String()), "-test.timeout=5m"}
	if testing.Verbose() {
		args = append(args, "-test.v")
	}
	cmd := exec.Command(filepath.Join(theStage().dir, "user", "jail.test"), args...)
	cmd.Dir = filepath.Join(theStage().dir, "user")
	cmd.Env = append(passedOn(),
		"HOME="+u.HomeDir, "USER="+testUser, "LOGNAME="+testUser, "PATH="+systemPath,
		stageVariable+"="+theStage().dir, plantedVariable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential(t, u)}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as %s: %v\n%s", testUser, err, out)
	} else if testing.Verbose() {
		t.Logf("as %s:\n%s", testUser, out)
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
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
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
