package heap

import (
	"bytes"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

type pageHead struct {
	id    uint64
	flags uint16
	count uint16
	over  [2]uint16
}

type views struct {
	floats  []float64
	raw     []byte
	middle  *float32
	tail    []uint16
	odd     *uint32 // not at a multiple of its size
	page    []byte
	head    *pageHead
	ids     []uint64
	early   []uint32 // overlaps with what follows
	late    []uint16
	text    string
	letters *[4]uint16
	inside  struct {
		name  string
		block [64]byte
		next  *views
	}
	blocks *[8]int64
	kept   *int64
}

// viewed returns views of the same memory, which differ by n.
func viewed(n int) *views {
	v := &views{floats: make([]float64, 10+n, 20+n), page: make([]byte, 4096+n), text: strings.Repeat("text", 50+n)}
	for i := range v.floats {
		v.floats[i] = float64(i+n) / 3
	}
	v.raw = unsafe.Slice((*byte)(unsafe.Pointer(&v.floats[0])), 8*cap(v.floats))
	v.middle = (*float32)(unsafe.Pointer(&v.raw[12]))
	v.tail = unsafe.Slice((*uint16)(unsafe.Pointer(&v.raw[40])), 20)
	v.odd = (*uint32)(unsafe.Pointer(&v.raw[33]))
	for i := range v.page {
		v.page[i] = byte(i*i + n)
	}
	v.head = (*pageHead)(unsafe.Pointer(&v.page[0]))
	v.ids = unsafe.Slice((*uint64)(unsafe.Pointer(&v.page[16])), 100)
	memory := make([]uint64, 64)
	for i := range memory {
		memory[i] = uint64(i*n) * 0x123456789
	}
	v.early = unsafe.Slice((*uint32)(unsafe.Pointer(&memory[0])), 50)
	v.late = unsafe.Slice((*uint16)(unsafe.Pointer(&memory[20])), 170)
	v.letters = (*[4]uint16)(unsafe.Pointer(unsafe.StringData(v.text)))
	v.inside.name = "inside"
	v.inside.next = v
	v.blocks = (*[8]int64)(unsafe.Pointer(&v.inside.block))
	v.blocks[3] = int64(n) - 5
	v.kept = &v.blocks[3]
	return v
}

// TestRaw captures memory that is used as numbers of several types.
func TestRaw(t *testing.T) {
	var global [32]byte
	words := (*[4]uint64)(unsafe.Pointer(&global))
	for n := range 40 {
		words[2] = uint64(n) << 40
		v, want := viewed(n), viewed(n)
		var other [32]byte
		var otherWords *[4]uint64
		got := new(views)
		im := through(t, []Root{{"v", v}, {"global", &global}, {"words", &words}}, []Root{{"v", got}, {"global", &other}, {"words", &otherWords}})
		check(t, im.raw != nil)
		equal(t, unsafe.Pointer(&other), unsafe.Pointer(otherWords))
		equal(t, words[2], otherWords[2])
		same := func(w *views) {
			t.Helper()
			equal(t, want.floats, w.floats)
			equal(t, cap(want.floats), cap(w.floats))
			equal(t, want.raw, w.raw)
			equal(t, *want.middle, *w.middle)
			equal(t, want.tail, w.tail)
			equal(t, *want.odd, *w.odd)
			equal(t, want.page, w.page)
			equal(t, *want.head, *w.head)
			equal(t, want.ids, w.ids)
			equal(t, want.early, w.early)
			equal(t, want.late, w.late)
			equal(t, want.text, w.text)
			equal(t, *want.letters, *w.letters)
			equal(t, want.inside.block, w.inside.block)
			equal(t, *want.blocks, *w.blocks)
			equal(t, *want.kept, *w.kept)
		}
		same(got)
		equal(t, got, got.inside.next)
		for _, w := range []*views{want, got} { // shared as it was
			w.floats[1], w.floats[4], w.floats[6] = 1.25, -7.5, 99
			w.page[3], w.page[9], w.page[50] = 7, 8, 9
			w.early[45], w.late[3] = 0x7fffffff, 0x1234
			w.inside.block[26] = 77
		}
		same(got)
		same(again(t, got))
	}
}

// TestRawRefused captures views that can't be saved, and such on machines that have another order of bytes.
func TestRawRefused(t *testing.T) {
	v := viewed(1)
	var b bytes.Buffer
	s, err := Capture([]Root{{"v", v}}, Options{})
	must(t, err)
	_, err = s.WriteTo(&b)
	must(t, err)
	im, err := Parse(b.Bytes())
	must(t, err)

	littleEndian = false
	defer func() { littleEndian = true }()
	_, err = Capture([]Root{{"v", v}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "the same memory is also used as"), err)
	err = im.Rebuild([]Root{{"v", new(views)}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "only on machines that are little-endian"), err)
	littleEndian = true

	bits := []byte{0, 1, 1}
	w := struct {
		bits []byte
		bool *bool
	}{bits, (*bool)(unsafe.Pointer(&bits[1]))}
	_, err = Capture([]Root{{"w", &w}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "the same memory is also used as"), err)
}

// TestRawAtomic captures nodes with atomic numbers that a skip list allocates in an arena: without the end of the array that is
// their last field, so that they overlap.
func TestRawAtomic(t *testing.T) {
	if !littleEndian {
		t.Skip("views are saved on machines that are little-endian only")
	}
	type node struct {
		value atomic.Uint64
		key   uint32
		level uint32
		tower [4]atomic.Uint32
	}
	type list struct {
		first *node
		arena []byte
		last  *node
	}
	v := &list{arena: make([]byte, 200)}
	v.first, v.last = (*node)(unsafe.Pointer(&v.arena[8])), (*node)(unsafe.Pointer(&v.arena[32]))
	v.first.value.Store(1 << 40)
	v.last.tower[1].Store(77)
	w := again(t, v)
	equal(t, uint64(1<<40), w.first.value.Load())
	equal(t, uint32(77), w.last.tower[1].Load())
	check(t, unsafe.Pointer(w.first) == unsafe.Pointer(&w.arena[8]) && unsafe.Pointer(w.last) == unsafe.Pointer(&w.arena[32]))

	u := &struct {
		bytes []byte
		lock  *sync.Mutex
	}{bytes: make([]byte, 64)}
	u.lock = (*sync.Mutex)(unsafe.Pointer(&u.bytes[8]))
	_, err := Capture([]Root{{"u", u}}, Options{})
	check(t, err != nil)
}

// TestRawAligned captures views in memory of bytes that are at multiples of their alignment, and must be so again.
func TestRawAligned(t *testing.T) {
	if !littleEndian {
		t.Skip("views are saved on machines that are little-endian only")
	}
	type list struct {
		small  []byte
		number *uint64
		part   []byte // without the beginning of its array
		count  *atomic.Uint64
		shorts []uint16 // likewise
		float  *float64
		early  []uint32 // they overlap
		late   []uint16
		last   *int64
	}
	address := func(p unsafe.Pointer) uintptr { return uintptr(p) }
	for n := range 64 {
		arena, shorts, words := make([]byte, 64), make([]uint16, 32), make([]uint32, 9)
		small := (*[16]byte)(unsafe.Pointer(&make([]uint64, 2)[0]))
		first := 1 + n%7
		v := &list{
			small:  small[: 8+n%8 : 8+n%8],
			number: (*uint64)(unsafe.Pointer(small)),
			part:   arena[first : 16+n%8+1],
			count:  (*atomic.Uint64)(unsafe.Pointer(&arena[8])),
			shorts: shorts[1+n%3 : 8],
			float:  (*float64)(unsafe.Pointer(&shorts[4])),
			early:  words[1:3],
			late:   unsafe.Slice((*uint16)(unsafe.Pointer(&words[2])), 6),
			last:   (*int64)(unsafe.Pointer(&words[2])),
		}
		*v.number, *v.float, v.early[0] = 1<<40+uint64(n), 1.5, 7
		v.count.Store(1 << 50)
		for i := range 8 { // others, so that the allocator does not begin with an aligned place
			_ = make([]byte, 1+(n+i)%7)
		}
		w := again(t, v)
		equal(t, 1<<40+uint64(n), *w.number)
		equal(t, uint64(1<<50), w.count.Load())
		equal(t, 1.5, *w.float)
		equal(t, v.part, w.part)
		equal(t, v.shorts, w.shorts)
		equal(t, v.early, w.early)
		equal(t, v.late, w.late)
		for _, p := range []unsafe.Pointer{unsafe.Pointer(w.number), unsafe.Pointer(w.count), unsafe.Pointer(w.float), unsafe.Pointer(w.last)} {
			equal(t, uintptr(0), address(p)%8)
		}
		equal(t, unsafe.Pointer(w.number), unsafe.Pointer(&w.small[0]))
		equal(t, address(unsafe.Pointer(v.count))-address(unsafe.Pointer(&v.part[0])), address(unsafe.Pointer(w.count))-address(unsafe.Pointer(&w.part[0])))
	}
}
