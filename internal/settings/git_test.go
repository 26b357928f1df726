package settings

import (
	"errors"
	"testing"
)

func gitFixtures() []fixture {
	return []fixture{
		{
			name: "git hostile", path: "~/.gitconfig",
			content: `# SENTINELpw
[user] ; SENTINELpw
	name = Jane "D." Doe # SENTINELpw
	email = jane@corp.test
	signingkey = SENTINELpw
	useConfigOnly
[url "https://x-access-token:SENTINELpw@github.test/"]
	insteadOf = git@github.test:
[url "https://github.test/"]
	insteadOf = https://bob:SENTINELpw@github.test/
	pushInsteadOf = gh:
[url "ssh://git@git.test/"]
	insteadOf = https://git.test/
[url "https://"]
	insteadOf = git://
[http]
	extraHeader = Authorization: Basic SENTINELpw
	cookieFile = ~/.cookies-SENTINELpw
	proxy = http://bob:SENTINELpw@proxy.corp.test:3128
	sslCAInfo = /home/me/corp.pem
	sslKey = /home/me/SENTINELpw
	postBuffer = 524288000
[http "https://git.corp.test/"]
	extraheader = PRIVATE-TOKEN: SENTINELpw
	sslVerify = false
[http "https://bob:SENTINELpw@git.corp.test/"]
	sslVerify = false
[credential]
	helper = store --file ~/SENTINELpw
[credential "https://SENTINELpw@git.corp.test"]
	username = SENTINELpw
[core]
	editor = vim
	autoCRLF = input
	sshCommand = ssh -i ~/.ssh/SENTINELpw
	excludesFile = ~/.config/git/ignore
	fsmonitor = /home/me/SENTINELpw
	askPass = SENTINELpw
	pager = less -FRX
	whitespace = trailing-space,-indent-with-non-tab
[alias]
	st = status -sb
	lg = log --graph --pretty=format:'%C(auto)%h %d %s' \
		--all
	cob = checkout -b
	pushu = push -u origin HEAD:refs/heads/x
	sh = "!f() { git add \"$1\"; }; f"
	up = !curl -u bob:SENTINELpw https://x.test
	dn = !curl --header 'X-Thing: SENTINELpw' https://x.test
	db = !PGPASSWORD=SENTINELpw psql
	dp = !deploy --password SENTINELpw
	cl = clone https://bob:SENTINELpw@git.test/x
	token = !echo SENTINELpw
[commit]
	gpgsign = true
	template = ~/SENTINELpw
	verbose = true
[gpg "ssh"]
	program = /home/me/SENTINELpw
[color "branch"]
	current = "yellow bold"
[color]
	ui = auto
[pull]
	rebase = merges
[init]
	defaultBranch = main
	templateDir = ~/SENTINELpw
[safe]
	directory = *
	directory = /srv/repo
[filter "lfs"]
	clean = git-lfs clean -- %f
	required = true
[sendemail]
	smtpPass = SENTINELpw
[github]
	user = jane
	token = SENTINELpw
[SENTINELPW]
	x = y
[remote "origin"]
	url = https://bob:SENTINELpw@git.test/
[diff "SENTINELpw:x@y"]
	password = SENTINELpw
[merge]
	tool = vimdiff
	password = SENTINELpw
[includeIf "gitdir:~/work/"]
	path = ~/.gitconfig-SENTINELpw
[include]
	path = /etc/SENTINELpw
`,
			want: `[user]
	name = "Jane D. Doe"
	email = "jane@corp.test"
	useConfigOnly
[url "https://github.test/"]
	insteadOf = "git@github.test:"
	insteadOf = "https://github.test/"
	pushInsteadOf = "gh:"
[url "ssh://git@git.test/"]
	insteadOf = "https://git.test/"
[url "https://"]
	insteadOf = "git://"
[http]
	proxy = "http://proxy.corp.test:3128"
	sslCAInfo = "/home/me/corp.pem"
	postBuffer = "524288000"
[http "https://git.corp.test/"]
	sslVerify = "false"
[core]
	editor = "vim"
	autocrlf = "input"
	excludesFile = "~/.config/git/ignore"
	pager = "less -FRX"
	whitespace = "trailing-space,-indent-with-non-tab"
[alias]
	st = "status -sb"
	lg = "log --graph --pretty=format:'%C(auto)%h %d %s' \t\t--all"
	cob = "checkout -b"
	pushu = "push -u origin HEAD:refs/heads/x"
	sh = "!f() { git add \"$1\"; }; f"
[commit]
	verbose = "true"
[color "branch"]
	current = "yellow bold"
[color]
	ui = "auto"
[pull]
	rebase = "merges"
[init]
	defaultBranch = "main"
[safe]
	directory = "*"
	directory = "/srv/repo"
[filter "lfs"]
	clean = "git-lfs clean -- %f"
	required = "true"
[merge]
	tool = "vimdiff"
`,
			left: []string{
				"*.x", "alias.cl", "alias.db", "alias.dn", "alias.dp", "alias.token", "alias.up", "commit.gpgSign", "commit.template", "core.askPass", "core.fsmonitor", "core.sshCommand",
				"credential.*.username", "credential.helper", "diff.*.password", "github.token", "github.user", "gpg.ssh.program", "http.*.extraHeader", "http.*.sslVerify",
				"http.cookieFile", "http.extraHeader", "http.proxy (user info)", "http.sslKey", "include.path", "includeIf.path", "init.templateDir", "merge.password",
				"remote.*.url", "sendemail.smtpPass", "url.*.insteadOf (user info)", "user.signingKey",
			},
			certificates: []string{"/home/me/corp.pem"},
		},
		{
			name: "git includes", path: "~/.gitconfig",
			in: inside(map[string]string{
				".config/git/base":   "[user]\n\tname = Base\n\temail = base@test\n[http]\n\textraHeader = SENTINELpw\n[include]\n\tpath = more\n[includeIf \"gitdir:./x/\"]\n\tpath = more\n",
				".config/git/more":   "[alias]\n\tco = checkout # SENTINELpw\n[include]\n\tpath = ../../.gitconfig-loop\n",
				".gitconfig-loop":    "[pull]\n\tff = only\n[include]\n\tpath = .gitconfig-loop\n",
				".gitconfig-work":    "[user]\n\temail = jane@work.test\n[credential]\n\thelper = SENTINELpw\n[includeIf \"gitdir:~/work/\"]\n\tpath = ~/.gitconfig-work\n",
				".gitconfig-broken":  "[user\n",
				".ssh/id_ed25519":    "-----BEGIN OPENSSH PRIVATE KEY-----\nSENTINELpw\n",
				".gitignore_global":  "# SENTINELpw\n*.swp\n/x y/\nhttps://u:SENTINELpw@h/\n",
				".notes/passwords":   "SENTINELpw",
				".gitconfig-project": "[user]\n\temail = jane@project.test\n",
			}),
			content: `[include]
	path = .config/git/base
	path = /home/me/.gitconfig-broken
	path = ~/.gitconfig-missing
	path = ~/../other/SENTINELpw
	path = ~root/SENTINELpw
	path = /home/me2/SENTINELpw
	path = ~/.ssh/id_ed25519
	path
[user]
	email = mine@test
[includeIf "gitdir:~/work/"]
	path = ~/.gitconfig-work
[includeIf "gitdir:~/play/"]
	path = /home/me/.config/../.gitconfig-project
[includeIf "hasconfig:remote.*.url:https://u:SENTINELpw@h/**"]
	path = ~/.gitconfig-work
[core]
	excludesFile = /home/me/.gitignore_global
	attributesFile = ~/.notes/passwords
`,
			want: `[user]
	name = "Base"
	email = "base@test"
[alias]
	co = "checkout"
[pull]
	ff = "only"
	ff = "only"
	ff = "only"
[user]
	email = "mine@test"
[includeif "gitdir:~/work/"]
	path = "~/.gitconfig-work"
[includeif "gitdir:~/play/"]
	path = "~/.gitconfig-project"
[core]
	excludesFile = "~/.gitignore_global"
`,
			left: []string{"a pattern", "core.attributesFile", "credential.helper", "http.extraHeader", "include.path", "includeIf.path"},
			files: []File{
				{"~/.gitconfig-work", []byte("[user]\n\temail = \"jane@work.test\"\n")},
				{"~/.gitconfig-project", []byte("[user]\n\temail = \"jane@project.test\"\n")},
				{"~/.gitignore_global", []byte("*.swp\n/x y/\n")},
			},
		},
		{
			name: "git syntax", path: "~/.config/git/config",
			content: "\ufeff[USER]name=A\\\r\nB\r\n[Color.Branch]\r\ncurrent=red;SENTINELpw\r\n[difftool \"a\\\"b\\\\c\"] cmd = \"x; # y\\n\\tz\"   ;SENTINELpw\n[i18n]commitEncoding=utf-8",
			want:    "[user]\n\tname = \"AB\"\n[color \"branch\"]\n\tcurrent = \"red\"\n[difftool \"a\\\"b\\\\c\"]\n\tcmd = \"x; # y\\n\\tz\"\n[i18n]\n\tcommitencoding = \"utf-8\"\n",
		},
		{name: "git ignore", path: "~/.config/git/ignore", content: "*.swp\r\n\n# SENTINELpw\n\\#x\nAKIASENTINEL0123456789\n", want: "*.swp\n\\#x\n", left: []string{"a pattern"}},
	}
}

