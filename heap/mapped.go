package heap

import (
	"fmt"
	"reflect"
	"sort"
	"unsafe"
)

// A mapping is memory that the system has given to the process at an address, and not
// through Go's allocator (mmap).
type mapping struct {
	start, end uintptr
	writable   bool
	name       string // of the file, or of what the system calls so; empty if there is none
}

// reserved reports whether a mapping is an address range that nobody can write to. It holds zeros, so what
// counts are its addresses, as numbers that look like pointers.
func (m *mapping) reserved() bool { return !m.writable && m.name == "" }

// reservedMemory returns the address ranges that a program has reserved as variables. They are bound by
// name: size, and which of that size. A process that has initialised itself
// in the same way has the same ones, somewhere else.
func reservedMemory(all []mapping) []Root {
	var list []Root
	seen := make(map[uintptr]int)
	for i := range all {
		m := &all[i]
		if !m.reserved() {
			continue
		}
		size := m.end - m.start
		seen[size]++
		list = append(list, Root{
			Name: fmt.Sprintf("reserved memory of %d bytes (%d)", size, seen[size]),
			Ptr:  reflect.NewAt(reflect.ArrayOf(int(size), typeOfByte), address(m.start)).Interface(),
		})
	}
	return list
}

// address makes a pointer of the address of memory that is not Go's.
func address(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }

// foreign returns an error if an object lies in memory that the program has mapped itself: of a
// file, or beside Go's heap. Its contents are not the program's alone, or others have their addresses as numbers.
// The objects are in order.
func (c *capturing) foreign(objects []object) error {
	for i := range c.mappings {
		m := &c.mappings[i]
		first := sort.Search(len(objects), func(k int) bool { return uintptr(objects[k].ptr) >= m.start })
		if first == len(objects) || uintptr(objects[first].ptr) >= m.end || m.reserved() || m.name == "" && (c.within(m.start, m.end) || ownHeap(objects[first:], m.end)) {
			continue
		}
		what := "of the file " + m.name
		if m.name == "" {
			what = "beside Go's heap"
		}
		o := &objects[first]
		why := "it lies in memory " + what + " that the program has mapped itself; unmap it before the checkpoint, or allocate it in Go"
		if !c.tracing {
			return &refusal{typeText(o.plan.rt), why}
		}
		return &UnsupportedError{Path: c.pathOfTable(o.ptr, o.plan), Type: typeText(o.plan.rt), Why: why}
	}
	return nil
}

// apart returns the regions as objects: before they are merged, or if they can't be because the views that a
// program has of memory of its own making do not fit together.
func (c *capturing) apart() []object {
	var list []object
	for _, k := range c.inOrder() {
		r := c.mem.at(int(k.region))
		list = append(list, object{ptr: r.ptr, plan: r.plan, count: r.count})
	}
	return list
}

// ownHeap reports whether one of the objects up to an address is in Go's heap. Those that are on the stack
// of a goroutine are not.
func ownHeap(objects []object, end uintptr) bool {
	for i := 0; i < len(objects) && uintptr(objects[i].ptr) < end; i++ {
		if base, _, _ := findObject(uintptr(objects[i].ptr), 0, 0); base != 0 {
			return true
		}
	}
	return false
}
