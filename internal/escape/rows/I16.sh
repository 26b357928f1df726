# I16: the kernel's settings and memory in /proc and /sys
attack() {
	for f in /proc/sysrq-trigger /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches /sys/kernel/uevent_helper \
		/sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/pids/cgroup.procs /sys/power/state; do
		[ ! -e "$f" ] || got open-write "$f"
	done
	for f in /proc/kcore /sys/kernel/debug/sched; do
		[ ! -e "$f" ] || got open-read "$f"
	done
}
