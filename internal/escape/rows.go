package escape

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed rows
var files embed.FS

// A Row is one way out.
type Row struct {
	ID     string // "F1"; "F1-x" is another way to the same
	Title  string
	Open   []string // where it is open by design: columns of jail, "all", "root"
	Why    string   // it is open, or is proven elsewhere
	Proven string   // the file that proves it where this cannot
	Tried  bool     // there is an attack
	TTY    bool     // everything runs at a terminal
	Refuse bool     // a sandbox that does not start has held
	Wait   time.Duration
	script string
}

// Rows are all of them, in the order of the catalogue.
func Rows() ([]Row, error) {
	names, err := fs.Glob(files, "rows/*.sh")
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, name := range names {
		if path.Base(name) == "lib.sh" {
			continue
		}
		r, err := parse(name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		rows = append(rows, r)
	}
	slices.SortFunc(rows, compare)
	return rows, nil
}

// Script is what a shell reads before it calls one of the row's functions.
func (r Row) Script() (string, error) {
	lib, err := files.ReadFile("rows/lib.sh")
	return string(lib) + r.script, err
}

// defaultWait bounds one run of one row.
const defaultWait = 20 * time.Second

// parse reads the head of a row: lines of comment in the form "# word: text".
func parse(name string) (Row, error) {
	b, err := files.ReadFile(name)
	if err != nil {
		return Row{}, err
	}
	r := Row{ID: strings.TrimSuffix(path.Base(name), ".sh"), Wait: defaultWait, script: string(b)}
	for line := range strings.Lines(r.script) {
		text, comment := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !comment {
			break
		}
		if err := r.head(text); err != nil {
			return Row{}, err
		}
	}
	r.Tried = strings.Contains(r.script, "\nattack()") || r.canary()
	if r.Title == "" {
		return Row{}, fmt.Errorf("no title")
	}
	return r, nil
}

func (r *Row) head(text string) error {
	word, value, _ := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	switch word {
	case r.ID:
		r.Title = value
	case "open":
		r.Open = strings.Fields(value)
	case "why":
		r.Why = value
	case "proven":
		r.Proven = value
	case "terminal":
		r.TTY = true
	case "refuse":
		r.Refuse = true
	case "seconds":
		n, err := strconv.Atoi(value)
		if err != nil {
			return err
		}
		r.Wait = time.Duration(n) * time.Second
	default:
		return fmt.Errorf("unknown word %q in the head", word)
	}
	return nil
}

// opens reports whether the row is open by design in a column, for a user.
func (r Row) opens(column, user string) bool {
	return slices.Contains(r.Open, "all") || slices.Contains(r.Open, column) || user == "root" && slices.Contains(r.Open, "root")
}

// sections are the letters of the catalogue, in its order.
const sections = "TSPRFHIKNE"

func compare(a, b Row) int {
	la, na, va := key(a.ID)
	lb, nb, vb := key(b.ID)
	if la != lb {
		return la - lb
	}
	if na != nb {
		return na - nb
	}
	return strings.Compare(va, vb)
}

// key takes an ID apart. Canaries, which have no number, come first.
func key(id string) (section, number int, variant string) {
	head, variant, _ := strings.Cut(id, "-")
	number, err := strconv.Atoi(head[1:])
	if err != nil {
		return -1, 0, id
	}
	return strings.IndexByte(sections, head[0]), number, variant
}

// Attack is the script of a row's attack, which knows the given words.
func Attack(id string, words []string) (string, error) {
	r, err := parse("rows/" + id + ".sh")
	if err != nil {
		return "", err
	}
	script, err := r.Script()
	return assign(words) + script + "\nattack\n", err
}

// Began is what an attack says first.
func Began(id string) string { return "probe: row " + id + " begins" }
