# F30: a pipe in place of a file that the next start reads
# proven: internal/config/open_test.go
# why: what is read is opened without waiting and must be a regular file
