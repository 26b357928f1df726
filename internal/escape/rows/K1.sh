# K1: calls by the gate for 32-bit programs, which a filter may not know
# proven: internal/sandbox/confine/filter_test.go
# why: where the kernel has no such gate, the filter is proven in the virtual machine
attack() { got ia32; } 2>/dev/null
