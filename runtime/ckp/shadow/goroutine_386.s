#include "textflag.h"

// func current() goroutine
TEXT ·current(SB), NOSPLIT, $0-4
	MOVL (TLS), AX
	MOVL AX, ret+0(FP)
	RET
