package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A probe tries one thing. What it returns beside an error is printed behind ok.
type probe struct {
	name string
	args string // for the usage; one word an argument, the last may be NAME...
	help string
	run  func(args []string) (string, error)
}

// probes are all of them, in the order of the usage.
func probes() []probe {
	all := []probe{
		{"read", "PATH", "read the first bytes of a file", readFile},
		{"write", "PATH", "create or open a file and write to it", writeFile},
		{"list", "PATH", "list a directory", list},
		{"mkdir", "PATH", "make a directory", mkdir},
		{"unlink", "PATH", "remove a file", unlink},
		{"rename", "FROM TO", "rename a file or directory", rename},
		{"hardlink", "FROM TO", "give a file a second name", hardlink},
		{"chmod", "PATH MODE", "change permission bits", chmod},
		{"handle", "PATH", "open a file by its handle", openHandle},

		{"argv", "[ARG...]", "print the arguments, one a line, in hexadecimal", argv},
		{"env", "", "print the environment, one variable a line, quoted", environment},
		{"fds", "", "print the open descriptors above 2 and what they are", descriptors},
		{"inventory", "[ARG...]", "list what can be read, written, connected to and seen; ARG is NAME=NETWORK:ADDRESS", inventory},
		{"traits", "", "print what a process inherits: groups, limits, masks, signals", traits},
		{"caps", "", "print the capability sets and the two locks", capabilities},

		{"search", "NEEDLE", "look for NEEDLE in everything that /proc shows", search},
		{"memory", "PID NEEDLE", "look for NEEDLE in a process's memory", memory},
		{"ptrace", "PID", "attach to a process", attach},
		{"ptrace-child", "", "attach to a process of one's own", attachChild},
		{"peek", "PID", "read a process's memory by process_vm_readv", peek},
		{"pidfd", "PID", "take descriptor 0 of a process", takeDescriptor},
		{"signal", "PID NUMBER", "send a signal", sendSignal},

		{"namespace", "KIND", "make a namespace: user, mnt, pid, net, ipc, uts, cgroup", namespace},
		{"call", "NAME", "make one system call with harmless arguments", call},
		{"socket", "FAMILY", "make a socket: unix, inet, inet6, netlink, vsock, alg, packet", makeSocket},
		{"abstract", "NAME", "connect to an abstract socket", abstract},
		{"keyring-plant", "TEXT COMMAND...", "run COMMAND with TEXT in a new session keyring", plantKey},
		{"keyring-read", "", "read what keyring-plant planted", readKey},
		{"tiocsti", "TEXT", "type TEXT into the terminal on descriptor 0", typeText},
		{"tiocsti-high", "TEXT", "the same with a bit set above the 32 that the kernel looks at", typeTextHigh},
		{"tioclinux", "", "paste the selection of a virtual terminal", pasteSelection},

		{"discipline", "", "give the terminal on descriptor 0 a line discipline that carries nothing, and take it back", discipline},

		{"listen", "NAME FILE", "listen on an abstract socket, make FILE, wait", listen},
		{"offer", "FILE ADDRESS...", "listen on each NETWORK:ADDRESS for a minute and write to FILE where that is", offer},
		{"daemon", "WORD FILE", "leave a process behind that has WORD among its arguments; make FILE", daemon},
		{"hold", "WORD FILE", "be that process", hold},
		{"linger", "WORD FILE", "the same, for whom a polite end is good enough", linger},
		{"count", "FILE", "count TERM, USR1 and WINCH in FILE until QUIT", count},
		{"exit", "STATUS", "exit with a status", exit},
		{"raise", "NUMBER", "end by a signal", raise},
		{"stop", "", "stop, and say so when it goes on", stop},
		{"raw", "", "put the terminal on descriptor 0 into raw mode and end by KILL", rawThenKill},
		{"hush", "", "stop the output of the terminal on descriptor 0 and end by KILL", hushThenKill},
		{"blocked", "NUMBERS COMMAND...", "run COMMAND with signals blocked", withBlocked},
		{"without", "CALLS COMMAND...", "run COMMAND where the kernel lacks CALLS: name=ERRNO,...", without},
	}
	return append(all, append(ways(), hosts()...)...)
}

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	for _, p := range probes() {
		if p.name == os.Args[1] {
			os.Exit(p.try(os.Args[2:]))
		}
	}
	usage()
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: probe NAME [ARG...]")
	for _, p := range probes() {
		fmt.Fprintf(os.Stderr, "  %-32s %s\n", p.name+" "+p.args, p.help)
	}
	os.Exit(2)
}

// try runs p and prints the answer.
func (p *probe) try(args []string) int {
	if !p.takes(len(args)) {
		fmt.Fprintf(os.Stderr, "usage: probe %s %s\n", p.name, p.args)
		return 2
	}
	text, err := p.run(args)
	if err != nil {
		fmt.Printf("%s: %s\n", p.name, errorName(err))
		return 1
	}
	fmt.Println(strings.TrimRight(p.name+": ok "+text, " "))
	return 0
}

func (p *probe) takes(n int) bool {
	words := strings.Fields(p.args)
	switch {
	case len(words) == 0:
		return n == 0
	case words[0] == "[ARG...]":
		return true
	case strings.HasSuffix(words[len(words)-1], "..."):
		return n >= len(words)
	}
	return n == len(words)
}

// A refusal is an error that is no errno: nothing was found, nothing happened.
type refusal string

func (r refusal) Error() string { return string(r) }

// errorName is the kernel's name of err, or its words.
func errorName(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		if name := unix.ErrnoName(errno); name != "" {
			return name
		}
	}
	return err.Error()
}
