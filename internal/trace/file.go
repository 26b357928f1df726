package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
)

// Bounds of a file of findings, which may lie in a project.
const (
	maxFile  = 1 << 20
	maxLines = 1000
)

// A stored finding has no line of configuration: whoever reads the file works it out
// again, and does not take a project's word for it.
type stored struct {
	Kind string `json:"kind"`
	What string `json:"what"`
}

// WriteFile writes findings, one JSON object a line.
func WriteFile(w io.Writer, found []Finding) error {
	enc := json.NewEncoder(w)
	for _, f := range found {
		if err := enc.Encode(stored{f.Kind, f.What}); err != nil {
			return err
		}
	}
	return nil
}

// ReadFile reads what WriteFile wrote, without the lines.
func ReadFile(r io.Reader) ([]Finding, error) {
	scan := bufio.NewScanner(io.LimitReader(r, maxFile))
	scan.Buffer(nil, 64<<10)
	var found []Finding
	for scan.Scan() {
		var s stored
		if err := json.Unmarshal(scan.Bytes(), &s); err != nil || rank(s.Kind) < 0 || s.What == "" || len(s.What) > maxLength {
			return nil, errors.New("this is no file of jail --trace-to")
		}
		if found = append(found, Finding{Kind: s.Kind, What: s.What}); len(found) > maxLines {
			return nil, errors.New("too many lines")
		}
	}
	return found, scan.Err()
}

// Rejudge works the lines of findings out again, for a command that would get
// nothing: what a file says is believed as far as that somebody wanted it.
func Rejudge(found []Finding, v View) []Finding {
	var events []Event
	var hidden []Finding
	v.Dropped = nil
	for _, f := range found {
		switch f.Kind {
		case "secret":
			hidden = append(hidden, Finding{Kind: f.Kind, What: f.What})
		case "masked", "denied":
			if within(f.What, v.Root) && f.What != v.Root && filepath.Clean(f.What) == f.What {
				hidden = append(hidden, v.hidden(f.What, f.Kind == "denied"))
			}
		case "variable":
			if isVariable(f.What) {
				v.Dropped = append(v.Dropped, f.What)
			}
		case "socket":
			events = append(events, Event{Socket, f.What})
		case "host":
			events = append(events, Event{Host, f.What})
		case "name":
			events = append(events, Event{Lookup, f.What})
		case "write":
			events = append(events, Event{Write, f.What})
		default:
			events = append(events, Event{Path, f.What})
		}
	}
	out, _ := Report(events, v)
	return append(hidden, out...)
}

func isVariable(name string) bool {
	for i, c := range []byte(name) {
		if !(c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return name != ""
}
