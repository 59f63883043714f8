//go:build (amd64 || arm64 || 386 || s390x || riscv64) && gc

package goroutine

// Current returns the identity of the calling goroutine while it lives: the address of
// the runtime's descriptor, which is reused only after the goroutine has ended.
func Current() uintptr
