package shim

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestInstallOnlyWhatExists(t *testing.T) {
	b := newBench(t, "npm", "python3", "python3.12", "pip3.12", "ls", "jail", "python3.12-config", "pnpm")
	must(t, os.Chmod(filepath.Join(b.bin, "pnpm"), 0o644)) // no program
	must(t, os.Symlink("nowhere", filepath.Join(b.bin, "cargo")))
	must(t, os.Symlink("npm", filepath.Join(b.bin, "npx")))
	must(t, os.Mkdir(filepath.Join(b.bin, "node"), 0o755))
	report := b.install(b.request())
	b.wantNames(report, "npm", "npx", "pip3.12", "python3", "python3.12")
	if !slices.Equal(report.Added, report.Names) || !report.Renewed || report.Removed != nil {
		t.Errorf("%+v", report)
	}
	info, err := os.Stat(report.Dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the farm is %v, %v", info.Mode(), err)
	}
	if inode(t, filepath.Join(report.Dir, "npm")) != inode(t, filepath.Join(report.Dir, copyName)) {
		t.Error("a shim is not a hard link to the farm's copy")
	}
	if inode(t, filepath.Join(report.Dir, copyName)) == inode(t, b.launcher) {
		t.Error("the farm's copy is not its own")
	}
}

func TestInstallAgainChangesNothing(t *testing.T) {
	b := newBench(t, "npm", "node")
	aged(t, b.bin)
	first := b.install(b.request())
	before := snapshot(t, first.Dir)
	second := b.install(b.request())
	if second.Renewed || second.Added != nil || second.Removed != nil {
		t.Errorf("%+v", second)
	}
	if after := snapshot(t, first.Dir); after != before {
		t.Errorf("the farm was touched:\n%s\n%s", before, after)
	}
}

// aged makes a directory look as if it had not changed for long.
func aged(t *testing.T, dir string) {
	t.Helper()
	then := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(dir, then, then))
}

// snapshot says which files are in dir, and when each was last changed.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var b strings.Builder
	for _, entry := range entries {
		info, err := entry.Info()
		must(t, err)
		b.WriteString(entry.Name() + " " + info.ModTime().String() + "\n")
	}
	return b.String()
}

func TestNewLauncherRenewsEveryShim(t *testing.T) {
	b := newBench(t, "npm", "node")
	report := b.install(b.request())
	old, err := os.Open(filepath.Join(report.Dir, "npm"))
	must(t, err)
	defer old.Close()
	must(t, os.WriteFile(b.launcher, []byte("#!launcher 2, longer\n"), 0o755))
	if report = b.install(b.request()); !report.Renewed || report.Added != nil {
		t.Errorf("%+v", report)
	}
	// A running shim is not written over.
	text := make([]byte, 64)
	n, _ := old.Read(text)
	if string(text[:n]) != "#!launcher 1\n" {
		t.Errorf("the old shim now holds %q", text[:n])
	}
	// The same size, in place, as a linker does it.
	must(t, os.WriteFile(b.launcher, []byte("#!launcher 3, longer\n"), 0o755))
	aged(t, b.launcher)
	if !b.install(b.request()).Renewed {
		t.Error("a launcher of the same size was not noticed")
	}
}

