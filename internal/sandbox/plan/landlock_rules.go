package plan

// landlock adds the second wall: for each thing that is mounted the rights that
// it was mounted with, and for each descriptor of the caller's that is a file or
// a terminal the right to open it once more, or "echo x >/dev/stderr" and "cat
// /dev/fd/63" would be refused.
func (in *Input) landlock(p *Plan) {
	abi := in.Facts.Kernel.LandlockABI
	switch {
	case in.Policy.NoLandlock || in.Policy.Nested:
		p.Notes = append(p.Notes, Note{Text: "Landlock is off: mounts and seccomp stand alone", Reason: in.Policy.LandlockReason})
		p.Seccomp.RefuseKillZero = onTerminal(p.Stdio)
		return
	case abi < 2:
		// Below ABI 2 every ruleset forbids renames between directories, which breaks
		// npm; no wall is better than one that gets the jail switched off.
		p.Notes = append(p.Notes, Note{
			Text:   "this kernel has no usable Landlock: mounts and seccomp stand alone",
			Reason: Reason{Layer: "host"},
		})
		p.Seccomp.RefuseKillZero = onTerminal(p.Stdio)
		return
	}
	l := &Landlock{ABI: abi, ScopeSignals: abi >= 6, ScopeSockets: abi >= 6}
	l.Rules = append(l.Rules, LandlockRule{Path: "/", Dir: true, Access: AccessList})
	for i := range p.Mounts {
		l.Rules = l.mount(&p.Mounts[i])
	}
	for i, d := range p.Stdio {
		l.descriptor(i, d)
	}
	for _, d := range p.Keep {
		l.descriptor(d.FD, d)
	}
	p.Landlock = l
	p.Seccomp.RefuseKillZero = !l.ScopeSignals && onTerminal(p.Stdio)
}

// mount appends the rule of one mount, unless a rule above it grants as much.
func (l *Landlock) mount(m *Mount) []LandlockRule {
	a := accessOf(m)
	if a == "" {
		return l.Rules
	}
	for _, r := range l.Rules {
		if Below(m.Destination, r.Path) && includes(r.Access, a) {
			return l.Rules
		}
	}
	return append(l.Rules, LandlockRule{Path: m.Destination, Dir: m.Type == Directory, Access: a})
}

func accessOf(m *Mount) Access {
	switch {
	case m.Kind == Tmpfs && m.Destination == "/dev":
		return AccessDeviceDir
	case m.Kind == Devpts:
		return AccessDeviceDir
	case m.Kind == Proc:
		return AccessWrite
	case m.Kind == File:
		return AccessRead
	case m.Kind == Tmpfs && m.ReadOnly:
		return AccessRead
	case m.Kind == Tmpfs:
		return AccessWrite
	case m.Kind == Bind && m.Type == Socket:
		return AccessSocket
	case m.Kind == Bind && m.Device:
		return AccessDevice
	case m.Kind == Bind && m.ReadOnly:
		return AccessExecute
	case m.Kind == Bind:
		return AccessWrite
	}
	return ""
}

// includes reports whether a grants all that b does.
func includes(a, b Access) bool {
	switch a {
	case AccessDeviceDir:
		return b != AccessExecute
	case AccessWrite:
		return b != AccessDevice && b != AccessDeviceDir
	case AccessExecute:
		return b == AccessExecute || b == AccessRead || b == AccessList
	case AccessRead:
		return b == AccessRead || b == AccessList
	}
	return a == b
}

func (l *Landlock) descriptor(fd int, d Descriptor) {
	switch {
	case d.Closed || d.Type != Regular && d.Type != CharDevice:
	case d.Type == CharDevice:
		l.Rules = append(l.Rules, LandlockRule{FD: fd, Access: AccessDevice})
	case d.ReadOnly:
		l.Rules = append(l.Rules, LandlockRule{FD: fd, Access: AccessRead})
	case d.WriteOnly: // a log of the caller's, in which others have written before
		l.Rules = append(l.Rules, LandlockRule{FD: fd, Access: AccessChange})
	default:
		l.Rules = append(l.Rules, LandlockRule{FD: fd, Access: AccessWrite})
	}
}

func onTerminal(stdio [3]Descriptor) bool {
	return stdio[0].Terminal || stdio[1].Terminal || stdio[2].Terminal
}
