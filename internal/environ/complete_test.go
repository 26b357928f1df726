package environ

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every name that the code knows has a row in the table, with the verdict that it is
// known for: what never passes is dropped in both policies, and what is listed passes
// in both. So the table is the list of what the package decides, and a line of code
// that loses a name loses a test.
func TestEveryNameHasARow(t *testing.T) {
	for _, name := range names(t, "names.go", "handle") {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.name == name && r.normal == "-" }) {
			t.Errorf("%s never passes, and no row says so", name)
		}
	}
	for _, head := range names(t, "names.go", "handleFamily") {
		if !slices.ContainsFunc(rows, func(r row) bool {
			return strings.HasPrefix(strings.TrimLeft(r.name, "_"), strings.Trim(head, "_")) && r.normal == "-"
		}) {
			t.Errorf("no row is of the family %s", head)
		}
	}
	for _, name := range names(t, "names.go", "listed") {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.name == name && r.normal != "-" && r.listed != "-" }) {
			t.Errorf("%s is listed, and no row says so", name)
		}
	}
	for _, head := range names(t, "names.go", "listedFamily") {
		if !slices.ContainsFunc(rows, func(r row) bool {
			return strings.HasPrefix(r.name, head) && r.listed != "-" || strings.HasSuffix(r.name, head)
		}) {
			t.Errorf("no row is of the listed family %s", head)
		}
	}
	for _, name := range names(t, "names.go", "harmlessName") {
		if !slices.ContainsFunc(rows, func(r row) bool { return strings.Contains(r.name, name) && r.normal == "" }) {
			t.Errorf("%s only sounds like a secret, and no row says so", name)
		}
	}
	for _, name := range names(t, "prune.go", "prune") {
		if !slices.ContainsFunc(rows, func(r row) bool {
			return (r.name == name || strings.HasSuffix(name, "_") && strings.HasPrefix(r.name, name)) && r.normal != ""
		}) {
			t.Errorf("%s loses what is not inside, and no row says so", name)
		}
	}
	for _, list := range []string{"words", "parts"} {
		for _, word := range names(t, "secret/name.go", list) {
			if !slices.ContainsFunc(rows, func(r row) bool { return strings.Contains(strings.ToUpper(r.name), word) && r.normal == "-" }) {
				t.Errorf("no row has a name with %s in it", word)
			}
		}
	}
}

// names are the strings in a function or a variable of a file, reasons left out.
func names(t *testing.T, file, of string) (found []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	collect := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, _ := strconv.Unquote(lit.Value); text != "" && !strings.ContainsAny(text, " ") && text != "_" && text != "__" {
					found = append(found, text)
				}
			}
			return true
		})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == of {
				collect(d.Body)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == of {
					collect(v.Values[0])
				}
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s: nothing in %s", file, of)
	}
	return found
}
