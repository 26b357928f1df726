// Package needed says what a test does without a program that it is about. A test that
// was skipped unnoticed is no test.
package needed

import (
	"os"
	"os/exec"
	"testing"
)

// Program returns the path of a program. Where there is none the test is skipped, and
// fails under CI, where scripts/need has installed all of them.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		t.Fatalf("this is CI, and %s is not installed", name)
	}
	t.Skipf("%s is not installed", name)
	return ""
}
