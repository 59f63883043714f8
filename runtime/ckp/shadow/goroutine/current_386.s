#include "textflag.h"

// func Current() uintptr
TEXT ·Current(SB), NOSPLIT, $0-4
	MOVL (TLS), AX
	MOVL AX, ret+0(FP)
	RET

// func Stack() (low, high uintptr)
TEXT ·Stack(SB), NOSPLIT, $0-8
	MOVL (TLS), AX
	MOVL 0(AX), BX
	MOVL 4(AX), CX
	MOVL BX, low+0(FP)
	MOVL CX, high+4(FP)
	RET
