# F25: commits the covered file as if it had been emptied
# proven: docs/security.md
# why: no way out: a commit of everything records what git sees
