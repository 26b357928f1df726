package detect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// Inherited is what the caller handed over as open files.
type Inherited struct {
	Stdio     [3]plan.Descriptor
	Keep      []plan.Descriptor // above 2, in ascending order; everything else is closed
	Jobserver plan.Source       // make's jobserver where it is a FIFO with a name; zero without one
}

// Descriptors looks at descriptors 0 to 2, and at those above that the caller
// has pointed out: by an argument (/dev/fd/63, as process substitution writes
// it), by makeflags ($MAKEFLAGS, a jobserver) or by nodeChannel
// ($NODE_CHANNEL_FD, node's channel to its parent).
//
// No variable and no argument can let a directory through, which would be a way
// out of the jail, nor a device: what is kept is what data flows through. Only
// the numbers that are named are looked at.
//
// Go opens /dev/null on those of descriptors 0 to 2 that were closed, before
// any code of ours runs. So a closed one is seen as that.
func Descriptors(args []string, makeflags, nodeChannel string) Inherited {
	var in Inherited
	for fd := range in.Stdio {
		in.Stdio[fd] = stdio(fd)
	}
	in.keepArgs(args)
	in.keepJobserver(makeflags)
	in.keepNodeChannel(nodeChannel)
	slices.SortFunc(in.Keep, func(a, b plan.Descriptor) int { return a.FD - b.FD })
	return in
}

// stdio describes one of descriptors 0 to 2.
func stdio(fd int) plan.Descriptor {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return plan.Descriptor{FD: fd, Closed: true}
	}
	d := plan.Descriptor{FD: fd, Type: plan.TypeOf(st.Mode)}
	if d.Type == plan.CharDevice {
		_, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		d.Terminal = err == nil
	}
	if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0); err == nil {
		d.ReadOnly = flags&unix.O_ACCMODE == unix.O_RDONLY
		d.WriteOnly = flags&unix.O_ACCMODE == unix.O_WRONLY
	}
	return d
}

func (in *Inherited) keepArgs(args []string) {
	for _, arg := range args {
		fd, ok := argDescriptor(arg)
		if !ok {
			continue
		}
		switch inheritedType(fd) {
		case plan.FIFO, plan.Socket, plan.Regular:
			in.keep(fd, fmt.Sprintf("the argument %q names it", arg))
		}
	}
}

// argDescriptor is the number in /dev/fd/N or /proc/self/fd/N, where that is a
// whole argument or the whole value of one (--config=/dev/fd/63).
func argDescriptor(arg string) (int, bool) {
	if _, value, ok := strings.Cut(arg, "="); ok {
		arg = value
	}
	for _, dir := range []string{"/dev/fd", "/proc/self/fd"} {
		if filepath.IsAbs(arg) && parent(arg) == dir {
			return descriptorNumber(lastName(arg))
		}
	}
	return 0, false
}

// descriptorNumber reads the decimal number of a descriptor above 2.
func descriptorNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n < 3 || strconv.FormatUint(n, 10) != text {
		return 0, false
	}
	return int(n), true
}

// keepJobserver keeps the jobserver that make names in MAKEFLAGS: two pipes
// (R,W), or since make 4.4 a FIFO in the directory for temporary files
// (fifo:PATH). The last word on it counts, and the definitions of variables after
// "--" hold none.
//
// MAKEFLAGS must not become a way to show any other path of the host inside, so
// the FIFO must have the name that make gives it and belong to the caller.
func (in *Inherited) keepJobserver(makeflags string) {
	value := ""
	for _, word := range strings.Fields(makeflags) {
		if word == "--" {
			break
		}
		switch name, v, _ := strings.Cut(word, "="); name {
		case "--jobserver-auth", "--jobserver-fds": // the second until make 4.1
			value = v
		}
	}
	if path, ok := strings.CutPrefix(value, "fifo:"); ok {
		in.keepNamedJobserver(path)
		return
	}
	r, w, _ := strings.Cut(value, ",")
	rfd, rok := descriptorNumber(r)
	wfd, wok := descriptorNumber(w)
	if rok && wok && inheritedType(rfd) == plan.FIFO && inheritedType(wfd) == plan.FIFO {
		in.keep(rfd, "make's jobserver, by MAKEFLAGS")
		in.keep(wfd, "make's jobserver, by MAKEFLAGS")
	}
}

func (in *Inherited) keepNamedJobserver(path string) {
	if !filepath.IsAbs(path) || physical(parent(path)) != parent(path) {
		return
	}
	name := lastName(path)
	pid, isMakes := strings.CutPrefix(name, "GMfifo")
	if _, err := strconv.ParseUint(pid, 10, 31); err != nil || !isMakes {
		return
	}
	src, err := Stat(path)
	if err == nil && src.Type == plan.FIFO && src.UID == uint32(unix.Geteuid()) {
		in.Jobserver = src
	}
}

func (in *Inherited) keepNodeChannel(value string) {
	if fd, ok := descriptorNumber(value); ok && inheritedType(fd) == plan.Socket {
		in.keep(fd, "node's channel to its parent, by NODE_CHANNEL_FD")
	}
}

// keep adds fd, unless it is there for another reason.
func (in *Inherited) keep(fd int, why string) {
	for _, d := range in.Keep {
		if d.FD == fd {
			return
		}
	}
	d := stdio(fd)
	d.Why = why
	in.Keep = append(in.Keep, d)
}

// inheritedType is the type of descriptor fd if the caller handed it over, and
// Absent if not: what this process has opened by itself closes on exec, and what
// came through an exec cannot.
func inheritedType(fd int) plan.Type {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC != 0 {
		return plan.Absent
	}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return plan.Absent
	}
	return plan.TypeOf(st.Mode)
}
