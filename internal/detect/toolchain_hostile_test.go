package detect

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// Everything below secrets must stay hidden, whatever PATH, the variables and the
// files of the project say. Where it helps the attacker, what is hidden looks like
// a toolchain.
var (
	secrets = []string{
		"home/.ssh", "home/.aws", "home/.gnupg", "home/.config/gcloud", "home/.config/gh", "home/.docker", "home/.kube",
		"home/.cargo/credentials.toml", "home/.cargo/credentials", "home/.cargo/config.toml", "home/.gem/credentials", "home/.npmrc",
		"home/.cache/huggingface", "home/.claude", "home/.local/share/keyrings", "home/.local/share/jail", "home/.npm/_logs",
		"home/.volta/hooks.json", "home/.nvm/versions/node/v22/etc/npmrc", "home/.npm-global/etc/npmrc", "home/mm/.condarc", "home/mm/pkgs",
		"home/dotfiles/aws", "home/other", "home/Documents", "home/.config/mise",
	}
	hostileTree = append(slices.Clone(pyenvTree),
		"home/.ssh/id_ed25519", "home/.ssh/bin/run*", "home/.ssh/run*", "home/.ssh/shims/x*", "home/.ssh/libexec/pyenv*",
		"home/.ssh/toolchains/x/", "home/.ssh/settings.toml", "home/.ssh/pyvenv.cfg = home = $T/home/.ssh/bin\n", "home/.ssh/bin/python3 -> python3.9", "home/.ssh/lib/python3.9/os.py",
		"home/.ssh/bin/node*", "home/.ssh/bin/rustup*", "home/.ssh/tools/image/x", "home/.ssh/conda-meta/x", "home/.ssh/node_modules/.bin/x*", "home/.ssh/versions/3.11.7/bin/x*",
		"home/.aws -> dotfiles/aws", "home/dotfiles/aws/credentials", "home/dotfiles/aws/run*", "home/dotfiles/aws/bin/run*", "home/dotfiles/bin/ok*",
		"home/.gnupg/x", "home/.config/gcloud/bin/x*", "home/.config/gh/hosts.yml", "home/.docker/config.json", "home/.docker/cli-plugins/x*", "home/.kube/bin/x*",
		"home/.cargo/bin/rustup*", "home/.cargo/bin/cargo -> rustup", "home/.cargo/credentials.toml", "home/.cargo/credentials", "home/.cargo/config.toml",
		"home/.gem/credentials", "home/.gem/bin/x*", "home/.npmrc", "home/.cache/huggingface/token", "home/.claude/bin/x*", "home/.local/share/keyrings/bin/x*", "home/.local/share/jail/shims/npm*", "home/.npm/_logs/x",
		"home/.rustup/settings.toml", "home/.rustup/toolchains/stable/bin/cargo*", "home/.rustup/toolchains/evil -> $T/home/.ssh", "home/.rustup/toolchains/evil2 -> $T/home", "home/.rustup/toolchains/evil3 -> $T/home/other",
		"home/.volta/bin/volta-shim*", "home/.volta/hooks.json", "home/.volta/tools -> $T/home/.ssh",
		"home/.nvm/versions/node/v22/bin/node*", "home/.nvm/versions/node/v22/etc/npmrc", "home/.nvm/versions/node/v22/lib -> $T/home/.ssh",
		"home/.npm-global/bin/x*", "home/.npm-global/lib/node_modules/x/x", "home/.npm-global/etc/npmrc",
		"home/mm/conda-meta/x", "home/mm/.condarc", "home/mm/pkgs/x", "home/mm/bin/x*", "home/mm/etc -> $T/home/.ssh",
		"home/other/run*", "home/other/bin/x*", "home/other/lib/x", "home/other/.venv/bin/python*", "home/other/.venv/pyvenv.cfg = home = /usr/bin\n", "home/other/node_modules/.bin/x*", "home/other/.git/config",
		"home/Documents/letter.txt",
		"home/.config/mise/config.toml = [env]\nX = \"y\"\n", "home/.local/share/mise/shims/x -> $T/home/.ssh/run", "home/.local/share/mise/installs/x/1/bin/x*",
		"home/.pyenv/versions/evil -> $T/home/.ssh", "home/.pyenv/versions/evil2 -> $T/home", "home/.pyenv/versions/evil3 -> ../../../home/other/.venv",
		"home/.tool-versions -> Documents/letter.txt", "home/.asdfrc -> .ssh/id_ed25519",
		"home/.local/bin/ok*", "home/.local/bin/evil -> $T/home/.ssh/run", "home/.local/bin/evil2 -> $T/home/.ssh", "home/.local/bin/evil3* = #!$T/home/.ssh/run\n", "home/.local/bin/evil4 -> $T/home/.aws/run",
		"home/go/bin/x*", "home/.ssh2 -> .ssh", "farm/npm*", "farm/readme",

		"home/work/.venv/pyvenv.cfg = home = $T/home/.ssh/bin\n", "home/work/.venv/bin/python -> $T/home/.ssh/run", "home/work/.venv/bin/pip* = #!$T/home/.ssh/run\n",
		"home/work/venv2/pyvenv.cfg = home = $T/home/other/.venv/bin\n", "home/work/venv2/bin/python -> $T/home/other/.venv/bin/python", "home/work/venv3 -> ../other/.venv",
		"home/work/venv4/pyvenv.cfg = home = $T/home\n", "home/work/venv4/bin/python -> $T/home",
		"home/work/bin/x -> ../../other/run", "home/work/bin/y* = #!$T/home/other/run\n", "home/work/bin/letter -> ../../Documents/letter.txt", "home/work/bin/z* = #!$T/home/Documents/letter.txt\n",
		"home/work/bin/w* = #!/bin/sh\nexec $T/home/other/run\n", "home/other/cli.js", "home/other/package.json", "home/work/bin/v* = #!/bin/sh\nexec node $T/home/other/cli.js\n",
		"home/.local/bin/evil5* = #!/bin/sh\nexec $T/home/.ssh/run $T/home/.ssh/../.aws/run $T/home/.aws/x.js\n", "home/work/venv5/pyvenv.cfg = home = $T/home/other/uv/python/cpython-x/bin\n", "home/other/uv/python/cpython-x -> ../..",
		"home/work/home -> ..", "home/work/ssh -> ../.ssh", "home/work/node_modules/.bin/x -> ../../../other/node_modules/.bin/x",
		"home/work/.python-version = ../../.ssh\nevil\nevil2\n..\n/\n3.11.7/../../../.ssh\n3.11.7\n", "home/work/rust-toolchain.toml = [toolchain]\npath = \"../.ssh\"\n",
		"home/work/.tool-versions -> ../.ssh/id_ed25519", "home/work/shims/x -> ../../.ssh/run", "home/work/installs/", "home/work/libexec/pyenv*", "home/work/versions/3.11.7 -> $T/home/.ssh",
	)
	hostileEnv = []map[string]string{
		nil,
		{"PYENV_VERSION": "../../.ssh", "RUSTUP_HOME": "$T/home/.ssh", "VOLTA_HOME": "$T/home/.ssh", "RUSTUP_TOOLCHAIN": "$T/home/.ssh"},
		{"PYENV_VERSION": "..:.:/:evil:evil2:3.11.7/../../../.ssh", "RUSTUP_HOME": "$T/home/work/ssh", "PYENV_ROOT": "$T/home/.ssh", "CARGO_HOME": "$T/home/.ssh"},
		{"PYENV_VERSION": "$T/home/.ssh", "RUSTUP_HOME": "$T/home", "NVM_DIR": "$T/home/.ssh", "MISE_DATA_DIR": "$T/home/.ssh", "VIRTUAL_ENV": "$T/home/.ssh"},
	}
)

