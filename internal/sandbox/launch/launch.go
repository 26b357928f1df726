package launch

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"unsafe"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A Result says how the command ended.
type Result struct {
	Code     int            // its exit status, where Signal is 0
	Signal   syscall.Signal // the signal that ended it
	TimedOut bool           // the plan's time-out ended it, by whatever signal

	// Home is a descriptor of the home inside as the command left it, for the caller
	// to close; -1 where nothing was left in it. What was mounted in it is not there
	// any more.
	Home int
}

// Run makes the jail that p describes, runs its command and waits for it.
//
// It returns an *Error when the jail could not be made or the command not be
// executed; then no command ran. Of an error that Moved the cause was that a file
// changed between the look and the launch: look again and try again.
//
// Run must be called from the process that the user started, as it passes on the
// signals that this process gets and stops it when the command stops.
func Run(p *plan.Plan) (Result, error) { return RunObserved(p, nil) }

// The stages that an observer of a launch hears of, each when it is over.
const (
	StageLower = "lower the plan to system calls"
	StageFork  = "make the namespaces"
	StageMake  = "mount, limit and restrict"
)

// RunObserved is Run, and calls at after each stage. It is for finding out where
// time goes, and costs one system call more.
func RunObserved(p *plan.Plan, at func(stage string)) (Result, error) {
	return RunListened(p, at, Listener{})
}

// RunListened is RunObserved, and has somebody listen to the command's system calls.
func RunListened(p *plan.Plan, at func(stage string), l Listener) (Result, error) {
	if err := check(p); err != nil {
		return Result{}, err
	}
	open, err := openDescriptors(p.Calls)
	if err != nil {
		return Result{}, err
	}
	pr, err := lower(p, ownArgArea(), open)
	if err != nil {
		return Result{}, err
	}
	j := &jail{plan: p, program: pr, own: !onTerminal(p), at: at}
	j.stage(StageLower)
	if j.hand, err = newHand(p); err != nil {
		return Result{}, err
	}
	defer closeEnd(&j.hand.ours)
	defer closeEnd(&j.hand.theirs) // in case there is no child to have it
	if j.ear, err = newEar(l); err != nil {
		return Result{}, err
	}
	defer j.ear.close()
	if len(open) > 0 {
		j.last = uintptr(slices.Max(open)) + ownDescriptors
	}
	j.tty = openTerminal(p)
	defer j.tty.restore()
	j.sync = -1
	defer func() { unix.Close(j.sync) }()
	if err := j.start(); err != nil {
		return Result{}, err
	}
	defer unix.Close(j.status)
	// Only now, while the child has work to do and the launcher has none. A signal
	// before that ends the launcher, and with it the jail, in which no command runs
	// before the launcher can pass signals on to it.
	signals, release, err := catch()
	if err != nil {
		j.end()
		return Result{}, err
	}
	defer release()
	j.signals = signals
	j.stage(StageFork)
	j.goAhead()
	if err := j.ear.listen(); err != nil {
		j.end()
		return Result{}, err
	}
	j.clock = newClock(p.Timeout)
	return j.wait()
}

func (j *jail) stage(name string) {
	if j.at != nil {
		j.at(name)
	}
}

// check refuses what cannot be run: a plan that Build would not have made, and one
// with a store that was to be made before the run. Lower does not mind the latter,
// so that a dry run can print the program.
func check(p *plan.Plan) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("check the plan: %w", err)
	}
	for _, n := range []plan.Namespace{plan.UserNS, plan.MountNS, plan.PidNS} {
		if !slices.Contains(p.Namespaces, n) {
			return fmt.Errorf("check the plan: no %s namespace", n)
		}
	}
	for i := range p.Mounts {
		if m := &p.Mounts[i]; m.Make {
			return fmt.Errorf("mount %q: %q does not exist", m.Destination, m.Source)
		}
	}
	return nil
}

// A jail is one that is being started or runs.
type jail struct {
	plan    *plan.Plan
	program *Program
	own     bool // the command has a process group of its own
	tty     terminal
	last    uintptr // the highest descriptor that can be open, where close_range is missing
	sync    int     // write end; see goAhead
	status  int     // read end
	signals int     // read end; see catch
	hand    hand
	ear     ear
	pid     int // of pid 1, as the launcher sees it
	clock   clock
	at      func(stage string)
}

