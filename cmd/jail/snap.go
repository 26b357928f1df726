package main

import (
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// refuseSnap says why a program that came as a snap cannot start here, and calls it by
// its own directory where that is where it should be.
func refuseSnap(path, program string, args []string) error {
	hint := "install " + plan.Quote(filepath.Base(path)) + " in another way"
	if unix.Access(program, unix.X_OK) == nil {
		hint = "PATH=" + plan.Word(filepath.Dir(program)) + `:"$PATH" ` + quoted(args)
	}
	return &plan.Refusal{
		Cause: fmt.Sprintf("%s is a snap's, and starts only with the rights of a set-id program, which nothing has inside", plan.Quote(path)),
		Hint:  hint,
	}
}
