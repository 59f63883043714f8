package heap

import (
	"os"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

const madviseCollapse = 25 // MADV_COLLAPSE

// hasLargePages reports whether pages are of 4 KB and large ones of 2 MB, and whoever runs the machine has not
// forbidden these.
var hasLargePages = sync.OnceValue(func() bool {
	const dir = "/sys/kernel/mm/transparent_hugepage/"
	size, err := os.ReadFile(dir + "hpage_pmd_size")
	if err != nil || strings.TrimSpace(string(size)) != "2097152" || os.Getpagesize() != 4096 {
		return false
	}
	enabled, err := os.ReadFile(dir + "enabled")
	return err == nil && !strings.Contains(string(enabled), "[never]")
})

// mostlyMissing reports whether the system has not given out most of the pages of a large one.
func mostlyMissing(at uintptr) bool {
	var present [largePage / 4096]byte
	if _, _, errno := syscall.RawSyscall(syscall.SYS_MINCORE, at, largePage, uintptr(unsafe.Pointer(&present))); errno != 0 {
		return false
	}
	n := 0
	for _, x := range present {
		n += int(x & 1)
	}
	return n < len(present)/2
}

// threadTime returns the processor's time of the thread, in nanoseconds.
func threadTime() int64 {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if syscall.Getrusage(thread, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// makeLarge has the system put a large page in the place of small ones.
func makeLarge(at uintptr) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, at, largePage, madviseCollapse)
	return errno == 0
}
