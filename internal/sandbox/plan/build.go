package plan

import (
	"fmt"
	"path"
	"slices"
)

// An Input is everything that a plan is made of.
type Input struct {
	Policy  Policy
	Facts   Facts
	Command Command
	Root    Root
	Found   Found
	// Judge decides which variables the command gets, by what is visible inside.
	Judge func(env []string, visible func(path string) bool) ([]string, Environ)
}

// Found is what a walk through the project saw.
type Found struct {
	Hits []Hit
	Open []Open
	Pins []Pinned // parents before what lies in them

	Repository string // git's directory outside of the project that is shown
	Enclosing  Enclosing
	Notes      []Note
	// Attributes are gitattributes(5) of the files that read as empty; empty for none.
	Attributes []byte
}

// A Pinned path of the project becomes a mount point, so that it can be neither
// renamed nor removed.
type Pinned struct {
	Source   Source
	ReadOnly bool
	Reason   Reason
}

// A Refusal says why no plan can be made, and what to do about it.
type Refusal struct{ Cause, Hint string }

func (r *Refusal) Error() string { return r.Cause }

// Advice is a command to paste; it may be empty.
func (r *Refusal) Advice() string { return r.Hint }

// Build makes the plan for one command. It refuses, with a *Refusal, what the
// host cannot enforce and what would show more than was asked for.
func Build(in Input) (*Plan, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	p := &Plan{
		Mode: in.Policy.Mode, ModeReason: in.Policy.ModeReason,
		Root: in.Root, Owner: in.Facts.Owner,
		Calls:      Calls{Openat2: in.Facts.Kernel.Openat2, CloseRange: in.Facts.Kernel.CloseRange},
		Namespaces: namespaces(&in),
		Rlimits:    limits(in.Facts.Rlimits),
		Timeout:    in.Command.Timeout,
		Repository: in.Found.Repository, Enclosing: in.Found.Enclosing,
		Hidden: in.Found.Hits, Open: in.Found.Open,
		Stdio: in.Facts.Stdio, Keep: in.Facts.Keep,
		Seccomp: &Seccomp{
			UserNamespaces: in.Policy.UserNS || in.Policy.Nested, Mounts: in.Policy.Nested,
			Ptrace: in.Policy.Ptrace,
			Parent: in.Command.Parent,
			// New directories of such a project get the bit, and copying one sets it.
			SetGroupID: in.Root.Perm&0o2000 != 0,
		},
		Process: Process{Path: in.Command.Path, Args: slices.Clone(in.Command.Args), Cwd: in.Command.Cwd},
	}
	p.Notes = slices.Concat(in.Policy.Notes, in.Found.Notes)
	p.Weakened = in.Policy.Weakened
	p.Mounts = order(throughLinks(view(&in)))
	p.Process.Home = p.temporary(in.Command.Home)
	if !p.Shows(path.Dir(p.Process.Path)) {
		// A program that looks itself up by the name it was called by, as python does to
		// find its virtual environment, would find another one or none.
		p.Process.Args[0] = p.Process.Path
	}
	p.Process.Env, p.Environ = in.Judge(in.Command.Env, p.Shows)
	in.landlock(p)
	in.note(p)
	if err := in.strict(p); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("check the plan: %w", err)
	}
	return p, nil
}

// strict refuses what is weaker than it should be, by whatever cause, where the
// user wants that.
func (in *Input) strict(p *Plan) error {
	for _, n := range p.Notes {
		if in.Policy.Strict && !n.Stricter {
			return &Refusal{"strict: " + n.Text + by(n.Reason), n.Hint}
		}
	}
	return nil
}

