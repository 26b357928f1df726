package doctor

import (
	"fmt"
	"strings"

	"jail/internal/sandbox/plan"
)

// A Project is that of the working directory.
type Project struct {
	Root     string
	Lost     bool     // it has no marker any more
	Markers  []Marker // that count for nothing
	Asks     []string // what its configuration asks for without being trusted
	FS       string   // the kind of a slow file system; empty: a local one
	LookCost int      // microseconds for one look at a file in it
}

// A Marker is a .ai-jail whose files are ignored.
type Marker struct {
	Dir  string // that holds it
	Why  string
	Open bool // everybody may write to it
}

func project(f *Facts) (found []Finding) {
	add := func(id string, level Level, text, fix string) { found = append(found, Finding{id, level, text, fix}) }
	for _, dir := range f.Gone {
		add("root-lost", Note, fmt.Sprintf("%q was a project and has no .ai-jail any more; its commands stay jailed", dir), "jail-hook forget "+plan.Word(dir))
	}
	if f.Stale {
		add("below-stale", Wrong, "jail_below has changed, and the shims do not know it yet", "jail-hook shims refresh")
	}
	for _, file := range f.Files {
		add("marker-file", Note, fmt.Sprintf("%q is a file, which another tool has left: no marker", file),
			fmt.Sprintf("mv %s %s", plan.Word(file), plan.Word(file+".away")))
	}
	p := f.Project
	if p == nil {
		return found
	}
	for _, m := range p.Markers {
		marker := plan.Word(m.Dir + "/.ai-jail")
		fix := "ls -ld " + marker
		if m.Open {
			fix = "chmod o-w " + marker
		}
		add("marker-ignored", Note, fmt.Sprintf("the configuration in %q is ignored: %s", m.Dir+"/.ai-jail", m.Why), fix)
	}
	if len(p.Asks) > 0 {
		add("untrusted", Note, "the configuration of this project asks for what only a trusted one may have: "+some(p.Asks), "jail-hook trust")
	}
	if p.FS != "" {
		add("slow-fs", Note, fmt.Sprintf("the project lies on %s: a launch looks at each of its directories, at about %d µs each; on a disk of this machine that is not felt", p.FS, p.LookCost),
			fmt.Sprintf("cp -a %s ~/", plan.Word(p.Root)))
	}
	return found
}

// farm looks at the shims themselves.
func farm(f *Facts) (found []Finding) {
	add := func(id, text, fix string) { found = append(found, Finding{id, Wrong, text, fix}) }
	const refresh = "jail-hook shims refresh"
	switch {
	case f.Farm.Dir == "":
		return nil // what is wrong is among the problems
	case !f.Farm.Exists:
		add("farm-missing", fmt.Sprintf("there are no shims in %q", f.Farm.Dir), refresh+forget(f.Shell))
	case f.Farm.NoExec:
		add("farm-noexec", fmt.Sprintf("nothing can be executed in %q: the file system is mounted noexec, and each name runs the real program", f.Farm.Dir), "export XDG_DATA_HOME=/some/where/else")
	}
	if len(f.Farm.Faults) > 0 {
		add("farm-broken", "broken shims, past which a shell goes to the real program: "+some(f.Farm.Faults), refresh+forget(f.Shell))
	}
	if f.Farm.Old {
		add("farm-old", "the shims are another version than the jail that is installed", refresh)
	}
	return found
}

// An Other is another tool's ~/.ai-jail.
type Other struct {
	Path string   // empty: there is none
	Keys []string // that were not taken
}

func other(f *Facts) (found []Finding) {
	if f.Other.Path != "" && len(f.Other.Keys) > 0 {
		found = append(found, Finding{
			"other-tool", Note, fmt.Sprintf("%q is another tool's; of it these keys are not taken, since they do not tighten: %s", f.Other.Path, some(f.Other.Keys)), "jail-hook import",
		})
	}
	if len(f.Models) > 0 {
		words := make([]string, len(f.Models))
		for i, m := range f.Models {
			words[i] = plan.Word(m)
		}
		found = append(found, Finding{
			"models-missing", Note, "no cache of models on the host, so each project downloads its own: " + some(f.Models), "mkdir -p " + strings.Join(words, " "),
		})
	}
	return found
}
