#include "textflag.h"

// func gate32(nr int32) int32
TEXT ·gate32(SB), NOSPLIT, $0-12
	MOVL nr+0(FP), AX
	XORL BX, BX
	XORL CX, CX
	XORL DX, DX
	BYTE $0xCD; BYTE $0x80 // int $0x80
	MOVL AX, ret+8(FP)
	RET

// func idleThread(flags uintptr) int
//
// The thread has the caller's stack and never touches it.
TEXT ·idleThread(SB), NOSPLIT, $0-16
	MOVQ flags+0(FP), DI
	XORL SI, SI
	XORL DX, DX
	XORL R10, R10
	XORL R8, R8
	MOVL $56, AX // clone
	SYSCALL
	TESTQ AX, AX
	JEQ  idle
	MOVQ AX, ret+8(FP)
	RET
idle:
	MOVL $34, AX // pause
	SYSCALL
	JMP  idle
