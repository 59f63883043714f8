package heap

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

type handle uintptr

type numbered struct {
	table []uintptr
	pairs []numberedPair
	nodes []*numberedNode
	kept  handle
	other uintptr // of nothing
	pair  [2]struct{ a, b uintptr }
	last  *numbered
	until uintptr // the end of the pairs
	boxed any
	plain map[string]int
	value any
	maps  [2]uintptr // of it, and of where that interface has it
}

type numberedPair struct {
	n    int
	next *numberedPair
}

type numberedNode struct{ n int }

// TestBacks captures numbers that are addresses, of which the program makes pointers.
func TestBacks(t *testing.T) {
	var addresses []Address
	opt := Options{Backs: map[string]bool{reflect.TypeFor[numbered]().PkgPath(): true}, Addresses: &addresses}
	address := func(p any) uintptr { return reflect.ValueOf(p).Pointer() }
	node := func(n uintptr) *numberedNode { return *(**numberedNode)(unsafe.Pointer(&n)) }
	moved := 0 // ends with nothing behind them
	for n := 1; n < 200; n += 1 + n/3 {
		v := &numbered{other: 12345}
		for i := range n {
			v.nodes = append(v.nodes, &numberedNode{i})
			v.table = append(v.table, address(v.nodes[i]))
		}
		v.kept = handle(address(&v.nodes[n/2]))
		v.pair[1].b = address(&v.nodes[0].n)
		v.pairs = make([]numberedPair, n)
		v.pairs[n-1] = numberedPair{n, &v.pairs[0]}
		v.until = address(&v.pairs[0]) + uintptr(n)*unsafe.Sizeof(v.pairs[0])
		v.last = &numbered{table: []uintptr{address(v), 0, address(&v.pair[1])}}
		v.plain = map[string]int{"n": n}
		v.value = v.plain
		v.maps = [2]uintptr{address(v.plain), address(&v.value) + unsafe.Sizeof(uintptr(0))}
		var w numbered
		roots := func(v *numbered) []Root { return []Root{{"v", v}, {"addresses", &addresses}} }
		throughWith(t, roots(v), roots(&w), opt)
		ends := 0
		for _, a := range addresses {
			if a.Behind > 0 {
				equal(t, unsafe.Pointer(&w.until), unsafe.Pointer(a.At))
				ends++
			}
		}
		moved += ends
		equal(t, n+7, len(addresses)) // the end of the pairs can be the beginning of something else
		for _, a := range addresses {
			a.Set()
		}
		addresses = nil
		for i := range n {
			equal(t, w.nodes[i], node(w.table[i]))
		}
		equal(t, address(&w.nodes[n/2]), uintptr(w.kept))
		equal(t, address(&w.nodes[0].n), w.pair[1].b)
		equal(t, 12345, int(w.other))
		equal(t, 0, int(w.pair[0].a))
		equal(t, address(&w), w.last.table[0])
		equal(t, address(&w.pair[1]), w.last.table[2])
		equal(t, address(w.plain), w.maps[0])
		equal(t, address(&w.value)+unsafe.Sizeof(uintptr(0)), w.maps[1])
		equal(t, n, w.plain["n"])
		equal(t, &w.pairs[0], w.pairs[n-1].next)
		equal(t, n, w.pairs[n-1].n)
		if ends > 0 {
			equal(t, address(&w.pairs[0])+uintptr(n)*unsafe.Sizeof(w.pairs[0]), w.until)
		}
		check(t, v.table[0] != w.table[0])
		runtime.KeepAlive(v)
	}
	check(t, moved > 0)
	x := new(int)
	v := &numbered{boxed: handle(address(x))}
	_, err := Capture([]Root{{"v", v}, {"x", &x}, {"addresses", &addresses}}, opt)
	check(t, err != nil && strings.Contains(err.Error(), "v.boxed") && strings.Contains(err.Error(), "makes pointers of such numbers"), err)
	// Of values that share memory only the first are in lists.
	shared := make([]handle, mostRegions+3)
	var boxes []any
	for i := range shared {
		shared[i] = handle(i) + 1
		boxed := any(shared[i])
		(*words)(unsafe.Pointer(&boxed)).data = unsafe.Pointer(&shared[i])
		boxes = append(boxes, boxed)
	}
	v.boxed = boxes
	_, err = Capture([]Root{{"v", v}, {"x", &x}, {"addresses", &addresses}}, opt)
	must(t, err)
	shared[len(shared)-1] = handle(address(x))
	_, err = Capture([]Root{{"v", v}, {"x", &x}, {"addresses", &addresses}}, opt)
	check(t, err != nil && strings.Contains(err.Error(), "makes pointers of such numbers"), err)
	// A value behind an interface is another one after a rebuild, and the number is told.
	v.boxed = [2]int{len(boxes), 2}
	v.table = []uintptr{address(x), uintptr((*words)(unsafe.Pointer(&v.boxed)).data)}
	_, err = Capture([]Root{{"v", v}, {"x", &x}, {"addresses", &addresses}}, opt)
	check(t, err != nil && strings.Contains(err.Error(), "v.table[1] (uintptr) can't be saved: it leads to nothing"), err)
	v.boxed, v.table = nil, []uintptr{address(x)}
	opt.Backs = nil
	_, err = Capture([]Root{{"v", v}, {"x", &x}, {"addresses", &addresses}}, opt)
	must(t, err)
	equal(t, 0, len(addresses))
}

// TestLongs captures addresses in numbers of the type uint64.
func TestLongs(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) == 4 {
		t.Skip("numbers are left alone where any could be an address")
	}
	type reference uint64
	type machine struct {
		nodes []*numberedNode
		table []reference
		top   uint64
		other [2]uint64 // of nothing
	}
	var addresses []Address
	path := map[string]bool{reflect.TypeFor[numbered]().PkgPath(): true}
	opt := Options{Backs: path, Longs: path, Addresses: &addresses}
	address := func(p any) uint64 { return uint64(reflect.ValueOf(p).Pointer()) }
	v := &machine{other: [2]uint64{1 << 63, 12345}}
	for i := range 20 {
		v.nodes = append(v.nodes, &numberedNode{i})
		v.table = append(v.table, 0, reference(address(v.nodes[i])), reference(i))
	}
	v.top = address(&v.nodes[7].n)
	var w machine
	roots := func(v *machine) []Root { return []Root{{"v", v}, {"addresses", &addresses}} }
	throughWith(t, roots(v), roots(&w), opt)
	equal(t, 21, len(addresses))
	for _, a := range addresses {
		a.Set()
	}
	for i, n := range w.nodes {
		equal(t, address(n), uint64(w.table[3*i+1]))
		equal(t, reference(i), w.table[3*i+2])
	}
	equal(t, address(&w.nodes[7].n), w.top)
	equal(t, v.other, w.other)
	check(t, v.table[1] != w.table[1])
	boxed := any(address(v))
	_, err := Capture([]Root{{"v", v}, {"boxed", &boxed}, {"addresses", &addresses}}, opt)
	check(t, err != nil && strings.Contains(err.Error(), "(uint64)") && strings.Contains(err.Error(), "makes pointers of such numbers"), err)
	opt.Longs = nil
	_, err = Capture([]Root{{"v", v}, {"boxed", &boxed}, {"addresses", &addresses}}, opt)
	must(t, err)
	equal(t, 0, len(addresses))
}
