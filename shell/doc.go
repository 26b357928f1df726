// Package shell holds the hooks: the code that jail-hook prints for a shell to
// evaluate. They are real files of their shells, checked by the shells' own tools
// as they ship, and embedded here.
//
// What varies from user to user (paths, mostly) is put before a file's text, as
// assignments of single-quoted words; nothing is ever pasted into the text.
//
// Start reading at bash/jail.bash, then Init.
package shell
