#include "textflag.h"

// func Current() uintptr
TEXT ·Current(SB), NOSPLIT, $0-8
	MOV g, X10
	MOV X10, ret+0(FP)
	RET

// func Stack() (low, high uintptr)
TEXT ·Stack(SB), NOSPLIT, $0-16
	MOV 0(g), X10
	MOV 8(g), X11
	MOV X10, low+0(FP)
	MOV X11, high+8(FP)
	RET
