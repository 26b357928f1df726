package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sys/unix"

	"jail/internal/config"
	"jail/internal/detect"
	"jail/internal/mask"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// importOther makes lines of the user's own file of another tool's ~/.ai-jail. The
// tool's file stays as it is: the tool may still be in use.
func (u *user) importOther(c *cli.Context) error {
	if _, err := words(c, 0, 0); err != nil {
		return err
	}
	if shim.InsideJail() {
		return jailed("where nobody can consent to anything")
	}
	if u.home == "" {
		return errors.New("no home directory is known")
	}
	file := filepath.Join(u.home, ".ai-jail")
	found, err := config.Import(config.Input{OtherFile: file, Homes: u.homes, UID: u.uid, CheckPattern: mask.Check})
	switch {
	case err != nil:
		return err
	case found == nil:
		return fmt.Errorf("there is no file %q", file)
	}
	u.showImport(found)
	if c.Bool("show") {
		return nil
	}
	if found.Empty() {
		return fmt.Errorf("nothing in %q means anything here", file)
	}
	return u.keepImport(found)
}

// showImport prints the lines, and what was left out as comments, so that the
// whole of it is a file that could be used.
func (u *user) showImport(found *config.Imported) {
	fmt.Fprint(u.stdout, found.Text())
	for _, left := range found.Left {
		fmt.Fprintf(u.stdout, "# not taken: %s\n", oneLine(left))
	}
}

func (u *user) keepImport(found *config.Imported) error {
	file := u.configFile()
	existing, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read your configuration: %w", err)
	}
	text, clashes, err := found.Into(existing)
	if err != nil {
		return fmt.Errorf("read your configuration %q: %w", file, err)
	}
	if len(clashes) > 0 {
		return &hintedError{
			fmt.Sprintf("%q has these already: %s", file, strings.Join(clashes, ", ")),
			"jail-hook import --show >>" + plan.Word(file) + " # and edit it",
		}
	}
	if err := u.ask(fmt.Sprintf("Add these lines to %q?", file), "jail-hook import --show"); err != nil {
		return err
	}
	if err := u.replaceConfig(file, text); err != nil {
		return err
	}
	fmt.Fprintf(u.stdout, "written: %s\n", oneLine(file))
	return nil
}

// replaceConfig puts text into the user's file at once, if it is a configuration.
func (u *user) replaceConfig(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("make the directory of the configuration: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".config.toml-")
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	in := u.configInput()
	in.UserFile = f.Name()
	if _, err := config.Load(in); err != nil {
		return err
	}
	if s, err := detect.Stat(file); err == nil && s.Perm != 0 {
		_ = unix.Chmod(f.Name(), s.Perm)
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}

// ask asks a person, and takes nothing but a yes for one.
func (u *user) ask(question, otherwise string) error {
	if !isTerminal(u.stdin) || !isTerminal(u.stderr) {
		return &hintedError{"there is nobody to ask: this is not a terminal", otherwise}
	}
	fmt.Fprint(u.stderr, oneLine(question)+" [y/N] ")
	answer, err := bufio.NewReader(u.stdin).ReadString('\n')
	if err != nil && err != io.EOF {
		return fmt.Errorf("read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errDeclined
}

// errDeclined is an answer other than yes.
var errDeclined = errors.New("not done")
