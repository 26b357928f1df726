package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/config"
	"jail/internal/detect"
	"jail/internal/environ"
	"jail/internal/environ/secret"
	"jail/internal/gitdir"
	"jail/internal/mask"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
	"jail/internal/trust"

	"golang.org/x/sys/unix"
)

// plan looks at everything that a plan is made of, and makes it.
func (c *caller) plan(o options, project detect.Project) (*plan.Plan, error) {
	root := project.Root
	for _, dir := range c.own() {
		if err := shim.CheckDataDir(dir, root.Path); err != nil {
			return nil, err
		}
	}
	preset, _ := shim.PresetFor(o.args[0])
	policy, err := c.policy(o, project, preset)
	if err != nil {
		return nil, err
	}
	c.watch.lap("read the configuration")
	var st unix.Stat_t
	if unix.Lstat(root.Path, &st) == nil {
		root.Perm, root.UID, root.GID = st.Mode&0o7777, st.Uid, st.Gid
	}
	c.shims = config.ProjectShims(policy)
	g := &gatherer{caller: c, options: o, root: root, policy: policy, preset: preset, shelf: shim.NewShelf(c.data)}
	defer g.shelf.Close()
	g.in = plan.Input{Policy: policy, Root: root}
	if err := g.all(); err != nil {
		return nil, err
	}
	g.in.Judge = g.judge
	p, err := plan.Build(g.in)
	c.watch.lap("make the plan")
	return p, err
}

// policy merges all that was said about what a command may see.
func (c *caller) policy(o options, project detect.Project, preset shim.Preset) (plan.Policy, error) {
	in := config.Input{
		UserFile: c.config, Homes: c.homes, Cwd: c.typed, UID: c.owner.UID,
		Command: config.Command{Preset: preset.Name, Args: o.args},
		Flags:   o.policy, Builtin: mask.Builtin(), CheckPattern: mask.Check, IsSet: func(name string) bool { return c.get(name) != "" },
		Trusted: func(dir, name string, data []byte) (bool, error) {
			return trust.Store{Dir: filepath.Join(c.data, "trust")}.Allowed(dir, []trust.File{{Name: name, Data: data}})
		},
		LooksSecret: func(name string) bool { _, found := secret.Name(name); return found },
	}
	if c.home != "" {
		in.OtherFile = filepath.Join(c.home, ".ai-jail")
	}
	for _, m := range project.Markers {
		in.Projects = append(in.Projects, config.ProjectFile{Dir: m.Dir, Usable: m.Usable, Why: m.Why})
	}
	r, err := config.Load(in)
	if err != nil {
		return plan.Policy{}, err
	}
	c.below = r.Policy.Below
	if note, ok := c.lostMarker(project.Root); ok {
		r.Policy.Notes = append(r.Policy.Notes, note)
	}
	return r.Policy, nil
}

// A gatherer collects the facts for one plan.
type gatherer struct {
	*caller
	options  options
	root     plan.Root
	policy   plan.Policy
	preset   shim.Preset
	used     string // see usedHome
	in       plan.Input
	shelf    *shim.Shelf
	gitSays  []environ.GitSetting // what git is told
	gitEnv   []plan.EnvRule       // and by a variable
	cacheEnv []plan.EnvRule       // where a tool keeps what it downloads
}

// all asks the host, one thing after the other: a thread more costs more than any
// of this takes. Only the walk through the project can be long, and it makes its
// own where that pays.
func (g *gatherer) all() error {
	f := &g.in.Facts
	f.Owner, f.Homes, f.Kernel = g.owner, g.homes, detect.Kernel()
	inherited := detect.Descriptors(g.options.args[1:], g.get("MAKEFLAGS"), g.get("NODE_CHANNEL_FD"))
	f.Stdio, f.Keep, f.Rlimits, f.Memory = inherited.Stdio, inherited.Keep, detect.Rlimits(), memory()
	g.watch.lap("ask the kernel")
	for _, s := range [...]struct {
		name string
		ask  func() error
	}{
		{"find the program and its toolchains", g.command}, {"look at this host", g.host}, {"open the caches", g.caches},
		{"copy settings", g.settings}, {"look at git's directories", g.git}, {"look at what is mapped", g.maps}, {"search the project", g.walk},
	} {
		if err := s.ask(); err != nil {
			return err
		}
		g.watch.lap(s.name)
	}
	return nil
}

