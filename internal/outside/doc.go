// Package outside finds what a command names that lies outside of its project, and
// is not there inside: a dependency such as file:../lib, a file that a manifest
// extends, an argument.
//
// npm makes a link to such a dependency and says that all went well; whatever asks for
// it then fails, much later and for no visible reason. So this is said before the
// command where it can be known for sure, and after it where it failed.
//
// The files that are read here are the project's, which may be hostile. They choose
// nothing: what they name is not shown, and the caller must not offer to show what is
// a place of credentials.
//
// Start reading at Dependencies and Mentions.
package outside
