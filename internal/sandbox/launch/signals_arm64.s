#include "textflag.h"

// caught is a signal handler as the kernel calls it: the signal's number is in R0,
// and R30 leads back through the vDSO. It runs on the thread's signal stack, at any
// moment, and touches nothing but the pipe.
TEXT caught<>(SB),NOSPLIT|NOFRAME,$0
	SUB	$16, RSP
	MOVB	R0, (RSP)
	MOVW	·caughtPipe(SB), R0
	MOVD	RSP, R1
	MOVD	$1, R2
	MOVD	$64, R8 // write
	SVC
	ADD	$16, RSP
	RET

// func handler() (address, returns uintptr)
TEXT ·handler(SB),NOSPLIT,$0-16
	MOVD	$caught<>(SB), R0
	MOVD	R0, address+0(FP)
	MOVD	ZR, returns+8(FP)
	RET