func memory() uint64 {
	var si unix.Sysinfo_t
	if unix.Sysinfo(&si) != nil {
		return 0
	}
	return uint64(si.Totalram) * uint64(si.Unit)
}

// walk looks for what must be hidden in the project.
func (g *gatherer) walk() error {
	r, err := mask.Walk(mask.Request{
		Root: g.root.Path, ID: g.root.ID, Patterns: g.policy.Mask,
		Shelf: g.shelf, DryRun: g.options.dryRun, Quiet: g.silent(g.options),
	})
	if err != nil {
		return err
	}
	found := &g.in.Found
	found.Hits, found.Open, found.Notes = slices.DeleteFunc(r.Hits, g.copied), r.Open, r.Notes
	g.tree = r.Tree
	found.Pins = append(found.Pins, r.Pins...)
	for _, dir := range g.places() {
		way, wayErr := mask.Way(g.root.Path, dir)
		found.Pins, err = append(found.Pins, way...), cmp.Or(err, wayErr)
	}
	g.stripRepositories()
	g.copies = g.in.Facts.Settings
	g.keepGitHonest()
	g.keepGitFromLooking()
	return err
}

// places are where the command starts, and where the caller comes back to.
func (g *gatherer) places() []string {
	if g.started == "" || g.started == g.physical {
		return []string{g.physical}
	}
	return []string{g.physical, g.started}
}

// git shows the repository of a linked worktree, or of a submodule, and keeps what
// git runs by itself from being changed.
func (g *gatherer) git() error {
	r, err := gitdir.Find(gitdir.Input{Cwd: g.physical, Back: g.started, Root: g.root.Path, Homes: g.homes, UID: g.owner.UID})
	if err != nil {
		return err
	}
	g.in.Found.Pins = r.Pins
	g.partOf(r.Enclosing)
	if r.Why != "" {
		g.note(r.Why, plan.Reason{Layer: "project"})
	}
	if g.in.Found.Repository = r.Dir.Path; r.Dir.Path != "" {
		g.in.Facts.Maps = append(g.in.Facts.Maps, plan.HostMap{
			Source: r.Dir, Destination: r.Dir.Path, ReadOnly: g.policy.Mode == plan.Lockdown,
			Reason: plan.Reason{Layer: "built in", Text: "the git directory of this worktree or submodule"},
		})
	}
	return nil
}

func (g *gatherer) host() error {
	h, err := detect.Host(detect.HostOptions{UID: g.owner.UID, Stdio: g.in.Facts.Stdio, Etc: g.memory("etc")})
	if err != nil {
		return err
	}
	f := &g.in.Facts
	f.System, f.Hidden, f.SysHidden, f.Links = h.System, h.Hidden, h.Sys, h.Links
	f.Devices, f.GPU, f.Console, f.Proc = h.Devices, h.GPU, h.Console, h.Proc
	if g.policy.Mode == plan.Lockdown {
		f.Etc = detect.LockdownEtc()
	}
	f.HomeLinks = detect.HomeLinks(g.homes)
	return nil
}

// memory is what one launch saw for the next, where that is only for speed. A dry
// run looks and writes nothing.
func (g *gatherer) memory(name string) detect.Memory {
	m := detect.Memory{Recall: func() []byte {
		b, _, err := g.shelf.Read(name)
		if err != nil {
			return nil
		}
		return b
	}}
	if !g.options.dryRun {
		m.Keep = func(b []byte) { _ = g.shelf.Write(name, b) }
	}
	return m
}

