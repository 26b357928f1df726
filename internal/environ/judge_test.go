package environ

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// A row is one variable and what becomes of it: "" passes, "-" is dropped, anything
// else is the value that it gets. Listed is the verdict in worker and lockdown,
// where it differs.
type row struct{ name, value, normal, listed string }

// inside is what exists in the jail of these tests.
func inside(p string) bool {
	for _, dir := range []string{"/usr", "/proj", "/tmp", "/home/u/.nvm"} {
		if p == dir || strings.HasPrefix(p, dir+"/") && dir != "/tmp" {
			return true
		}
	}
	return false
}

var rows = []row{
	// everyday
	{"TERM", "xterm-256color", "", ""}, {"COLORTERM", "truecolor", "", ""}, {"LANG", "C.UTF-8", "", ""},
	{"LC_ALL", "sk_SK.UTF-8", "", ""}, {"LC_TIME", "de_DE", "", ""}, {"LANGUAGE", "en:de", "", ""}, {"TZ", "Europe/Berlin", "", ""},
	{"USER", "u", "", ""}, {"LOGNAME", "u", "", ""}, {"SHELL", "/bin/bash", "", ""}, {"PWD", "/proj", "", ""},
	{"OLDPWD", "/home/u/other", "", ""}, {"SHLVL", "2", "", ""}, {"_", "/usr/bin/env", "", ""}, {"CI", "1", "", ""},
	{"EDITOR", "vim", "", ""}, {"PAGER", "less -R", "", ""}, {"LINES", "40", "", ""}, {"COLUMNS", "120", "", ""},
	{"NO_COLOR", "1", "", ""}, {"FORCE_COLOR", "3", "", ""}, {"MY_FLAG", "on", "", "-"}, {"APP_ENV", "test", "", "-"},
	{"LS_COLORS", "rs=0:di=01;34:*.key=00;36:*.tar=01;31", "", "-"}, {"HOSTNAME", "my-service-7d9f8b6c5-x2x4z-abcdefgh", "", ""},
	{"XDG_SESSION_ID", "3", "", "-"}, {"XDG_CURRENT_DESKTOP", "GNOME", "", "-"}, {"XDG_CACHE_HOME", "/home/u/.cache", "", ""},
	{"XDG_CONFIG_HOME", "/home/u/.config", "", ""}, {"WSL_DISTRO_NAME", "Debian", "", "-"}, {"HISTFILE", "/home/u/.h", "", "-"},
	{"PS1", `\u@\h:\w\$ `, "", "-"}, {"LESSOPEN", "| /usr/bin/lesspipe %s", "", "-"}, {"DEBIAN_FRONTEND", "noninteractive", "", ""},
	{"API_BASE", "https://api.test", "", "-"}, {"SERVICE_URL", "http://localhost:8080/x", "", "-"}, {"EMPTY", "", "", "-"},
	{"DATABASE_URL", "postgres://localhost/db", "", "-"}, {"REPO", "git+ssh://git@github.com/a/b.git", "", "-"},
	{"GIT_SHA", "3f785a9e5f4c2b1d0e8a7c6b5d4e3f2a1b0c9d8e", "", ""}, {"BUILD_ID", "8d5e2b6c-7f0a-4c1d-9e3b-2a1f0c9d8e7b", "", "-"},
	{"IMAGE", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "", "-"}, {"INVOCATION_ID", "0123456789abcdef0123456789abcdef", "", "-"},
	{"NIX_PROFILES", "/nix/var/nix/profiles/default /home/u/.nix-profile", "", "-"}, {"NIX_PATH", "nixpkgs=/nix/store/0c0xkx2bh1g0mf0aq3ws9x7v5i6d8h2j-src", "", "-"},
	{"DESCRIPTION", "Ünïcode and \xff bytes", "", "-"}, {"MULTI", "a\nb=c\nd", "", "-"}, {"JSON", `{"a":{"b":[1,2,3]},"name":"x"}`, "", "-"},
	{"BASH_FUNC_greet%%", "() {  echo hi\n}", "", "-"}, {"npm_lifecycle_event", "test", "", "-"}, {"TOKENIZERS_PARALLELISM", "false", "", "-"},
	{"MAX_OUTPUT_TOKENS", "32000", "", "-"}, {"HF_HUB_DISABLE_IMPLICIT_TOKEN", "1", "", "-"}, {"USE_AUTH", "true", "", "-"}, {"NPM_TOKEN", "", "", "-"},
	{"KEYBOARD_LAYOUT", "de", "", "-"}, {"AUTHOR", "me", "", "-"}, {"MONKEY", "see", "", "-"}, {"GPG_KEY", "A035C8C19219BA821ECEA86B64E628F8D684696D", "", "-"},
	{"SOURCE_DATE_EPOCH", "1700000000", "", ""}, {"MAKEFLAGS", "-j8 --jobserver-auth=fifo:/tmp/GMfifo1", "", ""}, {"HERMES_KANBAN_TASK", "42", "", "-"},

	// tools
	{"VIRTUAL_ENV", "/proj/.venv", "", ""}, {"CONDA_PREFIX", "/home/u/conda", "", ""}, {"CARGO_HOME", "/home/u/.cargo", "", ""},
	{"RUSTUP_HOME", "/home/u/.rustup", "", ""}, {"RUSTFLAGS", "-C target-cpu=native", "", ""}, {"RUST_BACKTRACE", "1", "", ""},
	{"PYENV_ROOT", "/home/u/.pyenv", "", ""}, {"PYENV_VERSION", "3.11.6", "", ""}, {"NVM_DIR", "/home/u/.nvm", "", ""}, {"NVM_BIN", "/home/u/.nvm/v/bin", "", ""},
	{"VOLTA_HOME", "/home/u/.volta", "", ""}, {"MISE_DATA_DIR", "/home/u/.local/share/mise", "", ""}, {"ASDF_DATA_DIR", "/home/u/.asdf", "", ""},
	{"FNM_MULTISHELL_PATH", "/home/u/.fnm/1", "", ""}, {"PNPM_HOME", "/home/u/.pnpm", "", ""}, {"GOPATH", "/home/u/go", "", ""}, {"GOFLAGS", "-mod=mod", "", ""},
	{"GOPRIVATE", "*.corp.example,github.com/acme/*", "", ""}, {"JAVA_HOME", "/usr/lib/jvm/java-17-openjdk-amd64", "", ""}, {"NODE_ENV", "production", "", ""},
	{"npm_config_cache", "/home/u/.npm", "", ""}, {"npm_config_registry", "https://registry.example/", "", ""}, {"npm_config_loglevel", "warn", "", ""},
	{"npm_config_user_agent", "npm/10.2.4 node/v20.11.0 linux x64 workspaces/false", "", ""}, {"npm_config_auth_type", "legacy", "", ""}, {"NPM_CONFIG_PREFIX", "/home/u/.n", "", ""},
	{"PIP_INDEX_URL", "https://pypi.example/simple", "", ""}, {"PIP_CACHE_DIR", "/home/u/.cache/pip", "", ""}, {"UV_CACHE_DIR", "/home/u/.cache/uv", "", ""}, {"UV_LINK_MODE", "copy", "", ""},
	{"PYTHONDONTWRITEBYTECODE", "1", "", ""}, {"PYTHONUNBUFFERED", "1", "", ""}, {"PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring", "", ""},
	{"CARGO_TARGET_DIR", "/proj/t", "", ""}, {"CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS", "cargo:token", "", ""}, {"CFLAGS", "-O2 -DKEY=1", "", ""},
	{"GIT_AUTHOR_NAME", "A U Thor", "", ""}, {"GIT_AUTHOR_EMAIL", "a@e", "", ""}, {"GIT_COMMITTER_DATE", "1700000000 +0000", "", ""}, {"GIT_DIR", ".git", "", ""},
	{"GIT_INDEX_FILE", "/proj/.git/index", "", ""}, {"GIT_WORK_TREE", "/proj", "", ""}, {"GIT_SSH_COMMAND", "ssh -i ~/.ssh/id -o IdentitiesOnly=yes", "", ""}, {"GIT_PREFIX", "", "", ""},
	{"HF_HOME", "/data/hf", "", "-"}, {"CUDA_VISIBLE_DEVICES", "0,1", "", "-"}, {"DENO_DIR", "/home/u/.cache/deno", "", ""},
	{"http_proxy", "http://proxy:3128", "", ""}, {"HTTPS_PROXY", "http://proxy:3128", "", ""}, {"no_proxy", "localhost,127.0.0.1,.corp", "", ""}, {"ALL_PROXY", "socks5h://127.0.0.1:1080", "", ""},
	{"SSL_CERT_FILE", "/etc/ssl/c.pem", "", ""}, {"NODE_EXTRA_CA_CERTS", "/home/u/ca.pem", "", ""}, {"REQUESTS_CA_BUNDLE", "/home/u/ca.pem", "", ""}, {"NODE_CHANNEL_FD", "3", "", ""},

	// secrets by name
	{"GITHUB_TOKEN", "x", "-", ""}, {"NPM_TOKEN", "x", "-", ""}, {"NODE_AUTH_TOKEN", "x", "-", ""}, {"HF_TOKEN", "x", "-", ""}, {"OPENAI_API_KEY", "x", "-", ""},
	{"ANTHROPIC_API_KEY", "x", "-", ""}, {"STRIPE_SECRET_KEY", "sk_live_x", "-", ""}, {"DB_PASSWORD", "x", "-", ""}, {"PGPASSWORD", "x", "-", ""}, {"MYSQL_PWD", "x", "-", ""},
	{"DB_PASS", "x", "-", ""}, {"SMTP_PW", "x", "-", ""}, {"GPG_PASSPHRASE", "x", "-", ""}, {"CLIENT_SECRET", "x", "-", ""}, {"DJANGO_SECRETS", "x", "-", ""},
	{"APP_CREDENTIALS", "x", "-", ""}, {"PRIVATE_URL", "x", "-", ""}, {"BASIC_AUTH", "x", "-", ""}, {"JWT", "x", "-", ""}, {"API_KEYS", "a,b", "-", ""}, {"apiKey", "x", "-", ""},
	{"npm_config__auth", "x", "-", ""}, {"npm_config_//registry.example/:_authToken", "x", "-", ""}, {"npm_config_//registry.example/:_password", "x", "-", ""},
	{"UV_PUBLISH_TOKEN", "x", "-", ""}, {"UV_INDEX_PRIVATE_PASSWORD", "x", "-", ""}, {"POETRY_PYPI_TOKEN_X", "x", "-", ""}, {"CARGO_REGISTRY_TOKEN", "x", "-", ""}, {"TWINE_PASSWORD", "x", "-", ""},
	{"PIP_PASSWORD", "x", "-", ""}, {"DOCKER_AUTH_CONFIG", "{}", "-", ""}, {"RAILS_MASTER_KEY", "x", "-", ""}, {"SSH_KEY", "/home/u/.ssh/id", "-", ""}, {"MAX_TOKENS", "12x", "-", ""},

	// secrets by value
	{"DATABASE_URL", "postgres://u:pw@h/d", "-", ""}, {"REDIS", "redis://:pw@h:6379", "-", ""}, {"HTTPS_PROXY", "http://u:pw@proxy:3128", "-", ""}, {"http_proxy", "http://u@proxy:3128", "-", ""},
	{"PIP_INDEX_URL", "https://tok@pypi.example/simple", "-", ""}, {"UV_INDEX", "x=https://u:p@pypi.example/simple", "-", ""}, {"npm_config_registry", "https://u:p@r.example/", "-", ""},
	{"GH", "ghp_q7Zk2Lw9Xr4Tn8Vb", "-", ""}, {"A", "xoxb-123456-abcdef", "-", ""}, {"B", "AKIAIOSFODNN7EXAMPLE", "-", ""}, {"C", "glpat-q7Zk2Lw9Xr", "-", ""}, {"D", "sk-q7Zk2Lw9Xr4Tn8Vb3Mc6", "-", ""},
	{"E", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x", "-", ""}, {"F", "-----BEGIN PRIVATE KEY-----\nM\n-----END PRIVATE KEY-----", "-", ""}, {"G", "q7Zk2Lw9Xr4Tn8Vb3Mc6Hd1Js5Fg0Py2", "-", ""},
	{"SENTRY_DSN", "https://0123456789abcdef@o1.ingest.example/2", "-", ""}, {"SLACK_WEBHOOK", "https://hooks.slack.com/services/T/B/x", "-", ""}, {"CONN", "Server=d;User Id=sa;Password=hunter2", "-", ""},
	{"MAVEN_OPTS", "-Djavax.net.ssl.keyStorePassword=changeit", "-", ""}, {"GIT_CONFIG_PARAMETERS", "'http.extraheader'='AUTHORIZATION: basic eDp5enp5enp5'", "-", ""},
	{"BASH_FUNC_login%%", "() { curl -H 'Authorization: Bearer abcdef123456' x; }", "-", ""}, {"SAS", "https://a.example/c?sig=aB3dE5fG7hJ9kL1m", "-", ""}, {"npm_config_ca", "-----BEGIN CERTIFICATE-----\nM\n-----END CERTIFICATE-----", "", ""},

	// handles
	{"SSH_AUTH_SOCK", "/tmp/ssh-x/agent.1", "-", ""}, {"SSH_AGENT_PID", "1", "-", ""}, {"GPG_AGENT_INFO", "x", "-", ""}, {"GPG_TTY", "/dev/pts/0", "-", ""}, {"DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus", "-", ""},
	{"DBUS_STARTER_BUS_TYPE", "session", "-", ""}, {"XDG_RUNTIME_DIR", "/run/user/1000", "-", ""}, {"DISPLAY", ":0", "-", ""}, {"WAYLAND_DISPLAY", "wayland-0", "-", ""}, {"XAUTHORITY", "/home/u/.Xauthority", "-", ""},
	{"TMUX", "/tmp/tmux-1000/default,1,0", "-", ""}, {"TMUX_PANE", "%0", "-", ""}, {"STY", "1.x", "-", ""}, {"NVIM", "/run/nvim.1", "-", ""}, {"NVIM_LISTEN_ADDRESS", "/run/x", "-", ""}, {"KITTY_LISTEN_ON", "unix:@k", "-", ""},
	{"VSCODE_IPC_HOOK_CLI", "/run/x.sock", "-", ""}, {"VSCODE_GIT_IPC_HANDLE", "/run/y.sock", "-", ""}, {"VSCODE_GIT_ASKPASS_MAIN", "/x.js", "-", ""}, {"SWAYSOCK", "/run/s", "-", ""}, {"I3SOCK", "/run/i", "-", ""},
	{"HYPRLAND_INSTANCE_SIGNATURE", "x", "-", ""}, {"WEZTERM_UNIX_SOCKET", "/run/w", "-", ""}, {"WEZTERM_PANE", "1", "-", ""}, {"ZELLIJ", "0", "-", ""}, {"ZELLIJ_SESSION_NAME", "x", "-", ""}, {"HERDR_SOCKET", "/run/h", "-", ""},
	{"WSL_INTEROP", "/run/WSL/1_interop", "-", ""}, {"DOCKER_HOST", "unix:///run/docker.sock", "-", ""}, {"DOCKER_CONFIG", "/home/u/.docker", "-", ""}, {"CONTAINER_HOST", "unix:///run/podman.sock", "-", ""},
	{"KUBECONFIG", "/home/u/.kube/config", "-", ""}, {"GOOGLE_APPLICATION_CREDENTIALS", "/home/u/g.json", "-", ""}, {"AWS_PROFILE", "prod", "-", ""}, {"AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE", "-", ""},
	{"AWS_SESSION_TOKEN", "x", "-", ""}, {"AWS_SHARED_CREDENTIALS_FILE", "/x", "-", ""}, {"VAULT_ADDR", "https://v.example", "-", ""}, {"VAULT_TOKEN", "hvs.x", "-", ""}, {"CLOUDSDK_CONFIG", "/home/u/.config/gcloud", "-", ""},
	{"NETRC", "/home/u/.netrc", "-", ""}, {"PGPASSFILE", "/home/u/.pgpass", "-", ""}, {"GNOME_KEYRING_CONTROL", "/run/k", "-", ""}, {"AT_SPI_BUS_ADDRESS", "unix:x", "-", ""}, {"PULSE_SERVER", "unix:x", "-", ""},
	{"KONSOLE_DBUS_SESSION", "/Sessions/1", "-", ""}, {"SESSION_MANAGER", "local/h:@/tmp/.ICE-unix/1", "-", ""}, {"GIT_ASKPASS", "/x/askpass.sh", "-", ""}, {"SSH_ASKPASS", "/usr/bin/ksshaskpass", "-", ""},
	{"NOTIFY_SOCKET", "/run/n", "-", ""}, {"LISTEN_FDS", "1", "-", ""}, {"BW_SESSION", "x", "-", ""}, {"OP_SESSION_my", "x", "-", ""}, {"DIRENV_DIFF", "eJx", "-", ""}, {"__MISE_DIFF", "eJx", "-", ""}, {"EMACS_SOCKET_NAME", "x", "-", ""},
	{"BASH_ENV", "/proj/x", "-", ""}, {"ENV", "/proj/x", "-", ""}, {"INSIDE_EMACS", "29.1,comint", "", "-"},

	// paths
	{"TMPDIR", "/tmp", "", ""}, {"TMPDIR", "/tmp/td.1", "-", ""}, {"TMP", "/home/u/tmp", "-", ""}, {"TEMP", "/proj/tmp/", "", ""}, {"TMPDIR", "rel", "", ""},
	{"LD_PRELOAD", "/home/u/x.so", "-", ""}, {"LD_PRELOAD", "/usr/lib/a.so:/home/u/x.so", "/usr/lib/a.so", "-"}, {"LD_PRELOAD", "libfoo.so", "", "-"}, {"LD_LIBRARY_PATH", "/home/u/lib:/usr/lib", "/usr/lib", "/usr/lib"},
	{"LD_LIBRARY_PATH", ":/usr/lib", "", ""}, {"LD_LIBRARY_PATH", "/a;/usr/b;/c:/usr/d", "/usr/b:/usr/d", "/usr/b:/usr/d"}, {"LD_AUDIT", "/home/u/a.so", "-", ""}, {"LD_DEBUG", "libs", "", "-"}, {"LD_DEBUG_OUTPUT", "/home/u/x", "-", ""},
	{"NODE_OPTIONS", "--no-warnings", "", ""}, {"NODE_OPTIONS", "--require /home/u/boot.js --inspect", "--inspect", "--inspect"}, {"NODE_OPTIONS", "-r /home/u/boot.js", "-", "-"},
	{"NODE_OPTIONS", "--require=/home/u/x.js --max-old-space-size=4096", "--max-old-space-size=4096", "--max-old-space-size=4096"}, {"NODE_OPTIONS", "--require ./setup.js", "", ""}, {"NODE_OPTIONS", "--require /proj/setup.js", "", ""},
	{"NODE_OPTIONS", "--import file:///home/u/x.mjs --enable-source-maps", "--enable-source-maps", "--enable-source-maps"}, {"NODE_OPTIONS", `--require "/home/u/a b/x.js" --no-warnings`, "--no-warnings", "--no-warnings"},
	{"NODE_OPTIONS", `--require "/proj/a b/x.js"  --no-warnings`, "", ""}, {"NODE_PATH", "/usr/lib/node:/home/u/n", "/usr/lib/node", "/usr/lib/node"},
	{"PYTHONPATH", "/proj/src:/home/u/lib:rel::/usr/x", "/proj/src:rel::/usr/x", "/proj/src:rel::/usr/x"}, {"PYTHONPATH", "/home/u/lib", "-", "-"}, {"PYTHONPATH", "src", "", ""}, {"PYTHONSTARTUP", "/home/u/.pyrc", "-", "-"},
	{"PYTHONHOME", "/home/u/py", "-", "-"}, {"PERL5LIB", "/home/u/perl5", "-", ""}, {"PERL5OPT", "-I/home/u/perl5 -w", "-w", "-"}, {"RUBYOPT", "-r/home/u/x -W0", "-W0", "-"}, {"GCONV_PATH", "/home/u/g", "-", ""},
	{"JAVA_TOOL_OPTIONS", "-javaagent:/home/u/a.jar=x -Xmx1g", "-Xmx1g", "-"}, {"JAVA_TOOL_OPTIONS", "-Dhttp.proxyHost=proxy", "", "-"}, {"_JAVA_OPTIONS", "-Djava.io.tmpdir=/tmp", "", "-"},
}

// verdict runs Judge over one variable and says what became of it as a row does.
func verdict(t *testing.T, name, value string, listed bool) string {
	t.Helper()
	kept, report := Judge([]string{name + "=" + value}, Input{Listed: listed, Visible: inside})
	switch {
	case len(kept) == 0:
		if len(report.Dropped) != 1 || report.Dropped[0].Name != name || report.Dropped[0].Why == "" || len(report.Kept)+len(report.Changed) > 0 {
			t.Errorf("%s is dropped, and the report says %+v", name, report)
		}
		return "-"
	case kept[0] == name+"="+value:
		if !slices.Equal(report.Kept, []string{name}) || len(report.Changed)+len(report.Dropped) > 0 {
			t.Errorf("%s is kept, and the report says %+v", name, report)
		}
		return ""
	}
	if !slices.Equal(report.Changed, []string{name}) || len(report.Kept)+len(report.Dropped) > 0 {
		t.Errorf("%s is changed, and the report says %+v", name, report)
	}
	return strings.TrimPrefix(kept[0], name+"=")
}

func TestJudge(t *testing.T) {
	if len(rows) < 150 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, r := range rows {
		if got := verdict(t, r.name, r.value, false); got != r.normal {
			t.Errorf("normal: %s=%q gives %q, want %q", r.name, r.value, got, r.normal)
		}
		want := r.listed
		if r.normal == "-" {
			want = "-" // a stricter mode lets nothing more pass
		}
		if got := verdict(t, r.name, r.value, true); got != want {
			t.Errorf("listed: %s=%q gives %q, want %q", r.name, r.value, got, want)
		}
	}
}

// TestNothingLeaks marks every value and looks for the marks of what was dropped.
func TestNothingLeaks(t *testing.T) {
	for _, listed := range []bool{false, true} {
		for i, r := range rows {
			mark := fmt.Sprintf("sentinel%dx", i)
			env := []string{"A0=b", r.name + "=" + r.value + mark, "Z0=c"}
			kept, report := Judge(env, Input{Listed: listed, Visible: inside})
			dropped := slices.ContainsFunc(report.Dropped, func(d plan.Dropped) bool { return d.Name == r.name })
			if text := strings.Join(kept, "\n"); dropped && strings.Contains(text, mark) {
				t.Errorf("%s is dropped and still there", r.name)
			}
			if text := fmt.Sprintf("%+v", report); strings.Contains(text, mark) {
				t.Errorf("the report quotes the value of %s", r.name)
			}
		}
	}
}

func TestRules(t *testing.T) {
	env := []string{"A=1", "GITHUB_TOKEN=t1", "SSH_AUTH_SOCK=/run/x", "BASH_ENV=/e", "LD_PRELOAD=/home/u/x.so", "B=2", "PATH=/x"}
	in := Input{
		Listed: true, Visible: inside, Path: "/usr/bin", Home: "/home/u",
		Rules: []plan.EnvRule{
			{Name: "GITHUB_TOKEN"}, {Name: "SSH_AUTH_SOCK"}, {Name: "LD_PRELOAD"}, {Name: "ABSENT"},
			{Name: "NEW", Value: "old", Set: true}, {Name: "NEW", Value: "n v", Set: true}, {Name: "B", Value: "3", Set: true},
		},
	}
	kept, report := Judge(env, in)
	want := []string{"GITHUB_TOKEN=t1", "SSH_AUTH_SOCK=/run/x", "LD_PRELOAD=/home/u/x.so", "B=3", "PATH=/usr/bin", "NEW=n v", "HOME=/home/u"}
	if !slices.Equal(kept, want) {
		t.Errorf("kept %q\nwant %q", kept, want)
	}
	if want := []string{"B", "HOME", "NEW", "PATH"}; !slices.Equal(report.Changed, want) {
		t.Errorf("changed %q, want %q", report.Changed, want)
	}
	if want := []string{"GITHUB_TOKEN", "LD_PRELOAD", "SSH_AUTH_SOCK"}; !slices.Equal(report.Kept, want) {
		t.Errorf("kept %q, want %q", report.Kept, want)
	}
	if len(report.Dropped) != 2 || report.Dropped[0].Name != "A" || report.Dropped[1].Name != "BASH_ENV" {
		t.Errorf("dropped %+v", report.Dropped)
	}
}

func TestTwice(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want []string
	}{
		{[]string{"A=1", "A=2"}, []string{"A=1"}},
		{[]string{"U=http://x", "U=http://u:p@x"}, nil},
		{[]string{"U=http://u:p@x", "U=http://x"}, nil},
		{[]string{"U=http://x", "B=1", "U=http://u:p@x", "U=http://y"}, []string{"B=1"}},
	} {
		kept, report := Judge(c.env, Input{})
		if !slices.Equal(kept, c.want) {
			t.Errorf("%q gives %q, want %q", c.env, kept, c.want)
		}
		if n := len(report.Kept) + len(report.Dropped); n != len(map[string]bool{"A": true}) && n != 2 {
			t.Errorf("%q: a name is reported twice: %+v", c.env, report)
		}
	}
}

