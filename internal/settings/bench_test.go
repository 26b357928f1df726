package settings

import "testing"

// Files as people have them.
var typical = map[string]string{
	"~/.npmrc":               "registry=https://npm.corp.test/npm/\n//npm.corp.test/npm/:_authToken=hunter22\n@corp:registry=https://npm.corp.test/private/\nsave-exact=true\nfund=false\naudit=false\n",
	"~/.config/pip/pip.conf": "[global]\nindex-url = https://bob:hunter22@pypi.corp.test/simple\nextra-index-url =\n    https://pypi.test/simple\n    https://b.test/simple\ntimeout = 60\n",
	"~/.cargo/config.toml":   "[registries.corp]\nindex = \"sparse+https://cargo.corp.test/index/\"\n[source.crates-io]\nreplace-with = \"mirror\"\n[source.mirror]\nregistry = \"sparse+https://mirror.test/\"\n[build]\nrustflags = [\"-C\", \"target-cpu=native\"]\n[net]\ngit-fetch-with-cli = true\n",
	"~/.config/uv/uv.toml":   "index-url = \"https://pypi.corp.test/simple\"\nnative-tls = true\n[[index]]\nname = \"corp\"\nurl = \"https://bob:hunter22@pypi.corp.test/simple\"\n",
	"~/.yarnrc.yml":          "npmRegistryServer: \"https://npm.corp.test\"\nnpmScopes:\n  corp:\n    npmRegistryServer: \"https://npm.corp.test\"\n    npmAuthToken: hunter22\nenableTelemetry: false\nnodeLinker: node-modules\n",
	"~/.bunfig.toml":         "telemetry = false\n[install.scopes]\n\"@corp\" = { token = \"hunter22\", url = \"https://npm.corp.test/\" }\n",
	"~/.gitconfig": `[user]
	name = Jane Doe
	email = jane@corp.test
	signingkey = ABCDEF
[core]
	editor = vim
	autocrlf = input
	pager = less -FRX
[alias]
	st = status -sb
	lg = log --graph --pretty=format:'%C(auto)%h %d %s' --all
	co = checkout
	ci = commit -v
	unstage = reset HEAD --
[color]
	ui = auto
[pull]
	rebase = true
[push]
	default = simple
	autoSetupRemote = true
[init]
	defaultBranch = main
[merge]
	conflictStyle = zdiff3
[credential]
	helper = store
[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	process = git-lfs filter-process
	required = true
[url "git@github.test:"]
	insteadOf = https://github.test/
`,
}

func BenchmarkStrip(b *testing.B) {
	for _, known := range Tools() {
		content, ok := typical[known.Path]
		if !ok {
			continue
		}
		b.Run(known.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Strip(known, []byte(content), Inside{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