// onTerminal reports whether the command can read or write a terminal. Then it
// stays in the caller's process group, so that job control works by itself.
func onTerminal(p *plan.Plan) bool {
	for _, d := range p.Stdio {
		if d.Terminal {
			return true
		}
	}
	return false
}

// start forks the child, which makes the jail and then waits for goAhead.
func (j *jail) start() error {
	var sync, status [2]int
	if err := unix.Pipe2(sync[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("make a pipe: %w", err)
	}
	defer unix.Close(sync[0])
	j.sync = sync[1]
	if err := unix.Pipe2(status[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("make a pipe: %w", err)
	}
	j.status = status[0]
	c, err := j.child(sync, status[1])
	if err != nil {
		return err
	}
	// PR_SET_PDEATHSIG follows the thread that forks, not the process. It needs no
	// runtime.LockOSThread, which costs two threads: Go ends a thread only together
	// with a goroutine that is locked to it.
	syscall.ForkLock.Lock()
	runtimeBeforeFork()
	pid, errno := fork(c)
	runtimeAfterFork()
	syscall.ForkLock.Unlock()
	runtime.KeepAlive(c)
	runtime.KeepAlive(j.program)
	unix.Close(status[1])
	closeEnd(&j.hand.theirs)
	closeEnd(&j.ear.theirs)
	if errno != 0 {
		unix.Close(status[0])
		return &Error{Act: "make namespaces", Err: errno}
	}
	j.pid = int(pid)
	return nil
}

// goAhead lets the child start the command.
func (j *jail) goAhead() { unix.Write(j.sync, []byte{1}) }

// ownDescriptors is more than the launcher and the child open between the look
// at /proc/self/fd and the command: two pipes, and one mount at a time.
const ownDescriptors = 16

// openDescriptors lists the descriptors above 2 where the kernel cannot close a
// range of them. Otherwise it returns nil.
func openDescriptors(calls plan.Calls) ([]int, error) {
	if calls.CloseRange {
		return nil, nil
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil, fmt.Errorf("list descriptors: %w", err)
	}
	open := []int{}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			open = append(open, fd)
		}
	}
	return open, nil
}

// child prepares everything that the forked child reads.
func (j *jail) child(sync [2]int, status int) (*child, error) {
	p := &j.plan.Process
	argv, err := syscall.SlicePtrFromStrings(p.Args)
	if err != nil {
		return nil, fmt.Errorf("pass arguments: %w", err)
	}
	envp, err := syscall.SlicePtrFromStrings(p.Env)
	if err != nil {
		return nil, fmt.Errorf("pass environment: %w", err)
	}
	pr := j.program
	pr.keep = append(pr.keep, argv, envp)
	c := &child{
		steps: pr.steps,
		sync:  uintptr(sync[0]), syncTop: uintptr(sync[1]), status: uintptr(status),
		flags: cloneFlags(j.plan.Namespaces) | uintptr(unix.SIGCHLD),
		own:   j.own,
		path:  pr.arena.str(p.Path), cwd: pr.arena.str(p.Cwd),
		argv: uintptr(unsafe.Pointer(&argv[0])), envp: uintptr(unsafe.Pointer(&envp[0])),
		all:  ^uint64(0),
		last: j.last,
		tell: j.at != nil,
	}
	if j.hand.theirs >= 0 {
		c.letter, c.hand, c.home = newLetter(), uintptr(j.hand.theirs), pr.arena.str(p.Home)
	}
	j.ear.prepare(c)
	return c, nil
}

func cloneFlags(ns []plan.Namespace) (flags uintptr) {
	for _, n := range ns {
		flags |= map[plan.Namespace]uintptr{
			plan.UserNS: unix.CLONE_NEWUSER, plan.MountNS: unix.CLONE_NEWNS,
			plan.PidNS: unix.CLONE_NEWPID, plan.IPCNS: unix.CLONE_NEWIPC,
			plan.UTSNS: unix.CLONE_NEWUTS, plan.CgroupNS: unix.CLONE_NEWCGROUP,
			plan.NetworkNS: unix.CLONE_NEWNET,
		}[n]
	}
	return flags
}

