package hugepages

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"unsafe"
)

// pageSize is that of a huge page on most machines; where they are larger, less memory is in them.
const pageSize = 2 << 20

// Bytes returns b, whose memory, up to its capacity, was requested to be in huge pages if there can
// be one. It must not have been touched yet.
func Bytes(b []byte) []byte {
	if cap(b) >= pageSize && onRequest() {
		// What is before and behind it belongs to the heap, too: arenas are multiples of a huge
		// page.
		begin := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		end := (begin + uintptr(cap(b)) + pageSize - 1) &^ (pageSize - 1)
		begin &^= pageSize - 1
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, begin, end-begin, syscall.MADV_HUGEPAGE) // without it all works as before
	}
	return b
}

// Reserve requests huge pages for the next bytes that the heap grows by, if there are many. It
// collects garbage: they are allocated, so that they have an address, and given back to the heap
// untouched.
func Reserve(bytes int) {
	if bytes >= 16*pageSize && onRequest() && hasRoom(bytes) {
		Bytes(make([]byte, bytes))
		runtime.GC()
	}
}

// onRequest reports whether the system makes huge pages where they are requested, and only there.
var onRequest = sync.OnceValue(func() bool {
	enabled, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && bytes.Contains(enabled, []byte("[madvise]"))
})

// hasRoom reports whether so much address space can be had without a thought: a system that counts
// what is allocated, rather than what is used, might refuse it.
func hasRoom(room int) bool {
	var info syscall.Sysinfo_t
	var space syscall.Rlimit
	policy, err := os.ReadFile("/proc/sys/vm/overcommit_memory")
	return strconv.IntSize == 64 && err == nil && !bytes.HasPrefix(policy, []byte("2")) &&
		syscall.Getrlimit(syscall.RLIMIT_AS, &space) == nil && space.Cur == ^uint64(0) &&
		syscall.Sysinfo(&info) == nil && uint64(info.Totalram)*uint64(info.Unit) >= 2*uint64(room)
}
