#include "textflag.h"

// func current() goroutine
TEXT ·current(SB), NOSPLIT, $0-8
	MOV g, X10
	MOV X10, ret+0(FP)
	RET
