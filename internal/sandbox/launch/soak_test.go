package launch_test

import (
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// launches is how many: make soak asks for 10,000.
var launches = flag.Int("launches", 50, "how often TestManyLaunches launches")

// A process that makes jail after jail has in the end what it had after the first:
// no descriptor, no child, no mount and no thread more, and nothing on the host.
func TestManyLaunches(t *testing.T) {
	in := input(t, "/bin/true")
	p, err := plan.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	launchOnce := func() {
		if r, err := launch.Run(p); err != nil || r.Code != 0 || r.Signal != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	launchOnce() // sets up what Go's runtime keeps
	fds, had, host := openFDs(t), threads(t), hostView(in.Root.Path, p)
	for range *launches {
		launchOnce()
	}
	if now := openFDs(t); !slices.Equal(now, fds) {
		t.Errorf("descriptors: %v, were %v", now, fds)
	}
	// The runtime starts one now and then, for its own reasons.
	if now := threads(t); now > had+8 {
		t.Errorf("%d threads, were %d", now, had)
	}
	if now := hostView(in.Root.Path, p); now != host {
		t.Errorf("the host changed:\n%s", changedLines(host, now))
	}
	if pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); err != unix.ECHILD {
		t.Errorf("a child is left: %d, %v", pid, err)
	}
}

func openFDs(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	var open []string
	for _, e := range entries {
		// The one that reads this directory is gone by now.
		if text, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			open = append(open, e.Name()+" "+text)
		}
	}
	return open
}

func threads(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "Threads:")
	line, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
