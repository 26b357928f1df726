package main_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Both are more in make soak.
var (
	raced    = flag.Int("raced", 15, "launches beside somebody who swaps files")
	together = flag.Int("together", 24, "launches at the same time")
)

// arena is a project with what a racing writer swaps, and what must not come out or
// be touched.
type arena struct{ dir, proj, home, outside string }

func newArena(t *testing.T) arena {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := arena{dir, filepath.Join(dir, "home/proj"), filepath.Join(dir, "home"), filepath.Join(dir, "home/outside")}
	for name, text := range map[string]string{
		"home/outside/.env": secret, "home/outside/notes": secret, "home/outside/config": secret, "home/outside/deep/.env": secret,
		"home/outside/hooks/x": secret, "home/outside/settings.json": secret,
		"home/proj/.ai-jail/README": "x", "home/proj/.env": "harmless", "home/proj/d/notes": "harmless", "home/proj/sub/.env": "harmless",
		"home/proj/sub/deep/.env": "harmless", "home/proj/.git/config": "[core]\n", "home/proj/.git/hooks/x": "x", "home/proj/.vscode/settings.json": "{}",
		"home/proj/secrets/notes": "harmless", "home/proj/work/notes": "harmless",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text+"\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// swapped are the names that are replaced by links to what lies outside.
func swapped() map[string]string {
	return map[string]string{
		".env": ".env", "d": "", "sub": "", "sub/.env": ".env", "sub/deep": "deep", ".git": "", ".git/config": "config", ".git/hooks": "hooks",
		".vscode": "", ".vscode/settings.json": "settings.json", "secrets": "", "secrets/notes": "notes", "work": "",
	}
}

// swap replaces one name by a link and puts it back, until it is told to stop. It
// goes through no link itself, which may be one of its own.
func (a arena) swap(stop chan struct{}, seed uint64) {
	var names []string
	for name := range swapped() {
		names = append(names, name)
	}
	slices.Sort(names)
	random := rand.New(rand.NewPCG(seed, 3))
	for {
		select {
		case <-stop:
			return
		default:
		}
		name := names[random.IntN(len(names))]
		if dir, err := openBelow(filepath.Dir(filepath.Join(a.proj, name))); err == nil {
			a.swapIn(dir, name, fmt.Sprintf("aside-%d", seed), time.Duration(random.IntN(400))*time.Microsecond)
			unix.Close(dir)
		}
		// Sometimes long enough for a launch to get through.
		time.Sleep(time.Duration(random.IntN(1500)) * time.Microsecond)
	}
}

func (a arena) swapIn(dir int, name, aside string, pause time.Duration) {
	base := filepath.Base(name)
	if unix.Renameat(dir, base, dir, aside) != nil {
		return
	}
	unix.Symlinkat(filepath.Join(a.outside, swapped()[name]), dir, base)
	time.Sleep(pause)
	unix.Unlinkat(dir, base, 0)
	unix.Renameat(dir, aside, dir, base)
}

// openBelow opens a directory that no link leads to.
func openBelow(path string) (int, error) {
	return unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS,
	})
}

// readAndWrite is what the command does: it reads and writes by every name that is swapped.
const readAndWrite = `
cat .env d/* d/.env sub/.env sub/deep/.env .git/config .git/hooks/x .vscode/settings.json secrets/notes work/notes aside-*/* aside-*/.env aside-* */aside-*
for d in d sub sub/deep .git .git/hooks .vscode secrets work; do echo planted >$d/planted; done`

// While somebody swaps files, links and directories in the project, no launch shows
// what lies outside or writes there; each runs or says that something moved.
func TestRacingWriter(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	before := contents(a.outside)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for seed := range uint64(2) {
		writers.Go(func() { a.swap(stop, seed) })
	}
	defer writers.Wait()
	defer close(stop)
	ran, refused := 0, 0
	for i := 0; i < *raced || ran == 0 && i < 20**raced; i++ {
		out, err := a.jail("sh", "-c", readAndWrite)
		switch {
		case bytes.Contains(out, []byte(secret)):
			t.Fatalf("launch %d: it came out:\n%s", i, out)
		case exitCode(err) == 125:
			refused++
		default:
			ran++
		}
		if now := contents(a.outside); now != before {
			t.Fatalf("launch %d: changed:\n%s", i, difference(before, now))
		}
	}
	t.Logf("%d ran, %d were refused", ran, refused)
	// What is kept for a project does not grow with the number of its launches.
	if kept := strings.Count(contents(filepath.Join(a.dir, "data")), "\n"); kept > 100 {
		t.Errorf("%d files are kept", kept)
	}
	if ran == 0 {
		t.Error("none ran, so nothing was shown")
	}
}

// contents describes every file below dir by all that changes when it is touched.
func contents(dir string) string {
	var out strings.Builder
	filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
		var st unix.Stat_t
		if unix.Lstat(path, &st) == nil {
			fmt.Fprintln(&out, path, st.Ino, st.Mode, st.Nlink, st.Size, st.Mtim, st.Ctim)
		}
		return nil
	})
	return out.String()
}

func (a arena) jail(args ...string) ([]byte, error) {
	cmd := exec.Command(filepath.Join(theStage().bin(), "jail"), args...)
	cmd.Dir = a.proj
	cmd.Env = []string{"HOME=" + a.home, "PATH=" + systemPath, "XDG_DATA_HOME=" + a.dir + "/data", "XDG_CONFIG_HOME=" + a.dir + "/config"}
	return cmd.CombinedOutput()
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// Many launches at the same time all do their work.
func TestTogether(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	var group sync.WaitGroup
	for i := range *together {
		group.Go(func() {
			out, err := a.jail("sh", "-c", fmt.Sprintf("echo %d >done-%d && cat .env work/notes", i, i))
			if err != nil || string(out) != "harmless\n" {
				t.Errorf("launch %d: %v %q", i, err, out)
			}
		})
	}
	group.Wait()
	for i := range *together {
		if b, err := os.ReadFile(fmt.Sprintf("%s/done-%d", a.proj, i)); err != nil || string(b) != fmt.Sprintf("%d\n", i) {
			t.Errorf("launch %d: %v %q", i, err, b)
		}
	}
}
