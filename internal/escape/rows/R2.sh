# R2: takes all the memory
# proven: docs/security.md
# why: a limit on memory is the system's to set
