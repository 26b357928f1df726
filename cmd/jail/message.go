package main

// Words to people. All of them go to stderr, one line of cause in the form
// "jail: cause", lower case, without a full stop, then hints that can be pasted.
// Paths are quoted. Nothing is said in colour alone.

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"jail/internal/detect"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// say prints a cause and its hint.
func say(w io.Writer, cause, hint string) {
	fmt.Fprintf(w, "jail: %s\n", oneLine(cause))
	if hint != "" {
		fmt.Fprintf(w, "jail: hint: %s\n", oneLine(hint))
	}
}

// oneLine keeps a name that holds a newline from forging a line of its own, and one that
// holds what a terminal obeys, or that turns the order of letters, from reaching it.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// An advised error knows what to type about it.
type advised interface {
	error
	Advice() string
}

// explain gives the status, the cause and the hint of an error. What wraps another one
// speaks for it.
func explain(err error) (status int, cause, hint string) {
	var (
		missing   *detect.NotFoundError
		forbidden *detect.NotExecutableError
		unseen    *unseenError
		known     advised
		failed    *launch.Error
	)
	switch {
	case errors.As(err, &unseen):
		return statusNotFound, unseen.cause, unseen.hint
	case errors.As(err, &known):
		return statusFailed, known.Error(), known.Advice()
	case errors.As(err, &missing):
		return statusNotFound, missing.Error(), ""
	case errors.As(err, &forbidden):
		return statusNotExecutable, forbidden.Error(), ""
	case errors.As(err, &failed):
		return explainLaunch(failed)
	}
	return statusFailed, err.Error(), ""
}

// explainLaunch knows what usually is behind a refused step.
func explainLaunch(e *launch.Error) (status int, cause, hint string) {
	cause = e.Error()
	switch {
	case e.Exec && (e.Err == unix.ENOENT || e.Err == unix.ENOTDIR):
		return statusNotFound, cause + ": it or its interpreter is not there inside", "jail --dry-run COMMAND"
	case e.Exec:
		return statusNotExecutable, cause, ""
	case launch.Moved(e):
		return statusFailed, cause + "; try again when nothing else writes there", lookAt(e.Path)
	case e.Act == "make namespaces" && (e.Err == unix.EPERM || e.Err == unix.ENOSPC || e.Err == unix.EINVAL || e.Err == unix.EUSERS):
		return statusFailed, "this system refuses user namespaces: " + cause, "sysctl user.max_user_namespaces kernel.unprivileged_userns_clone kernel.apparmor_restrict_unprivileged_userns"
	case (e.Act == "make mounts private" || e.Path == "/proc/self/uid_map") && (e.Err == unix.EPERM || e.Err == unix.EACCES):
		return statusFailed, "this system gives no capabilities in a user namespace: " + cause, "jail-hook doctor"
	case e.Act == "make proc" && e.Err == unix.EPERM:
		return statusFailed, "a fresh /proc is refused, as in a container with parts of /proc covered: " + cause, "docker run --security-opt systempaths=unconfined ..."
	}
	return statusFailed, cause, ""
}

// lookAt is a command that shows when a file was changed last.
func lookAt(path string) string {
	if path == "" {
		return ""
	}
	return "ls -ld " + plan.Word(path)
}
