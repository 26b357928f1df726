package detect

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUsedHome(t *testing.T) {
	top := tree{
		"passwd/sub/x", "ci/x", "open/x", "proj/.ai-jail/", "proj/home/.cache/x", "other/.ai-jail/", "other/home/x", "file = x",
		"link -> ci", "into -> passwd/sub", "here -> proj/home",
	}.build(t)
	if err := os.Chmod(filepath.Join(top, "open"), 0o777); err != nil {
		t.Fatal(err)
	}
	passwd, root := top+"/passwd", top+"/proj"
	own, other := uint32(os.Getuid()), uint32(os.Getuid()+1)
	for _, c := range []struct {
		why, env string
		uid      uint32
		want     string
	}{
		{"the same", passwd, own, passwd},
		{"unset", "", own, passwd},
		{"relative", "ci", own, passwd},
		{"a home of the caller's", top + "/ci", own, top + "/ci"},
		{"spelled oddly", top + "//ci/", own, top + "/ci"},
		{"by a link", top + "/link", own, top + "/link"},
		{"of somebody else", top + "/ci", other, passwd},
		{"others may write", top + "/open", own, passwd},
		{"below the real one", passwd + "/sub", own, passwd},
		{"a link below the real one", top + "/into", own, passwd},
		{"above the real one", top, own, passwd},
		{"in the project", top + "/proj/home", own, passwd},
		{"the project", root, own, passwd},
		{"a link into the project", top + "/here", own, passwd},
		{"in another project", top + "/other/home", own, passwd},
		{"a file", top + "/file", own, passwd},
		{"not there", top + "/none", own, passwd},
	} {
		if got := UsedHome(passwd, c.env, c.uid, root); got != c.want {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
	}
	if got := UsedHome("", top+"/ci", own, root); got != top+"/ci" {
		t.Errorf("without a line in passwd: %s", got)
	}
	if got := UsedHome("", top+"/open", own, root); got != "" {
		t.Errorf("without a line in passwd, open to others: %s", got)
	}
}

func TestIsPrivate(t *testing.T) {
	homes := []string{"/h/u", "/root"}
	for path, want := range map[string]bool{
		"/": true, "/h": true, "/h/u": true, "/h/u/.ssh": true, "/h/u/.ssh/x": true, "/data/.aws": true, "/h/u/.local/share": true, "/h/u/.config/x": true,
		"/h/u/.cache": true, "/h/u/.cache/huggingface": false, "/h/u/.cache/huggingface/hub": false, "/h/u/.cache/torch": false,
		"/data/hf": false, "/h/u/models": false, "/h/u2": false,
	} {
		if got := IsPrivate(path, homes); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
