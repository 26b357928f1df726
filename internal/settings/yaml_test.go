package settings

import "testing"

func yamlFixtures() []fixture {
	return []fixture{
		{
			name: "yarn hostile", path: "~/.yarnrc.yml", in: inside(nil, "NPM_TOKEN"),
			content: `# SENTINELpw
---
npmRegistryServer: "https://bob:SENTINELpw@npm.corp.test/" # SENTINELpw
npmAuthToken: SENTINELpw
npmAuthIdent: 'bob:SENTINELpw'
npmAlwaysAuth: true
nodeLinker: node-modules   # SENTINELpw
enableTelemetry: false
httpProxy: "http://u:SENTINELpw@proxy.test:3128"
httpsCaFilePath: /home/me/corp.pem
httpsKeyFilePath: /home/me/SENTINELpw
yarnPath: /home/me/SENTINELpw.cjs
cacheFolder: /home/me/SENTINELpw
unknownKey: SENTINELpw
"SENTINELpw:x@y": z
npmScopes:
  corp:
    npmRegistryServer: https://npm.corp.test
    npmAuthToken: "${NPM_TOKEN}"
  other: { npmRegistryServer: "https://u:SENTINELpw@o.test", npmAuthToken: "${OTHER:-SENTINELpw}" }
npmRegistries:
  "//npm.corp.test":
    npmAuthToken: SENTINELpw
networkSettings:
  "*.corp.test":
    httpsProxy: http://proxy.corp.test
    httpsKeyFilePath: SENTINELpw
unsafeHttpWhitelist:
- localhost
- "*.corp.test"
supportedArchitectures: {os: [current, linux], cpu: ['x64']}
packageExtensions:
  "react-dom@*":
    peerDependencies:
      react: "^18"
plugins:
  - path: /home/me/SENTINELpw
logFilters:
  -
    code: YN0013
    level: discard
defaultSemverRangePrefix: ""
`,
			want: `npmRegistryServer: "https://npm.corp.test/"
nodeLinker: node-modules
enableTelemetry: false
httpProxy: "http://proxy.test:3128"
httpsCaFilePath: "/home/me/corp.pem"
npmScopes:
  corp:
    npmRegistryServer: "https://npm.corp.test"
    npmAuthToken: "${NPM_TOKEN}"
  other:
    npmRegistryServer: "https://o.test"
networkSettings:
  "*.corp.test":
    httpsProxy: "http://proxy.corp.test"
unsafeHttpWhitelist:
  - localhost
  - "*.corp.test"
supportedArchitectures:
  os:
    - current
    - linux
  cpu:
    - x64
packageExtensions:
  "react-dom@*":
    peerDependencies:
      react: "^18"
logFilters:
  -
    code: YN0013
    level: discard
defaultSemverRangePrefix: ""
`,
			left: []string{
				"*", "cacheFolder", "httpProxy (user info)", "httpsKeyFilePath", "networkSettings.*.httpsKeyFilePath", "npmAlwaysAuth", "npmAuthIdent", "npmAuthToken",
				"npmRegistries.*.npmAuthToken", "npmRegistryServer (user info)", "npmScopes.other.npmAuthToken", "npmScopes.other.npmRegistryServer (user info)",
				"plugins.path", "unknownKey", "yarnPath",
			}, certificates: []string{"/home/me/corp.pem"},
		},
		{
			name: "yarn of a project", path: ".yarnrc.yml",
			content: `yarnPath: .yarn/releases/yarn-4.0.0.cjs
npmAuthToken: SENTINELpw
plugins:
  - path: .yarn/plugins/x.cjs
    spec: "https://x.test/p.js"
  - ./y.cjs
`,
			want: `yarnPath: ".yarn/releases/yarn-4.0.0.cjs"
plugins:
  -
    path: ".yarn/plugins/x.cjs"
    spec: "https://x.test/p.js"
  - "./y.cjs"
`,
			left: []string{"npmAuthToken"},
		},
	}
}

// What is outside the subset is refused: another parser might see another file.
func TestYAMLRefused(t *testing.T) {
	for _, content := range []string{
		"a: &x SENTINELpw", "a: *x", "a: !!str x", "a: |\n  SENTINELpw", "a: >-\n  x", "a: x\n  SENTINELpw", "a: x\n y", "<<: {a: b}", "? a\n: b",
		"a: b\n---\na: c", "...\na: b", "%YAML 1.2\n---\na: b", "a: 'x\n  y'", "a: \"x", "a: \"x\" y", "a: [1, 2", "a: [1\n, 2]", "a: {b: c}}", "a: {b}", "a: {b, c: d}",
		"\ta: b", "a:\n\t- b", "a: b: c", "a: b:", "- a\n- b", "a", "a: 1\na: 2", "{a: 1, a: 2}", "a: \"\\x41\"", "a: \"\\q\"", "a: @x", "a: `x`", "a: %x", "a: - b",
		"a:\n  b: 1\n c: 2", "a: 1\n- b", "a: {b: 1, b: 2}", "a:\n - b\n   c", "a:\n- b: 1\n  b: 2", "a: b # c\n # d\n  e", "a: [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]",
		"a: 'x'y'", "''''''", "a: 'b", "\"a\" b: c", "[a]: b", "a: b #c: d\n---x", "a: \u0085b",
	} {
		if n, err := parseYAML(content); err == nil {
			t.Errorf("%q is taken for %+v", content, n)
		}
	}
}

func TestYAMLTaken(t *testing.T) {
	for content, want := range map[string]string{
		"a: b":                           "a: b\n",
		"a: 'it''s' # c":                 "a: \"it's\"\n",
		"a: \"\\u0041\\n\\\"\"":          "a: \"A\\n\\\"\"\n",
		"a: don't # x":                   "a: \"don't\"\n",
		"a: x#y":                         "a: \"x#y\"\n",
		"a: http://h:80/x":               "a: \"http://h:80/x\"\n",
		"'a b': 1":                       "\"a b\": \"1\"\n",
		"a:\r\n  b: c\r\n\r\n  d: e\r\n": "a:\n  b: c\n  d: e\n",
		"a:\n- - b\n  - c\n- d":          "a:\n  -\n    - b\n    - c\n  - d\n",
		"a:\n-   b: c\n    d: e":         "a:\n  -\n    b: c\n    d: e\n",
		"a: [b, 'c, d', [e], {f: g},]":   "a:\n  - b\n  - \"c, d\"\n  -\n    - e\n  -\n    f: g\n",
		"a: {\"b\": c, d: {}}":           "a:\n  b: c\n  d: []\n",
		"a:\nb: c":                       "a: \"\"\nb: c\n",
		"a: -1\nb: null":                 "a: \"-1\"\nb: null\n",
		"":                               "",
		"# only\n":                       "",
		"---\na: b\n":                    "a: b\n",
	} {
		n, err := parseYAML(content)
		if err != nil {
			t.Errorf("%q: %v", content, err)
		} else if got := string(writeYAML(n)); got != want {
			t.Errorf("%q becomes %q, not %q", content, got, want)
		}
	}
}
