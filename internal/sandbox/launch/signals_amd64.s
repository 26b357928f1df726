#include "textflag.h"

// caught is a signal handler as the kernel calls it: the signal's number is in DI,
// and the address to return to is on the stack. It runs on the thread's signal
// stack, at any moment, and touches nothing but the pipe.
TEXT caught<>(SB),NOSPLIT|NOFRAME,$0
	SUBQ	$8, SP
	MOVB	DI, (SP)
	MOVL	·caughtPipe(SB), DI
	MOVQ	SP, SI
	MOVL	$1, DX
	MOVL	$1, AX // write
	SYSCALL
	ADDQ	$8, SP
	RET

// restorer is where a handler returns to: the kernel's ABI leaves it to the
// program on this architecture.
TEXT restorer<>(SB),NOSPLIT|NOFRAME,$0
	MOVL	$15, AX // rt_sigreturn
	SYSCALL
	INT	$3

// func handler() (address, returns uintptr)
TEXT ·handler(SB),NOSPLIT,$0-16
	LEAQ	caught<>(SB), AX
	MOVQ	AX, address+0(FP)
	LEAQ	restorer<>(SB), AX
	MOVQ	AX, returns+8(FP)
	RET
