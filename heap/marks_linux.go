package heap

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// makeWritable makes the pages that some memory is in writable.
func makeWritable(memory []nameMemory) error {
	page := os.Getpagesize()
	for _, m := range memory {
		before := int(uintptr(m.start) % uintptr(page))
		size := (before + m.size + page - 1) / page * page
		if err := syscall.Mprotect(unsafe.Slice((*byte)(unsafe.Add(m.start, -before)), size), syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			return fmt.Errorf("names of types: %w", err)
		}
	}
	return nil
}
