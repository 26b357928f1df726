package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"jail/internal/roots"
	"jail/internal/shim"
	"jail/internal/version"
	"jail/shell"
)

// hook prints a hook. Whatever is wrong with the shims, it prints it: the hook
// then says at each prompt in a project that commands are not jailed.
func (u *user) hook(c *cli.Context) error {
	name, err := shellName(c)
	if err != nil {
		return err
	}
	if shim.InsideJail() {
		fmt.Fprintln(u.stdout, "# inside a jail there is nothing to hook")
		return nil
	}
	data, problem := u.safeDataDir()
	if err := shim.CheckOnPath(shim.FarmDir(data)); err != nil {
		return err
	}
	report, err := u.install(data)
	settings := settings(data)
	settings.Hook = u.self()
	settings.Probe, settings.Always, settings.NoCd = report.Probe, c.Bool("always"), c.Bool("no-cd")
	settings.Names = without(settings.Names, report.Skipped)
	if c.Bool("strict") {
		settings.Launcher, _ = launcher()
		settings.Strict = without(strict(report.Names), report.Skipped)
	}
	code, _ := shell.Init(name, settings)
	fmt.Fprint(u.stdout, code)
	return u.all(problem, err)
}

// self is this program, by the path that PATH has for it: behind a link there may lie
// a directory of one version, which the next upgrade removes.
func (u *user) self() string {
	self, _ := os.Executable()
	path, err := u.lookup("jail-hook")
	if err != nil {
		return self
	}
	a, errA := os.Stat(path)
	b, errB := os.Stat(self)
	if errA != nil || errB != nil || !os.SameFile(a, b) {
		return self
	}
	return path
}

// uninit prints what takes a hook out.
func (u *user) uninit(c *cli.Context) error {
	name, err := shellName(c)
	if err != nil {
		return err
	}
	data, _ := u.safeDataDir()
	code, _ := shell.Uninit(name, settings(data))
	fmt.Fprint(u.stdout, code)
	return nil
}

// without is list less the names that the user wants no shim for, of which the hook
// would say at every turn that there is none.
func without(list, skip []string) []string {
	return slices.DeleteFunc(list, func(name string) bool { return slices.Contains(skip, name) })
}

// strict are the names that get a function: those that have a shim, and those that a
// virtual environment brings where the host may have none.
func strict(names []string) []string {
	names = slices.Concat(names, []string{"pip", "pip3", "python", "python3"})
	slices.Sort(names)
	return slices.Compact(names)
}

func settings(data string) shell.Settings {
	return shell.Settings{
		Version: version.String(),
		Farm:    shim.FarmDir(data),
		Roots:   shim.RootFarms(data),
		Known:   roots.Path(data),
		Names:   shim.Names(),
	}
}

func shellName(c *cli.Context) (string, error) {
	list, err := words(c, 1, 1)
	if err != nil {
		return "", err
	}
	for _, known := range shell.Shells() {
		if list[0] == known {
			return known, nil
		}
	}
	return "", usagef("unknown shell %q; there are %s", list[0], strings.Join(shell.Shells(), ", "))
}

// install brings the user's farm up to date. A configuration that cannot be read
// takes nothing away.
func (u *user) install(data string) (shim.Report, error) {
	policy, bad := u.configured()
	var stale error
	if bad == nil {
		stale = u.refreshBelow(data, policy.Below)
	}
	jail, err := launcher()
	if err != nil {
		return shim.Report{}, errors.Join(bad, stale, err)
	}
	report, err := shim.Install(shim.Request{
		DataDir: data, Launcher: jail, Path: u.get("PATH"), Extra: names(policy.Shims), Skip: policy.ShimsExcept, KeepExtra: bad != nil,
	})
	for _, r := range report.Refused {
		u.say(fmt.Sprintf("%q is not shimmed: %s", r.Name, r.Why), "")
	}
	return report, errors.Join(bad, stale, err)
}

// refreshBelow writes what the configuration says about directories of projects to
// where the shims and the hooks read it.
func (u *user) refreshBelow(data string, dirs []string) error {
	now, err := roots.Read(data)
	if err != nil || slices.Equal(now.All(roots.Below), roots.Spellings(dirs)) {
		return err
	}
	return roots.SetBelow(data, dirs)
}

// all says everything that went wrong, and is one error.
func (u *user) all(problems ...error) error {
	status := 0
	for _, problem := range problems {
		joined, ok := problem.(interface{ Unwrap() []error })
		switch {
		case ok:
			if err := u.all(joined.Unwrap()...); err != nil {
				status = statusFailed
			}
		case problem != nil:
			u.report(problem)
			status = statusFailed
		}
	}
	if status != 0 {
		return &statusError{status}
	}
	return nil
}