// check refuses what no jail can be made of: the rows of the table of facts that
// end in 125, and a working directory that the jail would not show.
func (in *Input) check() error {
	k := in.Facts.Kernel
	switch {
	case !k.MountAPI:
		return &Refusal{
			fmt.Sprintf("this kernel (%s) has no mount_setattr, which came with Linux 5.12, or the container that this runs in forbids it", k.Release),
			"uname -r",
		}
	case !k.Seccomp:
		return &Refusal{fmt.Sprintf("this kernel (%s) has no seccomp filters", k.Release), "grep Seccomp /proc/self/status"}
	case in.somebodyElses():
		return &Refusal{
			fmt.Sprintf("%q belongs to uid %d, and a jailed root has no right to write there", in.Root.Path, in.Root.UID),
			"jail --as-owner COMMAND",
		}
	case !Below(in.Command.Cwd, in.Root.Path):
		return &Refusal{
			fmt.Sprintf("the working directory is %q, which lies outside the project %q", in.Command.Cwd, in.Root.Path),
			"cd " + Word(in.Root.Path),
		}
	}
	for i, d := range in.Facts.Stdio {
		if d.Type == Directory {
			return &Refusal{fmt.Sprintf("descriptor %d is a directory, which would be a way out of the jail", i), fmt.Sprintf("jail COMMAND %d<>/dev/null", i)}
		}
	}
	return nil
}

// somebodyElses reports whether the command could not write its project although
// the caller can: root has no capability inside.
func (in *Input) somebodyElses() bool {
	r, o := &in.Root, &in.Facts.Owner
	return o.UID == 0 && r.UID != 0 && in.Policy.Mode != Lockdown && !(r.GID == o.GID && r.Perm&0o020 != 0)
}

func namespaces(in *Input) []Namespace {
	ns := []Namespace{UserNS, MountNS, PidNS, IPCNS, UTSNS}
	if in.Facts.Kernel.CgroupNS {
		ns = append(ns, CgroupNS)
	}
	if in.Policy.Network == NetworkNone {
		ns = append(ns, NetworkNS)
	}
	return ns
}

// maxProcesses bounds a fork bomb. It counts threads too, in this jail alone, and
// a build on a large machine has some hundreds.
const maxProcesses = 8192

// limits keeps the caller's limits and tightens two: no core file, which would
// hold the secrets of a crashed process, and a bound on processes. Hard limits
// equal soft ones where the command must not raise them.
func limits(had []Rlimit) []Rlimit {
	var out []Rlimit
	for _, l := range had {
		switch l.Name {
		case "NOFILE":
			out = append(out, l)
		case "NPROC":
			l.Hard = min(l.Hard, maxProcesses)
			l.Soft = min(l.Soft, l.Hard)
			l.Reason = Reason{Layer: "built in", Text: "a fork bomb ends here"}
			out = append(out, l)
		}
	}
	return append(out, Rlimit{Name: "CORE", Reason: Reason{Layer: "built in", Text: "no core file"}})
}

// note adds what this host cannot give.
func (in *Input) note(p *Plan) {
	host := func(text, hint string) {
		p.Notes = append(p.Notes, Note{Text: text, Hint: hint, Reason: Reason{Layer: "host"}})
	}
	k := in.Facts.Kernel
	if !k.Openat2 {
		host("no openat2: what the configuration maps into the project cannot be mounted", "")
	}
	if !k.CgroupNS {
		host("no cgroup namespace: the command sees the names of the host's control groups", "")
	}
	if in.Facts.Owner.UID == 0 {
		host("the number of processes is not limited for a root caller", "su USER -c 'jail COMMAND'")
	}
	if (p.Landlock == nil || !p.Landlock.ScopeSockets) && in.Policy.Network == NetworkHost {
		host("nothing fences abstract sockets: X11, D-Bus and containerd may be in reach", "jail --no-net COMMAND")
	}
	if p.Seccomp.UserNamespaces && in.Facts.Owner.UID == 0 {
		// A namespace in which root's number is somebody's could give files capabilities
		// that hold outside as well; the kernel makes none for who has no CAP_SETFCAP.
		p.Notes = append(p.Notes, Note{
			Text: "root's number cannot be mapped into a user namespace inside, so sandboxes of a root caller's fail",
			Hint: "su USER -c 'jail COMMAND'", Stricter: true, Reason: in.said("nested", "userns"),
		})
	}
}

// said is who asked for the first of keys that somebody asked for.
func (in *Input) said(keys ...string) Reason {
	for _, k := range keys {
		for _, s := range in.Policy.Settings {
			if s.Key == k && s.Value == "true" {
				return s.Reason
			}
		}
	}
	return Reason{Layer: "built in"}
}
