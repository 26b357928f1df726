package detect

import (
	"errors"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// HostOptions says what Host has to know about the caller.
type HostOptions struct {
	UID   uint32             // effective
	Stdio [3]plan.Descriptor // as Descriptors found them
	Etc   Memory             // of the walk over /etc; may be empty
}

// HostFacts is the part of the facts that is about files of this host. Each list
// is in the order of its paths, except Devices, GPU and Sys.
type HostFacts struct {
	System  []plan.Source    // what exists of the system's directories, links as links
	Hidden  []plan.Source    // files and directories in /etc that others may not read
	Proc    []plan.ProcEntry // entries of /proc that must be read-only or hidden
	Sys     []plan.Source    // directories of /sys that must be hidden
	Devices []plan.Source    // null zero full random urandom tty
	GPU     []plan.Source    // device nodes, and directories of them
	Console plan.Source      // the caller's terminal; zero without one
	Links   []plan.Source    // what lies outside System behind links that programs need
}

// Host looks at the files of this host. It fails rather than leave something out
// that it could not see, because what is left out of Hidden is shown.
//
// The walk over /etc takes most of the time and goes on beside the rest.
func Host(opts HostOptions) (HostFacts, error) {
	walked := make(chan error, 1)
	var facts HostFacts
	go func() {
		var err error
		facts.Hidden, err = unreadableSince("/etc", opts.Etc, time.Now())
		// A read-only mount does not keep anybody from connecting to a socket on it, and
		// a daemon of the host's would build as another user what it is told to.
		if daemon, e := present("/nix/var/nix/daemon-socket"); e == nil {
			facts.Hidden = append(facts.Hidden, daemon...)
		}
		if opts.UID != 0 {
			facts.Hidden = withinReach(facts.Hidden)
		}
		walked <- err
	}()
	err := facts.look(opts)
	if walkErr := <-walked; err == nil {
		err = walkErr
	}
	return facts, err
}

// look finds everything but Hidden.
func (h *HostFacts) look(opts HostOptions) error {
	var err error
	if h.System, err = present(systemDirs[:]...); err != nil {
		return err
	}
	h.Links = linksOutside(h.System, "/usr/local",
		"/etc/group", "/etc/hostname", "/etc/hosts", "/etc/localtime", "/etc/machine-id", "/etc/nsswitch.conf",
		"/etc/passwd", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/resolv.conf", "/etc/ssl/ca-bundle.pem",
		"/etc/ssl/cert.pem", "/etc/ssl/certs", "/etc/ssl/certs/ca-certificates.crt")
	h.Proc = procEntries("/proc", procTable(), opts.UID)
	h.Sys = sysEntries("/sys", opts.UID)
	h.Devices = devices("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
	h.GPU = gpus("/dev")
	h.Console = console(opts.Stdio)
	return nil
}

// LockdownEtc returns what lockdown shows of /etc: what the dynamic loader and
// the C library read, certificates, and what /usr/bin leads to by way of
// alternatives. A link comes with all that it leads through.
func LockdownEtc() []plan.Source {
	return chains("/etc/alternatives", "/etc/ca-certificates", "/etc/crypto-policies", "/etc/gai.conf", "/etc/group",
		"/etc/host.conf", "/etc/hosts", "/etc/ld-musl-aarch64.path", "/etc/ld-musl-x86_64.path", "/etc/ld.so.cache",
		"/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/localtime", "/etc/nsswitch.conf",
		"/etc/passwd", "/etc/pki", "/etc/protocols", "/etc/services", "/etc/ssl")
}

// present returns what exists of paths, links as links.
func present(paths ...string) ([]plan.Source, error) {
	var found []plan.Source
	for _, path := range paths {
		src, err := Stat(path)
		switch {
		case err == nil:
			found = append(found, src)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTDIR):
			return nil, err
		}
	}
	return found, nil
}
