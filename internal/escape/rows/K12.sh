# K12: no more layers of Landlock
# proven: cmd/jail/testdata/syscall_refused.txtar
# why: no attack: jail adds one layer of the sixteen
