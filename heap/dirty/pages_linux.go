//go:build linux && (amd64 || arm64 || riscv64 || loong64 || s390x)

package dirty

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// Of linux/userfaultfd.h and linux/fs.h. The numbers of ioctls are the same on these architectures.
const (
	userModeOnly = 1

	apiCall        = 0xc018aa3f // UFFDIO_API
	apiVersion     = 0xaa
	featureWP      = 1 << 0  // UFFD_FEATURE_PAGEFAULT_FLAG_WP
	featureUnpop   = 1 << 13 // UFFD_FEATURE_WP_UNPOPULATED
	featureAsync   = 1 << 15 // UFFD_FEATURE_WP_ASYNC
	registerCall   = 0xc020aa00
	unregisterCall = 0x8010aa01
	modeWP         = 1 << 1 // UFFDIO_REGISTER_MODE_WP
	scanCall       = 0xc0606610
	scanProtect    = 1 << 0 // PM_SCAN_WP_MATCHING
	scanCheck      = 1 << 1 // PM_SCAN_CHECK_WPASYNC
	isWritten      = 1 << 1 // PAGE_IS_WRITTEN
)

// userfaultfd is the number of the system call.
var userfaultfd = map[string]uintptr{"amd64": 323, "arm64": 282, "riscv64": 282, "loong64": 282, "s390x": 355}[runtime.GOARCH]

// Pages watches ranges of pages. It is used by one goroutine at a time.
type Pages struct {
	fd      uintptr
	pagemap *os.File
	regions []region
}

// A region is a range of written pages, as the kernel lists it.
type region struct{ start, end, categories uint64 }

// New returns an error if the system can't watch pages.
func New() (*Pages, error) {
	fd, _, errno := syscall.Syscall(userfaultfd, uintptr(syscall.O_CLOEXEC|syscall.O_NONBLOCK|userModeOnly), 0, 0)
	if errno != 0 {
		return nil, fmt.Errorf("userfaultfd: %w", errno)
	}
	api := struct{ version, features, ioctls uint64 }{version: apiVersion, features: featureWP | featureUnpop | featureAsync}
	p := &Pages{fd: fd, regions: make([]region, 512)}
	err := ioctl(fd, apiCall, unsafe.Pointer(&api))
	if err == nil {
		p.pagemap, err = os.Open("/proc/self/pagemap")
	}
	if err == nil {
		err = p.probe()
	}
	if err != nil {
		_ = p.Close()
		return nil, fmt.Errorf("asynchronous write protection: %w", err)
	}
	return p, nil
}

// probe tries it with a page.
func (p *Pages) probe() error {
	size := os.Getpagesize()
	b, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Munmap(b) }()
	at := uintptr(unsafe.Pointer(&b[0]))
	if err := p.Watch(at, at+uintptr(2*size)); err != nil {
		return err
	}
	b[size] = 1
	written := 0
	err = p.Written(at, at+uintptr(2*size), func(start, end uintptr) {
		if start == at+uintptr(size) && end == start+uintptr(size) {
			written++
		} else {
			written = 2
		}
	})
	if err == nil && written != 1 {
		err = fmt.Errorf("the kernel does not tell which page was written")
	}
	return err
}

// Watch begins to watch a range, which is aligned to pages. Nothing in it counts as written.
func (p *Pages) Watch(start, end uintptr) error {
	r := struct {
		start, length, mode, ioctls uint64
	}{start: uint64(start), length: uint64(end - start), mode: modeWP}
	if err := ioctl(p.fd, registerCall, unsafe.Pointer(&r)); err != nil {
		return err
	}
	if err := p.Written(start, end, func(uintptr, uintptr) {}); err != nil {
		p.Forget(start, end)
		return err
	}
	return nil
}

// Written calls f for the ranges that were written since the last time, in order. From then on
// nothing counts as written.
func (p *Pages) Written(start, end uintptr, f func(start, end uintptr)) error {
	for start < end {
		arg := struct {
			size, flags, start, end, walked, vec, length, most, inverted, mask, anyOf, give uint64
		}{
			size: 96, flags: scanProtect | scanCheck, start: uint64(start), end: uint64(end),
			vec: uint64(uintptr(unsafe.Pointer(&p.regions[0]))), length: uint64(len(p.regions)),
			mask: isWritten, give: isWritten,
		}
		n, err := ioctlN(p.pagemap.Fd(), scanCall, unsafe.Pointer(&arg))
		if err != nil {
			return err
		}
		for _, r := range p.regions[:n] {
			f(uintptr(r.start), uintptr(r.end))
		}
		if uintptr(arg.walked) <= start {
			return fmt.Errorf("the scan of pages does not proceed")
		}
		start = uintptr(arg.walked)
	}
	return nil
}

// Forget ends watching a range.
func (p *Pages) Forget(start, end uintptr) {
	r := struct{ start, length uint64 }{uint64(start), uint64(end - start)}
	_ = ioctl(p.fd, unregisterCall, unsafe.Pointer(&r)) // of memory that is not there there is nothing to forget
}

// Close ends watching all.
func (p *Pages) Close() error {
	if p.pagemap != nil {
		_ = p.pagemap.Close()
	}
	return syscall.Close(int(p.fd))
}

func ioctl(fd, call uintptr, arg unsafe.Pointer) error {
	_, err := ioctlN(fd, call, arg)
	return err
}

func ioctlN(fd, call uintptr, arg unsafe.Pointer) (int, error) {
	for {
		n, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, call, uintptr(arg))
		switch errno {
		case 0:
			return int(n), nil
		case syscall.EINTR, syscall.EAGAIN:
			continue
		}
		return 0, errno
	}
}
