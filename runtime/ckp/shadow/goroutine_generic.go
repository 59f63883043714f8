//go:build !((amd64 || arm64 || 386 || s390x || riscv64) && gc)

package shadow

// current returns the identity of the calling goroutine.
func current() goroutine { return goroutine(goroutineNumber()) }
