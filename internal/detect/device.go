package detect

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// devices returns those of paths that are device nodes. A regular file called
// /dev/null, as a careless redirection leaves it, is not what anybody wants.
func devices(paths ...string) []plan.Source {
	var found []plan.Source
	for _, path := range paths {
		if src, err := Stat(path); err == nil && src.Type == plan.CharDevice {
			found = append(found, src)
		}
	}
	return found
}

// gpus returns the nodes of graphics processors in dev, and the directories of
// such nodes. NVIDIA's have many names, hence dev is listed, but only where the
// one is there without which none of them works.
func gpus(dev string) []plan.Source {
	var names []string
	if _, err := Stat(join(dev, "nvidiactl")); err == nil {
		names = nvidiaNames(dev)
	}
	var found []plan.Source
	for _, name := range append(names, "dri", "dxg", "kfd") {
		src, err := Stat(join(dev, name))
		if err == nil && (src.Type == plan.CharDevice || src.Type == plan.Directory) {
			found = append(found, src)
		}
	}
	return found
}

// nvidiaNames lists the names in dev that begin with nvidia, sorted.
func nvidiaNames(dev string) []string {
	fd, err := unix.Open(dev, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var all []string
	buf := make([]byte, 8<<10)
	for {
		n, err := unix.ReadDirent(fd, buf)
		if err != nil || n <= 0 {
			break
		}
		_, _, all = unix.ParseDirent(buf[:n], -1, all)
	}
	all = slices.DeleteFunc(all, func(name string) bool {
		_, is := strings.CutPrefix(name, "nvidia")
		return !is
	})
	slices.Sort(all)
	return all
}

// console is the device of the first terminal among descriptors 0 to 2, by the
// name that it has on this host. A terminal that came from another container has
// none, or the name of somebody else's, hence the comparison; without a name the
// command still has its descriptors.
func console(stdio [3]plan.Descriptor) plan.Source {
	for _, d := range stdio {
		if !d.Terminal {
			continue
		}
		path, err := readlink("/proc/self/fd/" + strconv.Itoa(d.FD))
		if err != nil || !within(path, "/dev") {
			continue
		}
		var open unix.Stat_t
		named, err := Stat(path)
		if err == nil && unix.Fstat(d.FD, &open) == nil && named.ID == identity(&open) && named.Type == plan.CharDevice {
			return named
		}
	}
	return plan.Source{}
}

func byPath(a, b plan.Source) int { return strings.Compare(a.Path, b.Path) }
