package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Whatever the words are: what is left is the end of them as it was, a refusal names a
// command to type, and behind the command's name nothing is read.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"sh\n-c\ntrue", "--quiet\nsh", "--\n--help", "--ro\n/x\n--\n-x", "--timeout=5\nsh", "--timeout\n1e9d", "--mode", "--mode=\nx", "-h", "-\nx", "--=x",
		"--ro=a=b\nsh", "--gpu\non\n--gpu=off\nls", "", "\n", "--no-net=1", "--json\nx", "--explain\n\nx", "--\u00e9", "--mask\n--\n--\n--", "--chdir=--project=x\n--project\n--chdir\nx",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		o, err := split(words)
		if err != nil {
			var usage *usageError
			if !errors.As(err, &usage) || usage.hint == "" || usage.cause == "" {
				t.Fatalf("%q: %v", words, err)
			}
			return
		}
		rest := words[len(words)-len(o.args):]
		if !slices.Equal(o.args, rest) {
			t.Fatalf("%q left %q", words, o.args)
		}
		if n := len(o.args); n > 0 && &o.args[0] != &words[len(words)-n] {
			t.Fatalf("%q: the arguments were copied", words)
		}
		// As they are handed on the options mean the same, and nothing behind them does.
		again, err := split(slices.Concat(o.own, []string{"--"}, words))
		if err != nil || !slices.Equal(again.args, words) || !slices.Equal(again.own, o.own) {
			t.Fatalf("behind %q: %q became %q, %v", o.own, words, again.args, err)
		}
	})
}
