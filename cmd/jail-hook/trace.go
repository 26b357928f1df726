package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/detect"
	"jail/internal/lost"
	"jail/internal/trace"
)

// wishes are the lines of configuration that would have given a traced command what
// it wanted, as comments. The file says only what was wanted, and may be a project's:
// which lines that makes is worked out here, and nothing secret is among them.
func (u *user) wishes(file, root string) (string, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", fmt.Errorf("read the trace: %w", err)
	}
	defer f.Close()
	found, err := trace.ReadFile(f)
	if err != nil {
		return "", fmt.Errorf("read the trace %q: %w", file, err)
	}
	found = trace.Rejudge(found, trace.View{
		Root: root, Home: u.home,
		Shows:    detect.IsSystem,
		Writable: func(string) bool { return false },
		Hidden:   func(string) (bool, bool) { return false, false },
		Exists: func(path string) bool {
			return unix.Faccessat(unix.AT_FDCWD, path, unix.F_OK, unix.AT_SYMLINK_NOFOLLOW) == nil
		},
		Private: func(path string) bool { return detect.InPrivate(path, u.homes) },
		Offer:   func(path string) bool { return detect.MayOffer(path, u.homes) },
		Keeps: func(path string) bool {
			below, err := filepath.Rel(u.home, path)
			return err == nil && lost.Downloads(below)
		},
	})
	return wishList(found), nil
}

// wishList groups lines by their key, since a key may stand only once.
func wishList(found []trace.Finding) string {
	values := map[string][]string{}
	var b strings.Builder
	b.WriteString("\n# What a traced command wanted and did not get. Whoever wrote that command wrote this\n# list: uncomment what you know a reason for, then type: jail-hook trust\n")
	for _, f := range found {
		switch {
		case f.Kind == "secret":
			fmt.Fprintf(&b, "# looked for a secret: %s\n", strconv.QuoteToASCII(f.What))
		case f.Line == "":
			fmt.Fprintf(&b, "# %s, not offered: %s\n", f.Kind, strconv.QuoteToASCII(f.What))
		default:
			key, value, _ := strings.Cut(f.Line, " = ")
			if value = strings.Trim(value, "[]"); !slices.Contains(values[key], value) {
				values[key] = append(values[key], value)
			}
		}
	}
	for _, key := range []string{"ro", "rw", "mask_except", "deny_except", "env", "network"} {
		switch list := values[key]; {
		case len(list) == 0:
		case key == "network":
			fmt.Fprintf(&b, "# network = %s\n", list[0])
		default:
			fmt.Fprintf(&b, "# %s = [\n#   %s,\n# ]\n", key, strings.Join(list, ",\n#   "))
		}
	}
	return b.String()
}
