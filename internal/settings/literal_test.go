package settings

import "testing"

func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		path, content string
		want          bool
	}{
		{".npmrc", "//r.test/:_authToken=x1y2z3", true},
		{".npmrc", "//r.test/:_authToken = \"x1y2z3\"", true},
		{".npmrc", "//r.test/:_authToken=${NPM_TOKEN}", false},
		{".npmrc", "//r.test/:_authToken=${NPM_TOKEN?}\n//r.test/:_auth=${A}:${B}", false},
		{".npmrc", "//r.test/:_authToken=${NPM_TOKEN:-}", false},
		{".npmrc", "//r.test/:_authToken=${NPM_TOKEN:-hunter22}", true},
		{".npmrc", "//r.test/:_authToken=${NPM_TOKEN}x", true},
		{".npmrc", "_auth=aGVsbG8=", true},
		{".npmrc", "_password=abc", true},
		{".npmrc", "//r.test/:_password=abc\n//r.test/:username=bob", true},
		{".npmrc", "//r.test/:username=bob\n//r.test/:always-auth=true\nemail=a@b.test", false},
		{".npmrc", "//u:pw@r.test/:_authToken=${T}", true},
		{".npmrc", "registry=https://r.test/\nsave-exact=true\nscript-shell=/bin/bash\npublic-hoist-pattern[]=*eslint*\nunknown-thing=abc", false},
		{".npmrc", "registry=https://bob:pw@r.test/", true},
		{".npmrc", "registry=https://token@r.test/", true},
		{".npmrc", "registry=https://bob:${PW}@r.test/\n@a:registry=https://${U}:${PW}@r.test/", false},
		{".npmrc", "registry=https://bob:${PW:-pw}@r.test/", true},
		{".npmrc", "registry=https://r.test/Mn4aPZ2sX8QeTb7K/npm/", true},
		{".npmrc", "registry=https://r.test/npm/?a=b", false},
		{".npmrc", "registry=https://r.test/npm/?token=hunter22", true},
		{".npmrc", "proxy=bob:pw@proxy.test:80", true},
		{".npmrc", "proxy=http://proxy.test:80\nhttps-proxy=null", false},
		{".npmrc", "; //r.test/:_authToken=hunter22", true},
		{".npmrc", "# //r.test/:_authToken=${NPM_TOKEN}\n# set //r.test/:_authToken=<your token> yourself", false},
		{".npmrc", "# my token: hunter22\nfund=false", true},
		{".npmrc", "# the token: none\n# token: /run/token", false},
		{".npmrc", "# ask ops for a token, see https://wiki.test/npm", false},
		{".npmrc", "npm_" + "aB3dE5gH7jK9mN1pQ3sT5vW7", true},
		{".npmrc", "my-api-key=hunter22", true},
		{".npmrc", "my-api-key=${KEY}\nauth-type=web\nkeyfile=/etc/key.pem\n_auth=", false},
		{".npmrc", "[x]\n//r.test/:_authToken=hunter22", true},
		{".npmrc", "", false},
		{".yarnrc", "\"//r.test/:_authToken\" hunter22\n", true},
		{".yarnrc", "\"//r.test/:_authToken\" \"${NPM_TOKEN}\"\n", true},
		{".yarnrc", "registry \"https://r.test/\"\nyarn-path \".yarn/releases/yarn-1.22.22.cjs\"\n--install.frozen-lockfile true\n", false},
		{"a/b/.yarnrc.yml", "npmAuthToken: hunter22", true},
		{".yarnrc.yml", "npmAuthToken: \"${NPM_TOKEN}\"\nyarnPath: .yarn/releases/yarn-4.0.0.cjs", false},
		{".yarnrc.yml", "npmScopes:\n  a:\n    npmAuthIdent: bob:hunter22", true},
		{".yarnrc.yml", "npmScopes:\n  a:\n    npmAuthToken: ${T-}\n    npmAlwaysAuth: true\nenableTelemetry: 0", false},
		{".yarnrc.yml", "npmRegistryServer: https://u:pw@r.test", true},
		{".yarnrc.yml", "nodeLinker: node-modules # npmAuthToken: \"hunter22\"", true},
		{".yarnrc.yml", "plugins:\n  - checksum: 4b825dc642cb6eb9a060e54bf8d69288fbee4904d69288fbee4904\n    path: .yarn/p.cjs", false},
		{".yarnrc.yml", "a: &x |\n  text\nb: *x", false},
		{".yarnrc.yml", "a: &x |\n  text\nnpmAuthToken: hunter22", true},
		{".yarnrc.yml", "a: &x |\n  text\nnpmAuthToken: \"${T}\"", false},
		{".pypirc", "[pypi]\nusername = __token__\npassword = pypi-x", true},
		{".pypirc", "[distutils]\nindex-servers = pypi\n[pypi]\nusername = __token__", false},
		{".pypirc", "[a]\nrepository = https://bob:pw@r.test/", true},
		{".pypirc", "no section\npassword = hunter22", true},
		{"pip.conf", "[global]\nindex-url = https://bob:pw@r.test/simple", true},
		{"pip.conf", "[global]\nindex-url = https://r.test/simple\nextra-index-url =\n  https://a.test/\n  https://b.test/", false},
		{"pip.conf", "[global]\nextra-index-url =\n  https://a.test/\n  https://tok@b.test/", true},
		{"pip.conf", "[global]\ntimeout = 1\ntimeout = 2", false},
		{"pip.conf", "[global]\ntimeout = 1\ntimeout = 2\nindex-url = https://bob:pw@r.test", true},
		{".cargo/config.toml", "[registries.a]\nindex = \"sparse+https://r.test/\"\ntoken = \"hunter22\"", true},
		{".cargo/config.toml", "[registries.a]\nindex = \"sparse+https://r.test/\"\n[env]\nOPENSSL_DIR = \"/opt\"\nTOKEN_FILE = \"/run/x\"\n[build]\nrustc-wrapper = \"sccache\"", false},
		{".cargo/config.toml", "[env]\nAPI_KEY = \"hunter22\"", true},
		{".cargo/config.toml", "[env]\nAPI_KEY = { value = \"hunter22\", force = true }", true},
		{".cargo/config.toml", "[http]\nproxy = \"bob:pw@p.test:80\"", true},
		{".cargo/config.toml", "[alias]\np = \"publish --token hunter22\"\n", true},
		{".cargo/config.toml", "[alias]\np = [\"run\", \"-u\", \"bob:hunter22\"]\n", true},
		{".cargo/config.toml", "[profile.x]\npassword = \"hunter22\"\n", true},
		{".cargo/config.toml", "[alias]\nxtask = \"run --package xtask --\"\n[target.x86_64-unknown-linux-gnu]\nrustflags = [\"-C\", \"link-arg=-fuse-ld=lld\"]\n", false},
		{".cargo/config.toml", "[registries.a]\nindex = \"ssh://git@r.test/x\"", false},
		{".cargo/config.toml", "[registries.a]\nindex = \"ssh://q7Zk2Lw9Bn4Rt6Yp@r.test/x\"", true},
		{".cargo/config.toml", "[build\n", false},
		{".cargo/credentials.toml", "[registry]\ntoken = \"hunter22\"", true},
		{"bunfig.toml", "[install.scopes]\n\"@a\" = { token = \"$NPM_TOKEN\", url = \"https://r.test/\" }", false},
		{"bunfig.toml", "[install.scopes]\n\"@a\" = { token = \"hunter22\", url = \"https://r.test/\" }", true},
		{"uv.toml", "[[index]]\nname = \"a\"\nurl = \"https://bob:pw@r.test/simple\"", true},
		{"uv.toml", "[[index]]\nname = \"private\"\nurl = \"https://r.test/simple\"\nauthenticate = \"always\"", false},
		{".npmrc", "registry=https://r.test/\x00", true},
		// Who puts nothing in the place of a reference has it for a password.
		{".pypirc", "[pypi]\nusername = bob\npassword = $ecretWord", true},
		{".pypirc", "[pypi]\nusername = bob\npassword = ${ecretWord}", true},
		{".pypirc", "no section\npassword = ${ecretWord}", true},
		{".cargo/config.toml", "[registry]\ntoken = \"$hunter22\"", true},
		{".cargo/config.toml", "[registry]\ntoken = \"${hunter22}\"", true},
		{"pip.conf", "[global]\nindex-url = https://bob:${hunter22}@r.test/simple", true},
		{".npmrc", "//r.test/:_authToken=$hunter22", true},
		{".yarnrc.yml", "npmAuthToken: $hunter22", true},
		// Feeds that log in by a part of the address, and those that name a project so.
		{".npmrc", "registry=https://r.test/F/x/auth/3f2504e0-4f89-41d3-9a0c-0305e82c3301/npm/", true},
		{".npmrc", "registry=https://r.test/org/3f2504e0-4f89-41d3-9a0c-0305e82c3301/_packaging/x/npm/", false},
	} {
		if got := Literal(tool(t, c.path), []byte(c.content)); got != c.want {
			t.Errorf("%s holds a credential: %v, want %v\n%s", c.path, got, c.want, c.content)
		}
	}
}

