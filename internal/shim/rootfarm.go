package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A RootRequest is what InstallRoot needs to know.
type RootRequest struct {
	DataDir  string
	Launcher string
	Root     string   // physical
	As       string   // how the caller reached it, where that is through a link; or empty
	Path     string   // PATH, as the caller has it
	Extra    []string // further names, by the root's trusted configuration
}

// InstallRoot brings the farm up to date that only one root has: a shim for each
// of Extra, and for every program in a directory of PATH that lies in the root.
// What .venv/bin or node_modules/.bin holds was put there by jailed commands, so
// it is jailed whatever it is called, a planted .venv/bin/git too.
//
// A root that needs no farm has none.
func InstallRoot(req RootRequest) (Report, error) {
	report := Report{Dir: RootFarmDir(req.DataDir, req.Root)}
	var extra []string
	extra, report.Refused = judged(req.Extra)
	names := programsIn(inRoot(req.Path, req.Root), extra)
	if len(names) == 0 && !IsFarm(report.Dir) {
		return report, nil
	}
	if err := installRoot(req, names, &report); err != nil {
		return report, fmt.Errorf("install shims of %q: %w", req.Root, err)
	}
	return report, nil
}

func installRoot(req RootRequest, names []string, report *Report) error {
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
	if len(names) == 0 {
		return farm.clear(report)
	}
	if err := farm.share(data, req.Launcher, report); err != nil {
		return err
	}
	return farm.populate(names, report)
}

// inRoot returns the directories of path that lie in root.
func inRoot(path, root string) []string {
	var dirs []string
	for _, dir := range filepath.SplitList(path) {
		if filepath.IsAbs(dir) && within(canonical(dir), root) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// programsIn returns the names of the programs in dirs, and names, sorted.
func programsIn(dirs, names []string) []string {
	names = slices.Clone(names)
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir)
		for _, entry := range entries {
			if name := entry.Name(); name[0] != '.' && runs(filepath.Join(dir, name)) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
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
func (farm directory) share(data directory, launcher string, report *Report) error {
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
	old := farm.readState()
	now := state{}
	if err := farm.renew(launcher, old, &now, report); err != nil {
		return err
	}
	return farm.writeState(old, now)
}

// clear takes every shim away, and what marks the farm.
func (farm directory) clear(report *Report) error {
	if err := farm.prune(nil, report); err != nil {
		return err
	}
	return farm.remove(copyName)
}
