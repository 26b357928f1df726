// Package mask finds what a project must not show: the paths that patterns
// hide, the ones that its own contents acquit, and the ones that stay as they
// are but must not be written.
//
// One walk answers for all patterns. It follows no link, opens no file whose
// content does not matter, and changes nothing. What it returns is plain data
// with device and inode numbers, because a path may lead elsewhere by the time
// somebody mounts over it.
//
// Start reading at Walk, then ruleset, then worker.read.
package mask
