package detect

import (
	"bytes"
	"strings"

	"golang.org/x/sys/unix"
)

// A shebang is the first line of a script: what the kernel starts, and where that
// is env(1), the name that env then looks for on PATH. Wraps is what a short script
// for a shell starts in its own place.
type shebang struct {
	Interpreter, Name string
	Wraps             []string // absolute paths
}

// The kernel reads no more of a script than this (BINPRM_BUF_SIZE).
const shebangMax = 256

// readShebang returns the first line of the script at path; false for a program
// that is no script.
func readShebang(dirfd int, path string) (shebang, bool) {
	var buf [2 * shebangMax]byte
	n, err := readStart(dirfd, path, buf[:])
	if err != nil {
		return shebang{}, false
	}
	return parseShebang(buf[:n])
}

// readStart reads the first bytes of a file. It never waits: a named pipe reads
// as empty.
func readStart(dirfd int, path string, buf []byte) (int, error) {
	fd, err := unix.Openat(dirfd, path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	n, err := unix.Read(fd, buf)
	return max(n, 0), err
}

// parseShebang reads "#!" lines as execve(2) does: one interpreter, and all that
// follows it is one argument.
func parseShebang(text []byte) (shebang, bool) {
	rest, ok := bytes.CutPrefix(text, []byte("#!"))
	if !ok {
		return shebang{}, false
	}
	line, body, ended := bytes.Cut(rest, []byte{'\n'})
	if len(line) > shebangMax-2 {
		line = line[:shebangMax-2]
	}
	interp, arg, _ := strings.Cut(strings.Trim(string(line), " \t\r"), " ")
	interp, more, _ := strings.Cut(interp, "\t")
	if arg = strings.Trim(more+" "+arg, " \t"); interp == "" {
		return shebang{}, false
	}
	script := shebang{Interpreter: interp}
	switch interp[strings.LastIndexByte(interp, '/')+1:] {
	case "env":
		script.Name = envProgram(arg)
	case "sh":
		if real := execLine(body); ended && real != "" {
			script.Interpreter = real
			return script, true
		}
	}
	if isShell(interp) || isShell(script.Name) {
		script.Wraps = wraps(body)
	}
	return script, true
}

// envProgram is the program that env(1) would start for arg. Without -S the
// kernel hands over all of arg as one word, and that is the name.
func envProgram(arg string) string {
	switch {
	case strings.HasPrefix(arg, "-S"):
		arg = arg[2:]
	case strings.HasPrefix(arg, "-vS"):
		arg = arg[3:]
	case strings.HasPrefix(arg, "--split-string="):
		arg = strings.TrimPrefix(arg, "--split-string=")
	default:
		if strings.HasPrefix(arg, "-") {
			return ""
		}
		return arg
	}
	words := strings.Fields(arg)
	for i := 0; i < len(words); i++ {
		word := strings.Trim(words[i], `"'`)
		switch {
		case word == "-u" || word == "-C":
			i++ // the word after it is a variable, a directory
		case strings.HasPrefix(word, "-") || strings.Contains(word, "="):
		default:
			return word
		}
	}
	return ""
}

// execLine is the real interpreter of a script whose own path was too long for a
// first line, as pip, pipx and uv write it:
//
//	#!/bin/sh
//	'''exec' '/a long path/bin/python' "$0" "$@"
func execLine(body []byte) string {
	line, _, _ := bytes.Cut(body, []byte{'\n'})
	rest, ok := strings.CutPrefix(string(line), "'''exec' ")
	if !ok || rest == "" {
		return ""
	}
	if rest[0] == '"' || rest[0] == '\'' {
		path, _, _ := strings.Cut(rest[1:], rest[:1])
		return path
	}
	path, _, _ := strings.Cut(rest, " ")
	return path
}

// isShell reports whether a program's path or name is a shell's.
func isShell(program string) bool {
	switch program[strings.LastIndexByte(program, '/')+1:] {
	case "sh", "bash", "dash", "zsh", "ksh":
		return true
	}
	return false
}

// wraps returns the absolute paths on the lines that begin with exec: such a
// script is a name for another program, as installers and people write it.
//
//	exec node /srv/pnpm/bin/pnpm.cjs "$@"
//
// A path with anything that a shell would expand in it is left out.
func wraps(body []byte) (paths []string) {
	for line := range bytes.Lines(body) {
		if line[len(line)-1] != '\n' && len(body) > shebangMax {
			break // cut off
		}
		rest, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("exec "))
		if !ok {
			continue
		}
		for word := range strings.FieldsSeq(string(rest)) {
			word = strings.Trim(word, `"'`)
			if len(word) > 1 && word[0] == '/' && !strings.ContainsAny(word, "$`*?[;&|<>\\\"'") {
				paths = append(paths, word)
			}
		}
	}
	return paths
}

// Interpreter is what the first line of the script at path names; false for a
// program that is no script.
func Interpreter(path string) (string, bool) {
	s, ok := readShebang(unix.AT_FDCWD, path)
	return s.Interpreter, ok
}
