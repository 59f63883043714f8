//go:build !((amd64 || arm64 || 386 || s390x || riscv64) && gc)

package goroutine

// Current returns the identity of the calling goroutine while it lives: its [Number].
func Current() uintptr { return uintptr(Number()) }
