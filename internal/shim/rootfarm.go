package shim

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A RootRequest is what InstallRoot needs to know.
type RootRequest struct {
	DataDir   string
	Launcher  string
	Root      string   // physical
	As        string   // how the caller reached it, where that is through a link; or empty
	Cwd       string   // what relative entries of Path count from, besides Root; or empty
	Path      string   // PATH, as the caller has it
	Extra     []string // further names, by the root's trusted configuration
	KeepExtra bool     // which cannot be read now: those of the last time stay
	Grow      bool     // no shim is taken away
}

// rootName is the file that marks a farm as a root's own. It holds the root's path,
// for people.
const rootName = ".root"

// InstallRoot brings the farm up to date that only one root has: a shim for each
// of Extra, and for every program in a directory of PATH that lies in the root.
// What .venv/bin or node_modules/.bin holds was put there by jailed commands, so
// it is jailed whatever it is called, a planted .venv/bin/git too.
//
// It runs after every command in a jail. Where nothing has changed it costs a read
// of the farm's state and a stat of each such directory.
//
// A root without any has no farm. A directory that was once on PATH keeps its
// shims as long as it is there: the environment may be active in another shell.
func InstallRoot(req RootRequest) (Report, error) {
	report := Report{Dir: RootFarmDir(req.DataDir, req.Root), Probe: copyName}
	look := rootSearch{RootRequest: req, old: readStateAt(report.Dir), now: time.Now()}
	var extra []string
	extra, report.Refused = judged(req.Extra)
	if req.KeepExtra {
		extra = look.old.extra
	}
	now := state{launcher: look.old.launcher, copied: look.old.copied, extra: extra}
	var unseen, without error
	now.places, unseen = look.places()
	report.Names, without = look.names(now)
	if !now.needed() && (req.Grow || !IsFarm(report.Dir)) {
		return report, nil
	}
	if req.Grow {
		report.Names = append(report.Names, Shims(report.Dir)...)
		slices.Sort(report.Names)
		report.Names = slices.Compact(report.Names)
	}
	err := cmp.Or(unseen, without)
	if !look.settled(now) || !current(req.DataDir, report.Dir) || !sameDir(req, report.Dir) {
		err = cmp.Or(installRoot(req, now, &report), err)
	}
	if err != nil {
		return report, fmt.Errorf("install shims of %q: %w", req.Root, err)
	}
	return report, nil
}

// needed reports whether a root has a use for a farm of its own. A directory of PATH
// in it is one, as long as it is empty too: the hook compares their times.
func (s state) needed() bool { return len(s.places)+len(s.extra) > 0 }

// current reports whether a farm's shims are those of the user's farm.
func current(dataDir, farm string) bool {
	var master, mine unix.Stat_t
	users := filepath.Join(FarmDir(dataDir), copyName)
	if unix.Fstatat(unix.AT_FDCWD, filepath.Join(farm, copyName), &mine, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return false
	}
	err := unix.Fstatat(unix.AT_FDCWD, users, &master, unix.AT_SYMLINK_NOFOLLOW)
	return err == unix.ENOENT || err == nil && isCopy(&mine, &master)
}

// sameDir reports whether the farm is found by the path that the caller came by.
func sameDir(req RootRequest, farm string) bool {
	if req.As == "" || req.As == req.Root {
		return true
	}
	one, ok := identify(farm)
	other, okToo := identify(RootFarmDir(req.DataDir, req.As))
	return ok && okToo && one == other
}

func installRoot(req RootRequest, now state, report *Report) error {
	data, err := openData(req.DataDir, true)
	if err != nil {
		return err
	}
	defer data.close()
	farm, err := data.rootFarm(req.Root)
	if err != nil {
		return err
	}
	defer farm.close()
	if req.As != "" && req.As != req.Root {
		if err := data.alias(req.As, farm.path); err != nil {
			return err
		}
	}
	unlock, err := farm.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if !now.needed() {
		return farm.clear(report)
	}
	if err := farm.write(rootName, []byte(req.Root+"\n"), 0o600); err != nil {
		return err
	}
	if err := farm.share(data, req.Launcher, &now, report); err != nil {
		return err
	}
	if err := farm.populate(report.Names, report); err != nil {
		return err
	}
	return farm.write(stateName, []byte(now.text()), 0o600)
}

