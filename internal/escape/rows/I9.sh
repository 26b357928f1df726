# I9: sockets to a virtual machine's host (AF_VSOCK)
attack() { got socket vsock; }
