# K7: the kernel's rarely used parts: bpf, perf, userfaultfd, handles, keys
attack() {
	for c in bpf perf_event_open userfaultfd name_to_handle_at open_by_handle_at fanotify_init add_key request_key keyctl process_vm_readv pidfd_getfd; do
		got call $c
	done
}
