#include "textflag.h"

// func Current() uintptr
TEXT ·Current(SB), NOSPLIT, $0-4
	MOVW g, R0
	MOVW R0, ret+0(FP)
	RET

// func Stack() (low, high uintptr)
TEXT ·Stack(SB), NOSPLIT, $0-8
	MOVW 0(g), R0
	MOVW 4(g), R1
	MOVW R0, low+0(FP)
	MOVW R1, high+4(FP)
	RET