func TestOf(t *testing.T) {
	for path, want := range map[string]string{
		".npmrc": "npm", "/p/web/.npmrc": "npm", ".cargo/config.toml": "cargo", "/p/.cargo/config": "cargo", "a/.cargo/credentials": "cargo", "config.toml": "",
		"x.cargo/config.toml": "", "cargo/config": "", ".yarnrc.yml": "yarn", ".pypirc": "pypi", "pip.conf": "pip", "npmrc": "", ".npmrc/": "", "": "", "bunfig.toml": "bun", "uv.toml": "uv",
	} {
		got, found := Of(path)
		if found != (want != "") || got.Name != want || got.Project != found {
			t.Errorf("%q is %q, %v", path, got.Name, found)
		}
	}
}

// What a project's file holds literally is not in its copy: the two judge alike.
func TestLiteralGoesFromTheCopy(t *testing.T) {
	for _, f := range [][]fixture{npmFixtures(), pipFixtures(), tomlFixtures(), yamlFixtures()} {
		for _, f := range f {
			_, base := split(f.path)
			if base == "config.toml" || base == "config" {
				base = ".cargo/" + base
			}
			project, ok := Of(base)
			if !ok {
				continue
			}
			c, err := Strip(project, []byte(f.content), f.in)
			if err != nil {
				t.Errorf("%s: %v", f.name, err)
			}
			if Literal(project, c.Data) {
				t.Errorf("%s: the copy holds a credential:\n%s", f.name, c.Data)
			}
		}
	}
}
