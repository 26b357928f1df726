package launch

import (
	"slices"

	"jail/internal/sandbox/plan"
)

// Lower turns a plan into the program that the forked child walks. It asks the
// kernel nothing; the same plan gives the same program.
func Lower(p *plan.Plan) (*Program, error) { return lower(p, argArea{}, nil) }

// lower is Lower with two things that are no part of a plan: the launcher's own
// memory, to be wiped, and, where close_range is missing, its open descriptors.
//
// The order of the parts is the order of what they need: mounts need every
// privilege, limits none; privileges go before Landlock, which forbids mounts,
// and seccomp is last, because it forbids what the rest does.
func lower(p *plan.Plan, own argArea, open []int) (*Program, error) {
	pr := &Program{steps: make([]step, 0, 11*len(p.Mounts)+256)}
	lowerIdentity(pr, p.Owner)
	lowerWipe(pr, own.from, own.to)
	if slices.Contains(p.Namespaces, plan.NetworkNS) {
		lowerLoopback(pr)
	}
	if err := lowerMounts(pr, p.Mounts, p.Calls); err != nil {
		return nil, err
	}
	if err := lowerLimits(pr, p); err != nil {
		return nil, err
	}
	lowerDescriptors(pr, p.Keep, open)
	lowerPrivileges(pr)
	if p.Landlock != nil {
		if err := lowerLandlock(pr, p.Landlock); err != nil {
			return nil, err
		}
	}
	if p.Seccomp != nil {
		if err := lowerSeccomp(pr, p.Seccomp); err != nil {
			return nil, err
		}
	}
	return pr, nil
}