// What happens to a farm by accident is mended by the next Install.
func TestDamageIsMended(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, farm string){
		"shim gone":  func(t *testing.T, farm string) { must(t, os.Remove(filepath.Join(farm, "npm"))) },
		"copy gone":  func(t *testing.T, farm string) { must(t, os.Remove(filepath.Join(farm, copyName))) },
		"state gone": func(t *testing.T, farm string) { must(t, os.Remove(filepath.Join(farm, stateName))) },
		"state is garbage": func(t *testing.T, farm string) {
			must(t, os.WriteFile(filepath.Join(farm, stateName), []byte("x\n\n"), 0o600))
		},
		"state is a fifo's stand-in": func(t *testing.T, farm string) {
			must(t, os.Remove(filepath.Join(farm, stateName)))
			must(t, os.Symlink("/dev/zero", filepath.Join(farm, stateName)))
		},
		"shim is another's": func(t *testing.T, farm string) {
			must(t, os.Remove(filepath.Join(farm, "npm")))
			must(t, os.WriteFile(filepath.Join(farm, "npm"), []byte("evil"), 0o755))
		},
		"shim is a link": func(t *testing.T, farm string) {
			must(t, os.Remove(filepath.Join(farm, "npm")))
			must(t, os.Symlink("/bin/true", filepath.Join(farm, "npm")))
		},
		"emptied by > of root": func(t *testing.T, farm string) {
			must(t, os.Chmod(filepath.Join(farm, "npm"), 0o755))
			must(t, os.Truncate(filepath.Join(farm, "npm"), 0))
			must(t, os.Chmod(filepath.Join(farm, "npm"), shimPerm))
		},
		"not executable": func(t *testing.T, farm string) { must(t, os.Chmod(filepath.Join(farm, "npm"), 0o444)) },
		"killed half-way": func(t *testing.T, farm string) {
			must(t, os.WriteFile(filepath.Join(farm, ".new-1-npm"), nil, 0o600))
			must(t, os.WriteFile(filepath.Join(farm, "yarn"), nil, 0o555))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "npm", "node")
			aged(t, b.bin)
			report := b.install(b.request())
			damage(t, report.Dir)
			b.wantNames(b.install(b.request()), "node", "npm")
		})
	}
}

func TestStrayRedirectionCannotEmptyAShim(t *testing.T) {
	b := newBench(t, "npm")
	npm := filepath.Join(b.install(b.request()).Dir, "npm")
	info, err := os.Stat(npm)
	must(t, err)
	if info.Mode().Perm()&0o222 != 0 {
		t.Errorf("a shim has the mode %v", info.Mode())
	}
	// Permissions do not stop root; TestDamageIsMended has what happens then.
	if f, err := os.OpenFile(npm, os.O_WRONLY|os.O_TRUNC, 0); err == nil {
		f.Close()
		if os.Geteuid() != 0 {
			t.Error("a shim can be written to")
		}
	}
}

func TestStaleNamesGo(t *testing.T) {
	b := newBench(t, "npm", "node")
	b.install(b.request())
	must(t, os.Remove(filepath.Join(b.bin, "npm")))
	report := b.install(b.request())
	b.wantNames(report, "node")
	if !slices.Equal(report.Removed, []string{"npm"}) {
		t.Errorf("%+v", report)
	}
}

// A shell whose PATH is short must not take away what another one has.
func TestShimStaysWhileItsProgramDoes(t *testing.T) {
	b := newBench(t, "npm")
	nvm := filepath.Join(filepath.Dir(b.bin), "nvm")
	b.program(nvm, "node")
	aged(t, nvm)
	b.wantNames(b.install(b.request(b.bin, nvm)), "node", "npm")
	b.wantNames(b.install(b.request()), "node", "npm")
	b.wantNames(b.install(b.request("")), "node", "npm")
	must(t, os.RemoveAll(nvm))
	b.wantNames(b.install(b.request()), "npm")
}

// A directory is read again when it has changed, also within one tick of a clock.
func TestNewProgramIsSeenAtOnce(t *testing.T) {
	b := newBench(t, "npm")
	for _, name := range []string{"uv", "uvx", "yarn", "bun"} {
		b.install(b.request())
		b.program(b.bin, name)
		if report := b.install(b.request()); !slices.Contains(report.Names, name) {
			t.Errorf("%s was not seen: %v", name, report.Names)
		}
	}
}

func TestExtraAndSkip(t *testing.T) {
	b := newBench(t, "npm", "terraform", "bash", "jail", "sudo")
	req := b.request()
	req.Extra = []string{"terraform", "bash", "jail", "sudo", "not-there", "../../evil"}
	report := b.install(req)
	b.wantNames(report, "npm", "terraform")
	refused := map[string]bool{}
	for _, r := range report.Refused {
		refused[r.Name] = r.Why != ""
	}
	for _, name := range []string{"bash", "jail", "sudo", "../../evil"} {
		if !refused[name] {
			t.Errorf("%s was not refused with a reason: %+v", name, report.Refused)
		}
	}
	req.Skip = []string{"npm"}
	b.wantNames(b.install(req), "terraform")
	b.wantNames(b.install(b.request()), "npm")
}

