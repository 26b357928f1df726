package detect

import (
	"fmt"
	"slices"
	"testing"
)

// BenchmarkToolchains is a developer's usual PATH: rustup, pyenv, go and six
// directories of the system. Every launch pays this.
func BenchmarkToolchains(b *testing.B) {
	top := append(slices.Clone(pyenvTree),
		"home/.cargo/bin/rustup*", "home/.rustup/settings.toml", "home/.rustup/toolchains/stable/bin/cargo*",
	).build(b)
	in := input(top, "/usr/local/go/bin:$T/home/go/bin:$T/home/.cargo/bin:$T/home/.cargo/bin:"+pyenvPath+":/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin", nil)
	for b.Loop() {
		if len(Toolchains(in)) != 10 {
			b.Fatal("another answer")
		}
	}
}

// BenchmarkLocalBin is a ~/.local/bin of a hundred entries: scripts of pip, and
// ten tools of pipx with three programs each.
func BenchmarkLocalBin(b *testing.B) {
	lines := tree{"home/work/"}
	for i := range 70 {
		lines = append(lines, fmt.Sprintf("home/.local/bin/s%d* = #!/usr/bin/python3\n", i))
	}
	for i := range 30 {
		venv := fmt.Sprintf("home/.local/share/pipx/venvs/t%d", i/3)
		lines = append(lines, fmt.Sprintf("home/.local/bin/t%d -> $T/%s/bin/t%d", i, venv, i), fmt.Sprintf("%s/bin/t%d*", venv, i))
		if i%3 == 0 {
			lines = append(lines, venv+"/pyvenv.cfg = home = /usr/bin\n")
		}
	}
	in := input(lines.build(b), "", nil)
	in.PathDirs = []string{in.Homes[0] + "/.local/bin"}
	for b.Loop() {
		if len(Toolchains(in)) != 11 {
			b.Fatal("another answer")
		}
	}
}

// BenchmarkNeeds is what one launch pays: the program and all of PATH.
func BenchmarkNeeds(b *testing.B) {
	top := pyenvTree.build(b)
	in := input(top, pyenvPath, nil)
	for b.Loop() {
		if _, err := Needs(top+"/home/.pyenv/shims/python3", in); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStat is one system call, to read the others by.
func BenchmarkStat(b *testing.B) {
	for b.Loop() {
		if _, err := Stat("/usr/bin"); err != nil {
			b.Fatal(err)
		}
	}
}
