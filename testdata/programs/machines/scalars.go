package main

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unsafe"
)

// Code may depend on the size of a word, as long as what it computes does not.
const (
	wordSize = unsafe.Sizeof(uintptr(0))
	wordMask = ^uint(0) >> (8*wordSize - 20)
)

// scalars are numbers of all kinds, in an order that leaves holes of other sizes on machines of 32 bits.
type scalars struct {
	b    bool
	i64  int64
	i8   int8
	f64  float64
	u16  uint16
	i    int
	c128 complex128
	u8   uint8
	u    uint
	f32  float32
	p    uintptr
	i32  int32
	c64  complex64
	u64  uint64
	r    rune
	i16  int16
	u32  uint32

	ints     []int
	uints    []uint
	ptrs     [3]uintptr
	shorts   []int16
	floats   []float32
	doubles  []float64
	pairs    []complex64
	bools    []bool
	longs    [5]uint64
	runes    []rune
	bytes    []byte
	nonsense []float32 // not a number, each in another way
}

func newScalars() *scalars {
	s := &scalars{b: true, i64: math.MinInt64, i8: -128, f64: math.Float64frombits(0x7ff4dead_beef1234), u16: 0xfedc,
		i: math.MinInt32, c128: complex(math.Copysign(0, -1), math.Inf(-1)), u8: 0xa5, u: math.MaxUint32,
		f32: math.Float32frombits(0x7f81_2345), p: 0xdead_beef, i32: -2, c64: complex(1.5, math.SmallestNonzeroFloat32),
		u64: 0x0123456789abcdef, r: '語', i16: -12345, u32: 0x89abcdef}
	for i := range 20 {
		s.ints = append(s.ints, i-10<<20)
		s.uints = append(s.uints, uint(i)*0x0ccccccc)
		s.shorts = append(s.shorts, int16(i*3001))
		s.floats = append(s.floats, float32(i)/3)
		s.doubles = append(s.doubles, math.Sqrt(float64(i)))
		s.pairs = append(s.pairs, complex(float32(i), -float32(i)/7))
		s.bools = append(s.bools, i%3 == 0)
		s.runes = append(s.runes, rune(0x4e00+i))
		s.bytes = append(s.bytes, byte(i*13))
		s.nonsense = append(s.nonsense, math.Float32frombits(0xff800001+uint32(i)*77))
	}
	s.ptrs = [3]uintptr{1, 1 << 31, math.MaxUint32}
	s.longs = [5]uint64{1, 1 << 63, 0xff, 0x0102030405060708, math.MaxUint64}
	return s
}

func (s *scalars) step(n int) {
	s.i64 = int64(bits.RotateLeft64(uint64(s.i64), 7+n)) + 1
	s.u64 = bits.RotateLeft64(s.u64, 12)
	s.i += 1<<20 + n
	s.u -= pt(uint(n) * 3)
	s.p ^= uintptr(wordMask)
	s.i16 += int16(n)
	s.c128 = complex(imag(s.c128), real(s.c128)) // no arithmetic, which some machines round in another way
	s.c64 += 1i
	for i := range s.ints {
		s.ints[i] += pt(n)*i - int(s.u8)
	}
	slices.Reverse(s.longs[:])
	slices.Reverse(s.bytes)
}

func (s *scalars) end() string {
	var b strings.Builder
	fmt.Fprintln(&b, s.b, s.i64, s.i8, s.u16, s.i, s.u8, s.u, s.p, s.i32, s.u64, s.r, s.i16, s.u32, s.ptrs, s.longs)
	fmt.Fprintf(&b, "%x %x %x %x %x %x\n", math.Float64bits(s.f64), math.Float32bits(s.f32),
		math.Float64bits(real(s.c128)), math.Float64bits(imag(s.c128)), math.Float32bits(real(s.c64)), math.Float32bits(imag(s.c64)))
	fmt.Fprintln(&b, s.ints, s.uints, s.shorts, s.floats, s.doubles, s.pairs, s.bools, s.bytes, string(s.runes))
	for _, f := range s.nonsense {
		fmt.Fprintf(&b, "%x ", math.Float32bits(f))
	}
	return b.String()
}

// padding has structs that are larger on one machine than on another, also because of what they end with.
type padding struct {
	mixed []mixed
	ends  []ended
	array [4]struct {
		b bool
		x uint64
		c byte
	}
	grid [3][4]struct { // is gone through struct by struct
		b bool
		n int
		x int64
	}
	pairs  [20]struct{ a, b int64 }
	inside *uint64  // into array
	below  *int     // into grid
	short  *int16   // into mixed
	part   []uint64 // of longer
	longer [7]uint64
	lines  []line
	empty  *struct{}
	next   *padding // itself
}

type mixed struct {
	a byte
	b int64
	c *byte // into a of the next one
	d int16
	e float64
	f any
	g byte
}

type ended struct {
	x int32
	_ int64
	y uintptr
	z [0]int64
}

// A line fills up what a machine keeps in its cache as one.
type line struct {
	n    int64
	next *line
	_    [32*unsafe.Sizeof(uintptr(0)) - 17]byte
	b    byte
	_    [8 - unsafe.Sizeof(uintptr(0))]uint32
	last string
}

func newPadding() *padding {
	p := &padding{mixed: make([]mixed, 6, 9), ends: make([]ended, 5)}
	for i := range p.mixed {
		p.mixed[i] = mixed{a: byte(i), b: int64(i) << 40, c: &p.mixed[(i+1)%6].a, d: int16(-i), e: 1 / float64(i+1), f: int64(i) << 33, g: 'a' + byte(i)}
		p.ends[i%5] = ended{x: int32(i), y: uintptr(i)}
	}
	for i := range 12 {
		p.grid[i/4][i%4].x = int64(i) << 35
		p.pairs[i+3].b = int64(i) << 36
	}
	p.inside = &p.array[2].x
	p.below = &p.grid[1][3].n
	p.short = &p.mixed[4].d
	p.part = p.longer[2:4:6]
	p.next = p
	p.lines = make([]line, 3)
	for i := range p.lines {
		p.lines[i].next = &p.lines[(i+1)%3]
	}
	return p
}

func (p *padding) step(n int) {
	for i := range p.mixed {
		*p.mixed[i].c += byte(n)
		p.mixed[i].f = p.mixed[i].f.(int64) + pt(int64(n))
	}
	*p.inside += 1<<50 + uint64(n)
	*p.below += 7
	l := &p.lines[n]
	l.n, l.b, l.next.last = int64(n)<<33, byte(n+1), fmt.Sprint("line ", n)
	*p.short *= 3
	p.part[0] += 5
	p.next.part = append(p.part, uint64(n)) // in place, as far as it goes
	if n == 1 {
		p.mixed = append(p.mixed, p.mixed[0])
	}
}

func (p *padding) end() string {
	var b strings.Builder
	for i := range p.mixed {
		m := &p.mixed[i]
		fmt.Fprint(&b, m.a, " ", m.b, " ", *m.c, " ", m.d, " ", m.e, " ", m.f, " ", m.g, "; ")
	}
	for _, e := range p.ends {
		fmt.Fprint(&b, e.x, e.y, len(e.z), "; ")
	}
	for _, l := range p.lines {
		fmt.Fprint(&b, l.n, l.b, l.last, l.next.b, l.next.last, "; ")
	}
	fmt.Fprint(&b, p.array, p.grid, p.pairs, p.longer, p.part, p.next == p, p.empty == nil)
	return b.String()
}
