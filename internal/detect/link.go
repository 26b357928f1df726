package detect

import (
	"slices"

	"jail/internal/sandbox/plan"
)

// linksOutside follows the links among system and paths, and returns what the
// jail must show beside system for them to work: the links that lie outside, and
// what they end in. On many hosts /etc/resolv.conf leads into /run or /mnt/wsl,
// /etc/ssl/certs into /var/lib, /opt into /var.
//
// All of these links are root's, so nobody else chooses what they show. What
// others may not read is not shown behind a link either.
func linksOutside(system []plan.Source, paths ...string) []plan.Source {
	var visible []string // what is shown anyway; a link shows only itself
	var links []string
	for _, src := range system {
		if src.Type == plan.Symlink {
			links = append(links, src.Path)
		} else {
			visible = append(visible, src.Path)
		}
	}
	for _, path := range paths {
		if src, err := Stat(path); err == nil && src.Type == plan.Symlink {
			links = append(links, path)
		}
	}
	visible = append(visible, links...)
	visible = append(visible, "/dev", "/proc")
	return slices.DeleteFunc(chains(links...), func(src plan.Source) bool {
		return withinAny(src.Path, visible)
	})
}

// chains returns, in the order of their paths, what each of paths leads through
// and ends in. One that ends nowhere, or in what others may not read, is left
// out whole.
func chains(paths ...string) []plan.Source {
	var found []plan.Source
	for _, path := range paths {
		hops, end, err := follow(path)
		if err != nil || !readable(end) {
			continue
		}
		for _, src := range append(hops, end) {
			if !slices.ContainsFunc(found, func(f plan.Source) bool { return f.Path == src.Path }) {
				found = append(found, src)
			}
		}
	}
	slices.SortFunc(found, byPath)
	return found
}

// readable reports whether others may read a file or search a directory.
func readable(src plan.Source) bool {
	switch src.Type {
	case plan.Regular:
		return src.Perm&0o004 != 0
	case plan.Directory:
		return src.Perm&0o005 == 0o005
	}
	return false
}
