package heap

import (
	"bytes"
	"reflect"
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
	if !littleEndian {
		t.Skip("views are saved on machines that are little-endian only")
	}
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

// TestRawRefused captures views that can't be saved, and such on machines that have another order
// of bytes.
func TestRawRefused(t *testing.T) {
	if !littleEndian {
		t.Skip("views are saved on machines that are little-endian only")
	}
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

	refused := func(v any, why string) {
		t.Helper()
		_, err = Capture([]Root{{"v", v}}, Options{})
		check(t, err != nil && strings.Contains(err.Error(), why), err)
	}
	const same = "the same memory is also used as"
	bits := []byte{0, 2, 1}
	refused(&struct {
		bits []byte
		bool *bool
	}{bits, (*bool)(unsafe.Pointer(&bits[1]))}, same)
	part := &struct { // with padding, in something that has references
		next  *int
		entry entryHead
	}{}
	refused(&struct {
		whole any
		bytes *entryBytes
	}{part, (*entryBytes)(unsafe.Pointer(&part.entry))}, same)
	addresses := make([]uintptr, 4)
	refused(&struct {
		addresses []uintptr
		words     []uint64
	}{addresses, unsafe.Slice((*uint64)(unsafe.Pointer(&addresses[0])), 4)}, same)
}

// An entryHead has a bool, an int and padding.
type entryHead struct {
	hash    uint32
	length  int
	deleted bool
	slot    uint8
}

type entryBytes [unsafe.Sizeof(entryHead{})]byte

type wideViews struct {
	entry *entryHead // in bytes
	bytes []byte
	last  *entryHead
	head  *entryHead // a struct of its own, seen as bytes
	image *entryBytes
	gap   *byte // between its fields
	ints  []int
	raw   []byte
	flags []bool
	octet []byte
	own   struct {
		name string
		ints [4]int
		next *wideViews
	}
	words *[4]uint64
}

func wideView(n int) *wideViews {
	v := &wideViews{bytes: make([]byte, 100+n), head: &entryHead{7, -n, true, 3}, ints: make([]int, 8+n), flags: make([]bool, 9)}
	v.entry, v.last = (*entryHead)(unsafe.Pointer(&v.bytes[8])), (*entryHead)(unsafe.Pointer(&v.bytes[64]))
	*v.entry, v.last.length, v.last.deleted = entryHead{1, n << 33, true, 9}, -1, true
	v.image, v.gap = (*entryBytes)(unsafe.Pointer(v.head)), (*byte)(unsafe.Add(unsafe.Pointer(v.head), 5))
	*v.gap = byte(100 + n)
	v.ints[3] = n << 40
	v.raw = unsafe.Slice((*byte)(unsafe.Pointer(&v.ints[2])), 16)
	v.flags[2], v.flags[8] = true, n%2 == 0
	v.octet = unsafe.Slice((*byte)(unsafe.Pointer(&v.flags[1])), 8)
	v.own.name, v.own.ints[1], v.own.next = "own", -n, v
	v.words = (*[4]uint64)(unsafe.Pointer(&v.own.ints))
	return v
}

// TestRawWide captures views whose types have the same bytes only where words have 64 bits.
func TestRawWide(t *testing.T) {
	if !littleEndian || !wideWords {
		_, err := Capture([]Root{{"v", wideView(1)}}, Options{})
		check(t, err != nil && strings.Contains(err.Error(), "the same memory is also used as"), err)
		return
	}
	var head, other entryHead
	image, otherImage := (*entryBytes)(unsafe.Pointer(&head)), new(entryBytes)
	for n := range 20 {
		v, want := wideView(n), wideView(n)
		got := new(wideViews)
		head.length, image[6] = n, byte(n)
		through(t, []Root{{"v", v}, {"head", &head}, {"image", &image}}, []Root{{"v", got}, {"head", &other}, {"image", &otherImage}})
		equal(t, unsafe.Pointer(&other), unsafe.Pointer(otherImage))
		equal(t, *image, *otherImage)
		same := func(w *wideViews) {
			t.Helper()
			equal(t, *want.entry, *w.entry)
			equal(t, want.bytes, w.bytes)
			equal(t, *want.last, *w.last)
			equal(t, *want.head, *w.head)
			equal(t, *want.image, *w.image)
			equal(t, *want.gap, *w.gap)
			equal(t, want.ints, w.ints)
			equal(t, want.raw, w.raw)
			equal(t, want.flags, w.flags)
			equal(t, want.octet, w.octet)
			equal(t, want.own.ints, w.own.ints)
			equal(t, *want.words, *w.words)
		}
		same(got)
		equal(t, got, got.own.next)
		equal(t, uintptr(0), uintptr(unsafe.Pointer(got.head))%8)
		for _, w := range []*wideViews{want, got} { // shared as it was
			w.entry.deleted, w.bytes[70], w.head.length, *w.gap = false, 5, 77, 33
			w.raw[9], w.octet[3], w.words[3] = 4, 1, 1<<50
		}
		same(got)
		same(again(t, got))
	}

	var file bytes.Buffer
	s, err := Capture([]Root{{"v", wideView(1)}}, Options{})
	must(t, err)
	_, err = s.WriteTo(&file)
	must(t, err)
	im, err := Parse(file.Bytes())
	must(t, err)
	check(t, im.wide != nil)
	for i := range im.groups {
		if g := &im.groups[i]; g.typ.Kind == reflect.Uint8 {
			whole := g.data
			g.data = bytes.Repeat([]byte{2}, len(whole))
			err := im.verify()
			g.data = whole
			check(t, g.text || err != nil && strings.Contains(err.Error(), "a bool is 2"), err)
		}
	}
	wideWords = false
	defer func() { wideWords = true }()
	err = im.Rebuild([]Root{{"v", new(wideViews)}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "only on machines with words of 64 bits"), err)
}

// TestRawAtomic captures nodes with atomic numbers that a skip list allocates in an arena: without
// the end of the array that is their last field, so that they overlap.
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

// TestRawAligned captures views in memory of bytes that are at multiples of their alignment, and
// must be so again.
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
