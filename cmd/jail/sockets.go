package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/detect"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// The services of the host that the user, and nobody else, opened to the command.
// Where a variable says which socket that is, it says no more than that: what it
// names must be a socket of that kind, or SSH_AUTH_SOCK=~/.ssh would show the keys.

// sockets adds what the policy opens.
func (g *gatherer) sockets() {
	if g.policy.Docker {
		g.docker()
	}
	if g.policy.SSH {
		g.socket("ssh", g.get("SSH_AUTH_SOCK"), "SSH_AUTH_SOCK", agentSocket)
	}
	if g.policy.Display {
		g.x11()
		if name := g.get("WAYLAND_DISPLAY"); name != "" {
			if !filepath.IsAbs(name) {
				name = filepath.Join(g.get("XDG_RUNTIME_DIR"), name)
			}
			g.socket("display", name, "WAYLAND_DISPLAY", waylandSocket)
		}
	}
}

// docker is the daemon of root's, and that of the caller's own where there is one.
func (g *gatherer) docker() {
	found := false
	for _, path := range [...]string{"/run/docker.sock", fmt.Sprintf("/run/user/%d/docker.sock", g.owner.UID)} {
		if s, err := statThrough(path); err == nil && s.Type == plan.Socket {
			found = true
			g.open("docker", s, path)
		}
	}
	if !found {
		g.note("there is no Docker socket at /run/docker.sock", g.who("docker"))
	}
}

// x11 is the socket of the display that DISPLAY names, and the file that lets
// programs in. A display on another machine has neither.
func (g *gatherer) x11() {
	number, ok := localDisplay(g.get("DISPLAY"))
	if !ok {
		return
	}
	path := "/tmp/.X11-unix/X" + number
	if s, err := statThrough(path); err == nil && s.Type == plan.Socket {
		g.open("display", s, path)
	} else {
		g.note("there is no socket of a display at "+path, g.who("display"))
		return
	}
	cookies := g.get("XAUTHORITY")
	if cookies == "" {
		cookies = filepath.Join(g.home, ".Xauthority")
	}
	if s, err := statThrough(cookies); err == nil && s.Type == plan.Regular && s.UID == g.owner.UID && isXauthority(s.Path) {
		at := filepath.Clean(cookies)
		if g.get("XAUTHORITY") == "" {
			at = filepath.Join(g.insideHome(), ".Xauthority")
		}
		g.in.Facts.Maps = append(g.in.Facts.Maps, plan.HostMap{Source: s, Destination: at, ReadOnly: true, Reason: g.who("display")})
	}
}

// localDisplay reads the number out of :0 and :0.1.
func localDisplay(name string) (number string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(name, "unix"), ":")
	if !ok {
		return "", false
	}
	number, _, _ = strings.Cut(rest, ".")
	return number, number != "" && strings.Trim(number, "0123456789") == ""
}

// socket opens the socket at path if it is the caller's and of the right kind.
func (g *gatherer) socket(key, path, variable string, kind func(path string) bool) {
	if path == "" {
		g.note(variable+" is not set, so there is no socket to show", g.who(key))
		return
	}
	s, err := statThrough(path)
	switch {
	case err != nil || s.Type != plan.Socket:
		g.note(fmt.Sprintf("%s, which %s names, is no socket", plan.Quote(path), variable), g.who(key))
	case s.UID != g.owner.UID || !kind(s.Path) || plan.Below(s.Path, g.root.Path):
		g.note(fmt.Sprintf("%s, which %s names, is not the socket of a service of that kind", plan.Quote(path), variable), g.who(key))
	default:
		g.open(key, s, filepath.Clean(path))
	}
}

// open shows a socket. What is behind it decides what a command can do there.
func (g *gatherer) open(key string, s plan.Source, at string) {
	g.in.Facts.Maps = append(g.in.Facts.Maps, plan.HostMap{Source: s, Destination: at, Reason: g.who(key)})
}

// handles are the variables that lead to what was opened, and only where it was: a
// program that is told of a socket which is not there fails later and worse.
func (g *gatherer) handles() (rules []plan.EnvRule) {
	for _, h := range [...]struct {
		name, key string
		open      bool
	}{
		{"DOCKER_HOST", "docker", g.policy.Docker && g.reached(strings.TrimPrefix(g.get("DOCKER_HOST"), "unix://"))},
		{"SSH_AUTH_SOCK", "ssh", g.policy.SSH && g.reached(g.get("SSH_AUTH_SOCK"))},
		{"DISPLAY", "display", g.policy.Display},
		{"XAUTHORITY", "display", g.policy.Display && g.reached(g.get("XAUTHORITY"))},
		{"WAYLAND_DISPLAY", "display", g.policy.Display},
		{"XDG_RUNTIME_DIR", "display", g.policy.Display && g.reached(g.get("XDG_RUNTIME_DIR"))},
	} {
		if h.open && g.isSet(h.name) {
			rules = append(rules, plan.EnvRule{Name: h.name, Reason: g.who(h.key)})
		}
	}
	return rules
}

// reached reports whether path, or something in it, is shown; what is no path is
// not ours to judge.
func (g *gatherer) reached(path string) bool {
	return !filepath.IsAbs(path) || slices.ContainsFunc(g.in.Facts.Maps, func(m plan.HostMap) bool {
		return plan.Below(m.Destination, filepath.Clean(path))
	})
}

// agentSocket knows the names under which agents listen: ssh-x/agent.1, keyring/ssh,
// S.gpg-agent.ssh. The session's bus, a mere socket too, has none of them.
func agentSocket(path string) bool {
	return strings.Contains(path, "agent") || strings.Contains(path, "ssh")
}

func waylandSocket(path string) bool {
	name := filepath.Base(path)
	return strings.Contains(name, "wayland") || strings.Contains(name, "gamescope")
}

// statThrough looks at what a path leads to.
func statThrough(path string) (plan.Source, error) {
	if !filepath.IsAbs(path) {
		return plan.Source{}, os.ErrNotExist
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return plan.Source{}, err
	}
	return detect.Stat(real)
}

// isXauthority reports whether a file is a list of X11's cookies and nothing else,
// as Xau.h describes it: a number and four strings, each with its length before it.
func isXauthority(path string) bool {
	b, err := read(unix.AT_FDCWD, path, unix.OpenHow{Flags: unix.O_NOFOLLOW}, maxSettings)
	if err != nil {
		return false
	}
	entries := 0
	for len(b) > 0 {
		if len(b) < 2 {
			return false
		}
		b = b[2:]
		for field := range 4 {
			if len(b) < 2 {
				return false
			}
			n := int(binary.BigEndian.Uint16(b))
			if b = b[2:]; len(b) < n || field == 2 && !strings.HasPrefix(string(b[:n]), "MIT-MAGIC-COOKIE-") {
				return false
			}
			b = b[n:]
		}
		entries++
	}
	return entries > 0
}
