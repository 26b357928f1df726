package settings

import "strings"

// goEnv writes the lines NAME=value that stay. The value is all that follows, without
// quotes, and a line whose first letter is no capital is none to go.
func (s *stripper) goEnv(content string) []byte {
	var out []byte
	for line := range strings.SplitSeq(content, "\n") {
		name, value, found := strings.Cut(line, "=")
		if !found || name == "" || !isCapital(name[0]) {
			continue
		}
		row := find(s.tool.rows, []string{name}, false)
		value, ok := s.value(row, shown(s.tool.rows, name), strings.TrimSuffix(value, "\r"))
		if ok {
			out = append(out, name+"="+value+"\n"...)
		}
	}
	return out
}

// choices is address for several that are tried one after the other, between commas
// or bars.
func (j *judge) choices(v string) (out, lost string, ok bool) {
	for rest := v; ; {
		end := until(rest, ",|")
		one, part, ok := j.address(rest[:end])
		if !ok {
			return "", "", false
		}
		if part != "" {
			lost = part
		}
		if out += one; end == len(rest) {
			return out, lost, isHarmless(out)
		}
		out, rest = out+rest[end:end+1], rest[end+1:]
	}
}