// end ends a jail in which no command runs yet.
func (j *jail) end() {
	unix.Kill(j.pid, unix.SIGKILL)
	j.reap()
}

// wait reads what pid 1 says until it has nothing more to say and is gone.
func (j *jail) wait() (Result, error) {
	var last message
	for {
		m, ok := j.listen()
		switch {
		case !ok:
			r, err := j.result(last, j.reap())
			r.TimedOut = j.clock.rung
			r.Home = j.hand.take()
			return r, err
		case m.kind == msgMade:
			j.stage(StageMake)
		case m.kind == msgStopped:
			// Who is stopped counts no time. Where a shell watches that is as it should be;
			// where none does, nobody would ever end a command that stopped itself.
			if !j.goesOn() && (j.plan.Timeout == 0 || !j.own) {
				j.stopSelf(syscall.Signal(m.value))
			}
		case last.kind != msgFailed:
			// A command that could not be executed says so, and then its exit is reported.
			last = m
		}
	}
}

// listen waits for the next word of pid 1, and passes signals on meanwhile. It
// reports false when there will be none.
func (j *jail) listen() (m message, ok bool) {
	fds := []unix.PollFd{{Fd: int32(j.status), Events: unix.POLLIN}, {Fd: int32(j.signals), Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, j.clock.left())
		if sig := j.clock.ring(); sig != 0 {
			unix.Kill(j.pid, sig)
		}
		if err == unix.EINTR {
			continue
		} else if err != nil {
			return m, false
		}
		if fds[1].Revents != 0 {
			j.passAll()
		}
		if fds[0].Revents != 0 {
			b := unsafe.Slice((*byte)(unsafe.Pointer(&m)), unsafe.Sizeof(m))
			n, err := unix.Read(j.status, b)
			if err != unix.EINTR {
				return m, err == nil && n == len(b)
			}
		}
	}
}

// goesOn reports whether pid 1 has more to say: that the command, which was
// stopped, is not any more. That is so where a Ctrl-Z stopped the launcher too,
// before it had got round to catching the signal, and then somebody continued the
// job: to stop again would be one time too many. The wait is not felt.
func (j *jail) goesOn() bool {
	const wait = 50 // milliseconds
	fds := []unix.PollFd{{Fd: int32(j.status), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, wait)
		if err != unix.EINTR {
			return n > 0
		}
	}
}

// reap waits for pid 1. From then on its number may be somebody else's.
func (j *jail) reap() (ws syscall.WaitStatus) {
	for {
		if _, err := syscall.Wait4(j.pid, &ws, 0, nil); err != syscall.EINTR {
			return ws
		}
	}
}

// result makes a Result of the last word of the jail, or, where pid 1 was ended
// before it could say one, of how that happened.
func (j *jail) result(last message, pid1 syscall.WaitStatus) (Result, error) {
	switch {
	case last.kind == msgFailed:
		return Result{}, j.failure(last)
	case last.kind == msgExited:
		pid1 = syscall.WaitStatus(last.value)
	case pid1.Exited():
		return Result{}, &Error{Act: "run", Err: unix.ECHILD}
	}
	if pid1.Signaled() {
		return Result{Signal: pid1.Signal()}, nil
	}
	return Result{Code: pid1.ExitStatus()}, nil
}

// An argArea is where the kernel put the launcher's arguments and environment.
type argArea struct{ from, to uintptr }

// ownArgArea reads it from /proc/self/stat, fields 48 to 51 of proc(5). Without
// it nothing is wiped, and pid 1 still cannot be read by being non-dumpable, but
// for its arguments.
func ownArgArea() argArea {
	b, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return argArea{}
	}
	f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(f) < 49 {
		return argArea{}
	}
	from, err1 := strconv.ParseUint(string(f[45]), 10, 64)
	to, err2 := strconv.ParseUint(string(f[48]), 10, 64)
	if err1 != nil || err2 != nil {
		return argArea{}
	}
	return argArea{uintptr(from), uintptr(to)}
}
