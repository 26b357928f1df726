// Package man_test ties the manual to the code, both ways: an option, a verb or a
// key that only one of the two knows is an error.
package man_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jail/internal/needed"
	"jail/internal/version"
)

func TestLaunchersOptionsAreInItsPage(t *testing.T) {
	code := rows(t, "../cmd/jail/commandline.go", "flags")
	same(t, code, entries(t, "jail.1", `^\.It Fl -([a-z-]+)`))
}

// An entry that stands twice is read once, and only one of the two is kept up to date.
func TestEntriesStandOnce(t *testing.T) {
	for page, pattern := range map[string]string{
		"jail.1": `^\.It (Fl -[a-z-]+)`, "jail-hook.1": `^\.It (Fl -[a-z-]+)`, "jail-config.5": `^\.It (Cm [a-z_]+) =`,
	} {
		seen := map[string]bool{}
		for _, entry := range entries(t, page, pattern) {
			if seen[entry] {
				t.Errorf("%s has two entries %q", page, entry)
			}
			seen[entry] = true
		}
	}
}

func TestVerbsAndTheirOptionsAreInTheHooksPage(t *testing.T) {
	var verbs, options []string
	for _, file := range sources(t, "../cmd/jail-hook") {
		v, o := commands(t, file)
		verbs, options = append(verbs, v...), append(options, o...)
	}
	same(t, verbs, entries(t, "jail-hook.1", `^\.It Cm ([a-z-]+)`))
	// The library adds these two.
	same(t, append(options, "help", "version"), entries(t, "jail-hook.1", `^\.It Fl -([a-z-]+)`))
}

func TestKeysAreInTheConfigurationsPage(t *testing.T) {
	code := rows(t, "../internal/config/keys.go", "keys")
	same(t, code, entries(t, "jail-config.5", `^\.It Cm ([a-z_]+) =`))
}

// Each field of the object that --dry-run --json prints, by its path.
func TestFieldsOfTheDryRunAreInTheLaunchersPage(t *testing.T) {
	types := map[string]*ast.StructType{}
	ast.Inspect(parse(t, "../internal/sandbox/plan/json.go"), func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if s, ok := spec.Type.(*ast.StructType); ok {
				types[spec.Name.Name] = s
			}
		}
		return true
	})
	var page []string
	for _, line := range entries(t, "jail.1", `^\.It Ic (.*)`) {
		page = append(page, strings.Split(line, " , ")...)
	}
	same(t, fields(types, "jsonPlan", ""), page)
}

// fields lists the names that a struct has in JSON, those of structs in it behind
// a dot.
func fields(types map[string]*ast.StructType, name, above string) (found []string) {
	for _, f := range types[name].Fields.List {
		tag, _ := strconv.Unquote(f.Tag.Value)
		field, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		inner := ""
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && types[id.Name] != nil {
				inner = id.Name
			}
			return true
		})
		if inner == "" {
			found = append(found, above+field)
			continue
		}
		found = append(found, fields(types, inner, above+field+".")...)
	}
	return found
}

func TestShimmedNamesAreInTheHooksPage(t *testing.T) {
	text := flat(read(t, "jail-hook.1"))
	for _, name := range literals(declaration(t, "../internal/shim/names.go", "Names")) {
		if !regexp.MustCompile(`[ ,]` + regexp.QuoteMeta(name) + `[,. ]`).MatchString(text) {
			t.Errorf("jail-hook.1 does not name %q, which is shimmed", name)
		}
	}
}

func TestPatternsThatAreBuiltInAreInTheConfigurationsPage(t *testing.T) {
	text := flat(read(t, "jail-config.5"))
	for _, call := range calls(declaration(t, "../internal/mask/builtin.go", "Builtin"), "add") {
		for _, pattern := range literals(call)[1:] { // the first is the reason
			if !strings.Contains(text, " "+pattern+" ") {
				t.Errorf("jail-config.5 does not name the pattern %q, which is built in", pattern)
			}
		}
	}
}