// dirsAndFiles lists everything in a tree, links to directories as directories.
func dirsAndFiles(t *testing.T, top string) (dirs, files []string) {
	t.Helper()
	err := filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			dirs = append(dirs, path)
		} else {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs, files
}

// checkNeeds holds everything that Toolchains promises, for any input.
func checkNeeds(t *testing.T, why, top string, in ToolchainInput, needs []plan.Need, hidden []string) {
	t.Helper()
	above := ""
	byParts := slices.Clone(needs)
	slices.SortFunc(byParts, func(a, b plan.Need) int { return comparePaths(a.Source.Path, b.Source.Path) })
	for _, need := range byParts {
		path := need.Source.Path
		if above != "" && within(path, above) {
			t.Errorf("%s: %s lies below %s", why, path, above)
		}
		if need.Source.Type == plan.Directory {
			above = path
		}
	}
	for i, need := range needs {
		path := need.Source.Path
		if i > 0 && needs[i-1].Source.Path >= path {
			t.Errorf("%s: %s is out of order", why, path)
		}
		if now, err := Stat(path); err != nil || now != need.Source {
			t.Errorf("%s: %s is %+v, not %+v (%v)", why, path, now, need.Source, err)
		}
		if end, err := filepath.EvalSymlinks(filepath.Dir(path)); err != nil || end != filepath.Dir(path) {
			t.Errorf("%s: %s is not physical (%s, %v)", why, path, end, err)
		}
		for _, place := range append([]string{in.Root}, in.Homes...) {
			if within(place, path) {
				t.Errorf("%s: %s holds %s", why, path, place)
			}
		}
		for _, secret := range hidden {
			if secret = filepath.Join(top, secret); overlap(path, secret) {
				t.Errorf("%s: %s shows %s (%s)", why, path, secret, need.Reason.Text)
			}
		}
	}
}

