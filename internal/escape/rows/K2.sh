# K2: calls by the numbers of x32
# proven: internal/sandbox/confine/filter_test.go
# why: where the kernel has no such numbers, the filter is proven in the virtual machine
attack() { got x32; }
