package launch_test

import (
	"slices"
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

// Without one of these the steps of the set-up would be taken on the host.
func TestRunNeedsNamespaces(t *testing.T) {
	for _, n := range []plan.Namespace{plan.UserNS, plan.MountNS, plan.PidNS} {
		p, err := plan.Build(input(t, "/bin/true"))
		if err != nil {
			t.Fatal(err)
		}
		p.Namespaces = slices.DeleteFunc(p.Namespaces, func(have plan.Namespace) bool { return have == n })
		if r, err := launch.Run(p); err == nil {
			t.Errorf("without %s: no error, but %+v", n, r)
		}
	}
}

// What is made in a directory is made on a file system of the jail's own.
func TestLowerMakesNothingOnTheHost(t *testing.T) {
	in := input(t, "/bin/true")
	for _, k := range []plan.Kind{plan.Link, plan.Dir} {
		p, err := plan.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		p.Mounts = append(p.Mounts, plan.Mount{Kind: k, Source: "/etc", Destination: in.Root.Path + "/zz", Type: plan.Directory, Perm: 0o755})
		if _, err := launch.Lower(p); err == nil {
			t.Errorf("%s in the project: no error", k)
		}
	}
}
