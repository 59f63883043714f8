package heap

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// A fault tells that a capture met a pointer to memory that can't be read. The address is not
// known: processors tell the address 0 for those that no memory can have.
type fault struct{ err error }

func (f *fault) Error() string { return "heap: a pointer " + unreadable + ": " + f.err.Error() }

func (f *fault) Unwrap() error { return f.err }

const unreadable = "leads to memory that can't be read, perhaps made through package unsafe"

// failure returns the error for what a capture has panicked with.
func (c *capturing) failure(e any) error {
	err, ok := e.(error)
	if !ok {
		return fmt.Errorf("heap: capture failed: %v", e)
	}
	var at interface{ Addr() uintptr }
	if !errors.As(err, &at) {
		return fmt.Errorf("heap: capture failed: %w", err)
	}
	if c.tracing {
		if path, typ := c.unreadable(); path != "" {
			return &UnsupportedError{Path: path, Type: typ, Why: "it " + unreadable}
		}
	}
	return &fault{err}
}

// unreadable finds what leads to memory that can't be read, by looking at all of it again.
func (c *capturing) unreadable() (path, typ string) {
	if !c.encoding {
		p := c.item.plan
		if !readable(c.item.ptr, p.native*uintptr(c.item.count)) {
			return c.pathTo(c.current), typeText(p.rt)
		}
		for i := range c.item.count {
			at := unsafe.Add(c.item.ptr, uintptr(i)*p.native)
			for k := range p.slots {
				if s := p.slots[k : k+1]; faults(func() { c.scan(at, s) }) {
					c.note(unsafe.Add(at, s[0].off))
					return c.path(), typeText(s[0].target.rt)
				}
			}
		}
		return "", ""
	}
	for _, k := range c.lists.order {
		c.lists.each(k, func(b *batch, i int) {
			if path == "" && !readable(b.pointer(i), k.plan.native*uintptr(b.count(i))) {
				path, typ = c.pathOf(b, i), typeText(k.plan.rt)
			}
		})
	}
	return path, typ
}

// readable reports whether the first and the last of some bytes can be read.
func readable(p unsafe.Pointer, n uintptr) bool {
	return n == 0 || !faults(func() {
		runtime.KeepAlive(*(*byte)(p))
		runtime.KeepAlive(*(*byte)(unsafe.Add(p, n-1)))
	})
}

func faults(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
