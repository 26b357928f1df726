package trust

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
)

// A File is one file that was read from a project's .ai-jail/.
type File struct {
	Name string // below .ai-jail
	Data []byte
}

// magic begins every encoding, so that its sum is never that of anything else.
const magic = "jail trust 1\n"

// Sum is what consent is given to, as 64 hexadecimal digits. root is canonical:
// absolute, clean, and without links.
func Sum(root string, files []File) (string, error) {
	text, err := encode(root, files)
	if err != nil {
		return "", err
	}
	return sum(text), nil
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

// encode writes root and files such that no two different inputs give the same
// bytes: every string follows its length. The order of files does not matter.
func encode(root string, files []File) ([]byte, error) {
	if err := check(root, files); err != nil {
		return nil, err
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	out := []byte(magic)
	out = appendString(out, []byte(root))
	for _, f := range files {
		out = appendString(out, []byte(f.Name))
		out = appendString(out, f.Data)
	}
	return out, nil
}

func check(root string, files []File) error {
	if !filepath.IsAbs(root) || filepath.Clean(root) != root {
		return fmt.Errorf("%q is not a canonical path", root)
	}
	names := map[string]bool{}
	for _, f := range files {
		if f.Name == "" || names[f.Name] {
			return fmt.Errorf("two files named %q, or one without a name", f.Name)
		}
		names[f.Name] = true
	}
	return nil
}

func appendString(out, s []byte) []byte {
	out = strconv.AppendInt(out, int64(len(s)), 10)
	out = append(out, ' ')
	out = append(out, s...)
	return append(out, '\n')
}

var errDamaged = errors.New("it is damaged")

// decode is encode backwards, and takes nothing that encode would not have
// written.
func decode(text []byte) (root string, files []File, err error) {
	rest, ok := bytes.CutPrefix(text, []byte(magic))
	var all [][]byte
	for ok && len(rest) > 0 {
		var s []byte
		if s, rest, ok = cutString(rest); ok {
			all = append(all, s)
		}
	}
	if !ok || len(all)%2 != 1 {
		return "", nil, errDamaged
	}
	root = string(all[0])
	for i := 1; i < len(all); i += 2 {
		files = append(files, File{string(all[i]), all[i+1]})
	}
	if again, err := encode(root, files); err != nil || !bytes.Equal(again, text) {
		return "", nil, errDamaged
	}
	return root, files, nil
}

func cutString(text []byte) (s, rest []byte, ok bool) {
	digits, rest, ok := bytes.Cut(text, []byte(" "))
	n, err := strconv.Atoi(string(digits))
	if !ok || err != nil || n < 0 || n >= len(rest) || rest[n] != '\n' {
		return nil, nil, false
	}
	return rest[:n], rest[n+1:], true
}
