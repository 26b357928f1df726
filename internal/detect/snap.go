package detect

import (
	"os"
	"path/filepath"
	"strings"
)

// snapBins are where snapd puts the names of programs, by distribution.
var snapBins = [...]string{"/snap/bin", "/var/lib/snapd/snap/bin"}

// Snap reports whether path is a name of a snap's. Such a name leads to one program
// for all, which needs the rights of a set-id program to start the real one; inside
// there are none to have. Program is where the real one lies by convention.
func Snap(path string) (program string, is bool) {
	for _, bin := range snapBins {
		if filepath.Dir(path) == bin {
			return snapIn(bin, filepath.Base(path))
		}
	}
	return "", false
}

// snapIn follows name in bin: an alias is a link to a name beside it, and a name is a
// link to snap itself. A name without a dot is that of its snap too.
func snapIn(bin, name string) (program string, is bool) {
	for range 4 {
		text, err := os.Readlink(filepath.Join(bin, name))
		if err != nil {
			return "", false
		}
		if filepath.Base(text) == "snap" {
			snap, app, dotted := strings.Cut(name, ".")
			if !dotted {
				app = snap
			}
			return filepath.Join(filepath.Dir(bin), snap, "current/bin", app), true
		}
		name = filepath.Base(text)
	}
	return "", false
}
