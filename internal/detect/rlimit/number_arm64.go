package rlimit

const sysPrlimit64 = 261
