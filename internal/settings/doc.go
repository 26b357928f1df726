// Package settings makes stripped copies of what tools read from the home:
// ~/.npmrc, pip.conf, ~/.cargo/config.toml, ~/.gitconfig and the like. A copy is
// written from the parse. It has no comments, only keys of a list of harmless
// ones, and only values that pass a judge, so that registries, mirrors,
// identities and aliases keep working while tokens stay on the host.
//
// The lists are closed: what they do not name is left out, and so is a file that
// cannot be parsed. An address loses its user info, its query and the parts of
// its path that look drawn by lot, but stays: a private registry that vanished
// from the settings would send every request for its packages to the public one,
// where anybody may have taken their names.
//
// The package is pure: it opens nothing and reads no environment. Files that
// settings include come from a reader that the caller hands in. Whoever reads the
// files must refuse what is no regular file of the user's.
//
// Only the default places in the home are known. Where CARGO_HOME or
// XDG_CONFIG_HOME names another one, the tool finds no settings inside: a variable
// may come from a project, and must not choose what is shown.
//
// Start reading at Strip, then judge.value, then the tables in the files named
// keys_*.go.
package settings
