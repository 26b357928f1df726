package detect

import "jail/internal/sandbox/plan"

// A kernelEntry is a name in /proc and what is wrong with it.
type kernelEntry struct {
	name   string
	hidden bool
	always bool // also where its mode keeps the caller out
}

// procTable lists what a fresh /proc shows beside the processes in it and must
// not: what container runtimes hide or make read-only, and what a root caller
// could still open for writing without a single capability (tried on Linux 6.18:
// most of these files ask for nothing but their owner, and root owns them).
func procTable() []kernelEntry {
	return []kernelEntry{
		{name: "acpi", hidden: true},
		{name: "bus"},                 // bus/pci: the configuration space of devices
		{name: "driver"},              // what drivers put there
		{name: "dynamic_debug"},       // control: what the kernel logs
		{name: "fs"},                  // settings of file systems
		{name: "irq"},                 // smp_affinity
		{name: "kcore", hidden: true}, // the memory of the kernel
		{name: "keys", hidden: true},
		{name: "kmsg", hidden: true},
		{name: "latency_stats", hidden: true},
		{name: "mtrr"},
		{name: "sched_debug", hidden: true}, // the names of all processes, before Linux 5.13
		{name: "scsi", hidden: true},        // scsi/scsi removes disks
		{name: "sys", always: true},         // core_pattern is a program that the host runs
		{name: "sysrq-trigger"},             // reboots
		{name: "timer_list", hidden: true},
		{name: "timer_stats", hidden: true},
		{name: "xen", hidden: true}, // privcmd: calls to the hypervisor
	}
}

// procEntries returns the entries of table that exist in dir and that uid could
// make use of. Every one is a mount at each launch, about 15 microseconds, so one
// that its mode closes to everybody but root is not mounted over for anybody else.
//
// They have no ID, which means that it is not compared: the jail's own /proc is
// another file system.
func procEntries(dir string, table []kernelEntry, uid uint32) []plan.ProcEntry {
	var entries []plan.ProcEntry
	for _, e := range table {
		src, err := Stat(join(dir, e.name))
		if err != nil || src.Type == plan.Symlink || !e.always && uid != 0 && !e.concerns(src) {
			continue
		}
		src.ID = plan.ID{}
		entries = append(entries, plan.ProcEntry{Source: src, Hidden: e.hidden})
	}
	return entries
}

// concerns reports whether somebody who is not root gets something out of src:
// out of what is hidden by reading it, out of the rest by writing to it. The
// group counts as others do, because an ordinary user may be in root's.
func (e kernelEntry) concerns(src plan.Source) bool {
	if e.hidden {
		return src.Perm&0o055 != 0
	}
	return src.Perm&0o022 != 0
}

// sysEntries returns the directories below dir (/sys) that must be hidden; the
// whole of it is read-only already. Most of them are where another file system
// may be mounted, and are empty where none is.
func sysEntries(dir string, uid uint32) []plan.Source {
	top, err := Stat(dir)
	if err != nil {
		return nil
	}
	var hide []plan.Source
	for _, e := range []struct {
		name  string
		mount bool // harmless unless something is mounted on it
		root  bool // what is in it is closed to everybody but root
	}{
		{name: "devices/virtual/powercap", root: true}, // the power a processor draws, by which keys were read
		{name: "firmware"}, // tables and variables of the firmware
		{name: "fs/bpf", mount: true},
		{name: "fs/pstore", mount: true}, // what the last crash left
		{name: "kernel/config", mount: true},
		{name: "kernel/debug", mount: true},
		{name: "kernel/security", mount: true},
		{name: "kernel/tracing", mount: true},
	} {
		src, err := Stat(join(dir, e.name))
		if err != nil || src.Type != plan.Directory || e.mount && src.ID.Dev == top.ID.Dev {
			continue
		}
		if uid == 0 || !e.root && src.Perm&0o055 != 0 {
			hide = append(hide, src)
		}
	}
	return hide
}
