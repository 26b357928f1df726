package plan

import (
	"path"
	"slices"
)

// A viewer collects the mounts of a plan in any order; order sorts them.
type viewer struct {
	in  *Input
	out []Mount
}

// view is what the command sees of the file system.
func view(in *Input) []Mount {
	v := &viewer{in: in}
	v.system()
	v.proc()
	v.dev()
	v.temporary()
	v.homes()
	v.tools()
	v.caches()
	v.settings()
	v.maps()
	v.project()
	v.inside()
	v.attributes()
	v.mirror()
	return v.out
}

func (v *viewer) add(m Mount) { v.out = append(v.out, m) }

func builtIn(text string) Reason { return Reason{Layer: "built in", Text: text} }

// show makes a source appear at its own path, read-only, a link as a link.
func (v *viewer) show(s Source, why Reason) {
	if s.Type == Symlink {
		v.add(Mount{Kind: Link, Source: s.Link, Destination: s.Path, Type: Symlink, Reason: why})
		return
	}
	v.add(Mount{Kind: Bind, Source: s.Path, Destination: s.Path, Type: s.Type, ID: s.ID, ReadOnly: true, Reason: why})
}

// hide covers a path outside the project.
func (v *viewer) hide(k Kind, s Source, why Reason) {
	v.add(Mount{Kind: k, Destination: s.Path, Type: s.Type, ID: s.ID, Reason: why})
}

func (v *viewer) system() {
	f := &v.in.Facts
	shown := f.System
	if v.in.Policy.Mode == Lockdown {
		shown = v.essential()
	} else {
		for _, s := range f.Links {
			v.show(s, builtIn("the file behind a link of the system"))
		}
		for _, s := range f.SysHidden {
			v.hide(Mask, s, builtIn("kernel details"))
		}
	}
	for _, s := range shown {
		v.show(s, builtIn("programs and settings of the system"))
	}
	for _, s := range f.Hidden {
		if slices.ContainsFunc(shown, func(d Source) bool { return d.Type == Directory && Below(s.Path, d.Path) }) {
			v.hide(Deny, s, builtIn("others may not read it"))
		}
	}
}

// essential is what lockdown shows of the system: /usr with the links to it, what
// every program reads of /etc, and another directory only where the program
// itself lies in it.
func (v *viewer) essential() (shown []Source) {
	c := &v.in.Command
	for _, s := range v.in.Facts.System {
		switch s.Path {
		case "/etc", "/sys":
			continue
		case "/opt", "/nix", "/gnu", "/snap":
			if !Below(c.Path, s.Path) && !Below(c.Real, s.Path) {
				continue
			}
		}
		shown = append(shown, s)
	}
	return append(shown, v.in.Facts.Etc...)
}

// proc is fresh, so that it shows the jail's own processes. What a root caller
// could still write there without any capability is made read-only.
func (v *viewer) proc() {
	v.add(Mount{Kind: Proc, Destination: "/proc", Type: Directory, NoExec: true, Reason: builtIn("the jail's own processes")})
	if v.in.ownProcInside() {
		return
	}
	for _, e := range v.in.Facts.Proc {
		m := Mount{Kind: Pin, Destination: e.Source.Path, Type: e.Source.Type, ReadOnly: true, NoExec: true, Reason: builtIn("settings of the kernel")}
		if e.Hidden {
			m.Kind, m.ReadOnly, m.Reason = Mask, false, builtIn("memory and keys of the kernel")
		}
		v.add(m)
	}
}

// ownProcInside reports whether a sandbox inside can have a /proc of its own, which
// the kernel gives only where no part of the one around it is covered. Root must
// not: to the files in /proc/sys root's number is root.
func (in *Input) ownProcInside() bool { return in.Policy.Nested && in.Facts.Owner.UID != 0 }

