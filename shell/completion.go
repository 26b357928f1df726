package shell

import _ "embed"

//go:embed bash/completion.bash
var bashCompletion string

//go:embed fish/completion.fish
var fishCompletion string

//go:embed zsh/completion.zsh
var zshCompletion string

// Completion returns the code by which a shell completes both programs, and false
// for a shell without one. It names no option and no verb: it asks for them.
func Completion(name string) (code string, ok bool) {
	switch name {
	case "bash":
		return bashCompletion, true
	case "fish":
		return fishCompletion, true
	case "zsh":
		return zshCompletion, true
	}
	return "", false
}
