#include "textflag.h"

// func idleThread(flags uintptr) int
//
// The thread has the caller's stack and never touches it.
TEXT ·idleThread(SB), NOSPLIT, $0-16
	MOVD flags+0(FP), R0
	MOVD ZR, R1
	MOVD ZR, R2
	MOVD ZR, R3
	MOVD ZR, R4
	MOVD $220, R8 // clone
	SVC
	CBZ  R0, idle
	MOVD R0, ret+8(FP)
	RET
idle:
	MOVD ZR, R0
	MOVD ZR, R1
	MOVD ZR, R2
	MOVD ZR, R3
	MOVD ZR, R4
	MOVD $73, R8 // ppoll of nothing
	SVC
	B    idle
