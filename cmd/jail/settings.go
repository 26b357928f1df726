package main

import (
	"bytes"
	"encoding/pem"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/detect"
	"jail/internal/environ/secret"
	"jail/internal/sandbox/plan"
	"jail/internal/settings"
)

// maxSettings bounds what is read of a file of settings, and of certificates.
const (
	maxSettings     = 128 << 10
	maxCertificates = 2 << 20
)

// settings are shown as copies without their secrets: those in the home, and the
// project's own where one holds a credential itself.
func (g *gatherer) settings() error {
	in := settings.Inside{Home: g.insideHome(), Passes: g.passes}
	if g.policy.Mode != plan.Lockdown && g.usedHome() != "" {
		in.Read = g.readHome
		g.homeSettings(in)
	}
	dirs := []string{g.root.Path}
	if g.physical != g.root.Path && plan.Below(g.physical, g.root.Path) {
		dirs = append(dirs, g.physical)
	}
	for _, dir := range dirs {
		for _, name := range projectSettings {
			g.projectFile(filepath.Join(dir, name), in)
		}
	}
	return nil
}

// homeSettings are those in the home, which lockdown does not show.
func (g *gatherer) homeSettings(in settings.Inside) {
	for _, t := range settings.Tools() {
		content, err := g.readHome(strings.TrimPrefix(t.Path, "~/"))
		if err == nil {
			g.copy(t, filepath.Join(g.insideHome(), t.Path[2:]), plan.ID{}, content, in)
		}
	}
	for _, name := range certificateVariables {
		g.certificates(g.get(name))
	}
	if g.policy.SSH {
		g.knownHosts()
	}
}

// knownHosts shows the keys by which ssh knows its hosts. With an agent and without
// these it asks for each host whether it is the right one. It looks in the home that
// passwd names, and others where HOME says.
func (g *gatherer) knownHosts() {
	for _, name := range [...]string{".ssh/known_hosts", ".ssh/known_hosts2"} {
		content, err := g.readHome(name)
		if err != nil {
			continue
		}
		data := settings.KnownHosts(content)
		if data == nil {
			continue
		}
		for _, home := range slices.Compact([]string{g.home, g.insideHome()}) {
			g.in.Facts.Settings = append(g.in.Facts.Settings, plan.Copy{Destination: filepath.Join(home, name), Data: data})
		}
	}
}

// copied reports whether the command gets a copy in the place of what h hides.
func (g *gatherer) copied(h plan.Hit) bool {
	return slices.ContainsFunc(g.in.Facts.Settings, func(c plan.Copy) bool { return c.Destination == h.Path && c.ID == h.ID })
}

// projectSettings are the files of a project that may hold a credential.
var projectSettings = [...]string{
	".npmrc", ".yarnrc.yml", ".pypirc", "pip.conf", "uv.toml", "bunfig.toml",
	".cargo/config.toml", ".cargo/config", ".cargo/credentials.toml", ".cargo/credentials",
}

// certificateVariables name files that programs trust.
var certificateVariables = [...]string{
	"AWS_CA_BUNDLE", "CARGO_HTTP_CAINFO", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS",
	"PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "npm_config_cafile",
}

// copy adds what may be shown of a file. Of one that cannot be read as what it
// should be, nothing may.
func (g *gatherer) copy(t settings.Tool, at string, id plan.ID, content []byte, in settings.Inside) {
	c, err := settings.Strip(t, content, in)
	if err != nil {
		g.note(plan.Quote(at)+" is not shown: "+err.Error(), plan.Reason{Layer: "built in"})
		if id.IsZero() {
			return
		}
	}
	g.in.Facts.Settings = append(g.in.Facts.Settings, plan.Copy{Destination: at, ID: id, Data: c.Data, Left: c.Left})
	for _, f := range c.Files {
		g.in.Facts.Settings = append(g.in.Facts.Settings, plan.Copy{Destination: filepath.Join(g.insideHome(), strings.TrimPrefix(f.Path, "~/")), Data: f.Data})
	}
	if g.policy.Mode == plan.Lockdown {
		return
	}
	for _, path := range c.Certificates {
		if below, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(g.insideHome(), below)
		}
		g.certificates(path)
	}
}

