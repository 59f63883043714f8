//go:build !linux

package heap

// This system has no large pages that could be asked for.

func hasLargePages() bool { return false }

func mostlyMissing(uintptr) bool { return false }

func makeLarge(uintptr) bool { return false }

func threadTime() int64 { return 0 }
