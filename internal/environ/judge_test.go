package environ

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

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
			{Name: "GITHUB_TOKEN"},
			{Name: "SSH_AUTH_SOCK"},
			{Name: "LD_PRELOAD"},
			{Name: "ABSENT"},
			{Name: "NEW", Value: "old", Set: true},
			{Name: "NEW", Value: "n v", Set: true},
			{Name: "B", Value: "3", Set: true},
			{Name: "A", Value: "9", Set: true},
			{Name: "A"}, // the later lets the caller's pass
		},
	}
	kept, report := Judge(env, in)
	want := []string{"A=1", "GITHUB_TOKEN=t1", "SSH_AUTH_SOCK=/run/x", "LD_PRELOAD=/home/u/x.so", "B=3", "PATH=/usr/bin", "NEW=n v", "HOME=/home/u"}
	if !slices.Equal(kept, want) {
		t.Errorf("kept %q\nwant %q", kept, want)
	}
	if want := []string{"B", "HOME", "NEW", "PATH"}; !slices.Equal(report.Changed, want) {
		t.Errorf("changed %q, want %q", report.Changed, want)
	}
	if want := []string{"A", "GITHUB_TOKEN", "LD_PRELOAD", "SSH_AUTH_SOCK"}; !slices.Equal(report.Kept, want) {
		t.Errorf("kept %q, want %q", report.Kept, want)
	}
	if len(report.Dropped) != 1 || report.Dropped[0].Name != "BASH_ENV" {
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
		names := map[string]bool{}
		for _, e := range c.env {
			names[e[:1]] = true
		}
		if n := len(report.Kept) + len(report.Dropped); n != len(names) {
			t.Errorf("%q: %d names and %d reports: %+v", c.env, len(names), n, report)
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
		{
			"all stay", slices.Concat([]string{"GIT_CONFIG_COUNT=2"}, pair(0, "safe.directory", "*"), pair(1, "credential.helper", "")),
			slices.Concat([]string{"GIT_CONFIG_COUNT=2"}, pair(0, "safe.directory", "*"), pair(1, "credential.helper", "")),
		},
		{
			"one goes, the rest moves up", slices.Concat([]string{"GIT_CONFIG_COUNT=3"}, pair(0, "a.b", "c"), pair(1, "http.extraheader", "Authorization: Basic dXNlcjpwYXNz"), pair(2, "d.e", "f")),
			slices.Concat([]string{"GIT_CONFIG_COUNT=2"}, pair(0, "a.b", "c"), pair(1, "d.e", "f")),
		},
		{"a token in the key", slices.Concat(pair(0, "url.https://tok@github.com/.insteadof", "https://github.com/"), []string{"GIT_CONFIG_COUNT=1"}), nil},
		{
			"a password by name", slices.Concat([]string{"GIT_CONFIG_COUNT=1"}, pair(0, "sendemail.smtppass", "x"), pair(1, "beyond.the", "count")),
			nil,
		},
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

// What git is told besides comes after what the caller tells it, whatever is left of
// that.
func TestGitBesides(t *testing.T) {
	ours := []GitSetting{{"core.x", "1"}, {"filter.y.clean", "a %f; b"}}
	for _, c := range []struct {
		name      string
		env, want []string
		rules     []plan.EnvRule
	}{
		{"none of the caller's", []string{"A=b"}, []string{
			"A=b", "GIT_CONFIG_KEY_0=core.x", "GIT_CONFIG_VALUE_0=1", "GIT_CONFIG_KEY_1=filter.y.clean", "GIT_CONFIG_VALUE_1=a %f; b", "GIT_CONFIG_COUNT=2",
		}, nil},
		{"one of the caller's", []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=alias.a", "GIT_CONFIG_VALUE_0=b"}, []string{
			"GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=alias.a", "GIT_CONFIG_VALUE_0=b", "GIT_CONFIG_KEY_1=core.x", "GIT_CONFIG_VALUE_1=1", "GIT_CONFIG_KEY_2=filter.y.clean", "GIT_CONFIG_VALUE_2=a %f; b",
		}, nil},
		{"a secret goes, more than counts", []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraheader", "GIT_CONFIG_VALUE_0=Authorization: x", "GIT_CONFIG_KEY_1=stray", "GIT_CONFIG_VALUE_7=stray"}, []string{
			"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=core.x", "GIT_CONFIG_VALUE_0=1", "GIT_CONFIG_KEY_1=filter.y.clean", "GIT_CONFIG_VALUE_1=a %f; b",
		}, nil},
		{"nonsense", []string{"GIT_CONFIG_COUNT=x"}, []string{
			"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=core.x", "GIT_CONFIG_VALUE_0=1", "GIT_CONFIG_KEY_1=filter.y.clean", "GIT_CONFIG_VALUE_1=a %f; b",
		}, nil},
		{"the user's own word", []string{"A=b"}, []string{"A=b", "GIT_CONFIG_COUNT=0"}, []plan.EnvRule{{Name: "GIT_CONFIG_COUNT", Value: "0", Set: true}}},
	} {
		kept, _ := Judge(c.env, Input{Git: ours, Rules: c.rules})
		if !slices.Equal(kept, c.want) {
			t.Errorf("%s: %q\nwant %q", c.name, kept, c.want)
		}
	}
	if kept, _ := Judge([]string{"A=b"}, Input{}); !slices.Equal(kept, []string{"A=b"}) {
		t.Errorf("%q", kept)
	}
}
