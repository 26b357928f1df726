// Package lost finds what a command wrote to its home, which is in memory and gone
// with the command: npm install -g, pip install --user, cargo install and their like
// say that all went well, and then nothing is there.
//
// It looks at names and sizes and never opens a file: what lies there was written by
// the command, which may be hostile. Everything is bounded, in depth and in number.
// Tools drop settings and histories in a home at every run; of these nothing is
// said.
//
// Start reading at Look.
package lost
