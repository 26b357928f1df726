package settings

func npmFixtures() []fixture {
	return []fixture{
		{
			name: "npm hostile", path: "~/.npmrc",
			content: `; a comment with SENTINELpw
# //npm.test/:_authToken=SENTINELpw
registry=https://bob:SENTINELpw@npm.corp.test/npm/
@corp:registry=https://SENTINELpw@npm.corp.test/
@other:registry = "https://npm.other.test/api/npm/"
@SENTINELpw/x:registry=https://npm.other.test/
//npm.corp.test/:_authToken=SENTINELpw
//npm.corp.test/path/:_password=SENTINELpw
//SENTINELpw:SENTINELpw@npm.corp.test/:_authToken=x
//npm.corp.test/:username=SENTINELpw
//npm.corp.test/:certfile=/home/me/SENTINELpw
"//npm.corp.test/:_authToken"="SENTINELpw"
_auth=SENTINELpw
_authToken=${NPM_TOKEN:-SENTINELpw}
_password = 'SENTINELpw'
password=SENTINELpw
otp=SENTINELpw
key="-----BEGIN PRIVATE KEY-----\nSENTINELpw\n-----END PRIVATE KEY-----"
SENTINELpw
SENTINELpw==
save-exact
save-prefix=~
proxy=http://bob:SENTINELpw@proxy.corp.test:3128
https-proxy=bob:SENTINELpw@proxy.corp.test:3128
noproxy=localhost,.corp.test
strict-ssl=false ; SENTINELpw
loglevel = warn # SENTINELpw
fund=SENTINELpw
fetch-retries=SENTINELpw
init-author-name=Jane; SENTINELpw
init-author-email="jane@corp.test"
init-author-url=https://jane.test/?t=SENTINELpw
cafile=/home/me/certs/corp.pem
prefix=/home/me/SENTINELpw
script-shell=/home/me/SENTINELpw
user-agent=npm "quoted; and #more"
omit[]=dev
omit[]=optional
sass_binary_site=https://mirror.test/mirrors/node-sass/
electron_mirror=https://u:SENTINELpw@mirror.test/electron/
my-own-key=SENTINELpw
my-secret-SENTINELpw=x
=SENTINELpw
[section]
registry=https://SENTINELpw/
`,
			want: `registry=https://npm.corp.test/npm/
@corp:registry=https://npm.corp.test/
@other:registry=https://npm.other.test/api/npm/
save-exact=true
save-prefix=~
proxy=http://proxy.corp.test:3128
https-proxy=proxy.corp.test:3128
noproxy=localhost,.corp.test
strict-ssl=false
loglevel=warn
init-author-name=Jane
init-author-email=jane@corp.test
init-author-url=https://jane.test/
cafile=/home/me/certs/corp.pem
user-agent="npm \"quoted"
omit[]=dev
omit[]=optional
sass_binary_site=https://mirror.test/mirrors/node-sass/
electron_mirror=https://mirror.test/electron/
`,
			left: []string{
				"//*/:_authToken", "//npm.corp.test/*/:_password", "//npm.corp.test/:_authToken", "//npm.corp.test/:certfile", "//npm.corp.test/:username",
				"@corp:registry (user info)", "_auth", "_authToken", "_password", "electron_mirror (user info)", "fetch-retries", "fund",
				"https-proxy (user info)", "init-author-url (part of its address)", "key", "line 19", "line 20", "line 42", "line 43", "line 45", "line 6",
				"my-own-key", "otp", "password", "prefix", "proxy (user info)", "registry (user info)", "script-shell",
			}, certificates: []string{"/home/me/certs/corp.pem"},
		},
		{
			name: "npm references", path: "~/.npmrc", in: inside(nil, "NPM_TOKEN", "USER"),
			content: `//a.test/:_authToken=${NPM_TOKEN}
//b.test/npm/:_authToken=${OTHER}
//c.test/:_authToken=${NPM_TOKEN}SENTINELpw
//d.test/:_authToken=${NPM_TOKEN:-SENTINELpw}
//e.test/:_authToken=${NPM_TOKEN?}
//f.test/:_auth="${NPM_TOKEN}"
//${HOST}/:_authToken=${NPM_TOKEN}
_auth=${USER}:${NPM_TOKEN}
registry=https://${USER}:${NPM_TOKEN}@a.test/
@b:registry=https://${USER}:${OTHER}@b.test/
@c:registry=https://bob:${NPM_TOKEN}@c.test/
@d:registry=${REGISTRY}
@e:registry=${REGISTRY:-https://u:SENTINELpw@e.test/}
@f:registry=https://f.test/${X:-a/SENTINELpw}/
@g:registry=https://${HOST}/${TEAM}/
`,
			want: `//a.test/:_authToken=${NPM_TOKEN}
//e.test/:_authToken=${NPM_TOKEN?}
//f.test/:_auth=${NPM_TOKEN}
_auth=${USER}:${NPM_TOKEN}
registry=https://${USER}:${NPM_TOKEN}@a.test/
@b:registry=https://b.test/
@c:registry=https://bob:${NPM_TOKEN}@c.test/
@d:registry=${REGISTRY}
@g:registry=https://${HOST}/${TEAM}/
`,
			left: []string{"//*/:_authToken", "//b.test/*/:_authToken", "//c.test/:_authToken", "//d.test/:_authToken", "@b:registry (user info)", "@e:registry", "@f:registry"},
		},
		{
			name: "npm addresses", path: "~/.config/pnpm/rc",
			content: `@a:registry=https://user:pa/ss/SENTINELpw@a.test/npm/
@b:registry=https://user:12/SENTINELpw@b.test/npm/
@c:registry=https://c.test/Mn4aPZ2sX8QeTb7K/npm/
@d:registry=https://d.test/npm/?token=SENTINELpw#SENTINELpw
@e:registry="https://e.test/npm;auth=SENTINELpw/"
@f:registry=https://f.test/https://u:SENTINELpw@g.test/
@g:registry=https://[2001:db8::1]:4873/
@h:registry=https://h.test/0f0e0d0c0b0a0908070605040302010f/npm/
@i:registry=https://pkgs.test/org/6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c/_packaging/x/npm/registry/
@j:registry=https://j.test/%75%3aSENTINELpw%40x/
@n:registry=https://n.test/F/feed/auth/3f2504e0-4f89-41d3-9a0c-0305e82c3301/npm/
@k:registry=https://k.test\@SENTINELpw/
@l:registry=//u:SENTINELpw@l.test/
@m:registry=bob:SENTINELpw@m.test
store-dir=/home/me/store
auto-install-peers=true
hoist-pattern[]=*eslint*
`,
			want: `@a:registry=https://a.test/npm/
@c:registry=https://c.test/hidden/npm/
@d:registry=https://d.test/npm/
@e:registry=https://e.test/hidden/
@g:registry="https://[2001:db8::1]:4873/"
@h:registry=https://h.test/hidden/npm/
@i:registry=https://pkgs.test/org/6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c/_packaging/x/npm/registry/
@j:registry=https://j.test/hidden/
@n:registry=https://n.test/F/feed/auth/hidden/npm/
auto-install-peers=true
hoist-pattern[]=*eslint*
`,
			left: []string{
				"@a:registry (user info)", "@b:registry", "@c:registry (part of its address)", "@d:registry (part of its address)", "@e:registry (part of its address)",
				"@f:registry", "@h:registry (part of its address)", "@j:registry (part of its address)", "@k:registry", "@l:registry", "@m:registry", "@n:registry (part of its address)", "store-dir",
			},
		},
		{
			name: "npm certificates", path: "~/.npmrc",
			content: `ca="-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----"
ca[]="-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----\nSENTINELpw"
cert="-----BEGIN CERTIFICATE-----\nSENTINELpw\n-----END CERTIFICATE-----"
`,
			want: `ca="-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----"
`,
			left: []string{"ca", "cert"},
		},
		{
			name: "npm of a project", path: "web/.npmrc",
			content: `script-shell=/bin/bash
node-options=--max-old-space-size=4096
modules-dir=deps
//npm.corp.test/:_authToken=SENTINELpw
`,
			want: `script-shell=/bin/bash
node-options="--max-old-space-size=4096"
modules-dir=deps
`,
			left: []string{"//npm.corp.test/:_authToken"},
		},
		{
			name: "npm keys alone", path: "~/.npmrc",
			content: "save-exact\nloglevel\n//npm.corp.test/:_authToken\n@corp:registry\nabcdefgh==\nabcdefgh\nmy-key=\n\"fund\"\nx_mirror",
			want:    "save-exact=true\nloglevel=true\nfund=true\n",
			left:    []string{"line 3", "line 4", "line 5", "line 6", "line 7", "line 9"},
		},
		{name: "npm empty", path: "~/.npmrc", content: "\ufeff; nothing\r\n\r\n"},
		{name: "npm nothing harmless", path: "~/.npmrc", content: "//npm.corp.test/:_authToken=SENTINELpw\r//npm.corp.test/:_auth=SENTINELpw", left: []string{"//npm.corp.test/:_auth", "//npm.corp.test/:_authToken"}},
	}
}
