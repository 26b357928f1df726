package launch_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/detect"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// Whatever a plan says, making the jail writes nothing on the host, leaves no
// process and no mount behind, and ends with a result or an error. The command
// does nothing, so all that changes is the work of the set-up.
//
// Half of the plans are what Build makes of random findings; the other half is
// damaged afterwards, as no Build would: places outside, links on the way, other
// files than were seen, unknown kinds.
func TestRandomPlansWriteNothing(t *testing.T) {
	const plans = 200
	ran, refused := 0, 0
	for seed := range uint64(plans) {
		g := newGenerator(t, rand.NewPCG(seed, 7))
		p, err := plan.Build(g.input())
		if err != nil {
			continue
		}
		damaged := seed%2 == 1
		if damaged {
			g.damage(p)
		}
		before := hostView(g.host, p)
		r, err := launch.Run(p)
		switch {
		case err != nil:
			refused++
			if !damaged && !wanted(err) {
				t.Errorf("seed %d: %v", seed, err)
			}
		default:
			ran++
			if r.Signal == unix.SIGKILL {
				t.Errorf("seed %d: %+v", seed, r)
			}
		}
		if now := hostView(g.host, p); now != before {
			t.Errorf("seed %d: changed\n%s\nplan: %s", seed, changedLines(before, now), describe(p))
		}
		if pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); err != unix.ECHILD {
			t.Errorf("seed %d: a child is left: %d, %v", seed, pid, err)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d ran, %d were refused", ran, refused)
	if ran < plans/8 || refused < plans/8 {
		t.Errorf("%d ran and %d were refused: the plans have become too much alike", ran, refused)
	}
}

// wanted reports whether an undamaged plan may be refused so: its command does not
// exist, its working directory is denied, or a find of it lies below another one
// that hides it, so that it has gone by the time that it is looked for.
func wanted(err error) bool {
	var e *launch.Error
	return errors.As(err, &e) && (e.Exec || e.Act == "enter" || launch.Moved(err))
}

func describe(p *plan.Plan) string {
	var b strings.Builder
	p.WriteText(&b, nil, plan.Style{})
	return b.String()
}

// A generator makes plans for a project on a host of its own.
type generator struct {
	t    *testing.T
	rand *rand.Rand
	host string // everything that must not change
	root string // the project in it
}

func newGenerator(t *testing.T, source rand.Source) *generator {
	t.Helper()
	host, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &generator{t: t, rand: rand.New(source), host: host, root: filepath.Join(host, "project")}
	for _, name := range []string{
		"project/.env", "project/a/b/.env", "project/a/key.pem", "project/secrets/x", "project/.git/hooks/h", "project/.git/config",
		"project/plain", "outside/secret", "outside/dir/file", "store/npm/index", "tool/bin/run",
	} {
		path := filepath.Join(host, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("x"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"project/link": "../outside", "project/a/loop": "loop", "project/up": "..", "project/dangling": "nowhere/at/all",
	} {
		if err := os.Symlink(text, filepath.Join(host, name)); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// one picks one of some things.
func one[T any](g *generator, things ...T) T { return things[g.rand.IntN(len(things))] }

func (g *generator) chance(n int) bool { return g.rand.IntN(n) == 0 }

// existing is a path of the host, absolute.
func (g *generator) existing() string {
	return filepath.Join(g.host, one(g,
		"project", "project/.env", "project/a", "project/a/b", "project/a/b/.env", "project/secrets", "project/.git", "project/.git/hooks",
		"project/.git/config", "project/link", "project/dangling", "project/a/loop", "outside", "outside/dir", "store/npm", "tool"))
}

// anywhere is a path that a plan may name, or should not.
func (g *generator) anywhere() string {
	return one(g,
		g.existing(), g.existing()+"/new", g.root+"/link/dir", g.root+"/link/new", g.root+"/up/outside/new", g.root+"/new/deep",
		g.root+"/../outside/new", g.host+"/new", "/usr/new", "/etc/new", "/usr/bin/env", "/new", "/new/deep/down", "/tmp/new", "/home/tester/x",
		"/dev/new", "/proc/new", "/proc/self/cwd/x", "/run/x", "/.jail/x", "relative", "", "/", "//", "/tmp/../usr/x", "/tmp/"+strings.Repeat("n", 300))
}

// input is what a walk, a policy and a host could come up with.
func (g *generator) input() plan.Input {
	in := input(g.t, one(g, "/bin/true", "/bin/true", "/bin/true", "/nowhere/true"))
	in.Root = plan.Root{Path: g.root, ID: stat(g.t, g.root).ID}
	in.Command.Cwd = one(g, g.root, g.root, g.root+"/a")
	in.Policy.Mode = one(g, plan.Normal, plan.Worker, plan.Lockdown)
	in.Policy.Network = one(g, plan.NetworkHost, plan.NetworkNone)
	in.Facts.Kernel.LandlockABI = one(g, 0, 2, 4, landlockABI())
	for range g.rand.IntN(6) {
		s := stat(g.t, g.existing())
		switch {
		case !plan.Below(s.Path, g.root) || s.Path == g.root:
			in.Facts.Maps = append(in.Facts.Maps, plan.HostMap{Source: s, Destination: one(g, s.Path, "/shown/here", "/tmp/shown"), ReadOnly: g.chance(2)})
		case g.chance(3):
			in.Found.Pins = append(in.Found.Pins, plan.Pinned{Source: s, ReadOnly: g.chance(2)})
		default:
			in.Found.Hits = append(in.Found.Hits, plan.Hit{Path: s.Path, Type: s.Type, ID: s.ID, Action: one(g, plan.ActMask, plan.ActDeny)})
		}
	}
	return in
}

func landlockABI() int {
	const version = 1
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// damage makes a plan that nothing has checked.
func (g *generator) damage(p *plan.Plan) {
	for range 1 + g.rand.IntN(4) {
		at := g.rand.IntN(len(p.Mounts) + 1)
		switch g.rand.IntN(6) {
		case 0: // in any order
			p.Mounts = append(p.Mounts[:at:at], append([]plan.Mount{g.mount()}, p.Mounts[at:]...)...)
		case 1:
			p.Mounts = append(p.Mounts, g.mount(), g.mount())
		case 2:
			if at < len(p.Mounts) {
				p.Mounts[at].Destination = g.anywhere()
			}
		case 3:
			if at < len(p.Mounts) {
				p.Mounts[at].Source, p.Mounts[at].ID = g.anywhere(), plan.ID{}
			}
		case 4:
			g.rand.Shuffle(len(p.Mounts), func(i, j int) { p.Mounts[i], p.Mounts[j] = p.Mounts[j], p.Mounts[i] })
		case 5:
			p.Process.Cwd = g.anywhere()
		}
	}
	if g.chance(2) {
		return
	}
	// In the order that is asked for, or hardly any would get as far as the kernel.
	slices.SortStableFunc(p.Mounts, func(a, b plan.Mount) int { return plan.ComparePaths(a.Destination, b.Destination) })
	p.Mounts = slices.CompactFunc(p.Mounts, func(a, b plan.Mount) bool { return a.Destination == b.Destination })
	p.Mounts = slices.DeleteFunc(p.Mounts, func(m plan.Mount) bool { return !clean(m) })
}

// clean reports whether a mount has a place where one can be.
func clean(m plan.Mount) bool {
	d := m.Destination
	return len(d) > 1 && d[0] == '/' && filepath.Clean(d) == d && !plan.Below(d, "/.jail") &&
		(m.Kind != plan.Bind || m.Source != "" && m.Source[0] == '/' && !m.ID.IsZero()) && (m.Kind != plan.Link || m.Source != "")
}

func (g *generator) mount() plan.Mount {
	m := plan.Mount{
		Kind:        one(g, plan.Bind, plan.Pin, plan.Tmpfs, plan.Proc, plan.Devpts, plan.Link, plan.File, plan.Dir, plan.Mask, plan.Deny, plan.Kind("odd")),
		Source:      g.anywhere(),
		Destination: g.anywhere(),
		Type:        one(g, plan.Directory, plan.Regular, plan.Symlink, plan.CharDevice, plan.Absent),
		ReadOnly:    g.chance(2), Device: g.chance(4), NoExec: g.chance(4),
		Perm: 0o755, Data: []byte("data"),
	}
	if g.chance(4) {
		m.ID = plan.ID{Dev: 1, Ino: uint64(g.rand.IntN(100))}
	} else if s, err := detect.Stat(m.Source); err == nil {
		m.ID, m.Type = s.ID, s.Type
	}
	return m
}

// hostView is everything about the host that the set-up of p could change: the files
// below dir, what there is where it has mount points, and the mounts there. Others use
// this machine too, and make files and mounts elsewhere.
func hostView(dir string, p *plan.Plan) string {
	var out strings.Builder
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err == nil {
			fmt.Fprintln(&out, path, st.Ino, st.Mode, st.Nlink, st.Uid, st.Gid, st.Size, st.Mtim, st.Ctim)
		}
		return nil
	})
	places := mountPoints(p)
	for _, path := range slices.Sorted(maps.Keys(places)) {
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err == nil {
			fmt.Fprintln(&out, path, st.Ino, st.Mode, st.Uid, st.Gid)
		}
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		if at := strings.Fields(line)[4]; places[at] || plan.Below(at, dir) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// mountPoints are those of p, with all that they lie in, and where the launch begins.
func mountPoints(p *plan.Plan) map[string]bool {
	places := map[string]bool{"/": true, "/.jail": true}
	for i := range p.Mounts {
		for at := filepath.Join("/", p.Mounts[i].Destination); at != "/"; at = filepath.Dir(at) {
			places[at] = true
		}
	}
	return places
}

func changedLines(before, now string) string {
	var out strings.Builder
	for _, side := range [][3]string{{"-", before, now}, {"+", now, before}} {
		for line := range strings.Lines(side[1]) {
			if !strings.Contains(side[2], line) {
				out.WriteString(side[0] + line)
			}
		}
	}
	return out.String()
}
