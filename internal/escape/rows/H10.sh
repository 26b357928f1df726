# H10: a command that no shim covers
# proven: docs/security.md
# why: a program that is called by its full path is not caught; jail COMMAND catches everything
