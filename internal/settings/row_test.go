package settings

import (
	"strings"
	"testing"
)

func tables() map[string][]row {
	return map[string][]row{
		"npm": npmKeys[:], "npm host": npmHostKeys[:], "pip": pipKeys[:], "pypi": pypiKeys[:], "git": gitKeys[:],
		"cargo": cargoKeys[:], "uv": uvKeys[:], "bun": bunKeys[:], "yarn": yarnKeys[:],
	}
}

// TestTables holds that every row is found by its own key, which needs the order,
// and that what is named like a secret does not simply stay.
func TestTables(t *testing.T) {
	for name, rows := range tables() {
		seen := map[string]bool{}
		for i, r := range rows {
			if seen[strings.ToLower(r.key)] {
				t.Errorf("%s: %s stands twice", name, r.key)
			}
			seen[strings.ToLower(r.key)] = true
			first, _ := part(r.key)
			if i > 0 {
				if compareFirst(rows[i-1].key, first) > 0 {
					t.Errorf("%s: %s is out of order", name, r.key)
				}
			}
			if got := find(rows, strings.Split(r.key, "."), name == "git"); got == nil || got.key != r.key {
				t.Errorf("%s: %s finds %v", name, r.key, got)
			}
			if secretName(r.key) && r.kind == text {
				t.Errorf("%s: %s is named like a secret", name, r.key)
			}
		}
	}
}

// hide returns a file of a tool in which a key has a value, or nothing where that
// cannot be written.
func hide(known Tool, key, value string) string {
	quoted := string(appendQuoted(nil, value))
	parts := strings.Split(strings.ReplaceAll(key, "*", "x"), ".")
	last := parts[len(parts)-1]
	switch {
	case known.Format == Npmrc:
		return key + "=" + quoted + "\n"
	case known.Format == INI:
		return "[global]\n" + key + " = " + value + "\n"
	case known.Format == Git && len(parts) == 3:
		sub := parts[1]
		if parts[0] == "url" || parts[0] == "http" {
			sub = "https://h/"
		}
		return "[" + parts[0] + " \"" + sub + "\"]\n" + last + " = " + quoted + "\n"
	case known.Format == Git:
		return "[" + parts[0] + "]\n" + last + " = " + quoted + "\n"
	case known.Format == TOML:
		return strings.Join(parts, ".") + " = " + quoted + "\n"
	}
	var b strings.Builder
	for i, p := range parts {
		b.WriteString(strings.Repeat("  ", i) + p + ":")
		if i < len(parts)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String() + " " + quoted + "\n"
}

// TestNoKeyShowsLogins puts each way to write down a login under each key that is
// known, and expects that only kinds for free text let a bare word through.
func TestNoKeyShowsLogins(t *testing.T) {
	values := []string{
		"https://bob:SENTINELpw@h.test/x", "https://SENTINELpw@h.test", "bob:SENTINELpw@h.test:80", "https://h.test/?token=SENTINELpw", "${X:-https://bob:SENTINELpw@h.test/}",
		"password=SENTINELpw", "Authorization: Bearer SENTINELpw7", "ghp_SENTINEL7q2Zk9Lw4Bn6Rt8Yp5Xc3", "https://h.test/ghp_SENTINEL7q2Zk9Lw4Bn6Rt8Yp5Xc3/", "-----BEGIN PRIVATE KEY-----\nSENTINELpw",
	}
	stays := 0
	for _, known := range append(Tools(), tool(t, ".pypirc")) {
		for _, r := range known.rows {
			for _, project := range []bool{false, true} {
				known.Project = project
				for _, v := range values {
					checkHidden(t, known, hide(known, r.key, v))
				}
				if r.kind == leave || r.kind == credential || r.kind == login || r.kind == flag || r.kind == number || r.kind == pem {
					checkHidden(t, known, hide(known, r.key, "SENTINELpw"))
				} else if c, err := Strip(known, []byte(hide(known, r.key, "harmless")), Inside{}); err == nil && len(c.Data) > 0 {
					stays++
				}
			}
		}
	}
	if stays < 500 { // or nothing is put where it is looked for
		t.Errorf("only %d keys stay with a harmless value", stays)
	}
}

func checkHidden(t *testing.T, known Tool, content string) {
	t.Helper()
	c, err := Strip(known, []byte(content), Inside{})
	if err == nil && strings.Contains(string(c.Data)+strings.Join(c.Left, ""), "SENTINEL") {
		t.Errorf("%s: %s\nbecomes\n%s%q", known.Path, content, c.Data, c.Left)
	}
}

func TestFind(t *testing.T) {
	rows := []row{{key: "a.*"}, {key: "a.*.c"}, {key: "a.b"}, {key: "a.b.d"}, {key: "b"}}
	for key, want := range map[string]string{
		"a.b": "a.b", "a.x": "a.*", "a.x.c": "a.*.c", "a.b.d": "a.b.d", "a.b.c": "a.*.c", "A.B": "a.b", "a": "", "b": "b", "b.c": "", "a.b.d.e": "", "c": "",
	} {
		got := ""
		if r := find(rows, strings.Split(key, "."), true); r != nil {
			got = r.key
		}
		if got != want {
			t.Errorf("%s finds %q, not %q", key, got, want)
		}
	}
}

func TestKeyLike(t *testing.T) {
	for _, s := range []string{"registry", "save-exact", "enableTelemetry", "_authToken", "extra_index_url"} {
		if !keyLike(s) {
			t.Errorf("%q is not shown", s)
		}
	}
	for _, s := range []string{"", "hunter2", "SENTINEL", "aGVsbG8gd29ybGQ", "x y", "u:p", "a.b", "\x1b", "aBcDeFgHiJkLmNoPqRsTu", strings.Repeat("a", 41), "é"} {
		if keyLike(s) {
			t.Errorf("%q is shown", s)
		}
	}
}
