package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/detect"
	"jail/internal/environ"
	"jail/internal/gitdir"
	"jail/internal/lost"
	"jail/internal/mask"
	"jail/internal/sandbox/plan"
	"jail/internal/settings"
)

// keepGitHonest makes git store what its index has of files that read as empty, and
// not what it reads. What the user wants of attributes everywhere stays, since git
// reads one such file.
func (g *gatherer) keepGitHonest() {
	found := &g.in.Found
	ours := mask.Attributes(found.Hits)
	if len(ours) == 0 || !g.usesGit() {
		return
	}
	for _, c := range g.in.Facts.Settings {
		if strings.Contains(filepath.Base(c.Destination), "attributes") {
			found.Attributes = append(append(found.Attributes, c.Data...), '\n')
		}
	}
	found.Attributes = append(found.Attributes, ours...)
	const filter = "filter." + mask.GitFilter + "."
	g.gitSays = []environ.GitSetting{
		{Key: "core.attributesFile", Value: plan.AttributesFile},
		{Key: filter + "clean", Value: mask.GitClean},
		{Key: filter + "required", Value: "true"},
	}
}

// keepGitFromLooking makes git take a file that it cannot open for what it was, as
// long as size and time are the same. Otherwise it would add nothing at all.
func (g *gatherer) keepGitFromLooking() {
	denied := func(h plan.Hit) bool { return h.Tracked && h.Action == plan.ActDeny && h.Type == plan.Regular }
	if slices.ContainsFunc(g.in.Found.Hits, denied) {
		g.gitSays = append(g.gitSays,
			environ.GitSetting{Key: "core.checkStat", Value: "minimal"},
			environ.GitSetting{Key: "core.trustctime", Value: "false"})
	}
}

// usesGit reports whether the project is a repository, or git tracks what is hidden
// in one that lies in it.
func (g *gatherer) usesGit() bool {
	git := filepath.Join(g.root.Path, ".git")
	return slices.ContainsFunc(g.in.Found.Hits, func(h plan.Hit) bool { return h.Tracked }) ||
		slices.ContainsFunc(g.in.Found.Pins, func(p plan.Pinned) bool { return plan.Below(p.Source.Path, git) })
}

// maxConfiguration bounds what is read of a repository's configuration.
const maxConfiguration = 4 << 20

// stripRepositories puts copies in the place of what configurations of repositories
// hold of credentials: a token in a remote's address, a header that a CI has left.
func (g *gatherer) stripRepositories() {
	for _, path := range g.configurations() {
		s, err := detect.Stat(path)
		if err != nil || s.Type != plan.Regular {
			continue
		}
		content, err := read(unix.AT_FDCWD, path, unix.OpenHow{Flags: unix.O_NOFOLLOW}, maxConfiguration)
		if errors.Is(err, unix.EACCES) {
			continue // nor can git read it
		}
		var c plan.Copy
		if err == nil {
			c.Data, c.Left, err = settings.StripRepository(content)
		}
		if err != nil { // git would not work with it
			g.note(plan.Quote(path)+" is not shown: "+err.Error(), plan.Reason{Layer: "built in"})
			c.Data = []byte{}
		}
		if c.Data != nil {
			c.Destination, c.ID = path, s.ID
			g.in.Facts.Settings = append(g.in.Facts.Settings, c)
		}
	}
}