func TestMalformed(t *testing.T) {
	env := []string{"hunter2", "=x", "", "A=1", "B==", "npm_config_//u:hunter2@r.example/:x=1"}
	kept, report := Judge(env, Input{})
	if want := []string{"A=1", "B=="}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
	if len(report.Dropped) != 1 || strings.Contains(fmt.Sprint(report), "hunter2") {
		t.Errorf("report %+v", report)
	}
}

func TestGitConfig(t *testing.T) {
	pair := func(n int, key, value string) []string {
		return []string{fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value)}
	}
	for _, c := range []struct {
		name string
		env  []string
		want []string
	}{
		{"all stay", slices.Concat([]string{"GIT_CONFIG_COUNT=2"}, pair(0, "safe.directory", "*"), pair(1, "credential.helper", "")),
			slices.Concat([]string{"GIT_CONFIG_COUNT=2"}, pair(0, "safe.directory", "*"), pair(1, "credential.helper", ""))},
		{"one goes, the rest moves up", slices.Concat([]string{"GIT_CONFIG_COUNT=3"}, pair(0, "a.b", "c"), pair(1, "http.extraheader", "Authorization: Basic dXNlcjpwYXNz"), pair(2, "d.e", "f")),
			slices.Concat([]string{"GIT_CONFIG_COUNT=2"}, pair(0, "a.b", "c"), pair(1, "d.e", "f"))},
		{"a token in the key", slices.Concat(pair(0, "url.https://tok@github.com/.insteadof", "https://github.com/"), []string{"GIT_CONFIG_COUNT=1"}), nil},
		{"a password by name", slices.Concat([]string{"GIT_CONFIG_COUNT=1"}, pair(0, "sendemail.smtppass", "x"), pair(1, "beyond.the", "count")),
			slices.Concat([]string{"GIT_CONFIG_COUNT=1"}, pair(0, "sendemail.smtppass", "x"))},
		{"smtp password", slices.Concat([]string{"GIT_CONFIG_COUNT=1"}, pair(0, "x.password", "y")), nil},
		{"a signing key is a name", slices.Concat([]string{"GIT_CONFIG_COUNT=1"}, pair(0, "user.signingkey", "ABCD")), slices.Concat([]string{"GIT_CONFIG_COUNT=1"}, pair(0, "user.signingkey", "ABCD"))},
		{"incomplete", []string{"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c"}, nil},
		{"no number", append([]string{"GIT_CONFIG_COUNT=x"}, pair(0, "a.b", "c")...), nil},
		{"huge", append([]string{"GIT_CONFIG_COUNT=999999999"}, pair(0, "a.b", "c")...), nil},
		{"none", []string{"GIT_CONFIG_COUNT=0"}, []string{"GIT_CONFIG_COUNT=0"}},
		{"two values", slices.Concat([]string{"GIT_CONFIG_COUNT=1"}, pair(0, "a.b", "c"), pair(0, "a.b", "https://u:p@h")), nil},
		{"files", []string{"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"}, []string{"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"}},
		{"odd numbers", append([]string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_00=x.y", "GIT_CONFIG_KEY_-1=x.y"}, pair(0, "a.b", "c")...), append([]string{"GIT_CONFIG_COUNT=1"}, pair(0, "a.b", "c")...)},
	} {
		for _, listed := range []bool{false, true} {
			kept, report := Judge(c.env, Input{Listed: listed})
			if !slices.Equal(kept, c.want) {
				t.Errorf("%s: kept %q\nwant %q", c.name, kept, c.want)
			}
			seen := map[string]bool{}
			for _, n := range slices.Concat(report.Kept, report.Changed) {
				seen[n] = true
			}
			for _, d := range report.Dropped {
				if seen[d.Name] {
					t.Errorf("%s: %s is both kept and dropped", c.name, d.Name)
				}
			}
		}
	}
}

// TestOrder holds that the same input gives the same bytes, in the caller's order.
func TestOrder(t *testing.T) {
	var env []string
	for _, r := range rows {
		env = append(env, r.name+"="+r.value)
	}
	first, report := Judge(env, Input{Visible: inside})
	for range 20 {
		again, r := Judge(env, Input{Visible: inside})
		if !slices.Equal(first, again) || fmt.Sprint(report) != fmt.Sprint(r) {
			t.Fatal("two runs differ")
		}
	}
	at := -1
	for _, k := range first {
		name, _, _ := strings.Cut(k, "=")
		i := slices.IndexFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if i < at {
			t.Errorf("%s comes too late", name)
		}
		at = i
	}
	if !slices.IsSorted(report.Kept) || !slices.IsSorted(report.Changed) {
		t.Error("the report is not sorted")
	}
}

// FuzzJudge holds that whatever comes in, nothing that was dropped comes out, and
// a stricter mode lets nothing more pass.
func FuzzJudge(f *testing.F) {
	for _, r := range rows {
		f.Add(r.name, r.value)
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		env := []string{name + "=" + value, "OTHER=x"}
		kept, report := Judge(env, Input{Visible: inside})
		strict, _ := Judge(env, Input{Visible: inside, Listed: true})
		for _, s := range strict {
			if !slices.Contains(kept, s) {
				t.Errorf("a stricter mode adds %q to %q", s, kept)
			}
		}
		if n := len(report.Kept) + len(report.Changed); n != len(kept) {
			t.Errorf("%d variables are kept, and the report names %d", len(kept), n)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	var env []string
	for i, r := range rows {
		if i < 100 {
			env = append(env, r.name+"="+r.value)
		}
	}
	in := Input{Visible: inside, Path: "/usr/bin", Home: "/home/u"}
	b.ReportAllocs()
	for b.Loop() {
		Judge(env, in)
	}
}
