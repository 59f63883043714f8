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
	code       bool   // it can be executed
	name       string // of the file, or of what the system calls so; empty if there is none
	admitted   bool   // objects there are Go's
}

// reserved reports whether a mapping is an address range that nobody can write to. It holds zeros,
// so what counts are its addresses, as numbers that look like pointers. (Code that a program has
// made is not writable either, any more.)
func (m *mapping) reserved() bool { return !m.writable && !m.code && m.name == "" }

// reservedMemory returns the address ranges that a program has reserved as variables. They are
// bound by name: size, and which of that size. A process that has initialised itself in the same
// way has the same ones, somewhere else.
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

// unknown returns the mapping that an address lies in, nil if there is none or what lies there is
// Go's.
func (w *walker) unknown(p unsafe.Pointer) *mapping {
	if len(w.mappings) == 0 || uintptr(p) < w.mappings[0].start {
		return nil
	}
	i := sort.Search(len(w.mappings), func(i int) bool { return w.mappings[i].end > uintptr(p) })
	if i == len(w.mappings) || uintptr(p) < w.mappings[i].start || w.mappings[i].admitted {
		return nil
	}
	return &w.mappings[i]
}

// admit returns an error if something that was set aside lies in memory that the program has mapped
// itself. What it takes for pointers there may be what somebody else has left, and nothing that the
// garbage collector vouches for, so it must not be followed. The rest is to be scanned.
func (c *capturing) admit() error {
	for _, it := range c.aside {
		m := c.unknown(it.ptr)
		if m == nil {
			continue
		}
		if m.reserved() || m.name == "" && (c.within(m.start, m.end) || c.ownHeap(m)) {
			m.admitted = true
			continue
		}
		if t := c.traces[it.trace]; c.tracing {
			c.traces[0].parent, c.traces[0].off = t.parent, t.off
		}
		return m.refusal(it.plan)
	}
	c.todo, c.aside = append(c.todo, c.aside...), nil
	return nil
}

// refusal tells why what lies in a mapping can't be saved.
func (m *mapping) refusal(p *plan) error {
	return &refusal{typeText(p.rt), "it lies in memory " + m.what() + mappedItself}
}

const mappedItself = " that the program has mapped itself; unmap it before the checkpoint, or allocate it in Go"

// what tells the memory by what is behind it.
func (m *mapping) what() string {
	if m.name == "" {
		return "beside Go's heap"
	}
	return "of the file " + m.name
}

// ownHeap reports whether an object in a mapping is in Go's heap. Those that are on the stack
// of a goroutine are not.
func (c *capturing) ownHeap(m *mapping) bool {
	for _, k := range c.inOrder() {
		x := uintptr(c.mem.at(int(k.region)).ptr)
		if x < m.start || x >= m.end {
			continue
		}
		if base, _, _ := findObject(x, 0, 0); base != 0 {
			return true
		}
	}
	return false
}
