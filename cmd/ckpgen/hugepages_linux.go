package main

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// hugePages has the first bytes of the heap in pages of 2 MB where the system makes these on request. Go's runtime does not request them, and an analysis
// touches memory for the first time all the while: in a virtual machine, where that is dear, a third of its processor time went there.
func hugePages(room int) {
	if onRequest() && hasRoom(room) {
		requestHugePages(room)
	}
}

// requestHugePages allocates memory, so that it has an address, and gives it back to the heap untouched.
func requestHugePages(room int) {
	memory := make([]byte, room)
	_ = syscall.Madvise(memory, syscall.MADV_HUGEPAGE) // without it all works as before
	runtime.GC()
}

// onRequest reports whether the system makes huge pages where they are requested, and only there.
func onRequest() bool {
	enabled, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && bytes.Contains(enabled, []byte("[madvise]"))
}

// hasRoom reports whether so much address space can be had without a thought: a system that counts what is allocated, rather than
// what is used, might refuse it.
func hasRoom(room int) bool {
	var info syscall.Sysinfo_t
	var space syscall.Rlimit
	policy, err := os.ReadFile("/proc/sys/vm/overcommit_memory")
	return strconv.IntSize == 64 && err == nil && !bytes.HasPrefix(policy, []byte("2")) &&
		syscall.Getrlimit(syscall.RLIMIT_AS, &space) == nil && space.Cur == ^uint64(0) &&
		syscall.Sysinfo(&info) == nil && uint64(info.Totalram)*uint64(info.Unit) >= 4*uint64(room)
}