// configurations are those of the repositories that are guarded, and of the others in
// the project.
func (g *gatherer) configurations() (paths []string) {
	for _, p := range g.in.Found.Pins {
		dir, name := filepath.Split(p.Source.Path)
		if p.ReadOnly && (name == "config" || name == "config.worktree") && unix.Access(dir+"HEAD", unix.F_OK) == nil {
			paths = append(paths, p.Source.Path)
		}
	}
	for _, dir := range g.tree.Repositories {
		if git := gitdir.Of(filepath.Join(g.root.Path, dir)); git != "" && plan.Below(git, g.root.Path) {
			paths = append(paths, filepath.Join(git, "config"), filepath.Join(git, "config.worktree"))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// partOf shows the repository that the project is a part of, to be read: with most of
// its tree not there, git would store the rest as deleted. Its configuration is not
// the project's, so one with a credential keeps it from being shown.
func (g *gatherer) partOf(e gitdir.Enclosing) {
	if e.Tree == "" {
		return
	}
	g.in.Found.Enclosing = plan.Enclosing{Tree: e.Tree}
	why := plan.Reason{Layer: "built in", Text: "the repository that the project is a part of"}
	// The project is a mount of its own inside, and git ends its search at those.
	g.gitEnv = []plan.EnvRule{{Name: "GIT_DISCOVERY_ACROSS_FILESYSTEM", Value: "1", Set: true, Reason: why}}
	config := filepath.Join(e.Shown[len(e.Shown)-1].Path, "config")
	if !g.harmlessConfig(config) {
		g.in.Found.Enclosing.Hidden = plan.Quote(config) + " holds a credential"
		g.note(plan.Quote(e.Tree)+" is a repository that is not shown: "+g.in.Found.Enclosing.Hidden, why)
		return
	}
	for _, s := range e.Shown {
		g.in.Facts.Maps = append(g.in.Facts.Maps, plan.HostMap{Source: s, Destination: s.Path, ReadOnly: true, Reason: why})
	}
}

// harmlessConfig reports whether git's configuration at path holds no credential.
func (g *gatherer) harmlessConfig(path string) bool {
	content, err := read(unix.AT_FDCWD, path, unix.OpenHow{Flags: unix.O_NOFOLLOW}, maxSettings)
	if err != nil {
		return false
	}
	all, err := settings.GitEntries(string(content))
	return err == nil && !slices.ContainsFunc(all, holdsCredential)
}

func holdsCredential(e settings.GitEntry) bool {
	if e.Section == "credential" && !strings.ContainsAny(e.Value, " !") {
		return false // the name of a user, or of a program that is asked for the rest
	}
	return environ.GitSetting{Key: e.Section + "." + e.Sub + "." + e.Key, Value: e.Value}.Looks() != ""
}

// sayEnclosing says, where git failed, that its repository can only be read.
func (c *caller) sayEnclosing(p *plan.Plan) bool {
	if p.Enclosing.Tree == "" || filepath.Base(p.Process.Args[0]) != "git" {
		return false
	}
	tree, without := plan.Quote(p.Enclosing.Tree), quoted(p.Process.Args)
	if p.Enclosing.Hidden != "" {
		say(c.stderr, "the project is a part of the repository "+tree+", which is not shown: "+p.Enclosing.Hidden, without)
	} else {
		say(c.stderr, "the project is a part of the repository "+tree+", which can only be read", without)
	}
	return true
}

// sayFixed says, where git failed because of it, that its configuration is read-only:
// git's own word is that the device is busy.
func (c *caller) sayFixed(p *plan.Plan, code int) bool {
	fixed := func(m plan.Mount) bool { return m.ReadOnly && filepath.Base(m.Destination) == "config" }
	if filepath.Base(p.Process.Args[0]) != "git" || !slices.ContainsFunc(p.Mounts, fixed) {
		return false
	}
	branch := false
	for _, word := range p.Process.Args[1:] {
		switch word {
		case "config":
			return code == 4 && lost.Settings(p.Process.Args) == "" && c.sayOutside(p) // 1 means that a key is not there
		case "remote", "submodule":
			return code == 128 && c.sayOutside(p)
		case "branch":
			branch = true
		case "-m", "-M", "-c", "-C", "--move", "--copy": // for all else 128 has other reasons
			if branch {
				return code == 128 && c.sayOutside(p)
			}
		}
	}
	return false
}

func (c *caller) sayOutside(p *plan.Plan) bool {
	say(c.stderr, "git's configuration and hooks are read-only inside", quoted(p.Process.Args))
	return true
}