func (v *viewer) dev() {
	why := builtIn("devices that do nothing but give bytes")
	v.add(Mount{Kind: Tmpfs, Destination: "/dev", Type: Directory, ReadOnly: true, Perm: 0o755, NoExec: true, Size: 1 << 20, Inodes: 1024, Reason: why})
	for _, s := range v.in.Facts.Devices {
		v.device(s, s.Path, why)
	}
	if v.in.Policy.GPU {
		for _, s := range v.in.Facts.GPU {
			v.device(s, s.Path, builtIn("the graphics card"))
		}
	}
	v.add(Mount{Kind: Devpts, Destination: "/dev/pts", Type: Directory, Reason: builtIn("terminals of the jail's own")})
	for _, l := range [...][2]string{
		{"fd", "/proc/self/fd"}, {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"},
		{"stderr", "/proc/self/fd/2"}, {"ptmx", "pts/ptmx"},
	} {
		v.add(Mount{Kind: Link, Source: l[1], Destination: "/dev/" + l[0], Type: Symlink, Reason: why})
	}
	if c := v.in.Facts.Console; c.Type == CharDevice {
		v.device(c, "/dev/console", builtIn("the caller's terminal"))
	}
}

func (v *viewer) device(s Source, at string, why Reason) {
	v.add(Mount{Kind: Bind, Source: s.Path, Destination: at, Type: s.Type, ID: s.ID, Device: true, NoExec: true, Reason: why})
}

// maxInodes bounds the number of files on each file system in memory.
const maxInodes = 1 << 20

// temporary file systems are in memory and vanish with the command.
func (v *viewer) temporary() {
	for _, d := range [...]string{"/tmp", "/var/tmp", "/run", "/dev/shm"} {
		v.tmpfs(d, 0o1777, builtIn("temporary files"))
	}
	v.add(Mount{Kind: Link, Source: "/run", Destination: "/var/run", Type: Symlink, Reason: builtIn("temporary files")})
}

func (v *viewer) tmpfs(at string, perm uint32, why Reason) {
	v.add(Mount{
		Kind: Tmpfs, Destination: at, Type: Directory, Perm: perm,
		Size: v.in.Facts.Memory / 2, Inodes: maxInodes, Reason: why,
	})
}

// homes are empty. All of /home is, so that not even the names of other users
// are seen. A home inside the project is the project's own affair.
func (v *viewer) homes() {
	why := builtIn("the home, empty and gone at exit")
	for _, h := range v.in.Facts.Homes {
		if Below(h, v.in.Root.Path) {
			continue
		}
		if Below(h, "/home") && h != "/home" {
			v.tmpfs("/home", 0o755, why)
			v.add(Mount{Kind: Dir, Destination: h, Type: Directory, Perm: 0o700, Reason: why})
			continue
		}
		v.tmpfs(h, 0o700, why)
	}
	for _, l := range v.in.Facts.HomeLinks {
		v.show(l, builtIn("the home goes by this name too"))
	}
	if v.in.Policy.Mode == Lockdown {
		v.seal()
	}
}

// seal makes the homes read-only, and not what else a home may lie in: /tmp.
func (v *viewer) seal() {
	for i := range v.out {
		m := &v.out[i]
		if m.Kind == Tmpfs && (m.Destination == "/home" || slices.Contains(v.in.Facts.Homes, m.Destination)) {
			m.ReadOnly = true
		}
	}
}

func (v *viewer) tools() {
	for _, n := range v.in.Facts.Tools {
		if !Below(n.Source.Path, v.in.Root.Path) && (n.Source.Type != Symlink || !v.holdsOurs(n.Source.Path)) {
			v.show(n.Source, n.Reason)
		}
	}
}

// holdsOurs reports whether the project or a home lies at or below a path, which then
// cannot be a link: everything below it would be found in another place.
func (v *viewer) holdsOurs(path string) bool {
	return Below(v.in.Root.Path, path) || slices.ContainsFunc(v.in.Facts.Homes, func(h string) bool { return Below(h, path) })
}

// caches appear where the tools look for them, if that is a place of the jail's
// own. In the project, or below a directory of the host that is shown, the tool
// uses what is there.
func (v *viewer) caches() {
	for _, c := range v.in.Facts.Caches {
		if v.free(c.Destination) {
			v.add(Mount{
				Kind: Bind, Source: c.Source.Path, Destination: c.Destination, Type: c.Type,
				ID: c.Source.ID, Make: c.Source.ID.IsZero(), Reason: c.Reason,
			})
			for _, s := range c.Secrets {
				s.Path = path.Join(c.Destination, path.Base(s.Path))
				v.hide(Mask, s, builtIn("credentials beside a cache"))
			}
		}
	}
}

// free reports whether something can be mounted at path without hiding the
// project, a home or a tool, and without a mount point that would have to be
// created on the host.
func (v *viewer) free(path string) bool {
	if Below(path, v.in.Root.Path) || v.holdsOurs(path) {
		return false
	}
	for _, s := range v.in.Facts.System {
		if Below(path, s.Path) {
			return false
		}
	}
	for _, n := range v.in.Facts.Tools {
		if Below(path, n.Source.Path) || Below(n.Source.Path, path) {
			return false
		}
	}
	return !Below(path, "/dev") && !Below(path, "/proc")
}

func (v *viewer) maps() {
	for _, m := range v.in.Facts.Maps {
		v.add(Mount{
			Kind: Bind, Source: m.Source.Path, Destination: m.Destination, Type: m.Source.Type, ID: m.Source.ID,
			ReadOnly: m.ReadOnly, Reason: m.Reason,
		})
	}
}

// project is writable at its own path, less what is pinned and hidden in it.
func (v *viewer) project() {
	r := v.in.Root
	v.add(Mount{
		Kind: Bind, Source: r.Path, Destination: r.Path, Type: Directory, ID: r.ID,
		ReadOnly: v.in.Policy.Mode == Lockdown, Reason: Reason{Layer: "project", Text: r.Why},
	})
	if r.As != "" && r.As != r.Path && !Below(r.As, r.Path) {
		v.add(Mount{Kind: Link, Source: r.Path, Destination: r.As, Type: Symlink, Reason: Reason{Layer: "project", Text: "the name that the caller came by"}})
	}
	for _, p := range v.in.Found.Pins {
		v.add(Mount{
			Kind: Pin, Destination: p.Source.Path, Type: p.Source.Type, ID: p.Source.ID,
			ReadOnly: p.ReadOnly || v.in.Policy.Mode == Lockdown, Reason: p.Reason,
		})
	}
	for _, h := range v.in.Found.Hits {
		k := Mask
		if h.Action == ActDeny {
			k = Deny
		}
		m := Mount{Kind: k, Destination: h.Path, Type: h.Type, ID: h.ID, Pattern: h.Pattern, Reason: h.Reason}
		m.likeTracked(h)
		v.add(m)
	}
}

// settings are copies; a map of the user's shows the file itself instead.
func (v *viewer) settings() {
	for _, c := range v.in.Facts.Settings {
		why := "settings without their secrets"
		if len(c.Left) > 0 {
			why = "settings, without " + quoteAll(c.Left)
		}
		v.add(Mount{Kind: File, Destination: c.Destination, Type: Regular, ID: c.ID, Perm: 0o444, Data: c.Data, Reason: builtIn(why)})
	}
}

// InsideFile is how a shim knows that it is in a jail: nothing but the launcher
// can have put it on a read-only file system in memory that is the root.
const InsideFile = "/.jail/inside"

func (v *viewer) inside() {
	v.add(Mount{
		Kind: File, Destination: InsideFile, Type: Regular, Perm: 0o444,
		Data: []byte(v.in.Policy.Mode + "\n"), Reason: builtIn("tells a shim that it is inside"),
	})
}
