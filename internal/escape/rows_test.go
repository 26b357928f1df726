package escape

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// catalogue is how many entries each section of the catalogue of attacks has.
func catalogue() map[string]int {
	return map[string]int{"T": 7, "S": 6, "P": 8, "R": 4, "F": 32, "H": 10, "I": 17, "K": 12, "N": 15, "E": 5}
}

func rows(t *testing.T) []Row {
	t.Helper()
	all, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryEntryIsARow(t *testing.T) {
	var have []string
	for _, r := range rows(t) {
		have = append(have, r.ID)
	}
	for section, n := range catalogue() {
		for i := range n {
			if id := section + strconv.Itoa(i+1); !slices.Contains(have, id) {
				t.Errorf("no row %s", id)
			}
		}
	}
}

// What is not tried says where it is proven, and what is open says why.
func TestRowsGiveReasons(t *testing.T) {
	for _, r := range rows(t) {
		if !r.Tried && r.Proven == "" {
			t.Errorf("%s is neither tried nor proven", r.ID)
		}
		if (r.Proven != "" || len(r.Open) > 0) && r.Why == "" {
			t.Errorf("%s does not say why", r.ID)
		}
		if r.Proven == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join("../..", r.Proven)); err != nil {
			t.Errorf("%s is said to be proven there: %v", r.ID, err)
		}
	}
}

func TestRowsAreShell(t *testing.T) {
	for _, r := range rows(t) {
		script, err := r.Script()
		if err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("/bin/sh", "-n", "-c", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", r.ID, err, out)
		}
	}
}

func TestRowsAreInOrder(t *testing.T) {
	var ids []string
	for _, r := range rows(t) {
		ids = append(ids, r.ID)
	}
	if a, b := slices.Index(ids, "F9"), slices.Index(ids, "F10"); a > b {
		t.Errorf("F9 comes after F10: %v", ids)
	}
	if a, b := slices.Index(ids, "F1"), slices.Index(ids, "F1-masked"); a > b {
		t.Errorf("F1-masked comes before F1: %v", ids)
	}
}
