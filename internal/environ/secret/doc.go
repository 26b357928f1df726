// Package secret tells from a name or from a value whether it is one to keep.
//
// It guesses, and errs towards keeping: a variable that is withheld by mistake
// costs one line of configuration, one that passes by mistake costs a key. What
// it answers is in words and quotes nothing of the value.
//
// It is pure, uses no regular expression, and allocates only for names and
// values that are not plain ASCII: it runs at every launch, over every variable.
package secret
