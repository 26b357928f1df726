package settings

func pipFixtures() []fixture {
	return []fixture{
		{
			name: "pip hostile", path: "~/.config/pip/pip.conf",
			content: `# SENTINELpw
; SENTINELpw
[global]
index-url = https://bob:SENTINELpw@pypi.corp.test/simple
Extra_Index_URL =
    https://SENTINELpw@a.test/simple   
    # https://u:SENTINELpw@commented.test/simple

    https://b.test/simple
	https://c.test/simple?token=SENTINELpw
find-links = /srv/wheels
--trusted-host: pypi.corp.test
    a.test
proxy = bob:SENTINELpw@proxy.corp.test:3128
client-cert = /home/me/SENTINELpw.pem
cert = /home/me/corp.pem
timeout = 60
  SENTINELpw
retries=5
no-input = yes
password = SENTINELpw
constraint = /home/me/SENTINELpw.txt
keyring-provider = subprocess
unknown-key = SENTINELpw
SENTINELpw = 1
[install]
no-binary = :all:
user=true
[DEFAULT]
timeout = 5
[SENTINELpw:x@y]
timeout = 5
[SENTINELpw]
timeout = 5
`,
			want: `[global]
index-url = https://pypi.corp.test/simple
extra_index_url = https://a.test/simple
    https://b.test/simple
    https://c.test/simple
find-links = /srv/wheels
--trusted-host = pypi.corp.test
    a.test
proxy = proxy.corp.test:3128
cert = /home/me/corp.pem
retries = 5
no-input = yes
[install]
no-binary = :all:
user = true
`,
			left: []string{
				"*.timeout", "global.*", "global.client-cert", "global.constraint", "global.extra-index-url (part of its address)",
				"global.index-url (user info)", "global.keyring-provider", "global.password", "global.proxy (user info)", "global.timeout", "global.unknown-key",
			},
			certificates: []string{"/home/me/corp.pem"},
		},
		{
			name: "pypirc", path: ".pypirc", in: inside(nil, "SENTINELpw"),
			content: `[distutils]
index-servers =
    pypi
    corp
[pypi]
username = __token__
password = SENTINELpw
[corp]
repository: https://bob:SENTINELpw@pypi.corp.test/legacy/
username: SENTINELpw
password: ${SENTINELpw}
`,
			want: `[distutils]
index-servers = pypi
    corp
[corp]
repository = https://pypi.corp.test/legacy/
`,
			left: []string{"corp.password", "corp.repository (user info)", "corp.username", "pypi.password", "pypi.username"},
		},
		{name: "pip lines", path: "~/.pip/pip.conf", content: "[global]\r\nno-binary = #a\r\n  b\r\n ; c\r\n\r\n  d\r\nuser:\r\n", want: "[global]\nno-binary = #a\n    b\n    d\nuser = \n"},
	}
}
