package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"jail/internal/config"
	"jail/internal/detect"
	"jail/internal/doctor"
	"jail/internal/roots"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// facts collects what doctor examines. It reads files, and starts and writes
// nothing.
func (u *user) facts() doctor.Facts {
	f := doctor.Facts{Path: u.get("PATH"), Kernel: detect.Kernel(), Host: u.hostFacts(), Agents: u.agents(), Profiles: profiles()}
	u.shellFacts(&f)
	u.farmFacts(&f)
	u.projectFacts(&f)
	u.rootsFacts(&f)
	f.Models = u.missingModels()
	_, err := detect.Lookup("sudo", u.get("PATH"), u.physical, nil)
	f.Sudo = err == nil
	f.Sudoers, f.Profile = file("/etc/sudoers"), file("/etc/profile")
	return f
}

// file reads a file of settings. One that cannot be read is as good as none.
func file(path string) doctor.File {
	text, err := os.ReadFile(path)
	return doctor.File{Path: path, Exists: err == nil, Text: string(text)}
}

func problem(id string, err error) doctor.Problem {
	_, text, hint := explain(err)
	return doctor.Problem{ID: id, Text: text, Hint: hint}
}

// farmFacts looks at the farm, and at which names it catches.
func (u *user) farmFacts(f *doctor.Facts) {
	data, unsafe := u.safeDataDir()
	if unsafe != nil {
		f.Problems = append(f.Problems, problem("data-unsafe", unsafe))
	}
	jail, err := launcher()
	info, statErr := os.Stat(jail)
	switch err = errors.Join(err, statErr); {
	case err != nil:
		f.Problems = append(f.Problems, doctor.Problem{ID: "launcher-missing", Text: "jail is not installed beside jail-hook: " + err.Error(), Hint: "sudo make install"})
	case info.Mode().Perm()&0o111 == 0:
		f.Problems = append(f.Problems, doctor.Problem{
			ID: "launcher-mode", Text: fmt.Sprintf("%q cannot be executed; the shims are copies of it and go on, and are not renewed", jail), Hint: "sudo chmod 755 " + plan.Word(jail),
		})
	}
	condition, err := shim.Inspect(data, jail)
	if err != nil {
		f.Problems = append(f.Problems, problem("farm-unsafe", err))
		return
	}
	_, users := u.leading()
	f.Farm = doctor.Farm{
		Dir: shim.FarmDir(data), Exists: condition.Exists, Faults: condition.Faults, Old: condition.Old, NoExec: condition.NoExec,
		First: users,
	}
	u.pathFacts(f, data)
	for _, r := range u.rows() {
		n := doctor.Name{Name: r.Name, Shim: !r.Bare}
		n.First, _ = detect.Lookup(r.Name, f.Path, u.physical, nil)
		f.Names = append(f.Names, n)
	}
	f.Uncovered = u.uncovered()
}

// pathFacts finds the farms among the entries of PATH.
func (u *user) pathFacts(f *doctor.Facts, data string) {
	for _, entry := range filepath.SplitList(f.Path) {
		switch {
		case !filepath.IsAbs(entry) || !shim.IsFarm(entry):
		case entry == f.Farm.Dir || plan.Below(filepath.Clean(entry), shim.RootFarms(data)):
			f.Farm.OnPath = true
		default:
			f.Farm.Spelling = append(f.Farm.Spelling, entry)
		}
	}
}

// uncovered are the names that get a shim where they exist, exist, and have none.
func (u *user) uncovered() (bare []string) {
	policy, err := u.configured()
	if err != nil {
		return nil
	}
	have, farms := u.shimmed(), u.farms()
	for _, name := range append(shim.Names(), names(policy.Shims)...) {
		if _, never := shim.NeverShimmed(name); never || slices.Contains(have, name) || slices.Contains(policy.ShimsExcept, name) {
			continue
		}
		if _, err := detect.Lookup(name, u.get("PATH"), u.physical, farms); err == nil {
			bare = append(bare, name)
		}
	}
	slices.Sort(bare)
	return slices.Compact(bare)
}

// projectFacts looks at the project of the working directory.
func (u *user) projectFacts(f *doctor.Facts) {
	project, found, err := u.project()
	f.Files = project.Files
	var refused *detect.RefusedError
	switch {
	case errors.As(err, &refused):
		p := problem("refused", err)
		f.Refused = &p
	case err != nil:
		f.Problems = append(f.Problems, problem("roots-unreadable", err))
	}
	result, err := u.load(project)
	if err != nil {
		f.Problems = append(f.Problems, problem("config-broken", err))
	} else {
		f.Other = u.otherFacts(result)
	}
	if !found {
		return
	}
	f.Farm.First = u.covered()
	p := &doctor.Project{Root: project.Root.Path}
	for _, m := range project.Markers {
		if !m.Usable {
			s, err := detect.Stat(filepath.Join(m.Dir, ".ai-jail"))
			p.Markers = append(p.Markers, doctor.Marker{Dir: m.Dir, Why: m.Why, Open: err == nil && s.Perm&0o002 != 0})
		}
	}
	for _, c := range u.trusted(project) {
		if c.State == trustMissing {
			p.Asks = append(p.Asks, c.Asks...)
		}
	}
	p.FS, p.LookCost = slowFS(project.Root.Path)
	f.Project = p
}

func (u *user) otherFacts(result *config.Result) doctor.Other {
	if u.home == "" || len(result.Other) == 0 {
		return doctor.Other{}
	}
	return doctor.Other{Path: filepath.Join(u.home, ".ai-jail"), Keys: result.Other}
}

// rootsFacts looks at the list of known roots.
func (u *user) rootsFacts(f *doctor.Facts) {
	if u.unknown != nil {
		return // it is among the problems
	}
	for _, l := range u.known {
		for _, dir := range l.All(roots.Known) {
			if _, err := os.Stat(dir); err != nil {
				continue
			}
			if _, err := os.Lstat(filepath.Join(dir, ".ai-jail")); errors.Is(err, fs.ErrNotExist) {
				f.Gone = append(f.Gone, dir)
			}
		}
	}
	slices.Sort(f.Gone)
	f.Gone = slices.Compact(f.Gone)
	if policy, err := u.configured(); err == nil {
		f.Stale = !slices.Equal(u.known[0].All(roots.Below), roots.Spellings(policy.Below))
	}
}

// missingModels are the host's directories of models that a jail would show, if they
// existed.
func (u *user) missingModels() (missing []string) {
	if u.home == "" || !slices.Contains(u.shimmed(), "python3") {
		return nil
	}
	for _, c := range shim.Caches("python3") {
		dir := c.Destination(u.home, func(string) string { return "" })
		if _, err := os.Stat(dir); c.Kind == shim.Model && errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, dir)
		}
	}
	return missing
}
