package config

import (
	"errors"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// Whatever the bytes are, there is a policy or an *Error with a line in the file,
// and no message moves a cursor.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		everything, "maks = 1", "[commands.\"npm run dev\"]\nmask_except = ['.env']", "a = [[[1]]]", "a.b.c.d.e = {x = {y = [1, {z = 2}]}}",
		"mask = [\n'''a''',\n\"\"\"b\\\n  c\"\"\" # d\n,]", "gpu = true\ngpu = true", "\xff", "a = 1979-05-27T07:32:00Z\nb = +inf", "[[commands]]\n[[commands.npm]]", "rw = ['~', '~x', ':', '$x']\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > maxFile {
			return // never parsed
		}
		for _, layer := range []string{layerUser, layerProject} {
			s := &scene{known: keys(), layer: layer, file: "/p/config.toml", base: "/p", homes: []string{"/h"}}
			found, err := parse(&File{Path: s.file, Data: data}, s)
			if err != nil {
				checkError(t, data, err)
				continue
			}
			policy := initial(nil)
			policy.merge(found, Command{Preset: "npm", Args: []string{"npm", "run", "dev"}}, layer == layerUser)
			policy.settle()
			checkReasons(t, data, policy.policy())
		}
	})
}

func checkError(t *testing.T, data []byte, err error) {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("error %T: %v", err, err)
	}
	if last := strings.Count(string(data), "\n") + 1; e.Line < 1 || e.Line > last {
		t.Fatalf("line %d of %d: %v", e.Line, last, err)
	}
	if text := e.Error() + e.Hint; unprintable(text) {
		t.Fatalf("a control character in %q", text)
	}
}

func checkReasons(t *testing.T, data []byte, p plan.Policy) {
	var all []plan.Reason
	for _, m := range p.Mask {
		all = append(all, m.Reason)
	}
	for _, m := range append(p.ReadOnly, p.Writable...) {
		all = append(all, m.Reason)
	}
	for _, s := range p.Settings {
		all = append(all, s.Reason)
	}
	for _, r := range all {
		if last := strings.Count(string(data), "\n") + 1; r.Line < 1 || r.Line > last || unprintable(r.Text) {
			t.Fatalf("reason %+v in %d lines", r, last)
		}
	}
}
