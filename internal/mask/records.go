package mask

import (
	"crypto/sha256"
	"strconv"
)

// Records are what walks saw in one project, so that the next one need not look
// again. They may be lost at any time. They hold:
//
//	head      the format, and a checksum of all that follows
//	root      the path of the project
//	written   when, in seconds since 1970
//	sections  for each of the last lists of patterns: its key, its length, and
//	          the inodes that were looked for with the records of directories
type records struct {
	seek     []uint64
	tree     saved     // the record of the root
	sections []section // of other lists of patterns, the last used first
}

// A section is for one list of patterns. Commands with patterns of their own take
// turns with the others, and each finds its own.
type section struct{ key, body string }

// maxSections is how many are kept.
const maxSections = 4

const (
	recordsKind = "walk"
	recordsHead = "jail walk 1\n"
)

// sectionVersion is the version of all that decides what goes into a section: which
// names need a second look, and what a content is judged to be. A test holds that
// it changes with them.
const sectionVersion = "10"

// sectionKey is of everything that records depend on and do not hold themselves.
func sectionKey(root string, euid uint32, rules []rule) string {
	var w writer
	w.texts(sectionVersion, root, strconv.Itoa(int(euid)))
	for i := range rules {
		p := &rules[i].Pattern
		w.texts(p.Text, p.Base, string(p.Action), p.Reason.Layer, strconv.FormatBool(p.Except))
	}
	sum := sha256.Sum256(w.b)
	return string(sum[:16])
}

// readRecords reads what is for one list of patterns. What is not whole or of another
// format is not believed; what is from the future is not, since a clock that went
// back can give a ctime twice.
func readRecords(text []byte, key string, now int64) records {
	body, ok := whole(text, recordsHead)
	r := reader{rest: body}
	r.text()
	written := r.signed()
	var to records
	for r.rest != "" && !r.bad {
		c := section{r.take(len(key)), r.text()}
		if c.key != key {
			to.sections = append(to.sections, c)
		} else if written <= now {
			to.seek, to.tree = readSection(c.body)
		}
	}
	if !ok || r.bad {
		return records{}
	}
	return to
}

// text writes down a section for one list of patterns, and the others as far as they
// have room. It returns nil where even the one has none.
func (o *records) text(root, key string, now int64, body []byte) []byte {
	var w writer
	w.texts(root)
	w.signed(now)
	for i, c := range append([]section{{key, string(body)}}, o.sections...) {
		if i < maxSections && len(w.b)+len(c.body) < maxFile {
			w.b = append(w.b, c.key...)
			w.texts(c.body)
		}
	}
	if len(body) >= maxFile {
		return nil
	}
	return sealed(recordsHead, w.b)
}
