package detect

import (
	"os"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

var (
	pyenvTree = tree{
		"home/work/", "home/.pyenv/bin/pyenv -> ../libexec/pyenv", "home/.pyenv/libexec/pyenv*",
		"home/.pyenv/shims/python3*", "home/.pyenv/pyenv.d/exec/pip-rehash.bash", "home/.pyenv/.git/config", "home/.pyenv/cache/x.tgz",
		"home/.pyenv/plugins/pyenv-virtualenv/shims/activate*", "home/.pyenv/plugins/pyenv-virtualenv/bin/pyenv-activate*",
		"home/.pyenv/version = 3.11.7\n",
		"home/.pyenv/versions/3.11.7/bin/python3.11*", "home/.pyenv/versions/3.11.7/lib/python3.11/os.py",
		"home/.pyenv/versions/3.11.7/bin/python3 -> python3.11",
		"home/.pyenv/versions/3.12.1/bin/python3.12*", "home/.pyenv/versions/3.12.1/lib/python3.12/os.py",
		"home/.pyenv/versions/3.12.1/bin/python3 -> python3.12",
		"home/.pyenv/versions/3.12.10/bin/python3.12*", "home/.pyenv/versions/3.12.10/lib/python3.12/os.py",
		"home/.pyenv/versions/3.12.10/bin/python3 -> python3.12",
		"home/.pyenv/versions/3.12.11rc1/", "home/.pyenv/versions/3.12-dev/",
		"home/.pyenv/versions/3.11.7/envs/mine/pyvenv.cfg = home = $T/home/.pyenv/versions/3.11.7/bin\nversion = 3.11.7\n",
		"home/.pyenv/versions/3.11.7/envs/mine/bin/python -> $T/home/.pyenv/versions/3.11.7/bin/python3.11",
		"home/.pyenv/versions/mine -> $T/home/.pyenv/versions/3.11.7/envs/mine",
	}
	pyenvPath  = "$T/home/.pyenv/plugins/pyenv-virtualenv/shims:$T/home/.pyenv/shims:$T/home/.pyenv/bin:/usr/bin:/bin"
	pyenvNeeds = []string{
		"home/.pyenv/bin/", "home/.pyenv/libexec/", "home/.pyenv/plugins/", "home/.pyenv/shims/", "home/.pyenv/version",
	}
	pyenv311 = []string{"home/.pyenv/versions/3.11.7/bin/", "home/.pyenv/versions/3.11.7/lib/"} // not the envs beside them
)

func TestPyenv(t *testing.T) {
	for _, c := range []struct {
		why  string
		more tree
		env  string
		want []string
	}{
		{"the global version", nil, "", pyenv311},
		{"by variable", nil, "3.12.1", []string{"home/.pyenv/versions/3.12.1/"}},
		{"several", nil, "3.12.1:3.11.7:system", append(slices.Clone(pyenv311), "home/.pyenv/versions/3.12.1/")},
		{"with the word in front", nil, "python-3.12.1", []string{"home/.pyenv/versions/3.12.1/"}},
		{"the newest of a prefix, by number, finished ones only", nil, "3.12", []string{"home/.pyenv/versions/3.12.10/"}},
		{"with the word in front too", nil, "python-3.12", []string{"home/.pyenv/versions/3.12.10/"}},
		{"a prefix ends at a dot", nil, "3.1", nil},
		{"system", nil, "system", nil},
		{"one that is not installed", nil, "3.9.9", nil},
		{"the project's file", tree{"home/work/.python-version = 3.12.1\n"}, "", []string{"home/.pyenv/versions/3.12.1/"}},
		{"its comments and spaces", tree{"home/work/.python-version = # mine\n\n  3.12.1 x\r\n3.11.7\n"}, "", append(slices.Clone(pyenv311), "home/.pyenv/versions/3.12.1/")},
		{"the variable comes first", tree{"home/work/.python-version = 3.11.7\n"}, "3.12.1", []string{"home/.pyenv/versions/3.12.1/"}},
		{"a file above the project, which must be seen inside", tree{"home/.python-version = 3.12.1\n"}, "", []string{"home/.pyenv/versions/3.12.1/", "home/.python-version"}},
		{"a virtual environment, and the python it is made from", nil, "mine", []string{
			"home/.pyenv/versions/3.11.7/bin/", "home/.pyenv/versions/3.11.7/envs/mine/", "home/.pyenv/versions/3.11.7/lib/",
			"home/.pyenv/versions/mine -> $T/home/.pyenv/versions/3.11.7/envs/mine",
		}},
		{"a version that lies elsewhere", tree{
			"home/py/bin/python3 -> python3.10", "home/py/lib/python3.10/os.py", "home/.pyenv/versions/far -> ../../py",
		}, "far", []string{"home/.pyenv/versions/far -> ../../py", "home/py/"}},
	} {
		top := append(slices.Clone(pyenvTree), c.more...).build(t)
		in := input(top, pyenvPath, map[string]string{"PYENV_VERSION": c.env})
		t.Run(c.why, func(t *testing.T) {
			expectNeeds(t, top, Toolchains(in), append(slices.Clone(pyenvNeeds), c.want...)...)
		})
	}
}

func TestPyenvReason(t *testing.T) {
	top := pyenvTree.build(t)
	needs := Toolchains(input(top, "$T/home/.pyenv/shims", nil))
	want := "pyenv 3.11.7, for " + top + "/home/.pyenv/shims on PATH"
	for _, need := range needs {
		if strings.Contains(need.Source.Path, "versions") && need.Reason.Text != want {
			t.Errorf("%q, want %q", need.Reason.Text, want)
		}
	}
}

// One row for each manager. What the settings, logs and downloads beside it hold
// must not appear.
func TestManagers(t *testing.T) {
	for _, c := range []struct {
		why  string
		tree tree
		path string
		env  map[string]string
		want []string
	}{
		{
			"pyenv from a package: the root has no program of its own",
			tree{"home/.pyenv/shims/python*", "home/.pyenv/version = 3.9.1\n", "home/.pyenv/versions/3.9.1/bin/python*"},
			"$T/home/.pyenv/shims", nil,
			[]string{"home/.pyenv/shims/", "home/.pyenv/version", "home/.pyenv/versions/3.9.1/"},
		},
		{
			"rbenv",
			tree{"home/.rbenv/shims/ruby*", "home/.rbenv/libexec/rbenv*", "home/.rbenv/rbenv.d/x", "home/.rbenv/versions/3.3.1/bin/ruby*", "home/work/.ruby-version = ruby-3.3.1\n"},
			"$T/home/.rbenv/shims", nil,
			[]string{"home/.rbenv/libexec/", "home/.rbenv/shims/", "home/.rbenv/versions/3.3.1/"},
		},
		{
			"nodenv",
			tree{"home/.nodenv/shims/node*", "home/.nodenv/libexec/nodenv*", "home/.nodenv/versions/22.1.0/bin/node*", "home/.nodenv/versions/22.1.0/etc/npmrc", "home/.nodenv/version = v22.1.0\n"},
			"$T/home/.nodenv/shims", nil,
			[]string{"home/.nodenv/libexec/", "home/.nodenv/shims/", "home/.nodenv/version", "home/.nodenv/versions/22.1.0/bin/"},
		},
		{
			"rustup",
			tree{"home/.cargo/bin/rustup*", "home/.cargo/bin/cargo -> rustup", "home/.cargo/credentials.toml", "home/.cargo/config.toml", "home/.cargo/registry/x", "home/.rustup/settings.toml", "home/.rustup/toolchains/stable/bin/cargo*", "home/.rustup/toolchains/nightly/bin/cargo*", "home/.rustup/downloads/x", "home/.rustup/tmp/x"},
			"$T/home/.cargo/bin:$T/home/.cargo/bin", nil,
			[]string{"home/.cargo/bin/", "home/.rustup/settings.toml", "home/.rustup/toolchains/"},
		},
		{
			"rustup with homes of its own",
			tree{"data/cargo/bin/rustup*", "data/cargo/credentials", "data/rustup/settings.toml", "data/rustup/toolchains/stable/bin/cargo*"},
			"$T/data/cargo/bin", map[string]string{"RUSTUP_HOME": "$T/data/rustup"},
			[]string{"data/cargo/bin/", "data/rustup/settings.toml", "data/rustup/toolchains/"},
		},
		{
			"rustup with a toolchain that somebody built",
			tree{"home/.cargo/bin/rustup*", "home/.rustup/settings.toml", "home/.rustup/toolchains/dev -> $T/home/src/rust/stage1", "home/src/rust/stage1/bin/rustc*", "home/src/rust/stage1/lib/rustlib/", "home/src/rust/.env"},
			"$T/home/.cargo/bin", nil,
			[]string{"home/.cargo/bin/", "home/.rustup/settings.toml", "home/.rustup/toolchains/", "home/src/rust/stage1/bin/", "home/src/rust/stage1/lib/"},
		},
		{
			"nvm",
			tree{"home/.nvm/versions/node/v22.1.0/bin/node*", "home/.nvm/versions/node/v22.1.0/lib/node_modules/npm/x", "home/.nvm/versions/node/v22.1.0/README.md", "home/.nvm/.cache/x", "home/.nvm/versions/node/v20.0.0/bin/node*"},
			"$T/home/.nvm/versions/node/v22.1.0/bin", nil,
			[]string{"home/.nvm/versions/node/v22.1.0/"},
		},
		{
			"nvm with tokens in the prefix",
			tree{"home/.nvm/versions/node/v22.1.0/bin/node*", "home/.nvm/versions/node/v22.1.0/lib/node_modules/npm/x", "home/.nvm/versions/node/v22.1.0/etc/npmrc"},
			"$T/home/.nvm/versions/node/v22.1.0/bin", nil,
			[]string{"home/.nvm/versions/node/v22.1.0/bin/", "home/.nvm/versions/node/v22.1.0/lib/"},
		},
		{
			"fnm, whose directory on PATH is a link outside the home",
			tree{"home/.local/share/fnm/node-versions/v22/installation/bin/node*", "home/.local/share/fnm/node-versions/v22/installation/lib/node_modules/", "run/fnm_multishells/7_1 -> $T/home/.local/share/fnm/node-versions/v22/installation", "run/secret.sock"},
			"$T/run/fnm_multishells/7_1/bin", nil,
			[]string{"home/.local/share/fnm/node-versions/v22/installation/", "run/fnm_multishells/7_1 -> $T/home/.local/share/fnm/node-versions/v22/installation"},
		},
		{
			"volta",
			tree{"home/.volta/bin/volta-shim*", "home/.volta/bin/node -> volta-shim", "home/.volta/tools/image/node/22/bin/node*", "home/.volta/layout.v4", "home/.volta/hooks.json", "home/.volta/log/x", "home/.volta/volta.lock"},
			"$T/home/.volta/bin", map[string]string{"VOLTA_HOME": "$T/home/.ssh"},
			[]string{"home/.volta/bin/", "home/.volta/layout.v4", "home/.volta/tools/"},
		},
		{
			"n",
			tree{"home/n/bin/node*", "home/n/lib/node_modules/npm/x", "home/n/n/versions/node/20/bin/node*"},
			"$T/home/n/bin", nil,
			[]string{"home/n/bin/", "home/n/lib/"},
		},
		{
			"npm's prefix",
			tree{"home/.npm-global/bin/x -> ../lib/node_modules/x/x.js", "home/.npm-global/lib/node_modules/x/x.js*", "home/.npm-global/etc/npmrc"},
			"$T/home/.npm-global/bin", nil,
			[]string{"home/.npm-global/bin/", "home/.npm-global/lib/"},
		},
		{
			"asdf",
			tree{"home/.asdf/asdf.sh", "home/.asdf/bin/asdf*", "home/.asdf/shims/node*", "home/.asdf/installs/nodejs/22/bin/node*", "home/.asdf/plugins/nodejs/bin/exec-env*", "home/.asdf/lib/x", "home/.asdf/tmp/x", "home/.tool-versions = nodejs 22\n"},
			"$T/home/.asdf/shims:$T/home/.asdf/bin", nil,
			[]string{"home/.asdf/asdf.sh", "home/.asdf/bin/", "home/.asdf/installs/", "home/.asdf/lib/", "home/.asdf/plugins/", "home/.asdf/shims/", "home/.tool-versions"},
		},
		{
			"mise by shims",
			tree{
				"home/.local/bin/mise*", "home/.local/share/mise/shims/node -> $T/home/.local/bin/mise", "home/.local/share/mise/installs/node/22/bin/node*", "home/.local/share/mise/downloads/x",
				"home/.config/mise/config.toml = [tools]\nnode = \"22\"\n", "home/.config/mise/other.toml",
				"home/.local/state/mise/trusted-configs/a -> $T/home/work", "home/.local/state/mise/trusted-configs/b -> $T/home/other",
			},
			"$T/home/.local/share/mise/shims", nil,
			[]string{
				"home/.config/mise/config.toml", "home/.local/bin/mise", "home/.local/share/mise/installs/", "home/.local/share/mise/shims/",
				"home/.local/state/mise/trusted-configs/a -> $T/home/work",
			},
		},
		{
			"mise activated",
			tree{"home/.local/share/mise/shims/", "home/.local/share/mise/installs/node/22 -> 22.1.0", "home/.local/share/mise/installs/node/22.1.0/bin/node*", "home/.local/share/mise/installs/rg/14/rg*"},
			"$T/home/.local/share/mise/installs/node/22/bin:$T/home/.local/share/mise/installs/rg/14", nil,
			[]string{"home/.local/share/mise/installs/", "home/.local/share/mise/shims/"},
		},
		{
			"uv and the pythons that it keeps",
			tree{"home/.local/bin/uv*", "home/.local/share/uv/python/cpython-3.12.1/bin/python3.12*", "home/.local/share/uv/credentials/x"},
			"$T/home/.local/bin", nil,
			[]string{"home/.local/bin/", "home/.local/share/uv/python/"},
		},
		{
			"a tool of uv",
			tree{
				"home/.local/bin/ruff -> $T/home/.local/share/uv/tools/ruff/bin/ruff", "home/.local/share/uv/tools/ruff/bin/ruff*", "home/.local/share/uv/tools/ruff/lib/", "home/.local/share/uv/tools/ruff/uv-receipt.toml = [tool]\n",
				"home/.local/share/uv/tools/ruff/pyvenv.cfg = home = $T/home/.local/share/uv/python/cpython-3.12-x/bin\n", "home/.local/share/uv/tools/other/pyvenv.cfg",
				"home/.local/share/uv/python/cpython-3.12-x -> cpython-3.12.1-x", "home/.local/share/uv/python/cpython-3.12.1-x/bin/python3 -> python3.12", "home/.local/share/uv/python/cpython-3.12.1-x/lib/python3.12/os.py",
			},
			"$T/home/.local/bin", nil,
			[]string{"home/.local/bin/", "home/.local/share/uv/python/cpython-3.12-x -> cpython-3.12.1-x", "home/.local/share/uv/python/cpython-3.12.1-x/", "home/.local/share/uv/tools/ruff/"},
		},
		{
			"a tool of uv from an index with a password",
			tree{
				"home/.local/bin/in -> $T/home/.local/share/uv/tools/in/bin/in", "home/.local/share/uv/tools/in/bin/in*", "home/.local/share/uv/tools/in/lib/x", "home/.local/share/uv/tools/in/uv-receipt.toml = index = \"https://me:pw@host/\"\n", "home/.local/share/uv/tools/in/pyvenv.cfg = home = /usr/bin\n",
			},
			"$T/home/.local/bin", nil,
			[]string{"home/.local/bin/", "home/.local/share/uv/tools/in/bin/", "home/.local/share/uv/tools/in/lib/", "home/.local/share/uv/tools/in/pyvenv.cfg"},
		},
		{
			"pipx",
			tree{"home/.local/bin/black -> ../pipx/venvs/black/bin/black", "home/.local/pipx/venvs/black/bin/black* = #!/x\n", "home/.local/pipx/venvs/black/pyvenv.cfg = home = /usr/bin\n", "home/.local/pipx/shared/x", "home/.local/pipx/logs/x"},
			"$T/home/.local/bin", nil,
			[]string{"home/.local/bin/", "home/.local/pipx/shared/", "home/.local/pipx/venvs/black/"},
		},
		{
			"poetry",
			tree{"home/.local/bin/poetry -> $T/home/.local/share/pypoetry/venv/bin/poetry", "home/.local/share/pypoetry/venv/bin/poetry*", "home/.local/share/pypoetry/venv/pyvenv.cfg = home = /usr/bin\n", "home/.config/pypoetry/auth.toml"},
			"$T/home/.local/bin", nil,
			[]string{"home/.local/bin/", "home/.local/share/pypoetry/venv/"},
		},
		{
			"a script whose python is not on PATH",
			tree{"home/.local/bin/tool* = #!$T/home/py/bin/python3\n", "home/py/bin/python3 -> python3.10", "home/py/bin/python3.10*", "home/py/lib/python3.10/os.py", "home/py/notes.txt"},
			"$T/home/.local/bin", nil,
			[]string{"home/.local/bin/", "home/py/bin/", "home/py/lib/"},
		},
		{
			"what pip and npm install in ~/.local",
			tree{"home/.local/bin/x*", "home/.local/lib/python3.11/site-packages/x.py", "home/.local/lib/node_modules/y/", "home/.local/lib/other/", "home/.local/share/keyrings/k"},
			"$T/home/.local/bin", nil,
			[]string{"home/.local/bin/", "home/.local/lib/node_modules/", "home/.local/lib/python3.11/"},
		},
		{
			"conda, base",
			tree{"home/miniconda3/condabin/conda*", "home/miniconda3/bin/python*", "home/miniconda3/lib/x", "home/miniconda3/ssl/cert.pem", "home/miniconda3/conda-meta/history", "home/miniconda3/envs/other/x", "home/miniconda3/pkgs/x", "home/miniconda3/.condarc"},
			"$T/home/miniconda3/condabin", nil,
			[]string{"home/miniconda3/bin/", "home/miniconda3/conda-meta/", "home/miniconda3/condabin/", "home/miniconda3/lib/", "home/miniconda3/ssl/"},
		},
		{
			"micromamba, an environment",
			tree{"home/micromamba/envs/e/bin/python*", "home/micromamba/envs/e/conda-meta/history", "home/micromamba/envs/other/bin/x*"},
			"$T/home/micromamba/envs/e/bin", nil,
			[]string{"home/micromamba/envs/e/"},
		},
		{
			"conda, an environment with variables in it",
			tree{"home/mm/envs/e/bin/python*", "home/mm/envs/e/conda-meta/state = {\"env_vars\": {}}", "home/mm/envs/e/etc/conda/activate.d/env_vars.sh", "home/mm/envs/e/lib/x"},
			"$T/home/mm/envs/e/bin", nil,
			[]string{"home/mm/envs/e/bin/", "home/mm/envs/e/lib/"},
		},
		{
			"a virtual environment outside the project",
			tree{"home/envs/e/bin/python -> /usr/bin/python3", "home/envs/e/pyvenv.cfg = home = /usr/bin\n", "home/envs/e/lib/", "home/envs/e/lib64 -> lib"},
			"$T/home/envs/e/bin", nil,
			[]string{"home/envs/e/"},
		},
		{
			"a virtual environment that is somebody's project",
			tree{"home/p/bin/python -> /usr/bin/python3", "home/p/pyvenv.cfg = home = /usr/bin\n", "home/p/lib/", "home/p/lib64 -> lib", "home/p/.env", "home/p/src/x"},
			"$T/home/p/bin", nil,
			[]string{"home/p/bin/", "home/p/lib/", "home/p/lib64 -> lib", "home/p/pyvenv.cfg"},
		},
		{
			"the project's own environment, and the python it is made from",
			tree{"home/work/.venv/bin/python -> $T/home/py/bin/python3.12", "home/work/.venv/pyvenv.cfg = home = $T/home/py/bin\n", "home/py/bin/python3 -> python3.12", "home/py/bin/python3.12*", "home/py/lib/python3.12/os.py"},
			"$T/home/work/.venv/bin:$T/home/work/node_modules/.bin", nil,
			[]string{"home/py/"},
		},
		{
			"go's own",
			tree{"home/sdk/go1.26/bin/go*", "home/sdk/go1.26/src/runtime/", "home/sdk/go1.26/pkg/tool/", "home/sdk/go1.26/VERSION", "home/go/bin/gopls*", "home/go/pkg/mod/x", "home/go/src/mine/x"},
			"$T/home/sdk/go1.26/bin:$T/home/go/bin", nil,
			[]string{"home/go/bin/", "home/sdk/go1.26/"},
		},
		{
			"bun and deno",
			tree{"home/.bun/bin/bun*", "home/.bun/bin/bunx -> bun", "home/.bun/install/global/node_modules/x/", "home/.bun/install/cache/x", "home/.deno/bin/deno*", "home/.deno/other/x"},
			"$T/home/.bun/bin:$T/home/.deno/bin", nil,
			[]string{"home/.bun/bin/", "home/.bun/install/global/", "home/.deno/bin/"},
		},
		{
			"linuxbrew",
			tree{"linuxbrew/.linuxbrew/bin/brew*", "linuxbrew/.linuxbrew/Cellar/x/", "linuxbrew/.linuxbrew/opt/", "linuxbrew/.linuxbrew/etc/mysql/my.cnf", "linuxbrew/.linuxbrew/var/db/x"},
			"$T/linuxbrew/.linuxbrew/bin:$T/linuxbrew/.linuxbrew/sbin", nil,
			[]string{"linuxbrew/.linuxbrew/Cellar/", "linuxbrew/.linuxbrew/bin/", "linuxbrew/.linuxbrew/opt/"},
		},
		{
			"a profile of nix",
			tree{"home/.nix-profile -> .local/state/nix/profiles/profile", "home/.local/state/nix/profiles/profile -> profile-1-link", "home/.local/state/nix/profiles/profile-1-link -> /usr"},
			"$T/home/.nix-profile/bin", nil,
			[]string{"home/.local/state/nix/profiles/profile -> profile-1-link", "home/.local/state/nix/profiles/profile-1-link -> /usr", "home/.nix-profile -> .local/state/nix/profiles/profile"},
		},
		{
			"java of sdkman",
			tree{"home/.sdkman/candidates/java/current -> 21.0.1", "home/.sdkman/candidates/java/21.0.1/bin/java*", "home/.sdkman/candidates/java/21.0.1/lib/modules", "home/.sdkman/etc/config"},
			"$T/home/.sdkman/candidates/java/current/bin", nil,
			[]string{"home/.sdkman/candidates/java/21.0.1/", "home/.sdkman/candidates/java/current -> 21.0.1"},
		},
		{
			"gems", tree{"home/.gem/ruby/3.3.0/bin/rake*", "home/.gem/ruby/3.3.0/gems/x/", "home/.gem/ruby/3.3.0/specifications/x", "home/.gem/ruby/3.3.0/cache/x", "home/.gem/credentials"},
			"$T/home/.gem/ruby/3.3.0/bin", nil,
			[]string{"home/.gem/ruby/3.3.0/bin/", "home/.gem/ruby/3.3.0/gems/", "home/.gem/ruby/3.3.0/specifications/"},
		},
		{
			"packages of yarn, and of composer, below ~/.config",
			tree{"home/.config/yarn/global/node_modules/.bin/x*", "home/.config/composer/vendor/bin/y*", "home/.config/composer/vendor/autoload.php", "home/.config/composer/auth.json"},
			"$T/home/.config/yarn/global/node_modules/.bin:$T/home/.config/composer/vendor/bin", nil,
			[]string{"home/.config/composer/vendor/", "home/.config/yarn/global/node_modules/"},
		},
		{
			"a pnpm home: programs one by one",
			tree{"home/.local/share/pnpm/pnpm*", "home/.local/share/pnpm/tool*", "home/.local/share/pnpm/global/5/x", "home/.local/share/pnpm/store/x"},
			"$T/home/.local/share/pnpm", nil,
			[]string{"home/.local/share/pnpm/global/", "home/.local/share/pnpm/pnpm", "home/.local/share/pnpm/tool"},
		},
		{
			"a directory of programs outside the home",
			tree{"srv/tools/bin/x*", "srv/tools/lib/x", "srv/tools/share/x", "srv/tools/etc/password", "srv/tools/data/x"},
			"$T/srv/tools/bin", nil,
			[]string{"srv/tools/bin/", "srv/tools/lib/", "srv/tools/share/"},
		},
		{
			"a program behind a link, with its library",
			tree{"home/bin/x -> $T/home/apps/x/bin/x", "home/apps/x/bin/x*", "home/apps/x/lib/x.so", "home/apps/x/data"},
			"$T/home/bin", nil,
			[]string{"home/apps/x/bin/x", "home/apps/x/lib/", "home/bin/"},
		},
	} {
		t.Run(c.why, func(t *testing.T) {
			top := append(c.tree, "home/work/").build(t)
			expectNeeds(t, top, Toolchains(input(top, c.path, c.env)), c.want...)
		})
	}
}

// ~/bin is the user's own, and what lies beside it is the user's life.
func TestHomeBin(t *testing.T) {
	top := tree{
		"home/work/", "home/bin/x*", "home/bin/helper.sh", "home/lib/mine", "home/share/mine", "home/lib/node_modules/y/",
		"home/repo/.git/", "home/repo/app/bin/y*", "home/repo/app/lib/code.py",
		"home/mixed/run*", "home/mixed/notes.txt", "home/pure/run*", "home/pure/walk -> run",
	}.build(t)
	for _, c := range []struct {
		why, path string
		want      []string
	}{
		{"the home's bin", "$T/home/bin", []string{"home/bin/", "home/lib/node_modules/"}},
		{"the bin of a work tree: no code beside it", "$T/home/repo/app/bin", []string{"home/repo/app/bin/"}},
		{"programs among other things", "$T/home/mixed", []string{"home/mixed/run"}},
		{"nothing but programs", "$T/home/pure", []string{"home/pure/"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			expectNeeds(t, top, Toolchains(input(top, c.path, nil)), c.want...)
		})
	}
}

// With a home that is a link, both spellings lead to the same places, and the link
// exists inside, since shims name it.
func TestHomeIsALink(t *testing.T) {
	top := tree{"data/u/work/", "home -> data/u"}.build(t)
	append(slices.Clone(pyenvTree[1:]), "home/.local/bin/x*").buildIn(t, top)
	want := []string{"data/u/.local/bin/"}
	for _, line := range slices.Concat(pyenvNeeds, pyenv311) {
		want = append(want, strings.Replace(line, "home/", "data/u/", 1))
	}
	for _, c := range []struct{ why, path string }{
		{"by the link", strings.ReplaceAll(pyenvPath+":$T/home/.local/bin", "$T", top)},
		{"by the place", strings.ReplaceAll(pyenvPath+":$T/home/.local/bin", "$T/home", top+"/data/u")},
	} {
		in := input(top, c.path, nil)
		in.Homes = []string{top + "/home", top + "/data/u"}
		in.Root, in.Cwd = top+"/data/u/work", top+"/data/u/work"
		more := want
		if c.why == "by the link" {
			more = append(slices.Clone(want), "home -> data/u")
		}
		t.Run(c.why, func(t *testing.T) { expectNeeds(t, top, Toolchains(in), more...) })
	}
}

func TestProgramNeeds(t *testing.T) {
	lines := append(slices.Clone(pyenvTree),
		"usr/bin/x", "home/.local/bin/black -> $T/home/.local/share/pipx/venvs/black/bin/black",
		"home/.local/share/pipx/venvs/black/bin/black* = #!$T/home/.local/share/pipx/venvs/black/bin/python\n",
		"home/.local/share/pipx/venvs/black/bin/python -> $T/home/.pyenv/versions/3.12.1/bin/python3",
		"home/.local/share/pipx/venvs/black/pyvenv.cfg = home = $T/home/.pyenv/versions/3.12.1/bin\n",
		"home/x/one -> two", "home/x/two -> ../y/three", "home/y/three* = #!$T/home/z/interp -x\n",
		"home/z/interp* = #!/usr/bin/env -S deno run\n", "home/.deno/bin/deno*",
		"home/x/loop -> loop", "home/x/a* = #!$T/home/x/b\n", "home/x/b* = #!$T/home/x/a\n",
		"home/x/gone* = #!$T/home/none\n", "home/work/run* = #!/usr/bin/env deno\n",
		"home/x/long* = #!/bin/sh\n'''exec' \"$T/home/z/interp\" \"$0\" \"$@\"\n",
	)
	top := lines.build(t)
	for _, c := range []struct {
		why, program string
		want         []string
	}{
		{"a program of the system", "/usr/bin/env", nil},
		{"a shim, with its manager", "home/.pyenv/shims/python3", slices.Concat(pyenvNeeds, pyenv311)},
		{"a tool of pipx, with the python below it", "home/.local/bin/black", []string{
			"home/.local/bin/black -> $T/home/.local/share/pipx/venvs/black/bin/black",
			"home/.local/share/pipx/venvs/black/", "home/.pyenv/versions/3.12.1/",
		}},
		{"links, an interpreter, and its interpreter by env", "home/x/one", []string{
			"home/.deno/bin/", "home/x/one -> two", "home/x/two -> ../y/three", "home/y/three", "home/z/interp",
		}},
		{"an interpreter too long for a first line", "home/x/long", []string{"home/.deno/bin/", "home/x/long", "home/z/interp"}},
		{"interpreters in a circle", "home/x/a", []string{"home/x/a", "home/x/b"}},
		{"an interpreter that is missing", "home/x/gone", []string{"home/x/gone"}},
		{"a script of the project, by env", "home/work/run", []string{"home/.deno/bin/"}},
	} {
		path := c.program
		if path[0] != '/' {
			path = top + "/" + path
		}
		t.Run(c.why, func(t *testing.T) {
			needs, err := ProgramNeeds(path, input(top, "$T/home/.deno/bin:/usr/bin", nil))
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Clone(c.want)
			slices.Sort(want)
			expectNeeds(t, top, needs, want...)
		})
	}
	for _, name := range []string{"loop", "none"} {
		if needs, err := ProgramNeeds(top+"/home/x/"+name, input(top, "", nil)); err == nil {
			t.Errorf("%s: no error, %v", name, found(top, needs))
		}
	}
}

// What does not fit a version's grammar is not there for pyenv either.
func TestNewer(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"3.12.10", "3.12.9"}, {"3.12.10", "3.12.1"}, {"3.12.1", "3.12"}, {"miniconda3-4.7.12", "miniconda3-4.7.1"}, {"22.1.0", "9.9.9"},
	} {
		if !newer(c.a, c.b) || newer(c.b, c.a) {
			t.Errorf("%s is newer than %s", c.a, c.b)
		}
	}
}

