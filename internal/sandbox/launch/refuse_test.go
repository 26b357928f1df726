package launch_test

import (
	"testing"

	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"
)

// A dry run looks at stores that a run would make. Such a plan can be printed and
// not be run: it would show nothing where a cache should be.
func TestRunMissingStore(t *testing.T) {
	p, err := plan.Build(input(t, "/bin/true"))
	if err != nil {
		t.Fatal(err)
	}
	p.Mounts = append(p.Mounts, plan.Mount{Kind: plan.Bind, Source: "/nowhere/store", Destination: "/zz", Type: plan.Directory, Make: true})
	if _, err := launch.Lower(p); err != nil {
		t.Errorf("lower: %v", err)
	}
	if r, err := launch.Run(p); err == nil {
		t.Errorf("run: no error, but %+v", r)
	}
}
