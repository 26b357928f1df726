package mask

import (
	"errors"
	"fmt"
	"strings"

	"jail/internal/sandbox/plan"
)

// A rule is a pattern made ready for matching.
type rule struct {
	plan.Pattern
	parts    []glob
	names    []string // the literals of parts as written; of use where all are
	anchored bool     // parts begin at the root; otherwise there is one, for any depth
	dirOnly  bool
	outright bool // anchored, and every part is a literal: it names one path
	judge    judge
}

// Check reports what is wrong with a pattern's text, or nil.
func Check(text string) error {
	_, err := parse(text)
	return err
}

// Literal is the pattern of one path below the pattern's directory and of no other. A
// project chooses its names: ".env.*" as it stands would be a pattern of many, and a
// plain ".env" is one at any depth.
func Literal(path string) string {
	var b strings.Builder
	b.WriteByte('/')
	for i := range len(path) {
		if strings.IndexByte(`*?[]\ `, path[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// parse reads a line of gitignore(5). What can match nothing is an error: a mask
// that silently hides nothing is worse than none. Two things differ from git: a
// '#' begins no comment, since a list in a configuration has its own, and "./x"
// is x in this directory, since that is what people mean.
func parse(text string) (rule, error) {
	var r rule
	text = trimSpaces(text)
	switch {
	case text == "":
		return r, errors.New("it names nothing")
	case text[0] == '!':
		return r, errors.New("it begins with an exclamation mark; exceptions are a list of their own")
	case strings.IndexByte(text, 0) >= 0:
		return r, errors.New("it holds a byte that no file name can hold")
	}
	text = strings.ReplaceAll(text, `\/`, "/")
	for strings.Contains(text, "//") {
		text = strings.ReplaceAll(text, "//", "/")
	}
	parts := strings.Split(text, "/")
	if parts[len(parts)-1] == "" {
		r.dirOnly, parts = true, parts[:len(parts)-1]
	}
	r.anchored = len(parts) > 1
	if r.anchored && parts[0] == "." {
		parts = parts[1:]
	}
	return r, r.read(parts)
}

// trimSpaces takes trailing spaces off, as git does, unless a backslash keeps them.
func trimSpaces(text string) string {
	t := strings.TrimRight(text, " ")
	backslashes := len(t) - len(strings.TrimRight(t, `\`))
	if len(t) < len(text) && backslashes%2 == 1 {
		return t + " "
	}
	return t
}

// read parses the components and brings them into the least form: **/x is x at
// any depth.
func (r *rule) read(parts []string) error {
	for _, p := range parts {
		switch p {
		case "":
			continue // a leading slash
		case ".", "..":
			return fmt.Errorf("it holds the component %q", p)
		}
		g, err := parseGlob(p)
		if err != nil {
			return err
		}
		if g.deep && len(r.parts) > 0 && r.parts[len(r.parts)-1].deep {
			continue
		}
		r.parts = append(r.parts, g)
		r.names = append(r.names, unescape(p))
	}
	switch n := len(r.parts); {
	case n == 0:
		return errors.New("it names nothing")
	case n == 2 && r.parts[0].deep && !r.parts[1].deep:
		r.parts, r.names, r.anchored = r.parts[1:], r.names[1:], false
	case n == 1 && r.parts[0].deep:
		r.anchored = false // everything, wherever it is
	}
	return nil
}

// unescape takes the backslashes off a literal.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// compile makes a rule of a pattern for the tree at root.
func compile(p plan.Pattern, root string) (rule, error) {
	r, err := parse(p.Text)
	if err != nil {
		return r, fmt.Errorf("pattern %q: %w", p.Text, err)
	}
	r.Pattern, r.judge = p, judgeOf(&p)
	if p.Base != "" && p.Base != root {
		if err := r.rebase(root); err != nil {
			return r, fmt.Errorf("pattern %q: %w", p.Text, err)
		}
	}
	r.outright = r.anchored
	for i := range r.parts {
		r.outright = r.outright && r.parts[i].isLiteral()
	}
	return r, nil
}

// rebase makes parts relative to root where the pattern's own directory lies
// below it. Where that lies above, the ruleset skips what leads down to root.
func (r *rule) rebase(root string) error {
	switch {
	case plan.Below(root, r.Base):
		return nil
	case !plan.Below(r.Base, root):
		return fmt.Errorf("it is relative to %q, which has nothing to do with %q", r.Base, root)
	}
	var base []glob
	names := strings.Split(relative(r.Base, root), "/")
	for _, name := range names {
		base = append(base, glob{stars: true, parts: [][]byte{fold(nil, []byte(name))}})
	}
	if !r.anchored {
		base, names = append(base, glob{deep: true}), append(names, "**")
	}
	r.parts, r.names, r.anchored = append(base, r.parts...), append(names, r.names...), true
	return nil
}

// relative returns the rest of path, which lies below dir.
func relative(path, dir string) string {
	return strings.TrimPrefix(path[len(dir):], "/")
}