// rootFarm opens the farm of a root and creates it. A link in its place is one
// that alias made, when the root was reached through a link itself.
func (data directory) rootFarm(root string) (directory, error) {
	place, err := data.descend(filepath.Join("roots", root))
	if err != nil {
		return directory{}, err
	}
	defer place.close()
	if st, err := place.stat("shims"); err == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK {
		if err := place.remove("shims"); err != nil {
			return directory{}, err
		}
	}
	return place.sub("shims", true)
}

// alias makes a root's farm be found by another path of the root as well: a hook
// knows only the path that its shell shows.
func (data directory) alias(as, farm string) error {
	place, err := data.descend(filepath.Join("roots", as))
	if err != nil {
		return err
	}
	defer place.close()
	text := make([]byte, len(farm)+1)
	n, err := unix.Readlinkat(place.fd, "shims", text)
	if err == nil && string(text[:n]) == farm {
		return nil
	}
	if st, err := place.stat("shims"); err == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
		return nil // of a root that was at this path before; it does no harm
	}
	link := temporary()
	if err := unix.Symlinkat(farm, place.fd, link); err != nil {
		return &os.PathError{Op: "link", Path: filepath.Join(place.path, "shims"), Err: err}
	}
	return place.rename(link, "shims")
}

// descend opens and creates the directories of a relative path, one by one.
func (d directory) descend(path string) (directory, error) {
	at := d
	for _, name := range strings.Split(path, "/") {
		next, err := at.sub(name, true)
		if at != d {
			at.close()
		}
		if err != nil {
			return directory{}, err
		}
		at = next
	}
	return at, nil
}

// share makes the farm's copy of the launcher a link to that of the user's farm,
// so that both are one version; or a copy of its own where there is none.
func (farm directory) share(data directory, launcher string, now *state, report *Report) error {
	users, err := data.sub("shims", true)
	if err != nil {
		return err
	}
	defer users.close()
	master, err := users.stat(copyName)
	mine, mineErr := farm.stat(copyName)
	if err == nil && mineErr == nil && isCopy(&mine, &master) {
		return nil
	}
	link := temporary()
	if err == nil && unix.Linkat(users.fd, copyName, farm.fd, link, 0) == nil {
		report.Renewed = true
		return farm.rename(link, copyName)
	}
	return farm.renew(launcher, *now, now, report)
}

// clear takes every shim away, and what marks the farm.
func (farm directory) clear(report *Report) error {
	if err := farm.prune(nil, report); err != nil {
		return err
	}
	for _, name := range []string{stateName, rootName, copyName} {
		if err := farm.remove(name); err != nil {
			return err
		}
	}
	return nil
}

// Configured reports whether the shim called name in farm is there by
// configuration, or because the farm is the user's; and not only because a
// directory of PATH in the project has, or had, a program of that name.
func Configured(farm, name string) bool {
	if !IsRootFarm(farm) {
		return true
	}
	return Known(name) || slices.Contains(readStateAt(farm).extra, name)
}

// IsRootFarm reports whether a directory is marked as the farm of one root.
func IsRootFarm(dir string) bool {
	var st unix.Stat_t
	return unix.Lstat(filepath.Join(dir, rootName), &st) == nil
}

// readStateAt is readState for a farm that nobody holds open. It runs after every
// launch, so it does without os.File, whose first one starts Go's poller.
func readStateAt(farm string) state {
	path := filepath.Join(farm, stateName)
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return state{}
	}
	defer unix.Close(fd)
	text, err := io.ReadAll(io.LimitReader(reader(fd), maxFarmState))
	if s, ok := parseState(string(text)); ok && err == nil {
		return s
	}
	return state{}
}

// A reader is a descriptor to read from.
type reader int

func (fd reader) Read(b []byte) (int, error) {
	n, err := unix.Read(int(fd), b)
	if n == 0 && err == nil {
		return 0, io.EOF
	}
	return max(n, 0), err
}