func TestFarmsOnPathAreNotPrograms(t *testing.T) {
	b := newBench(t, "npm")
	farm := b.install(b.request()).Dir
	must(t, os.Remove(filepath.Join(b.bin, "npm")))
	link := filepath.Join(filepath.Dir(b.bin), "link")
	must(t, os.Symlink(farm, link))
	other := newBench(t, "uv")
	otherFarm := other.install(other.request()).Dir
	b.wantNames(b.install(b.request(farm, farm+"/", farm+"/.", link, otherFarm, "relative", ".", b.bin)))
}

// A directory that may be searched and not read, where a shell finds programs all
// the same. Root reads it nevertheless, so it is asked directly as well.
func TestDirectoryThatCannotBeListed(t *testing.T) {
	b := newBench(t, "npm", "ls", "terraform")
	if got := (search{extra: []string{"terraform"}}).probe(b.bin); !slices.Equal(got, []string{"npm", "terraform"}) {
		t.Errorf("%v", got)
	}
	must(t, os.Chmod(b.bin, 0o111))
	defer os.Chmod(b.bin, 0o755)
	b.wantNames(b.install(b.request()), "npm")
}

func TestInstallAtOnce(t *testing.T) {
	b := newBench(t, "npm", "node", "python3")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := Install(b.request()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	b.wantNames(b.install(b.request()), "node", "npm", "python3")
}

// A command that is started while the farm is renewed finds a shim, always.
func TestNoMomentWithoutAShim(t *testing.T) {
	b := newBench(t, "npm")
	farm := b.install(b.request()).Dir
	stop, missed := make(chan bool), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				missed <- n
				return
			default:
				if !runs(filepath.Join(farm, "npm")) {
					n++
				}
			}
		}
	}()
	for i := range 50 {
		must(t, os.WriteFile(b.launcher, []byte(strings.Repeat("x", i+20)), 0o755))
		b.install(b.request())
	}
	close(stop)
	if n := <-missed; n != 0 {
		t.Errorf("%d times there was no shim", n)
	}
}

func TestFarmElsewhereIsRefused(t *testing.T) {
	b := newBench(t, "npm")
	victim := filepath.Join(filepath.Dir(b.bin), "victim")
	must(t, os.MkdirAll(victim, 0o700))
	must(t, os.MkdirAll(b.data, 0o700))
	must(t, os.Symlink(victim, FarmDir(b.data)))
	report, err := Install(b.request())
	var unsafe *UnsafeError
	if !errors.As(err, &unsafe) || report.Dir != FarmDir(b.data) {
		t.Errorf("%+v, %v", report, err)
	}
	if entries, _ := os.ReadDir(victim); len(entries) != 0 {
		t.Error("something was written behind the link")
	}
}

func TestLauncherThatIsNone(t *testing.T) {
	b := newBench(t, "npm")
	for _, launcher := range []string{b.launcher + ".gone", b.bin, filepath.Join(b.data, "plain")} {
		req := b.request()
		req.Launcher = launcher
		if _, err := Install(req); err == nil {
			t.Errorf("%s became a shim", launcher)
		}
	}
}

// Where links fail every shim is a copy, which the next Install leaves alone.
func TestCopiesWhereLinksFail(t *testing.T) {
	b := newBench(t, "npm", "node")
	aged(t, b.bin)
	report := b.install(b.request())
	farm, err := openData(report.Dir, false)
	must(t, err)
	defer farm.close()
	master, err := farm.stat(copyName)
	must(t, err)
	must(t, farm.plantCopy("npm", &master))
	copied := inode(t, filepath.Join(report.Dir, "npm"))
	if copied == master.Ino {
		t.Fatal("it is a link")
	}
	b.install(b.request())
	if inode(t, filepath.Join(report.Dir, "npm")) != copied {
		t.Error("a good copy was made again")
	}
	must(t, os.WriteFile(b.launcher, []byte("#!launcher 2\n"), 0o755))
	b.install(b.request())
}
