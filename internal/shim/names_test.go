package shim

import (
	"slices"
	"testing"
)

func TestNamesAreSortedAndMayBeShimmed(t *testing.T) {
	names := Names()
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %v", names)
	}
	if compact := slices.Compact(slices.Clone(names)); len(compact) != len(names) {
		t.Errorf("a name is there twice: %v", names)
	}
	for _, name := range names {
		if why, never := NeverShimmed(name); never {
			t.Errorf("%s is a shim and never one: %s", name, why)
		}
		if !Known(name) {
			t.Errorf("%s is not Known", name)
		}
		if presetName(name) == "" {
			t.Errorf("%s has no preset", name)
		}
	}
}

func TestKnown(t *testing.T) {
	for name, want := range map[string]bool{
		"python3.12": true, "python3.9": true, "python3.13t": true, "python3.13td": true, "pip3.12": true,
		"python3.": false, "python3.t": false, "python3.12-config": false, "python3-config": false,
		"python2": false, "pip3.": false, "pip3.12t": false, "pip3.x": false, "python3.1 2": false,
		"npm": true, "NPM": false, "": false, "jail": false, "bash": false,
	} {
		if got := Known(name); got != want {
			t.Errorf("Known(%q) = %v", name, got)
		}
	}
}

func TestNeverShimmed(t *testing.T) {
	for _, name := range []string{
		"jail", "jail-hook", "sh", "bash", "zsh", "fish", "env", "sudo", "su", "ssh", "vim",
		"", ".", "..", ".jail", "-x", "a/b", "/usr/bin/terraform", "a\nb", "a\x00",
	} {
		if _, never := NeverShimmed(name); !never {
			t.Errorf("%q could be shimmed", name)
		}
	}
	for _, name := range []string{"terraform", "make", "gem", "shellcheck", "a b", "ä"} {
		if why, never := NeverShimmed(name); never {
			t.Errorf("%q cannot be shimmed: %s", name, why)
		}
	}
}
