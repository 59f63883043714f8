#include "textflag.h"

// func Current() uintptr
TEXT ·Current(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func Stack() (low, high uintptr)
TEXT ·Stack(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	MOVQ 0(AX), BX
	MOVQ 8(AX), CX
	MOVQ BX, low+0(FP)
	MOVQ CX, high+8(FP)
	RET
