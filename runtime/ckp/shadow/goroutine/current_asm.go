//go:build (amd64 || arm || arm64 || 386 || s390x || riscv64) && gc

package goroutine

// Current returns the identity of the calling goroutine while it lives: the address of
// the runtime's descriptor, which is reused only after the goroutine has ended.
func Current() uintptr

// Stack returns the lowest address of the calling goroutine's stack, and the first behind it. The
// runtime keeps them at the beginning of the descriptor.
func Stack() (low, high uintptr)

// StackKnown reports whether [Stack] is of use.
const StackKnown = true