// What the pages and the rest of the documentation show as a command line must
// be one.
func TestDocumentedCommandLinesExist(t *testing.T) {
	known := rows(t, "../cmd/jail/commandline.go", "flags")
	pages := slices.Concat(glob(t, "../*.md"), glob(t, "../docs/*.md"), glob(t, "../docs/adr/*.md"), glob(t, "*.[15]"))
	used := regexp.MustCompile("(?:^|[`$ \"(])jail((?: --[a-z-]+)+)")
	seen := 0
	for _, page := range pages {
		for _, m := range used.FindAllStringSubmatch(read(t, page), -1) {
			for _, option := range strings.Fields(m[1]) {
				seen++
				if !slices.Contains(known, option[2:]) {
					t.Errorf("%s shows jail %s, which is no option", page, option)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no command line was found in the documentation")
	}
}

func TestNewestReleaseInTheChangelogIsThisOne(t *testing.T) {
	m := regexp.MustCompile(`(?m)^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$`).FindStringSubmatch(read(t, "../CHANGELOG.md"))
	if m == nil {
		t.Fatal("CHANGELOG.md has no release")
	}
	if m[1] != version.String() {
		t.Errorf("the newest release in CHANGELOG.md is %s, and this is %s", m[1], version.String())
	}
}

func TestPagesAreClean(t *testing.T) {
	mandoc := needed.Program(t, "mandoc")
	for _, page := range glob(t, "*.[15]") {
		out, _ := exec.Command(mandoc, "-T", "lint", page).Output()
		for line := range strings.Lines(string(out)) {
			// It looks for the pages referred to on this machine.
			if !strings.Contains(line, "referenced manual not found") {
				t.Error(strings.TrimSpace(line))
			}
		}
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	for _, page := range slices.Concat(glob(t, "../*.md"), glob(t, "../docs/*.md"), glob(t, "../docs/adr/*.md")) {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// rows returns the first string of each row of the table called name: a variable,
// or what the function of that name returns.
func rows(t *testing.T, file, name string) (found []string) {
	t.Helper()
	ast.Inspect(declaration(t, file, name), func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range table.Elts {
			if row, ok := e.(*ast.CompositeLit); ok {
				found = append(found, literals(row)[0])
			}
		}
		return false
	})
	if len(found) == 0 {
		t.Fatalf("%s: the table %s is empty", file, name)
	}
	return found
}

// commands returns the names of the commands that a file defines, and those of
// their options.
func commands(t *testing.T, file string) (verbs, options []string) {
	ast.Inspect(parse(t, file), func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		switch typ, _ := lit.Type.(*ast.SelectorExpr); {
		case typ == nil && field(lit, "Usage") != "":
			verbs = append(verbs, field(lit, "Name"))
		case typ != nil && strings.HasSuffix(typ.Sel.Name, "Flag"):
			options = append(options, field(lit, "Name"))
		}
		return true
	})
	return verbs, options
}

func field(lit *ast.CompositeLit, name string) string {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
			return strings.Join(literals(kv.Value), "")
		}
	}
	return ""
}

func literals(n ast.Node) (found []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

func calls(n ast.Node, name string) (found []*ast.CallExpr) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == name {
				found = append(found, call)
			}
		}
		return true
	})
	return found
}

// declaration finds a function or a variable of a file.
func declaration(t *testing.T, file, name string) (found ast.Node) {
	t.Helper()
	for _, d := range parse(t, file).Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == name {
				return d.Body
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == name {
					return v.Values[0]
				}
			}
		}
	}
	t.Fatalf("%s: %s is not declared", file, name)
	return nil
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func sources(t *testing.T, dir string) []string {
	return slices.DeleteFunc(glob(t, dir+"/*.go"), func(f string) bool { return strings.HasSuffix(f, "_test.go") })
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files (%v)", pattern, err)
	}
	return files
}

// entries are the first groups of what pattern matches in a page, a line each.
func entries(t *testing.T, page, pattern string) (found []string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?m)"+pattern).FindAllStringSubmatch(read(t, page), -1) {
		found = append(found, m[1])
	}
	return found
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// flat is a page with its macros and line breaks as blanks.
func flat(page string) string {
	return regexp.MustCompile(`\n(\.[A-Z][a-z] )?`).ReplaceAllString(page, " ")
}

func same(t *testing.T, code, page []string) {
	t.Helper()
	code, page = unique(code), unique(page)
	for _, c := range code {
		if !slices.Contains(page, c) {
			t.Errorf("the page does not have %q", c)
		}
	}
	for _, p := range page {
		if !slices.Contains(code, p) {
			t.Errorf("the page has %q, which the code does not know", p)
		}
	}
	if len(code) == 0 {
		t.Error("nothing was found in the code")
	}
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
