//go:build !((amd64 || arm || arm64 || 386 || s390x || riscv64) && gc)

package goroutine

// Current returns the identity of the calling goroutine while it lives: its [Number].
func Current() uintptr { return uintptr(Number()) }

// Stack returns nothing of use.
func Stack() (low, high uintptr) { return 0, 0 }

// StackKnown reports whether [Stack] is of use.
const StackKnown = false
