# K9: calls that are newer than the filter
# proven: internal/sandbox/confine/filter_test.go
# why: this kernel has none; the filter is proven in the virtual machine
