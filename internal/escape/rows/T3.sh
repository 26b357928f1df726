# T3: pastes into a virtual terminal (TIOCLINUX)
# terminal:
# proven: internal/sandbox/confine/arguments_test.go
# why: needs a text console; the filter that refuses the request is proven in the virtual machine
attack() { got tioclinux; }