func TestNothingSecretIsShown(t *testing.T) {
	top := hostileTree.build(t)
	dirs, files := dirsAndFiles(t, top)
	all := strings.Join(dirs, ":")
	slices.Reverse(dirs)
	paths := append([]string{"/", top + "/home/work/home/.ssh", top + "/home/.pyenv/../.ssh/bin", top + "//home/./.ssh", all, strings.Join(dirs, ":")}, dirs...)
	farm := []plan.ID{idOf(t, top+"/farm")}
	for i, env := range hostileEnv {
		for _, path := range paths {
			in := input(top, path, env)
			in.Farms = farm
			hidden := append(slices.Clone(secrets), "farm")
			if path == all || len(path) > 5000 || within(physical(path), top+"/home/other") {
				hidden = slices.DeleteFunc(hidden, func(s string) bool { return s == "home/other" }) // named by PATH itself
			}
			if i > 0 && path != all && len(path) > 5000 {
				continue
			}
			checkNeeds(t, "PATH="+path[:min(len(path), 200)], top, in, Toolchains(in), hidden)
		}
	}
	for _, file := range append(files, dirs...) {
		in := input(top, all, nil)
		in.PathDirs = nil
		hidden := secrets
		if within(physical(file), top+"/home/other") && !within(file, in.Root) {
			hidden = slices.DeleteFunc(slices.Clone(hidden), func(s string) bool { return s == "home/other" })
		}
		needs, err := ProgramNeeds(file, in)
		if err != nil && needs != nil {
			t.Errorf("%s: needs and an error", file)
		}
		checkNeeds(t, "run "+file, top, in, needs, hidden)
	}
}

// What may never be shown, whatever lies there.
func TestSecret(t *testing.T) {
	f := newFinder(ToolchainInput{Homes: []string{"/h/u", "/root"}, Root: "/srv/a/b"})
	for path, want := range map[string]bool{
		"/": true, "/h": true, "/h/u": true, "/root": true, "/srv": true, "/srv/a": true, "/srv/a/b": true,
		"/run": true, "/run/user/1000/x": true, "/proc/1/root": true, "/sys/x": true, "/dev/shm/bin": true, "/etc/x/bin": true, "/boot": true,
		"/h/u/.ssh": true, "/h/u/.ssh/bin": true, "/h/other/.ssh/bin": true, "/data/.aws": true, "/h/u/.config": true, "/h/u/.config/x/bin": true,
		"/h/u/.cargo": true, "/h/u/.local": true, "/h/u/.local/share": true, "/h/u/.cache": true, "/h/u/.gem": true, "/root/.npm": true,
		"/h/u/.cargo/bin": false, "/h/u/.local/bin": false, "/h/u/.config/yarn/global/node_modules": false, "/h/u/.npm/_npx/1/node_modules": false,
		"/h/u2": false, "/h/u/.sshx": false, "/h/u/.gem/ruby": false, "/srv/a/bin": false, "/srv/a/b/bin": false, "/runner/bin": false, "/h/u/.configs": false,
	} {
		if got := f.secret(path); got != want {
			t.Errorf("%s: secret is %v", path, got)
		}
	}
}

// A home that holds nothing but programs is a home all the same, and what holds
// the project holds the project.
func TestNeverAHome(t *testing.T) {
	top := tree{"home/run*", "home/bin/work/x", "home/bin/run*", "pure/home/"}.build(t)
	in := input(top, "$T/home:$T/home/bin:$T:$T/pure", nil)
	in.Root = top + "/home/bin/work"
	expectNeeds(t, top, Toolchains(in))
	in.Homes, in.Root = []string{top + "/home/bin"}, top+"/none"
	expectNeeds(t, top, Toolchains(in))
	in.Homes = nil
	expectNeeds(t, top, Toolchains(in), "home/bin/", "home/run")
}

