package detect

import "testing"

// One row for each manager. What the settings, logs and downloads beside it hold
// must not appear.
var managerCases = []struct {
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
			"home/.local/state/mise/trusted-configs/a -> $T/home/work", "home/.local/state/mise/trusted-configs/b -> $T/home/other", "home/.local/state/mise/trusted-configs/c = token",
		},
		"$T/home/.local/share/mise/shims", nil,
		[]string{
			"home/.local/bin/mise", "home/.local/share/mise/installs/", "home/.local/share/mise/shims/",
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
		"a conda that the project's environment leads to first",
		tree{"home/work/.venv/bin/python -> $T/home/mc/bin/python3.12", "home/work/.venv/pyvenv.cfg = home = $T/home/mc/bin\n", "home/mc/condabin/conda*", "home/mc/conda-meta/x", "home/mc/bin/python3 -> python3.12", "home/mc/bin/python3.12*", "home/mc/lib/python3.12/os.py", "home/mc/ssl/cert.pem"},
		"$T/home/work/.venv/bin:$T/home/mc/condabin", nil,
		[]string{"home/mc/"},
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
	{
		"names for other programs: a package, a program, and what is somebody's work",
		tree{
			"srv/bin/pnpm* = #!/bin/sh\nexec node $T/srv/pnpm/bin/pnpm.cjs \"$@\"\n", "srv/pnpm/package.json", "srv/pnpm/bin/pnpm.cjs", "srv/pnpm/dist/x",
			"srv/bin/tool* = #!/bin/sh\nexec $T/home/apps/tool/bin/tool \"$@\"\n", "home/apps/tool/bin/tool*", "home/apps/tool/lib/x", "home/apps/tool/etc/x",
			"srv/bin/mine* = #!/bin/sh\nexec node $T/home/mine/a.js\n", "home/mine/a.js", "home/mine/package.json", "home/mine/.env",
			"srv/bin/ours* = #!/bin/sh\nexec node $T/home/ours/a.js\n", "home/ours/a.js", "home/ours/package.json", "home/ours/package-lock.json",
			"srv/bin/diary* = #!/bin/sh\nexec less $T/home/diary.txt\n", "home/diary.txt",
			"srv/bin/key* = #!/bin/sh\nexec $T/home/.ssh/run\n", "home/.ssh/run*",
			"srv/bin/in* = #!/bin/sh\nexec node $T/home/g/node_modules/in/i.js\n", "home/g/node_modules/in/i.js", "home/g/node_modules/in/package.json",
		},
		"$T/srv/bin", nil,
		[]string{"home/apps/tool/bin/tool", "home/apps/tool/lib/", "home/g/node_modules/", "srv/bin/", "srv/pnpm/"},
	},
	{
		"the project's environment, and a python that uv keeps, with nothing in it but its program",
		tree{"home/work/.venv/bin/python -> $T/home/.local/share/uv/python/cpython-3/bin/python3.11", "home/work/.venv/pyvenv.cfg = home = $T/home/.local/share/uv/python/cpython-3/bin\n", "home/.local/share/uv/python/cpython-3 -> cpython-3.11-linux", "home/.local/share/uv/python/cpython-3.11-linux/bin/python3.11*", "home/.local/share/uv/python/cpython-3.12-linux/bin/python3.12*"},
		"$T/home/work/.venv/bin", nil,
		[]string{"home/.local/share/uv/python/cpython-3 -> cpython-3.11-linux", "home/.local/share/uv/python/cpython-3.11-linux/"},
	},
	{
		"the project's environment, and a python whose python3 is a file",
		tree{"home/work/.venv/bin/python -> $T/home/py/bin/python3.12", "home/work/.venv/pyvenv.cfg = home = $T/home/py/bin\n", "home/py/bin/python3*", "home/py/bin/python3.12*", "home/py/lib/python3.12/os.py"},
		"$T/home/work/.venv/bin", nil,
		[]string{"home/py/"},
	},
}

func TestManagers(t *testing.T) {
	for _, c := range managerCases {
		t.Run(c.why, func(t *testing.T) {
			top := append(c.tree, "home/work/").build(t)
			expectNeeds(t, top, Toolchains(input(top, c.path, c.env)), c.want...)
		})
	}
}
