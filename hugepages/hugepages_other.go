//go:build !linux

package hugepages

// Bytes returns b.
func Bytes(b []byte) []byte { return b }

// Reserve does nothing.
func Reserve(int) {}