// command finds the program and what it and all of PATH need to run.
func (g *gatherer) command() error {
	args := g.options.args
	g.farms = shim.FarmIDs(g.data, "/proc/self/exe", g.root.Path, g.get("PATH"))
	path, err := detect.Lookup(args[0], g.get("PATH"), g.physical, g.farms)
	if err != nil {
		return err
	}
	if program, is := detect.Snap(path); is {
		return refuseSnap(path, program, args)
	}
	g.in.Command = plan.Command{
		Args: slices.Clone(args), Path: path, Cwd: g.physical, CwdAs: g.logical, Env: g.env, Home: g.insideHome(), Preset: g.preset.Name,
		Timeout: milliseconds(g.options.timeout), Parent: parent(),
	}
	in := detect.ToolchainInput{
		PathDirs: strings.Split(g.get("PATH"), ":"), Homes: g.homes, Root: g.root.Path,
		Cwd: g.physical, Env: g.get, System: detect.IsSystem, Farms: g.farms,
	}
	if g.policy.Mode != plan.Lockdown {
		g.in.Facts.Tools, err = detect.Needs(path, in)
		g.in.Facts.Tools = append(g.in.Facts.Tools, detect.Terminfo(g.get("TERM"), g.get("TERMINFO"), g.usedHome())...)
		g.self()
		return err
	}
	if g.in.Facts.Tools, err = detect.ProgramNeeds(path, in); err != nil {
		return err
	}
	g.in.Command.Real, err = filepath.EvalSymlinks(path)
	return err
}

// maps looks at the paths of the host that the policy shows. One that does not
// exist is left out, with a note.
func (g *gatherer) maps() error {
	for _, m := range g.policy.ReadOnly {
		g.show(m, true)
	}
	for _, m := range g.policy.Writable {
		g.show(m, false)
	}
	g.sockets()
	for _, m := range g.in.Facts.Maps {
		if m.ReadOnly {
			continue
		}
		for _, dir := range g.own() {
			if err := shim.CheckDataDir(dir, m.Source.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *gatherer) show(m plan.Map, readOnly bool) {
	end, out, err := g.follow(m.Source)
	var s plan.Source
	if err == nil {
		s, err = detect.Stat(end)
	}
	switch {
	case err != nil:
		g.note(plan.Quote(m.Source)+" is not there, so it is not shown", m.Reason)
	case out || end != m.Source && g.astray(m.Source, end):
		g.note(plan.Quote(m.Source)+" is a link to what was not asked for, so it is not shown", m.Reason)
	default:
		g.in.Facts.Maps = append(g.in.Facts.Maps, plan.HostMap{Source: s, Destination: m.Destination, ReadOnly: readOnly, Reason: m.Reason})
	}
}

// astray reports whether a link leads where no configuration may lead, or where
// nobody would have meant to: a jailed command can replace what lies in its project,
// and wait for the next run.
func (g *gatherer) astray(path, end string) bool {
	if plan.Below(end, "/proc") || slices.ContainsFunc(g.homes, func(home string) bool { return plan.Below(home, end) }) {
		return true
	}
	return detect.IsPrivate(end, g.homes) && !detect.IsPrivate(path, g.homes)
}

// note says what the command does not get, though somebody asked for it.
func (g *gatherer) note(text string, why plan.Reason) {
	g.in.Policy.Notes = append(g.in.Policy.Notes, plan.Note{Text: text, Stricter: true, Reason: why})
}

// who is the reason of a single value of the policy.
func (g *gatherer) who(key string) plan.Reason {
	for _, s := range g.policy.Settings {
		if s.Key == key {
			return s.Reason
		}
	}
	return plan.Reason{Layer: "built in", Text: key}
}

// insideHome is HOME inside: the caller's $HOME where it counts as a home.
func (g *gatherer) insideHome() string {
	if h := filepath.Clean(g.get("HOME")); slices.Contains(g.homes, h) {
		return h
	}
	return g.home
}

// judge decides which variables the command gets.
func (g *gatherer) judge(env []string, visible func(string) bool) ([]string, plan.Environ) {
	return environ.Judge(env, environ.Input{
		Listed: g.policy.EnvListed, Rules: slices.Concat(g.gitEnv, g.cacheEnv, g.handles(), g.policy.Env), Visible: visible,
		Path: detect.PathInside(g.get("PATH"), g.farms, visible), Home: g.insideHome(), Git: g.gitSays,
	})
}
