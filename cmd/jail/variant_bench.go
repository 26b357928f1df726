//go:build jail_bench

package main

import "jail/internal/sandbox/plan"

// variant leaves out the wall that a benchmark measures the cost of.
func (c *caller) variant(p *plan.Plan) *plan.Plan {
	v := *p
	switch c.get("JAIL_BENCH_WITHOUT") {
	case "landlock":
		v.Landlock = nil
	case "seccomp":
		v.Seccomp = nil
	}
	return &v
}