func (g *gatherer) projectFile(path string, in settings.Inside) {
	s, err := detect.Stat(path)
	if err != nil || s.Type != plan.Regular {
		return
	}
	t, known := settings.Of(path)
	content, err := read(unix.AT_FDCWD, path, unix.OpenHow{Flags: unix.O_NOFOLLOW}, maxSettings)
	if !known || err != nil || !settings.Literal(t, content) {
		return
	}
	g.copy(t, path, s.ID, content, in)
}

// certificates shows a file that programs are to trust, if it holds nothing else.
func (g *gatherer) certificates(path string) {
	if !filepath.IsAbs(path) || detect.IsSystem(path) || plan.Below(path, g.root.Path) {
		return
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return
	}
	s, err := detect.Stat(real)
	if err != nil || s.Type != plan.Regular {
		return
	}
	content, err := read(unix.AT_FDCWD, real, unix.OpenHow{Flags: unix.O_NOFOLLOW}, maxCertificates)
	if err != nil || !public(content) {
		return
	}
	g.in.Facts.Maps = append(g.in.Facts.Maps, plan.HostMap{
		Source: s, Destination: filepath.Clean(path), ReadOnly: true,
		Reason: plan.Reason{Layer: "built in", Text: "public certificates"},
	})
}

// public reports whether content is PEM and every block of it public.
func public(content []byte) bool {
	blocks := 0
	for {
		b, rest := pem.Decode(content)
		if b == nil {
			return blocks > 0 && !bytes.Contains(content, []byte("-----BEGIN"))
		}
		if !secret.PublicPEM(b.Type) || bytes.Contains(content[:len(content)-len(rest)], []byte("PRIVATE")) {
			return false
		}
		blocks, content = blocks+1, rest
	}
}

// readHome reads a file below the home that the caller's tools use. A link is followed, as
// dotfile managers want it, but not out of the home.
func (g *gatherer) readHome(path string) ([]byte, error) {
	fd, err := unix.Open(g.usedHome(), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	b, err := read(fd, path, unix.OpenHow{Resolve: unix.RESOLVE_BENEATH}, maxSettings)
	if err != unix.EXDEV {
		return b, err
	}
	// An absolute link, as `ln -s ~/dotfiles/npmrc ~/.npmrc` makes one. Without the
	// settings behind it a private registry's packages would be asked of the public one.
	if path, err = belowHome(g.usedHome(), path); err != nil {
		return nil, err
	}
	return read(fd, path, unix.OpenHow{Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}, maxSettings)
}

// belowHome is where path leads, from the home, which it must not leave.
func belowHome(home, path string) (string, error) {
	end, err := filepath.EvalSymlinks(filepath.Join(home, path))
	if err != nil {
		return "", err
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return "", err
	}
	if end == home || !plan.Below(end, home) {
		return "", unix.EXDEV
	}
	return filepath.Rel(home, end)
}

// errUnfit is for what is no file of settings: too large, or no file at all.
var errUnfit = errors.New("not a file of settings")

// read reads a regular file whole, if it is no larger than most.
func read(dir int, path string, how unix.OpenHow, most int) ([]byte, error) {
	how.Flags |= unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC
	fd, err := unix.Openat2(dir, path, &how)
	if err == unix.ENOENT {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size > int64(most) {
		return nil, errUnfit
	}
	b := make([]byte, st.Size)
	n, err := unix.Read(fd, b)
	if err != nil {
		return nil, err
	}
	return b[:n], nil
}

// passes reports whether a variable reaches the command.
func (g *gatherer) passes(name string) bool {
	value, set := g.lookup(name)
	if !set {
		return false
	}
	kept, _ := g.judge([]string{name + "=" + value}, func(string) bool { return true })
	for _, e := range kept {
		if strings.HasPrefix(e, name+"=") {
			return true
		}
	}
	return false
}
