//go:build !((amd64 || arm64 || 386 || s390x || riscv64) && gc)

package goroutine

import "runtime"

// Current returns the identity of the calling goroutine while it lives: its number, as
// the header of its stack trace tells it ("goroutine 12 [running]:").
func Current() uintptr {
	var buf [40]byte
	n := runtime.Stack(buf[:], false)
	var id uintptr
	for _, c := range buf[len("goroutine "):n] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uintptr(c-'0')
	}
	return id
}
