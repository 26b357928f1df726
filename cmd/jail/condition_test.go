package main_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// knowledge is what has been found out about this machine, each thing once.
type knowledge struct {
	mu    sync.Mutex
	facts map[string]bool
}

func (k *knowledge) once(name string, find func() bool) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.facts == nil {
		k.facts = map[string]bool{}
	}
	if _, ok := k.facts[name]; !ok {
		k.facts[name] = find()
	}
	return k.facts[name]
}

// condition answers a [condition] of a script. Of those in the second list CI
// promises that they hold, so a machine where one does not fails the run: a test
// that was skipped unnoticed is no test.
func (w *world) condition(cond string) (bool, error) {
	name, arg, _ := strings.Cut(cond, ":")
	switch name {
	case "root":
		return os.Getuid() == 0, nil
	case "planted": // secrets lie in the home that passwd names
		return os.Getenv(plantedVariable) != "", nil
	case "file": // of a library that not every machine has
		_, err := os.Stat(arg)
		return err == nil, nil
	case "has": // a program that not every machine has, perhaps in the home
		return installed(systemPath, arg) || installed(os.Getenv("PATH"), arg), nil
	case "exists":
		_, err := os.Stat(arg)
		return err == nil, nil
	case "tiocsti": // the kernel lets a program type into its terminal
		return w.known.once(cond, canType), nil
	case "corefile": // a crash leaves a file, not something for a program
		return w.known.once(cond, leavesCore), nil
	}
	var holds bool
	switch name {
	case "prog":
		holds = installed(systemPath, arg)
	case "landlock":
		want, err := strconv.Atoi(arg)
		if err != nil {
			return false, fmt.Errorf("condition %q: %w", cond, err)
		}
		holds = landlockABI() >= want
	case "venv":
		holds = w.known.once(cond, func() bool {
			return exec.Command(which(systemPath, "python3"), "-c", "import ensurepip, venv").Run() == nil
		})
	case "registry":
		holds = w.known.once(cond, w.registryAnswers)
	default:
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	if !holds && os.Getenv("CI") == "true" {
		return false, fmt.Errorf("this is CI, and [%s] does not hold here", cond)
	}
	return holds, nil
}

// installed reports whether a directory of path has the program.
func installed(path, name string) bool { return which(path, name) != name }

func landlockABI() int {
	const version = 1 // LANDLOCK_CREATE_RULESET_VERSION
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

func canType() bool {
	b, err := os.ReadFile("/proc/sys/dev/tty/legacy_tiocsti")
	return err == nil && strings.TrimSpace(string(b)) == "1"
}

func leavesCore() bool {
	b, err := os.ReadFile("/proc/sys/kernel/core_pattern")
	return err == nil && !strings.HasPrefix(string(b), "|") && !strings.Contains(string(b), "/")
}

// registryAnswers reports whether npm's registry, the configured one, can be
// reached.
func (w *world) registryAnswers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	npm := exec.CommandContext(ctx, which(systemPath, "npm"), "config", "get", "registry")
	npm.Env = append(os.Environ(), "npm_config_cache="+filepath.Join(w.dir, "npm")) // it writes a log there
	out, err := npm.Output()
	if err != nil {
		return false
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, strings.TrimSpace(string(out))+"left-pad", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}
