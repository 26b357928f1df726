package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"jail/internal/detect"
	"jail/internal/later"
	"jail/internal/sandbox/plan"
)

// left says what the command left that this machine may run later. What was renamed
// is said even where nobody wants notices: somebody will look for it.
func (c *caller) left(o options, p *plan.Plan, r later.Result) {
	if c.quiet {
		return
	}
	for _, h := range r.Held {
		say(c.stderr, fmt.Sprintf("%s is now %s: git would run %s at the next prompt", plan.Quote(h.Path), plan.Quote(filepath.Base(h.Now)), h.Why),
			"mv "+detect.Quote(h.Now)+" "+detect.Quote(h.Path))
	}
	if o.quiet || len(r.Changed) == 0 {
		return
	}
	const most = 8
	changed := r.Changed
	if more := len(changed) - most; more > 0 {
		changed = append(changed[:most:most], fmt.Sprintf("and %d more", more))
	}
	file, _, _ := strings.Cut(r.Changed[0], " (")
	say(c.stderr, "this machine may run later what the command changed: "+strings.Join(changed, ", "), "less "+detect.Quote(filepath.Join(p.Root.Path, file)))
}
