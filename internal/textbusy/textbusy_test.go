package textbusy

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// busy writes a program and runs it, time after time, while others start processes,
// and counts how often the kernel refused.
func busy(t *testing.T, rounds int, write func(string, []byte) error) int {
	t.Helper()
	text, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Fatal(err)
	}
	dir, refused := t.TempDir(), 0
	stop := make(chan struct{})
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					exec.Command("/bin/true").Run()
				}
			}
		})
	}
	for range rounds {
		path := filepath.Join(dir, "program")
		if err := write(path, text); err != nil {
			t.Fatal(err)
		}
		switch err := exec.Command(path).Run(); {
		case errors.Is(err, syscall.ETXTBSY):
			refused++
		case err != nil:
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	others.Wait()
	return refused
}

func TestProgramRunsAtOnce(t *testing.T) {
	const rounds = 100
	naive := func(path string, text []byte) error { return os.WriteFile(path, text, 0o755) }
	rewritten := func(path string, text []byte) error {
		return errors.Join(naive(path, text), Rewrite(filepath.Dir(path)))
	}
	without := busy(t, rounds, naive)
	for name, write := range map[string]func(string, []byte) error{"WriteProgram": WriteProgram, "Rewrite": rewritten} {
		if n := busy(t, rounds, write); n > 0 {
			t.Errorf("%s: busy %d times of %d; without it %d times", name, n, rounds, without)
		}
	}
}