func TestAbove(t *testing.T) {
	for _, c := range []struct{ dir, tail, root string }{
		{"/h/.cargo/bin", "bin", "/h/.cargo"},
		{"/h/p/plugins/x/shims", "plugins/*/shims", "/h/p"},
		{"/h/m/installs/node/22/bin", "installs/*/*/bin", "/h/m"},
		{"/h/xbin", "bin", ""}, {"/bin", "bin", ""}, {"/", "bin", ""}, {"bin", "bin", ""}, {"/x/shims", "plugins/*/shims", ""},
	} {
		root, ok := above(c.dir, c.tail)
		if !ok {
			root = ""
		}
		if root != c.root {
			t.Errorf("above(%q, %q) = %q", c.dir, c.tail, root)
		}
	}
}

func TestMergeNeeds(t *testing.T) {
	need := func(path string, kind plan.Type) plan.Need {
		return plan.Need{Source: plan.Source{Path: path, Type: kind}, Reason: plan.Reason{Text: path}}
	}
	got := MergeNeeds(
		[]plan.Need{need("/a-b", plan.Directory), need("/a/x", plan.Symlink), need("/c", plan.Symlink)},
		[]plan.Need{need("/a", plan.Directory), need("/c/d", plan.Directory), need("/a-b", plan.Directory), need("/a/y/z", plan.Directory)},
	)
	paths := []string{}
	for _, n := range got {
		paths = append(paths, n.Source.Path)
	}
	if want := []string{"/a", "/a-b", "/c", "/c/d"}; !slices.Equal(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
	if got := MergeNeeds(); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestIsToolList(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]bool{
		"[tools]\nnode = \"22\"\npython = [\"3.12\", \"3.11\"]\n\"npm:prettier\" = \"latest\"\n": true,
		"[settings]\nexperimental = true\n\n[tools]\ngo = '1.26'\n":                              false, // not what it writes
		"":                          true,
		"[env]\nTOKEN = \"x\"\n":    false,
		"[tools]\n# sk-live-1234\n": false,
		"[tools]\nx = \"ghp_0123456789abcdef0123\"\n": false,
		"[tools]\nx = \"https://u:p@h/\"\n":           false,
		"[tools]\nx = { version = \"1\" }\n":          false,
		"[tools]\nnode\n":                             false,
		"[tasks.x]\nrun = \"ls\"\n":                   false,
	} {
		path := dir + "/config.toml"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := isToolList(path); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
