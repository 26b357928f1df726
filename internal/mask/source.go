package mask

import "strings"

// A family is a set of languages whose files stay open in a source package.
type family uint8

const (
	python family = 1 << iota
	javascript
	rust
	golang
)

// makesPackage returns the language in which a file of this name makes the
// directory around it a source package, or 0.
func makesPackage(name string) family {
	switch name {
	case "__init__.py":
		return python
	case "index.js", "index.ts":
		return javascript
	case "mod.rs":
		return rust
	}
	if strings.HasSuffix(name, ".go") {
		return golang
	}
	return 0
}

// has reports whether a file of this name is a source of one of the languages.
func (f family) has(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || f == 0 {
		return false
	}
	return f&languageOf(name[i:]) != 0
}

func languageOf(suffix string) family {
	switch suffix {
	case ".py", ".pyi", ".pyx", ".pxd", ".pyc": // .pyc is made of the source next to it
		return python
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx":
		return javascript
	case ".rs":
		return rust
	case ".go", ".s", ".c", ".h":
		return golang
	}
	return 0
}
