package environ

import (
	"path"
	"strings"
)

const whyNoFile = "the files that it names are not inside"

// prune takes out of a value what names files that are not inside. A loader that
// is told of a library which it cannot open ends the program before it starts, or
// complains at every start.
func (j *judge) prune(v *variable) {
	var value string
	switch v.name {
	case "TMPDIR", "TMP", "TEMP", "PYTHONSTARTUP", "PYTHONHOME":
		if path.IsAbs(v.value) && !j.visible(v.value) {
			v.dropped = whyNoFile
		}
		return
	case "PYTHONPATH", "NODE_PATH", "PERL5LIB", "RUBYLIB", "GCONV_PATH", "LD_LIBRARY_PATH", "LD_AUDIT", "LD_PRELOAD", "LD_ORIGIN_PATH":
		value = j.pruneList(v.value, separators(v.name))
	case "NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS":
		value = j.pruneOptions(v.value)
	default:
		if strings.HasPrefix(v.name, "LD_") && path.IsAbs(v.value) && !j.visible(v.value) {
			v.dropped = whyNoFile
		}
		return
	}
	if value != v.value && strings.Trim(value, ":; ") == "" {
		v.dropped = whyNoFile
		return
	}
	v.change(value)
}

// separators are what ld.so(8) takes between names; everybody else takes colons.
func separators(name string) string {
	switch name {
	case "LD_PRELOAD":
		return ": "
	case "LD_LIBRARY_PATH":
		return ":;"
	}
	return ":"
}

func (j *judge) visible(p string) bool { return j.Visible == nil || j.Visible(path.Clean(p)) }

// pruneList takes absolute paths that are not inside out of a list. A relative
// one means something in the working directory, which is inside.
func (j *judge) pruneList(list, separators string) string {
	var out strings.Builder
	first := true
	for from := 0; from <= len(list); {
		to := from + until(list[from:], separators)
		if item := list[from:to]; !path.IsAbs(item) || j.visible(item) {
			if !first {
				out.WriteByte(list[from-1]) // the separator as it was
			}
			first = false
			out.WriteString(item)
		}
		from = to + 1
	}
	return out.String()
}

func until(s, any string) int {
	if i := strings.IndexAny(s, any); i >= 0 {
		return i
	}
	return len(s)
}

// pruneOptions takes options out that name files which are not inside, in either
// form: "--require /x" and "--require=/x".
func (j *judge) pruneOptions(value string) string {
	var kept []string
	dropped := false
	for w := range splitOptions(value) {
		p, whole := pathIn(w)
		if p == "" || j.visible(p) {
			kept = append(kept, w)
			continue
		}
		dropped = true
		if n := len(kept); whole && n > 0 && strings.HasPrefix(kept[n-1], "-") && !strings.Contains(kept[n-1], "=") {
			kept = kept[:n-1] // the option whose argument it was
		}
	}
	if !dropped {
		return value
	}
	return strings.Join(kept, " ")
}

// splitOptions yields the words of a value, quotes and all. A space in double
// quotes, or behind a backslash there, is part of a word, as in NODE_OPTIONS.
func splitOptions(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		from, quoted := -1, false
		for i := 0; i <= len(s); i++ {
			space := i == len(s) || s[i] == ' ' && !quoted
			switch {
			case space && from >= 0:
				if !yield(s[from:i]) {
					return
				}
				from = -1
			case space:
			case from < 0:
				from = i
				quoted = s[i] == '"'
			case s[i] == '"':
				quoted = !quoted
			case s[i] == '\\' && quoted:
				i++
			}
		}
	}
}

// pathIn returns the absolute path that a word of options names, and whether the
// word is nothing else: /x, --require=/x, -I/x, -javaagent:/x=a, file:///x.
func pathIn(word string) (p string, whole bool) {
	word = strings.ReplaceAll(word, `"`, "")
	i := strings.IndexByte(word, '/')
	if i < 0 {
		return "", false
	}
	switch before := word[:i]; {
	case before == "", before == "file:":
		whole = true
	case strings.HasSuffix(before, "=file:"):
	case strings.HasSuffix(before, "="), strings.HasPrefix(before, "-") && (len(before) == 2 || strings.HasSuffix(before, ":")):
	default:
		return "", false // a relative path, or none
	}
	p = word[i:]
	if strings.HasPrefix(p, "//") {
		if !strings.HasSuffix(word[:i], "file:") {
			return "", false // some other URL
		}
		p = p[2:]
	}
	if strings.HasPrefix(word, "-") {
		p = p[:until(p, "=,:")]
	}
	return p, whole
}