// A reader that fails is a loss, and one that never ends is bounded.
func TestGitIncludesBounded(t *testing.T) {
	git := tool(t, "~/.gitconfig")
	reads := 0
	in := Inside{Read: func(string) ([]byte, error) {
		reads++
		return []byte("[include]\npath=~/a\npath=~/b\npath=~/c\npath=~/d\npath=~/e\n[alias]\na=b\n"), nil
	}}
	if _, err := Strip(git, []byte("[include]\npath=~/a\n"), in); err != nil || reads > maxReads {
		t.Errorf("%d reads, %v", reads, err)
	}
	in.Read = func(string) ([]byte, error) { return nil, errors.New("no") }
	if c, err := Strip(git, []byte("[include]\npath=~/a\n"), in); err != nil || len(c.Left) != 1 || c.Left[0] != "include.path" {
		t.Errorf("%q, %v", c.Left, err)
	}
}

func TestBelow(t *testing.T) {
	s := stripper{inside: Inside{Home: "/home/me"}}
	for _, c := range []struct{ name, dir, want string }{
		{"~/a/b", "", "a/b"}, {"a", ".config/git", ".config/git/a"}, {"../x", ".config/git", ".config/x"}, {"/home/me/a", "", "a"}, {"/home/me/../me/a", "", "a"},
		{"~/../x", "", ""}, {"../x", "", ""}, {"../../../x", ".config/git", ""}, {"~", "", ""}, {"~/", "", ""}, {"~root/x", "", ""}, {"%(prefix)/x", "", ""}, {"", "", ""},
		{".", "", ""}, {"/home/me", "", ""}, {"/home/me2/x", "", ""}, {"/etc/gitconfig", "", ""}, {"/home/me/../you/x", "", ""}, {"~/..", "", ""}, {"~//a", "", ""}, {"~/a\nb", "", ""},
	} {
		if got, ok := s.below(c.name, c.dir); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q in %q is %q, %v", c.name, c.dir, got, ok)
		}
	}
	s.inside.Home = ""
	if got, ok := s.below("/home/me/a", ""); ok {
		t.Errorf("without a home %q lies in it", got)
	}
}
