# R1: makes so many processes that the machine has none left
# open: root
# why: the kernel does not count root's processes; where jail may write a control group, that counts them
attack() { got bomb 9000; }
