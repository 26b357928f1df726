package main

import (
	"os/exec"
	"path/filepath"
	"time"
)

// A large project, and a small one beside it.
const (
	largeFiles = 100000
	largeDirs  = 1000
	smallFiles = 10
)

var walks = []pair{
	{"the first walk", "find", "a first walk, against find over the same tree"},
	{"jail, a large project", "jail, a small project", "a launch in an unchanged large project, against one in a project of 10 files"},
}

// large are the commands that a large project makes slow: to find what must be
// hidden, and to start a command where nothing has changed.
func (s *set) large() ([]contender, error) {
	large, small := filepath.Join(s.dir, "large"), filepath.Join(s.dir, "small")
	if err := plant(large, largeFiles, largeFiles/largeDirs); err != nil {
		return nil, err
	}
	if err := plant(small, smallFiles, smallFiles); err != nil {
		return nil, err
	}
	find, err := exec.LookPath("find")
	if err != nil {
		return nil, err
	}
	// What has just changed is looked at again.
	time.Sleep(3 * time.Second)
	jail := []string{s.bin("jail"), "true"}
	return []contender{
		{name: "find", args: []string{find, large, "-name", ".env"}, env: s.env, dir: s.dir},
		{name: "the first walk", args: []string{s.bin("walk"), large}, env: s.env, dir: s.dir},
		{name: "jail, a small project", args: jail, env: s.env, dir: small},
		{name: "jail, a large project", args: jail, env: s.env, dir: large},
	}, nil
}
