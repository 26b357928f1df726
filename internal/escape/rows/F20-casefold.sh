# F20-casefold: a file system that does not tell capitals apart
# proven: internal/mask/pattern_test.go
# why: none is here; patterns match in any case, and a mask covers the file and not its name
