# I13: a pipe for events of the kernel's
# proven: internal/sandbox/confine/arguments_test.go
# why: where the kernel has no such pipe, the filter is proven in the virtual machine
attack() { got notifications; }
