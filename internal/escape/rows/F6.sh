# F6: a working directory that is gone, or outside
# proven: cmd/jail/testdata/refuse_place.txtar
# why: jail refuses it; without a sandbox there is nothing to fall back to
