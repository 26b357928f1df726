# P8: the caller learns how the command ended
# proven: cmd/jail/testdata/exit_signal.txtar
# why: no attack
