package shim

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestNotInsideHere(t *testing.T) {
	t.Setenv("JAIL", "1")
	t.Setenv("JAIL_DEPTH", "1")
	t.Setenv("container", "jail")
	if InsideJail() {
		t.Error("this test runs in a jail, it says")
	}
}

// TestInsideJail asks in roots of its own, in a child with a mount namespace.
func TestInsideJail(t *testing.T) {
	for _, test := range []struct {
		root string
		want bool
	}{
		{"as the launcher makes it", true},
		{"writable", false},
		{"without the file", false},
		{"the file is a link", false},
		{"the file is a directory", false},
		{"the file is another mount's", false},
		{"not a tmpfs", false},
	} {
		t.Run(test.root, func(t *testing.T) {
			cmd := exec.Command("/proc/self/exe", "-test.run=^TestInsideJailChild$", "-test.v")
			cmd.Env = append(os.Environ(), "INSIDE_TEST_ROOT="+test.root, "INSIDE_TEST_DIR="+t.TempDir())
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
				AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN},
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				if _, isExit := err.(*exec.ExitError); !isExit && os.Getenv("CI") != "true" {
					t.Skipf("no user namespaces here: %v", err)
				}
				t.Fatalf("%v\n%s", err, out)
			}
			if want := "inside: " + strconv.FormatBool(test.want); !strings.Contains(string(out), want) {
				t.Errorf("not %q:\n%s", want, out)
			}
		})
	}
}

// TestInsideJailChild is the child of TestInsideJail.
func TestInsideJailChild(t *testing.T) {
	kind, root := os.Getenv("INSIDE_TEST_ROOT"), os.Getenv("INSIDE_TEST_DIR")
	if root == "" {
		return // a test only where TestInsideJail starts it
	}
	mount := func(source, target, fs string, flags uintptr) { must(t, unix.Mount(source, target, fs, flags, "")) }
	mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE)
	switch kind {
	case "not a tmpfs":
		mount("lower", root, "tmpfs", 0)
		for _, dir := range []string{"/lower/.jail", "/empty", "/merged"} {
			must(t, os.MkdirAll(root+dir, 0o755))
		}
		must(t, os.WriteFile(root+"/lower/.jail/inside", nil, 0o444))
		must(t, unix.Mount("overlay", root+"/merged", "overlay", unix.MS_RDONLY, "lowerdir="+root+"/lower:"+root+"/empty"))
		root += "/merged"
	default:
		mount("jail", root, "tmpfs", 0)
		must(t, os.Mkdir(root+"/.jail", 0o755))
		makeInside(t, kind, filepath.Join(root, InsideFile))
		if kind != "writable" {
			mount("", root, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY)
		}
	}
	t.Logf("inside: %v", insideJail(root))
}

func makeInside(t *testing.T, kind, path string) {
	t.Helper()
	switch kind {
	case "without the file":
	case "the file is a link":
		must(t, os.WriteFile(path+".real", nil, 0o444))
		must(t, os.Symlink("inside.real", path))
	case "the file is a directory":
		must(t, os.Mkdir(path, 0o755))
	case "the file is another mount's":
		must(t, unix.Mount("other", filepath.Dir(path), "tmpfs", 0, ""))
		must(t, os.WriteFile(path, nil, 0o444))
	default:
		must(t, os.WriteFile(path, nil, 0o444))
	}
}
