package settings

func tomlFixtures() []fixture {
	return []fixture{
		{
			name: "cargo hostile", path: "~/.cargo/config.toml",
			content: `# SENTINELpw
[registries.corp]
index = "sparse+https://bob:SENTINELpw@cargo.corp.test/index/"
token = "SENTINELpw"
credential-provider = ["cargo:token-from-stdout", "echo", "SENTINELpw"]
[registries."https://u:SENTINELpw@h"]
index = "https://h.test/"
[registry]
default = "corp"
token = """
SENTINELpw
"""
[http]
proxy = "bob:SENTINELpw@proxy.corp.test:3128"
cainfo = "certs/corp.pem"
timeout = 30
check-revoke = false
[env]
AWS_SECRET_ACCESS_KEY = "SENTINELpw"
HARMLESS = { value = "SENTINELpw", force = true }
[build]
jobs = 4
rustflags = ["-C", "target-cpu=native"]
rustc-wrapper = "/home/me/SENTINELpw"
target-dir = "/home/me/SENTINELpw"
[alias]
b = "build"
pub = ["publish", "--token", "SENTINELpw"]
up = ["run", "-u", "bob:SENTINELpw"]
[target.'cfg(target_os = "linux")']
linker = "clang"
rustflags = ["-C", "link-arg=-fuse-ld=mold"]
[target.x86_64-unknown-linux-gnu]
runner = "SENTINELpw --password SENTINELpw"
[source.crates-io]
replace-with = "mirror"
[source.mirror]
registry = "sparse+https://mirror.test/index/"
[net]
git-fetch-with-cli = true
retry = 3
[net.ssh]
known-hosts = ["SENTINELpw"]
[profile.release]
password = "SENTINELpw"
lto = "thin"
debug = 1
[profile.dev.package."*"]
opt-level = 2
[patch.crates-io]
a = { git = "https://u:SENTINELpw@git.test/a", rev = "4b825dc642cb6eb9a060e54bf8d69288fbee4904" }
[credential-alias]
x = ["SENTINELpw"]
[term]
color = "auto"
when = 1979-05-27
[unknown]
thing = "SENTINELpw"
[[unknownToo]]
thing = "SENTINELpw"
[cargo-new]
vcs = 1979-05-27T07:32:00Z
`,
			want: `[alias]
b = "build"
[build]
jobs = 4
rustflags = ["-C", "target-cpu=native"]
[http]
cainfo = "certs/corp.pem"
check-revoke = false
proxy = "proxy.corp.test:3128"
timeout = 30
[net]
git-fetch-with-cli = true
retry = 3
[patch.crates-io.a]
git = "https://git.test/a"
rev = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
[profile.dev.package."*"]
opt-level = 2
[profile.release]
debug = 1
lto = "thin"
[registries.corp]
index = "sparse+https://cargo.corp.test/index/"
[registry]
default = "corp"
[source.crates-io]
replace-with = "mirror"
[source.mirror]
registry = "sparse+https://mirror.test/index/"
[target."cfg(target_os = \"linux\")"]
linker = "clang"
rustflags = ["-C", "link-arg=-fuse-ld=mold"]
[term]
color = "auto"
`,
			left: []string{
				"alias.pub", "alias.up", "build.rustc-wrapper", "build.target-dir", "cargo-new.vcs", "credential-alias.x", "env.*", "env.*.force", "env.*.value",
				"http.proxy (user info)", "net.ssh.known-hosts", "patch.crates-io.a.git (user info)", "profile.release.password", "registries.*", "registries.corp.credential-provider",
				"registries.corp.index (user info)", "registries.corp.token", "registry.token", "target.*.runner", "term.when", "unknown", "unknownToo",
			}, certificates: []string{"certs/corp.pem"},
		},
		{
			name: "uv hostile", path: "~/.config/uv/uv.toml",
			content: `index-url = "https://bob:SENTINELpw@pypi.corp.test/simple" # SENTINELpw
extra-index-url = ["https://a.test/simple", "https://SENTINELpw@b.test/simple"]
find-links = ["/srv/wheels"]
native-tls = true
python-preference = "only-system"
cache-dir = "/home/me/SENTINELpw"
keyring-provider = "subprocess"
password = "SENTINELpw"
exclude-newer = "2024-01-01T00:00:00Z"
concurrent-downloads = 8
allow-insecure-host = ["pypi.corp.test"]
http-proxy = "http://bob:SENTINELpw@proxy.test:3128"
[[index]]
name = "corp"
url = "https://bob:SENTINELpw@pypi.corp.test/simple"
default = true
[[index]]
name = "odd"
url = "ht!tp://SENTINELpw"
[pip]
index-url = "https://u:SENTINELpw@pypi.corp.test/simple"
system = true
[[dependency-metadata]]
name = "SENTINELpw"
`,
			want: `allow-insecure-host = ["pypi.corp.test"]
concurrent-downloads = 8
exclude-newer = "2024-01-01T00:00:00Z"
extra-index-url = ["https://a.test/simple", "https://b.test/simple"]
find-links = ["/srv/wheels"]
http-proxy = "http://proxy.test:3128"
index = [{default = true, name = "corp", url = "https://pypi.corp.test/simple"}]
index-url = "https://pypi.corp.test/simple"
native-tls = true
python-preference = "only-system"
[pip]
index-url = "https://pypi.corp.test/simple"
system = true
`,
			left: []string{
				"cache-dir", "dependency-metadata", "extra-index-url (user info)", "http-proxy (user info)", "index-url (user info)", "index.url", "index.url (user info)",
				"keyring-provider", "password", "pip.index-url (user info)",
			},
		},
		{
			name: "bun hostile", path: "~/.bunfig.toml", in: inside(nil, "NPM_TOKEN"),
			content: `telemetry = false
preload = ["SENTINELpw"]
[install]
registry = { url = "https://npm.corp.test/", token = "SENTINELpw" }
exact = true
cache = "/home/me/SENTINELpw"
cafile = "/home/me/corp.pem"
[install.scopes]
"@a" = "https://bob:SENTINELpw@a.test/"
"@b" = { token = "$NPM_TOKEN", url = "https://b.test/" }
"@c" = { token = "$OTHER", username = "SENTINELpw", password = "SENTINELpw", url = "https://c.test/" }
private = { url = "https://d.test/" }
"SENTINEL:x@y" = { url = "https://e.test/" }
`,
			want: `telemetry = false
[install]
cafile = "/home/me/corp.pem"
exact = true
[install.registry]
url = "https://npm.corp.test/"
[install.scopes]
"@a" = "https://a.test/"
[install.scopes."@b"]
token = "$NPM_TOKEN"
url = "https://b.test/"
[install.scopes."@c"]
url = "https://c.test/"
[install.scopes.private]
url = "https://d.test/"
`,
			left: []string{
				"install.cache", "install.registry.token", "install.scopes.*", "install.scopes.* (user info)", "install.scopes.*.password", "install.scopes.*.token",
				"install.scopes.*.username", "preload",
			},
			certificates: []string{"/home/me/corp.pem"},
		},
		{
			name: "cargo of a project", path: ".cargo/config.toml",
			content: `[registries.corp]
token = "SENTINELpw"
[env]
OPENSSL_DIR = "/opt/ssl"
API_KEY = "SENTINELpw"
RUST_LOG = { value = "debug", force = true }
[http]
cainfo = "/home/me/.ssh/id_ed25519"
[build]
target-dir = "out"
rustc-wrapper = "sccache"
`,
			want: `[build]
rustc-wrapper = "sccache"
target-dir = "out"
[env]
OPENSSL_DIR = "/opt/ssl"
[env.RUST_LOG]
force = true
value = "debug"
[http]
cainfo = "/home/me/.ssh/id_ed25519"
`,
			left: []string{"env.*", "registries.corp.token"},
		},
		{name: "cargo credentials of a project", path: ".cargo/credentials.toml", content: "[registry]\ntoken = \"SENTINELpw\"\n", left: []string{"registry.token"}},
	}
}
