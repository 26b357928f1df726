package rlimit

const sysPrlimit64 = 302
