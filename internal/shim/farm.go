package shim

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// The names in a farm that are no shims. A leading dot keeps them out of
// completion and of a shell's `*`.
const (
	copyName  = ".jail"  // the farm's own copy of the launcher; also what marks a farm
	stateName = ".state" // what Install wrote last time
	lockName  = ".lock"
)

// shimPerm is without any write permission: `python3 > npm`, typed with a slip in
// a farm, must not empty the file that every shim is a link to.
const shimPerm = 0o555

// A Report says what Install or InstallRoot did.
type Report struct {
	Dir     string    // of the farm, to be put on PATH
	Names   []string  // all shims that are in it now, sorted
	Added   []string  // of them, those that were not there before
	Removed []string  // shims that are gone, since their programs are
	Refused []Refusal // names that were asked for and cannot be shimmed
	Skipped []string  // names that the user wants no shim for
	Renewed bool      // the launcher was another one, and was copied
	Probe   string    // a file in Dir that can be run as long as the shims can
}

// A Refusal is a name that is not shimmed, and why.
type Refusal struct{ Name, Why string }

// A Request is what Install needs to know.
type Request struct {
	DataDir   string
	Launcher  string   // the file that becomes every shim
	Path      string   // PATH, as the caller has it
	Extra     []string // further names, by the user's configuration
	KeepExtra bool     // which cannot be read now: those of the last time stay
	Skip      []string // names that the user does not want
}

// FarmDir returns the user's farm.
func FarmDir(dataDir string) string { return filepath.Join(dataDir, "shims") }

// Shims returns the names of the shims in a farm, sorted.
func Shims(farm string) []string {
	entries, _ := os.ReadDir(farm)
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); name[0] != '.' && runs(filepath.Join(farm, name)) {
			names = append(names, name)
		}
	}
	return names
}

// Install brings the user's farm up to date: a shim for every name that is known
// or asked for and that exists on the rest of PATH. It costs a look at each
// directory on PATH where nothing has changed. All changes are made by rename,
// so that a command that is started meanwhile finds the old shim or the new one.
//
// A shim stays as long as its program is where any call of Install has seen it.
// A shell with a short PATH (cron's, env -i) must not take shims away from the
// others.
func Install(req Request) (Report, error) {
	report := Report{Dir: FarmDir(req.DataDir), Probe: copyName, Skipped: req.Skip}
	data, err := openData(req.DataDir, true)
	if err != nil {
		return report, fmt.Errorf("install shims: %w", err)
	}
	defer data.close()
	farm, err := data.sub("shims", true)
	if err != nil {
		return report, fmt.Errorf("install shims: %w", err)
	}
	defer farm.close()
	if err := farm.install(req, &report); err != nil {
		return report, fmt.Errorf("install shims: %w", err)
	}
	return report, nil
}

func (farm directory) install(req Request, report *Report) error {
	unlock, err := farm.lock()
	if err != nil {
		return err
	}
	defer unlock()
	look := search{skip: req.Skip, old: farm.readState(), farms: farmOf(farm), now: time.Now()}
	look.extra, report.Refused = judged(req.Extra)
	if req.KeepExtra {
		look.extra = look.old.extra
	}
	now := state{extra: look.extra, places: look.places(req.Path)}
	if err := farm.renew(req.Launcher, look.old, &now, report); err != nil {
		return err
	}
	if err := farm.populate(look.names(now.places), report); err != nil {
		return err
	}
	if len(report.Names) > 0 {
		report.Probe = report.Names[0]
	}
	return farm.writeState(look.old, now)
}

