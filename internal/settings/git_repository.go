package settings

import (
	"bytes"
	"errors"
	"strings"
)

// StripRepository returns a repository's own configuration without the credentials in
// it: user info in addresses, headers that log in, passwords. The rest stays whole,
// unlike that of the user's settings, since git does not work without it. Left names
// what was taken out; where there is nothing to take out, data is nil.
func StripRepository(content []byte) (data []byte, left []string, err error) {
	// Every branch has lines in it, so it may be larger than other settings.
	if bytes.IndexByte(content, 0) >= 0 {
		return nil, nil, errors.New("not text")
	}
	text := string(content)
	all, err := parseGit(text)
	if err != nil {
		return nil, nil, err
	}
	s := stripper{judge: judge{passes: func(string) bool { return false }}}
	kept := make([]gitKey, 0, len(all))
	for _, k := range all {
		if s.repositoryKey(&k) {
			kept = append(kept, k)
		}
	}
	if len(s.left) == 0 && !anyLine(text, commentHolds) {
		return nil, nil, nil
	}
	return writeGit(kept), sorted(s.left), nil
}

// repositoryKey takes user info out of one key, and reports whether the rest may stay.
func (s *stripper) repositoryKey(k *gitKey) bool {
	name := k.section + "." + k.key
	if name == "user.signingkey" {
		return true // the name of a key, or a public one
	}
	if k.key == "extraheader" || secretName(k.key) {
		s.leave(name)
		return false
	}
	for _, part := range [...]*string{&k.sub, &k.value} {
		without := s.withoutUser(*part)
		if without != *part {
			s.leave(name + " (" + lostUser + ")")
		}
		if *part = without; !isHarmless(without) {
			s.leave(name)
			return false
		}
	}
	return true
}

// withoutUser takes what logs in out of a URL. What is no URL stays as it is.
func (s *stripper) withoutUser(v string) string {
	scheme, rest, found := strings.Cut(v, "://")
	if !found || !isScheme(scheme) {
		return v
	}
	user, host, tail := cutAuthority(rest)
	if user == "" || s.mayStay(scheme, user) {
		return v
	}
	return scheme + "://" + host + tail
}
