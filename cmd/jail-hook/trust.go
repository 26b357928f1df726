package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sys/unix"

	"jail/internal/config"
	"jail/internal/environ/secret"
	"jail/internal/mask"
	"jail/internal/roots"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
	"jail/internal/trust"
)

// trust shows in words what a project's configuration would loosen, and keeps the
// user's consent to exactly these bytes.
func (u *user) trust(c *cli.Context) error {
	list, err := words(c, 0, 1)
	if err != nil {
		return err
	}
	s, err := u.subject(list)
	if err != nil {
		return err
	}
	if err := s.print(u.stdout); err != nil {
		return err
	}
	if c.Bool("show") {
		return nil
	}
	if err := u.consent(s, c.String("yes-hash")); err != nil {
		return err
	}
	if err := s.store.Allow(s.dir, s.files); err != nil {
		return err
	}
	_ = roots.Add(u.data(), s.dir) // as the first jailed command would
	fmt.Fprintf(u.stdout, "trusted, until it changes: %s\n", oneLine(s.file.Path))
	return u.follow(s.dir)
}

// untrust ends consent.
func (u *user) untrust(c *cli.Context) error {
	list, err := words(c, 0, 1)
	if err != nil {
		return err
	}
	dir, err := u.marked(list)
	if err != nil {
		return err
	}
	had, err := u.consents().Revoke(dir)
	if err != nil {
		return err
	}
	if !had {
		fmt.Fprintf(u.stdout, "was not trusted: %s\n", oneLine(dir))
		return nil
	}
	fmt.Fprintf(u.stdout, "not trusted any more: %s\n", oneLine(dir))
	return u.follow(dir)
}

// A subject is a configuration that consent is about.
type subject struct {
	dir   string // that holds .ai-jail
	file  *config.File
	files []trust.File
	sum   string
	asks  []config.Ask
	store trust.Store
}

func (u *user) consents() trust.Store {
	return trust.Store{Dir: filepath.Join(u.data(), "trust")}
}

// marked is the directory that a verb is about: the one that was named, or the
// root of the working directory.
func (u *user) marked(list []string) (string, error) {
	if shim.InsideJail() {
		return "", jailed("where nobody can consent to anything")
	}
	if len(list) == 1 {
		dir, err := filepath.Abs(list[0])
		if err == nil {
			dir, err = filepath.EvalSymlinks(dir)
		}
		return dir, err
	}
	project, found, err := u.project()
	switch {
	case err != nil:
		return "", err
	case !found:
		return "", &hintedError{"no .ai-jail at or above the working directory", "jail-hook new"}
	}
	if err := u.unsafe(u.data()); err != nil {
		return "", err
	}
	if !project.Root.Marker {
		return "", &hintedError{
			fmt.Sprintf("%q has no configuration: %s", project.Root.Path, project.Root.Why),
			"cd " + plan.Word(project.Root.Path) + " && jail-hook new",
		}
	}
	return project.Markers[len(project.Markers)-1].Dir, nil
}

func (u *user) subject(list []string) (*subject, error) {
	dir, err := u.marked(list)
	if err != nil {
		return nil, err
	}
	f, err := config.ReadProject(dir, u.uid)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, &hintedError{fmt.Sprintf("%q has no configuration", filepath.Join(dir, ".ai-jail")), "jail-hook new"}
	}
	s := &subject{dir: dir, file: f, store: u.consents(), files: []trust.File{{Name: f.Name, Data: f.Data}}}
	if s.asks, err = config.Asks(u.configInput(), dir, f); err != nil {
		return nil, err
	}
	s.sum, err = trust.Sum(dir, s.files)
	return s, err
}

func (u *user) configInput() config.Input {
	return config.Input{
		Homes: u.homes, Cwd: u.physical, UID: u.uid, CheckPattern: mask.Check,
		LooksSecret: func(name string) bool { _, found := secret.Name(name); return found },
	}
}

// print says what consent would mean, what changed since the last one, and the
// sum by which a script can consent.
func (s *subject) print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n", oneLine(s.file.Path))
	if len(s.asks) == 0 {
		fmt.Fprintln(w, "  asks for nothing that needs trust")
	}
	for _, a := range s.asks {
		fmt.Fprintf(w, "  asks for: %s\n", oneLine(a.String()))
	}
	changes, known, err := s.store.Diff(s.dir, s.files)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !known {
			break // all of it is new, and it lies there to be read
		}
		fmt.Fprintf(w, "  changed since it was trusted: %s\n", oneLine(c.Name))
		for _, l := range c.Lines {
			fmt.Fprintf(w, "    %c %s\n", l.Op, oneLine(strings.TrimSuffix(l.Text, "\n")))
		}
	}
	fmt.Fprintf(w, "  sha256 %s\n", s.sum)
	return nil
}

// consent asks a person, or believes a script that knows the very bytes.
func (u *user) consent(s *subject, hash string) error {
	if hash != "" {
		if !strings.EqualFold(hash, s.sum) {
			return &hintedError{"the configuration is not the one with that sum", "jail-hook trust --show"}
		}
		return nil
	}
	err := u.ask("Trust this?", "jail-hook trust --show")
	if err == errDeclined {
		return errors.New("not trusted; it stays jailed as if the loosening lines were not there")
	}
	return err
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
