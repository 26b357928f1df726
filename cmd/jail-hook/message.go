package main

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"jail/internal/detect"
)

// The statuses that mean something.
const (
	statusOutside       = 1 // of status: no project here
	statusSick          = 1 // of doctor: something is wrong
	statusUsage         = 2
	statusFailed        = 125
	statusNotExecutable = 126
	statusNotFound      = 127
)

// A usageError is a command line that means nothing.
type usageError struct{ cause string }

func (e *usageError) Error() string { return e.cause }

func usagef(format string, a ...any) error { return &usageError{fmt.Sprintf(format, a...)} }

// A hintedError is a refusal that knows what to type next.
type hintedError struct{ cause, hint string }

func (e *hintedError) Error() string { return e.cause }

// Advice is a command to paste.
func (e *hintedError) Advice() string { return e.hint }

// jailed is the refusal of what cannot be done from inside a jail.
func jailed(why string) error {
	return &hintedError{"this shell runs in a jail, " + why, "exit"}
}

// A statusError ends the program without a word: everything has been said.
type statusError struct{ status int }

func (e *statusError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// say prints a cause and its hint. Words to people go to stderr.
func (u *user) say(cause, hint string) {
	fmt.Fprintf(u.stderr, "jail: %s\n", oneLine(cause))
	if hint != "" {
		fmt.Fprintf(u.stderr, "jail: hint: %s\n", oneLine(hint))
	}
}

// report says what went wrong and returns the status.
func (u *user) report(err error) int {
	if err == nil {
		return 0
	}
	status, cause, hint := explain(err)
	u.say(cause, hint)
	return status
}

// An advised error knows what to type about it.
type advised interface {
	error
	Advice() string
}

// explain gives the status, the cause and the hint of an error.
func explain(err error) (status int, cause, hint string) {
	var (
		usage     *usageError
		known     advised
		missing   *detect.NotFoundError
		forbidden *detect.NotExecutableError
	)
	switch {
	case errors.As(err, &usage):
		return statusUsage, usage.cause, "jail-hook --help"
	case errors.As(err, &known):
		return statusFailed, known.Error(), known.Advice()
	case errors.As(err, &missing):
		return statusNotFound, missing.Error(), ""
	case errors.As(err, &forbidden):
		return statusNotExecutable, forbidden.Error(), ""
	}
	return statusFailed, err.Error(), ""
}

// oneLine keeps a name from forging a line of its own, or moving the cursor.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
}

func lowerFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}
