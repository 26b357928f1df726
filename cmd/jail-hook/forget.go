package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"jail/internal/roots"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// forget takes a directory out of the list of known roots. Without a marker it is
// no project after that.
func (u *user) forget(c *cli.Context) error {
	list, err := words(c, 0, 1)
	if err != nil {
		return err
	}
	if shim.InsideJail() {
		return jailed("where nothing can be forgotten")
	}
	dir, err := u.forgettable(list)
	if err != nil {
		return err
	}
	var had []string
	for _, data := range u.dataDirs() {
		if _, err := os.Lstat(roots.Path(data)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		gone, err := roots.Forget(data, u.spellings(dir)...)
		if err != nil {
			return err
		}
		had = append(had, gone...)
	}
	return u.forgotten(dir, len(had) > 0)
}

// forgettable is the directory that was named, which need not exist any more, or
// the root of the working directory.
func (u *user) forgettable(list []string) (string, error) {
	if len(list) == 1 {
		return filepath.Abs(list[0])
	}
	project, found, err := u.project()
	if err != nil {
		return "", err
	}
	if !found {
		return "", &hintedError{"the working directory is in no project", "jail-hook forget DIRECTORY"}
	}
	return project.Root.Path, nil
}

// spellings are the paths under which dir may be known: they lead to the same
// place, or led there.
func (u *user) spellings(dir string) []string {
	real := existing(dir)
	all := roots.Spellings([]string{dir})
	for _, l := range u.known {
		for _, path := range l.All(roots.Known) {
			if resolved, err := filepath.EvalSymlinks(path); err == nil && resolved == real {
				all = append(all, path)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// forgotten says what dir is now.
func (u *user) forgotten(dir string, had bool) error {
	u.known, u.unknown = roots.ReadAll(u.dataDirs())
	if u.unknown != nil {
		return u.unknown
	}
	word := "was not known"
	if had {
		word = "not known any more"
	}
	fmt.Fprintf(u.stdout, "%s: %s\n", word, oneLine(dir))
	marker := filepath.Join(dir, ".ai-jail")
	if s, err := os.Stat(marker); err == nil && s.IsDir() {
		u.say(fmt.Sprintf("%q is a project as long as %q is there", dir, marker), "rm -r "+plan.Word(marker))
	} else if u.known.Claim(existing(dir)) == roots.Below {
		u.say(fmt.Sprintf("%q is a project as long as your configuration has its jail_below", dir), "")
	}
	return nil
}
