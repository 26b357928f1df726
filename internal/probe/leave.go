package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lifetime bounds everything that waits, should a test forget it.
const lifetime = 60 * time.Second

// daemon leaves a process behind as daemons do it: a session of its own, and a
// parent that is gone.
func daemon(args []string) (string, error) {
	if os.Getenv("PROBE_DAEMON") == "" {
		again := exec.Command("/proc/self/exe", "daemon", args[0], args[1])
		again.Env = append(os.Environ(), "PROBE_DAEMON=1")
		again.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := again.Run(); err != nil {
			return "", err
		}
		return "", await(args[1])
	}
	last := exec.Command("/proc/self/exe", "hold", args[0], args[1])
	last.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return "", last.Start()
}

// hold makes file and waits. It ignores what a polite end would send.
func hold(args []string) (string, error) {
	signal.Ignore(unix.SIGHUP, unix.SIGTERM, unix.SIGINT)
	return linger(args)
}

func linger(args []string) (string, error) {
	if err := os.WriteFile(args[1], []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644); err != nil {
		return "", err
	}
	time.Sleep(lifetime)
	return "", nil
}

func await(file string) error {
	for end := time.Now().Add(lifetime); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if st, err := os.Stat(file); err == nil && st.Size() > 0 {
			return nil
		}
	}
	return refusal("nothing happened")
}

// count writes how often each signal arrived, after each one.
func count(args []string) (string, error) {
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, unix.SIGTERM, unix.SIGUSR1, unix.SIGWINCH, unix.SIGQUIT)
	var term, usr1, winch int
	end := time.After(lifetime)
	for {
		text := fmt.Sprintf("TERM %d USR1 %d WINCH %d\n", term, usr1, winch)
		if err := replace(args[0], text); err != nil {
			return "", err
		}
		select {
		case s := <-signals:
			switch s {
			case unix.SIGTERM:
				term++
			case unix.SIGUSR1:
				usr1++
			case unix.SIGWINCH:
				winch++
			default:
				return strings.TrimSpace(text), nil
			}
		case <-end:
			return "", refusal("nobody said QUIT")
		}
	}
}

// replace writes a file so that no reader sees half of it.
func replace(file, text string) error {
	if err := os.WriteFile(file+".new", []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func exit(args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", err
	}
	os.Exit(n)
	return "", nil
}

// raise ends by a signal as the kernel would do it: Go's runtime would turn some
// of them into an exit with status 2.
func raise(args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", err
	}
	restoreDefault(syscall.Signal(n))
	if err := unix.Kill(os.Getpid(), syscall.Signal(n)); err != nil {
		return "", err
	}
	time.Sleep(time.Second)
	return "", refusal("still there")
}

func stop([]string) (string, error) {
	fmt.Println("stopping")
	// To this very thread: another would stop the process a moment later.
	runtime.LockOSThread()
	if err := unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGSTOP); err != nil {
		return "", err
	}
	return "goes on", nil
}