// The same places are found where nothing is in the way: the test above cannot
// pass by finding nothing.
func TestHostileTreeStillWorks(t *testing.T) {
	top := hostileTree.build(t)
	in := input(top, "$T/home/.ssh:$T/home:$T/home/.pyenv/shims:$T/home/.cargo/bin:$T/home/.nvm/versions/node/v22/bin:$T/home/.local/bin:$T/home/dotfiles/bin:$T/home/work/.venv/bin", hostileEnv[1])
	expectNeeds(t, top, Toolchains(in),
		"home/.cargo/bin/", "home/.local/bin/", "home/.nvm/versions/node/v22/bin/",
		"home/.pyenv/bin/", "home/.pyenv/libexec/", "home/.pyenv/plugins/", "home/.pyenv/shims/", "home/.pyenv/version", "home/dotfiles/bin/",
	)
	in = input(top, "$T/home/.pyenv/shims:$T/home/.cargo/bin", nil)
	expectNeeds(t, top, Toolchains(in),
		append(append([]string{"home/.cargo/bin/"}, append(slices.Clone(pyenvNeeds), pyenv311...)...), "home/.rustup/settings.toml", "home/.rustup/toolchains/")...)
}

// A file of the project leads to interpreters and compilers that are installed,
// and to nothing of its choice.
func TestProjectLeadsNowhere(t *testing.T) {
	top := hostileTree.build(t)
	dirs, _ := dirsAndFiles(t, top+"/home/work")
	for _, dir := range dirs {
		if !within(physical(dir), top+"/home/work") {
			continue
		}
		in := input(top, dir, nil)
		in.Cwd = top // no version file
		for _, need := range Toolchains(in) {
			t.Errorf("%s on PATH shows %s", dir, need.Source.Path)
		}
	}
	in := input(top, "$T/home/work/ok/bin", nil)
	tree{"home/work/ok/bin/python -> $T/home/.pyenv/versions/3.12.1/bin/python3", "home/work/ok/pyvenv.cfg = home = $T/home/.pyenv/versions/3.12.1/bin\n"}.buildIn(t, top)
	expectNeeds(t, top, Toolchains(in), "home/.pyenv/versions/3.12.1/")
}

// A named pipe or a huge file in the place of a version file must not stop the
// launch.
func TestOddVersionFiles(t *testing.T) {
	top := append(slices.Clone(pyenvTree), "home/work/.python-version/", "home/work/sub/").build(t)
	makeFIFO(t, top+"/home/work/sub/.python-version")
	in := input(top, "$T/home/.pyenv/shims", nil)
	want := append(slices.Clone(pyenvNeeds), pyenv311...)
	expectNeeds(t, top, Toolchains(in), want...)
	in.Cwd = top + "/home/work/sub"
	expectNeeds(t, top, Toolchains(in), want...)
	if err := os.WriteFile(top+"/home/.pyenv/version", []byte(strings.Repeat("x", 1<<20)), 0o644); err != nil {
		t.Fatal(err)
	}
	expectNeeds(t, top, Toolchains(in), pyenvNeeds...)
}

// Needs is the sum of its parts, whichever program is run with whichever PATH.
func TestNeedsIsBoth(t *testing.T) {
	top := hostileTree.build(t)
	dirs, files := dirsAndFiles(t, top)
	in := input(top, strings.Join(dirs, ":"), nil)
	usual := input(top, pyenvPath+":$T/home/.local/bin:$T/home/.cargo/bin:$T/home/work/.venv/bin:$T/home/.nvm/versions/node/v22/bin", nil)
	for _, in := range []ToolchainInput{in, usual} {
		path := Toolchains(in)
		for _, file := range files {
			program, err := ProgramNeeds(file, in)
			got, gotErr := Needs(file, in)
			if (err == nil) != (gotErr == nil) {
				t.Errorf("%s: %v, %v", file, err, gotErr)
			}
			if want := found(top, MergeNeeds(program, path)); err == nil && !slices.Equal(found(top, got), want) {
				t.Errorf("%s: %q, want %q", file, found(top, got), want)
			}
		}
	}
}
