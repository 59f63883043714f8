//go:build !linux

package heap

// mappings returns none: this system does not tell what memory a process has mapped.
func mappings() []mapping { return nil }