// lock keeps two shells that start at once from working on one farm. A shell's
// start must not hang, so after two seconds it is an error instead.
func (d directory) lock() (unlock func(), err error) {
	f, err := d.open(lockName, unix.O_RDWR|unix.O_CREAT, 0o600)
	if err != nil {
		return nil, err
	}
	for range 200 {
		if err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != unix.EWOULDBLOCK {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %q: %w", f.Name(), err)
	}
	return func() { _ = f.Close() }, nil
}

// renew makes the farm's copy of the launcher the one at path. Which launcher it
// is a copy of, and whether it is still whole, is told by stat(2) alone: reading
// both at every start of a shell would cost more than the start.
func (d directory) renew(path string, old state, now *state, report *Report) error {
	launcher, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read launcher: %w", err)
	}
	defer launcher.Close()
	if now.launcher, err = programStamp(int(launcher.Fd())); err != nil {
		return fmt.Errorf("read launcher: %w", err)
	}
	if st, err := d.stat(copyName); err == nil && old.launcher == now.launcher && old.copied == stampFrom(&st) {
		now.copied = old.copied
		return nil
	}
	report.Renewed = true
	finished, err := d.fill(copyName, shimPerm, func(f *os.File) error {
		return copyWhole(f, launcher, now.launcher.size)
	})
	if err != nil {
		return err
	}
	if err := d.rename(finished, copyName); err != nil {
		return err
	}
	st, err := d.stat(copyName)
	now.copied = stampFrom(&st)
	return err
}

// copyWhole copies from, which a build or an upgrade may be writing just now.
func copyWhole(to, from *os.File, size int64) error {
	n, err := io.Copy(to, from)
	if err == nil && n != size {
		err = fmt.Errorf("%q changed while it was read", from.Name())
	}
	if err == nil {
		err = to.Sync() // a farm of empty files after a power cut would do nothing, with success
	}
	return err
}

// populate makes the shims in d be names, and nothing else.
func (d directory) populate(names []string, report *Report) error {
	master, err := d.stat(copyName)
	if err != nil {
		return err
	}
	report.Names = names
	for _, name := range names {
		st, err := d.stat(name)
		if err == nil && isCopy(&st, &master) {
			continue
		}
		if os.IsNotExist(err) {
			report.Added = append(report.Added, name)
		}
		if err := d.plant(name, &master); err != nil {
			return err
		}
	}
	return d.prune(names, report)
}

// isCopy reports whether st is the file master, or a copy where links fail: those
// are given master's time of change.
func isCopy(st, master *unix.Stat_t) bool {
	return idOf(st) == idOf(master) || stampFrom(st).content() == stampFrom(master).content()
}

// plant puts a shim at name, over whatever is there. A hard link and not a
// symbolic one: no shim is ever left dangling, and a dangling entry of PATH is
// passed over in silence, so that the real program would run.
func (d directory) plant(name string, master *unix.Stat_t) error {
	link := temporary()
	switch unix.Linkat(d.fd, copyName, d.fd, link, 0) {
	case nil:
		return d.rename(link, name)
	case unix.EMLINK:
		// No file has more names than the file system lets it: 65,000 on ext4. The rest
		// are links to another copy.
		if err := d.plantCopy(copyName, master); err != nil {
			return err
		}
		if unix.Linkat(d.fd, copyName, d.fd, link, 0) == nil {
			return d.rename(link, name)
		}
	}
	return d.plantCopy(name, master)
}

// plantCopy is plant for a file system without hard links.
func (d directory) plantCopy(name string, master *unix.Stat_t) error {
	from, err := d.open(copyName, unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	finished, err := d.fill(name, shimPerm, func(to *os.File) error { return copyWhole(to, from, master.Size) })
	if err != nil {
		return err
	}
	times := []unix.Timespec{master.Mtim, master.Mtim}
	if err := unix.UtimesNanoAt(d.fd, finished, times, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return &os.PathError{Op: "set the time of", Path: filepath.Join(d.path, name), Err: err}
	}
	return d.rename(finished, name)
}

// ours reports whether a file in a farm is one of its own and no shim.
func ours(name string) bool {
	return name == copyName || name == stateName || name == lockName || name == rootName
}

// prune removes what is no longer wanted, and what a killed run left behind.
func (d directory) prune(names []string, report *Report) error {
	entries, err := d.entries()
	if err != nil {
		return err
	}
	slices.Sort(entries)
	for _, entry := range entries {
		if _, found := slices.BinarySearch(names, entry); found || ours(entry) {
			continue
		}
		st, err := d.stat(entry)
		if err != nil || st.Mode&unix.S_IFMT == unix.S_IFDIR {
			continue // a directory is never found as a command; the farms of roots further down are some
		}
		if err := d.remove(entry); err != nil {
			return err
		}
		if entry[0] != '.' {
			report.Removed = append(report.Removed, entry)
		}
	}
	return nil
}
