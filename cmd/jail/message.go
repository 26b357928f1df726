package main

// Words to people. All of them go to stderr, one line of cause in the form
// "jail: cause", lower case, without a full stop, then hints that can be pasted.
// Paths are quoted. Nothing is said in colour alone.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"jail/internal/config"
	"jail/internal/detect"
	"jail/internal/roots"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"

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

// explain gives the status, the cause and the hint of an error.
func explain(err error) (status int, cause, hint string) {
	var (
		usage     *usageError
		refusal   *plan.Refusal
		refused   *detect.RefusedError
		missing   *detect.NotFoundError
		forbidden *detect.NotExecutableError
		bad       *config.Error
		unsafe    *shim.UnsafeError
		list      *roots.Error
		loop      *shim.LoopError
		own       *shim.OwnError
		stray     *strayError
		failed    *launch.Error
		unseen    *unseenError
	)
	switch {
	case errors.As(err, &stray): // before what it wraps
		return statusFailed, stray.Error(), stray.hint()
	case errors.As(err, &usage):
		return statusFailed, usage.cause, usage.hint
	case errors.As(err, &refusal):
		return statusFailed, refusal.Cause, refusal.Hint
	case errors.As(err, &refused):
		return statusFailed, refused.Cause, refused.Hint
	case errors.As(err, &missing):
		return statusNotFound, missing.Error(), ""
	case errors.As(err, &forbidden):
		return statusNotExecutable, forbidden.Error(), ""
	case errors.As(err, &bad):
		return statusFailed, bad.Error(), cmp.Or(bad.Hint, manual(bad))
	case errors.As(err, &unsafe):
		return statusFailed, unsafe.Cause, unsafe.Hint
	case errors.As(err, &list):
		return statusFailed, list.Error(), "mv " + plan.Word(list.Path) + " " + plan.Word(list.Path+".away")
	case errors.As(err, &loop):
		return statusFailed, loop.Error(), loop.Hint()
	case errors.As(err, &own):
		return statusFailed, own.Error(), own.Hint()
	case errors.As(err, &unseen):
		return statusNotFound, unseen.cause, unseen.hint
	case errors.As(err, &failed):
		return explainLaunch(failed)
	}
	return statusFailed, err.Error(), ""
}

// manual is where the language is explained that somebody got wrong.
func manual(e *config.Error) string {
	if e.File == "" {
		return "man 1 jail"
	}
	return "man 5 jail-config"
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
		return statusFailed, cause + "; it takes a moment in which nothing else writes there", lookAt(e.Path)
	case e.Act == "make namespaces" && (e.Err == unix.EPERM || e.Err == unix.ENOSPC || e.Err == unix.EINVAL || e.Err == unix.EUSERS):
		return statusFailed, "this system refuses user namespaces: " + cause, "sysctl user.max_user_namespaces kernel.unprivileged_userns_clone kernel.apparmor_restrict_unprivileged_userns"
	case (e.Act == "make mounts private" || e.Path == "/proc/self/uid_map") && (e.Err == unix.EPERM || e.Err == unix.EACCES):
		return statusFailed, "this system gives no capabilities in a user namespace: " + cause, "jail-hook doctor"
	case e.Act == "make proc" && e.Err == unix.EPERM:
		return statusFailed, "a fresh /proc is refused, as in a container with parts of /proc covered: " + cause, "docker run --security-opt systempaths=unconfined ..."
	}
	return statusFailed, cause, ""
}

// lookAt is a command that shows when a file was changed last, and by whom.
func lookAt(path string) string {
	if path == "" {
		return ""
	}
	return "ls -ld " + plan.Word(path)
}
