//go:build !((amd64 || arm64 || 386 || s390x || riscv64) && gc)

package shadow

import "runtime"

// current returns the identity of the calling goroutine: its number, as the
// header of its stack trace tells it ("goroutine 12 [running]:").
func current() goroutine {
	var buf [40]byte
	n := runtime.Stack(buf[:], false)
	var id goroutine
	for _, c := range buf[len("goroutine "):n] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + goroutine(c-'0')
	}
	return id
}
