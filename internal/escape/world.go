package escape

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The places of the harness. /mnt is a file system in memory, which no sandbox needs
// to show.
const (
	binDir  = "/mnt/bin"
	workDir = "/mnt/d"
	roDir   = "/mnt/ro" // a mount that cannot be written to

	srtSettings = "/mnt/srt.json" // of Anthropic's sandbox-runtime
)

const srtProject = `{"filesystem": {"denyRead": ["~"], "allowRead": ["."], "allowWrite": ["."], "denyWrite": []},
"network": {"allowedDomains": [], "deniedDomains": []}}`

// make takes this process's view of the machine apart from everybody else's. It is
// process 1 of its own, and all of it vanishes with it.
func (s *scene) make() error {
	if os.Getpid() != 1 {
		return errors.New("this is not a pid namespace of its own: run probe escape")
	}
	programs, err := s.load()
	if err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if err := s.cover(); err != nil {
		return err
	}
	if err := network(); err != nil {
		return fmt.Errorf("make a network: %w", err)
	}
	if err := resolver(); err != nil {
		return fmt.Errorf("make a name server: %w", err)
	}
	if err := s.unpack(programs); err != nil {
		return err
	}
	if err := readOnly(roDir); err != nil {
		return err
	}
	s.mounts, err = mountPoints()
	return err
}

// readOnly makes a directory with a file in it that nobody should be able to write to.
func readOnly(dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		return err
	}
	if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount on %s: %w", dir, err)
	}
	return unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, "")
}

// mountPoints are those of this mount namespace, in the order in which they were
// made.
func mountPoints() ([]string, error) {
	b, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	var points []string
	for line := range strings.Lines(string(b)) {
		points = append(points, strings.Fields(line)[4])
	}
	return points, nil
}

// unmount takes away what the last trial mounted: some try, and without a sandbox
// they succeed.
func (s *scene) unmount() error {
	now, err := mountPoints()
	if err != nil {
		return err
	}
	for len(now) > len(s.mounts) {
		last := now[len(now)-1]
		if err := unix.Unmount(last, unix.MNT_DETACH); err != nil {
			return fmt.Errorf("unmount %s: %w", last, err)
		}
		now = now[:len(now)-1]
	}
	return nil
}

// places are what becomes an empty file system.
func (s *scene) places() []string {
	if os.Getuid() != 0 {
		return []string{"/mnt", "/run", "/tmp", "/dev/shm", s.Home}
	}
	dirs := []string{"/mnt", "/run", "/tmp", "/dev/shm", "/root", "/home"}
	if top := "/" + strings.Split(s.Home, "/")[1]; !slices.Contains(dirs, top) {
		dirs = append(dirs, s.Home)
	}
	return dirs
}

// load reads the programs before their places are covered.
func (s *scene) load() (map[string][]byte, error) {
	programs := map[string][]byte{}
	for _, p := range append([]string{s.Probe}, s.Programs...) {
		b, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		programs[filepath.Base(p)] = b
	}
	return programs, nil
}

func (s *scene) unpack(programs map[string][]byte) error {
	for _, dir := range []string{binDir, workDir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for name, b := range programs {
		if err := os.WriteFile(filepath.Join(binDir, name), b, 0o755); err != nil {
			return err
		}
	}
	return os.WriteFile(srtSettings, []byte(srtProject), 0o644)
}

// A kept directory is one that is shown again after its surroundings were covered.
type kept struct {
	path string
	fd   int
}

// cover makes empty file systems of the places where rows lay something out, and
// shows again what a sandbox may need of them.
func (s *scene) cover() error {
	var keep []kept
	for _, dir := range append(inRun(), s.Show...) {
		fd, err := unix.OpenTree(unix.AT_FDCWD, dir, unix.OPEN_TREE_CLONE|unix.AT_RECURSIVE)
		if err != nil {
			return fmt.Errorf("open %s: %w", dir, err)
		}
		keep = append(keep, kept{dir, fd})
	}
	for _, dir := range s.places() {
		// Without a size, which a row asks about: a file system on a disk has the disk's.
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NODEV, "mode=755,size=0"); err != nil {
			return fmt.Errorf("mount on %s: %w", dir, err)
		}
	}
	for _, k := range keep {
		if err := os.MkdirAll(k.path, 0o755); err != nil {
			return err
		}
		if err := unix.MoveMount(k.fd, "", unix.AT_FDCWD, k.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return fmt.Errorf("mount on %s: %w", k.path, err)
		}
		unix.Close(k.fd)
	}
	return nil
}

// inRun are the directories of /run but those of its users.
func inRun() (dirs []string) {
	entries, _ := os.ReadDir("/run")
	for _, e := range entries {
		if e.IsDir() && e.Name() != "user" {
			dirs = append(dirs, filepath.Join("/run", e.Name()))
		}
	}
	return dirs
}

// addresses are the world's, all of them on the loopback of a network without any
// other device: one of a server far away, one of a resolver, and those at which
// clouds answer questions about the machine.
func addresses() []string {
	return []string{"192.0.2.10", "192.0.2.53", "169.254.169.254", "100.100.100.200"}
}

// network brings up the loopback and gives it the addresses, each as an alias.
func network() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := interfaceFlags(fd, "lo"); err != nil {
		return err
	}
	for i, a := range addresses() {
		name := fmt.Sprintf("lo:%d", i+1)
		ifr, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		if err := ifr.SetInet4Addr(net.ParseIP(a).To4()); err != nil {
			return err
		}
		if err := unix.IoctlIfreq(fd, unix.SIOCSIFADDR, ifr); err != nil {
			return fmt.Errorf("%s: %w", a, err)
		}
	}
	return metadata6()
}

func interfaceFlags(fd int, name string) error {
	ifr, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	ifr.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifr)
}

// metadata6 adds the one address that is no IPv4, where there is IPv6 at all.
func metadata6() error {
	fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	req := struct {
		addr   [16]byte
		prefix uint32
		index  int32
	}{prefix: 128, index: 1}
	copy(req.addr[:], net.ParseIP("fd00:ec2::254"))
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCSIFADDR, uintptr(unsafe.Pointer(&req)))
	if errno != 0 && errno != unix.EEXIST {
		return errno
	}
	return nil
}
