package plan

import "bytes"

// AttributesFile is where git finds what to do about files that read as empty.
const AttributesFile = "/.jail/gitattributes"

// maxBlank bounds what the mask of a tracked file takes in memory. A larger one is
// empty, and git takes it for changed.
const maxBlank = 64 << 10

// likeTracked makes what hides a tracked file look unchanged to git. A file of
// another size is changed for git without a look, and it neither stashes nor
// rebases then. So a mask has blank lines, as many as git expects bytes: whoever
// reads it finds nothing in it either way. What is denied has size and time.
func (m *Mount) likeTracked(h Hit) {
	switch {
	case !h.Tracked || h.Type != Regular:
	case m.Kind == Deny:
		m.Size, m.Mtime = uint64(h.Size), h.Mtime
	case h.Size > 0 && h.Size <= maxBlank:
		if m.Perm = 0o444; h.Exec {
			m.Perm = 0o555
		}
		m.Data = bytes.Repeat([]byte{'\n'}, int(h.Size))
	}
}

// attributes keep git from storing what reads as empty.
func (v *viewer) attributes() {
	if a := v.in.Found.Attributes; len(a) > 0 {
		v.add(Mount{
			Kind: File, Destination: AttributesFile, Type: Regular, Perm: 0o444, Data: a,
			Reason: builtIn("keeps git from committing what reads as empty"),
		})
	}
}

// An Enclosing repository is one that the project is only a part of. It can be read:
// git would store what is not there of its tree as deleted.
type Enclosing struct {
	Tree   string // the directory that holds its .git; empty: there is none
	Hidden string // why it is not shown; empty: it is
}
