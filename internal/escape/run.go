package escape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Column is one sandbox, in one of its modes.
type Column struct {
	Name    string
	Command string // words for a shell; the attack is appended to them. Empty: no sandbox
	Jail    bool   // rows that are open by design say so by its name
}

// A Plan says what is to be tried, and on what.
type Plan struct {
	Probe    string   // a static binary of internal/probe
	Programs []string // what the columns run, where that is not the system's
	Show     []string // directories below /tmp, /run or the home that they need
	User     string   // the name of the one who attacks; empty means the caller
	Columns  []Column
	Rows     []string  // IDs; empty means all
	Progress io.Writer `json:"-"`
}

// A Verdict is what became of one row in one column.
type Verdict string

// The verdicts.
const (
	Held    Verdict = "held"
	Out     Verdict = "out"
	Unshown Verdict = "unshown" // it does not succeed without a sandbox either
	Refused Verdict = "refused" // the sandbox did not start where it should
	Proven  Verdict = "proven"  // elsewhere, or nowhere: the row says so
	Broken  Verdict = "broken"  // it could not be laid out
)

// A Result is a verdict and what it rests on.
type Result struct {
	Row, Column, User string
	Verdict           Verdict
	Why               string
	Output            string // of the attack
}

// A scene is what the isolated process is told.
type scene struct {
	Plan
	UID, GID int
	Home     string
	company  int      // see keepCompany
	mounts   []string // where there were mounts before any trial
}

// Run tries the rows of the plan. It needs to make namespaces: as root it makes
// them itself and attacks as anybody, otherwise it attacks as the caller, in a user
// namespace.
func Run(p Plan) ([]Result, error) {
	s, err := p.scene()
	if err != nil {
		return nil, err
	}
	words, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var results bytes.Buffer
	cmd := exec.Command(p.Probe, "escape-inside")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(words), &results, p.Progress
	cmd.SysProcAttr = apart()
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("try the rows apart from this machine: %w: %s", err, bytes.TrimSpace(results.Bytes()))
	}
	var all []Result
	if err := json.NewDecoder(&results).Decode(&all); err != nil {
		return nil, fmt.Errorf("read the results: %w", err)
	}
	return all, nil
}

func (p Plan) scene() (scene, error) {
	u, err := user.Current()
	if p.User != "" {
		u, err = user.Lookup(p.User)
	}
	if err != nil {
		return scene{}, err
	}
	s := scene{Plan: p, Home: passwdHome(u)}
	s.User = u.Username
	s.UID, _ = strconv.Atoi(u.Uid)
	s.GID, _ = strconv.Atoi(u.Gid)
	if s.UID != os.Getuid() && os.Getuid() != 0 {
		return scene{}, fmt.Errorf("only root can attack as %s", s.User)
	}
	return s, nil
}

// passwdHome is the home that passwd names: Current believes $HOME.
func passwdHome(u *user.User) string {
	if p, err := user.LookupId(u.Uid); err == nil {
		return p.HomeDir
	}
	return u.HomeDir
}

// apart is a process in namespaces of its own.
func apart() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		Pdeathsig:  syscall.SIGKILL,
	}
	if uid, gid := os.Getuid(), os.Getgid(); uid != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		// execve would take the new namespace's capabilities from a caller that is not
		// root; ambient ones stay.
		attr.AmbientCaps = setUpCaps()
	}
	return attr
}

// setUpCaps are those that the set-up needs: to mount, to bring up a network and to
// answer for names on it.
func setUpCaps() []uintptr {
	return []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_NET_BIND_SERVICE, unix.CAP_NET_ADMIN, unix.CAP_SYS_ADMIN}
}
