# K11: a program's own filter is allowed
# proven: cmd/jail/testdata/syscall_refused.txtar
# why: no attack
