# I15: devices: disks, memory, KVM, FUSE, input
attack() {
	for f in /dev/mem /dev/kmsg /dev/kvm /dev/fuse /dev/net/tun /dev/uinput /dev/vfio/vfio /dev/sd? /dev/vd? /dev/nvme?n? /dev/input/event* /dev/loop-control /dev/ttyS0; do
		[ ! -e "$f" ] || got open-read "$f"
	done
}
