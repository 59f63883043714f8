#include "textflag.h"

// func Current() uintptr
TEXT ·Current(SB), NOSPLIT, $0-8
	MOVD g, R2
	MOVD R2, ret+0(FP)
	RET

// func Stack() (low, high uintptr)
TEXT ·Stack(SB), NOSPLIT, $0-16
	MOVD 0(g), R2
	MOVD 8(g), R3
	MOVD R2, low+0(FP)
	MOVD R3, high+8(FP)
	RET
