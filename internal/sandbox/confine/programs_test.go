package confine

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"jail/internal/sandbox/confine/gen"
)

var update = flag.Bool("update", false, "write programs.go and the golden files anew")

// TestProgramsAreCurrent assembles all filters again and compares; with -update it is
// the generator.
func TestProgramsAreCurrent(t *testing.T) {
	want, err := gen.Source()
	if err != nil {
		t.Fatal(err)
	}
	compareFile(t, "programs.go", want)
}

// compareFile fails where a file does not hold want; with -update it writes it.
func compareFile(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with: go generate", err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is not what it should be, %s; look at the difference after: go generate", path, firstDifference(have, want))
	}
}

func firstDifference(have, want []byte) string {
	h, w := strings.Split(string(have), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(h), len(w)) {
		if h[i] != w[i] {
			return fmt.Sprintf("line %d: have %q, want %q", i+1, h[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines instead of %d", len(h), len(w))
}
