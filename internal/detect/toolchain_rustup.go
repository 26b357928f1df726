package detect

import (
	"path/filepath"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// rustup adds all toolchains, and the file that says which is the default. Which
// one runs is decided by "+nightly" on the command line, by a variable, by files
// in any directory that a build enters, and toolchains hold nothing but public
// compilers; so the files of the project are not even read. Nothing else of
// rustup's home is looked at by cargo and rustc (strace), and it runs read-only.
func (f *finder) rustup() {
	why := f.why
	homes := make([]string, 0, 4)
	if named := f.in.Env("RUSTUP_HOME"); filepath.IsAbs(named) {
		homes = append(homes, named)
	} else {
		for _, home := range f.in.Homes {
			homes = append(homes, join(home, ".rustup"))
		}
	}
	for _, home := range homes {
		toolchains, settings := join(home, "toolchains"), join(home, "settings.toml")
		if _, err := f.reach(settings); err != nil || !f.show(toolchains) {
			continue
		}
		f.why = why
		f.show(settings)
		f.linkedToolchains(toolchains)
	}
}

// linkedToolchains adds what "rustup toolchain link" has linked: a compiler that
// somebody built.
func (f *finder) linkedToolchains(dir string) {
	for _, e := range f.list(dir) {
		if e.kind != unix.DT_LNK {
			continue
		}
		src, err := f.reach(join(dir, e.name))
		if err != nil || src.Type != plan.Directory || !f.has(join(src.Path, "lib/rustlib")) {
			continue
		}
		f.commit()
		f.why = "rustup toolchain " + e.name + ", for " + f.from
		for _, part := range [...]string{"bin", "lib", "libexec", "share"} {
			f.show(join(src.Path, part))
		}
	}
}

// companions are directories of a home that a program uses and that PATH does not
// lead to. They hold public interpreters, nothing of the user's.
var companions = [...]struct{ program, place string }{
	{"uv", ".local/share/uv/python"},
}

// companions adds what the programs in dir keep elsewhere.
func (f *finder) companions(dir string) {
	for _, c := range companions {
		if f.planted || !f.has(join(dir, c.program)) {
			continue
		}
		f.why = c.program + ", for " + f.from
		for _, home := range f.in.Homes {
			f.show(join(home, c.place))
		}
	}
}
