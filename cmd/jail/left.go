package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"jail/internal/later"
	"jail/internal/sandbox/plan"
)

// left says what the command left that this machine may run later. What was renamed
// is said even where nobody wants notices: somebody will look for it.
func (c *caller) left(o options, r later.Result) {
	if c.quiet {
		return
	}
	for _, h := range r.Held {
		say(c.stderr, fmt.Sprintf("%s is now %s: git would run %s at the next prompt", plan.Quote(h.Path), plan.Quote(filepath.Base(h.Now)), h.Why),
			"mv "+plan.Word(h.Now)+" "+plan.Word(h.Path))
	}
	if o.quiet || len(r.Changed) == 0 {
		return
	}
	const most = 8
	var changed []string
	for _, what := range r.Changed[:min(len(r.Changed), most)] {
		changed = append(changed, what.String())
	}
	if more := len(r.Changed) - most; more > 0 {
		changed = append(changed, fmt.Sprintf("and %d more", more))
	}
	say(c.stderr, "this machine may run later what the command changed: "+strings.Join(changed, ", "), "less "+plan.Word(r.Changed[0].Path))
}
