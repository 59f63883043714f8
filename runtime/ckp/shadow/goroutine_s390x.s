#include "textflag.h"

// func current() goroutine
TEXT ·current(SB), NOSPLIT, $0-8
	MOVD g, R2
	MOVD R2, ret+0(FP)
	RET
