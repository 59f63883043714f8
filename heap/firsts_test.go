package heap

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow/goroutine"
)

// TestExtent compares the extents of allocations with what append makes of a slice, for sizes up to
// several pages.
func TestExtent(t *testing.T) {
	var keep [][]byte
	for n := uintptr(16); n < 80000; n += 1 + n/37 {
		for range 3 {
			b := append([]byte(nil), make([]byte, n)...)
			keep = append(keep, b)
			for _, i := range []uintptr{0, n / 2, n - 1} {
				base, size := extent(uintptr(unsafe.Pointer(&b[i])))
				equal(t, uintptr(unsafe.Pointer(&b[0])), base)
				equal(t, uintptr(cap(b)), size)
			}
		}
	}
	runtime.KeepAlive(keep)
}

type octet uint8

type packed struct {
	data *byte
	size int
}

// TestFirsts captures slices and strings of which the program keeps a pointer to the first element.
func TestFirsts(t *testing.T) {
	opt := Options{Firsts: map[string]bool{"uint8": true, "float64": true, reflect.TypeFor[octet]().PkgPath() + ".octet": true}}
	type all struct {
		list    []packed
		numbers *float64
		named   *octet
		slice   []byte
		inner   *byte
		boxed   any
		short   *int16
	}
	rebuilt := func(v *all) *all {
		var w all
		throughWith(t, []Root{{"v", v}}, []Root{{"v", &w}}, opt)
		return &w
	}
	text := func(p packed) string { return unsafe.String(p.data, p.size) }
	var words []string
	for n := 1; n < 9000; n += 1 + n/3 {
		words = append(words, strings.Repeat("word", n)[:n])
	}
	var v all
	for _, s := range words {
		b := []byte(s)
		v.list = append(v.list, packed{unsafe.SliceData(b), len(b)}, packed{&b[len(b)/2], len(b) - len(b)/2})
	}
	numbers, octets := make([]float64, 100), []octet("octets")
	for i := range numbers {
		numbers[i] = float64(i)
	}
	v.numbers, v.named = &numbers[3], &octets[0]
	buffer := []byte(strings.Repeat("0123456789", 10))
	v.slice, v.inner = buffer[10:20:20], &buffer[15]
	v.boxed = &buffer[90]
	w := rebuilt(&v)
	for i, s := range words {
		equal(t, s, text(w.list[2*i]))
		equal(t, s[len(s)/2:], text(w.list[2*i+1]))
	}
	equal(t, 42.0, unsafe.Slice(w.numbers, 97)[39])
	equal(t, "octets", string(unsafe.Slice((*byte)(w.named), 6)))
	equal(t, string(buffer[15:]), unsafe.String(w.inner, 85))
	equal(t, string(buffer[90:]), unsafe.String(w.boxed.(*byte), 10))
	w.slice[5] = 'x' // still one array
	equal(t, "x678", unsafe.String(w.inner, 4))

	// What another pointer leads to in the same allocation is something else.
	pair := &struct {
		_      [3]int64
		flag   byte
		number int16
		_      [10]int64
	}{flag: 1, number: 2}
	v = all{inner: &pair.flag, short: &pair.number}
	w = rebuilt(&v)
	equal(t, byte(1), *w.inner)
	equal(t, int16(2), *w.short)

	// What there is of a constant is not known.
	v = all{list: []packed{{unsafe.StringData("constant"), 8}}}
	_, err := Capture([]Root{{"v", &v}}, opt)
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "v.list[0].data", err)
	v = all{inner: unsafe.SliceData([]byte{})}
	rebuilt(&v)
}

// TestLiftedFirsts lifts pointers to values on the stack, which may be the first of several.
func TestLiftedFirsts(t *testing.T) {
	type frame struct {
		letter, text, same, last *byte
		number                   *float64
		slice                    []byte
		other                    *int16
	}
	lift := func(f *frame) *frame {
		l := &lifter{Lift: NewLift(goroutine.Stack, map[string]bool{"uint8": true, "float64": true}, nil), t: t}
		l.push(f)
		l.finish()
		return l.frames[0].(*frame)
	}
	var array [20]byte
	var large [100 << 10]byte
	var numbers [30]float64
	var between struct {
		letter byte
		_      [5]byte
		other  int16
	}
	for i := range large {
		large[i] = byte(i * i >> 8)
	}
	copy(array[:], "12345678901234567890")
	for i := range numbers {
		numbers[i] = float64(i)
	}
	between.letter, between.other = 1, 2
	l := &lifter{t: t}
	for _, p := range []unsafe.Pointer{unsafe.Pointer(&array), unsafe.Pointer(&large), unsafe.Pointer(&numbers), unsafe.Pointer(&between)} {
		l.on(p)
	}
	f := lift(&frame{text: &array[3], same: &array[7], last: &large[10], number: &numbers[2], letter: onHeap(byte(9))})
	equal(t, "45678901234567890", unsafe.String(f.text, 17))
	check(t, unsafe.Add(unsafe.Pointer(f.text), 4) == unsafe.Pointer(f.same))
	check(t, string(large[10:]) == unsafe.String(f.last, len(large)-10))
	for i, x := range unsafe.Slice(f.number, 28) {
		equal(t, float64(i+2), x)
	}
	equal(t, byte(9), *f.letter)

	f = lift(&frame{text: &array[3], slice: array[:10:10], letter: &between.letter, other: &between.other})
	equal(t, "45678901234567890", unsafe.String(f.text, 17))
	f.slice[3] = 'x'
	equal(t, byte('x'), *f.text)
	equal(t, byte(1), *f.letter)
	equal(t, int16(2), *f.other)
	for _, p := range []unsafe.Pointer{unsafe.Pointer(f.text), unsafe.Pointer(f.letter), unsafe.Pointer(f.other)} {
		l.off(p)
	}

	// Two arrays that together are larger than what follows the first of them can be.
	var one [60 << 10]byte
	var two [100 << 10]byte
	for i := range two {
		two[i] = byte(i * i >> 9)
	}
	copy(one[:], two[7:])
	l.on(unsafe.Pointer(&one))
	l.on(unsafe.Pointer(&two))
	f = lift(&frame{text: &one[0], last: &two[0]})
	check(t, string(one[:]) == unsafe.String(f.text, len(one)))
	check(t, string(two[:]) == unsafe.String(f.last, len(two)))

	// A recursion has an array in each of its activations, and all of the first.
	ll := &lifter{Lift: NewLift(goroutine.Stack, map[string]bool{"uint8": true}, nil), t: t}
	ll.descend(2000, nil)
	ll.finish()
	equal(t, 2000, len(ll.frames))
	first := ll.frames[0].(*liftedLetters).first
	for i, x := range ll.frames {
		x := x.(*liftedLetters)
		equal(t, strings.Repeat(string(rune('a'+i%26)), 10), unsafe.String(x.letters, 10))
		check(t, x.first == first)
	}
	equal(t, strings.Repeat(string(rune('a'+1999%26)), 30), unsafe.String(first, 30))
}

type liftedLetters struct{ letters, first *byte }

//go:noinline
func (l *lifter) descend(n int, first *byte) {
	if n == 0 {
		return
	}
	n--
	var letters [30]byte
	for i := range letters {
		letters[i] = byte('a' + n%26)
	}
	if first == nil {
		first = &letters[0]
	}
	l.descend(n, first)
	l.push(&liftedLetters{&letters[20], first})
}

// TestFirstsOfBools captures first ones of bools, behind which there is what an allocation was used
// for before, or another value in the same one.
func TestFirstsOfBools(t *testing.T) {
	type flag struct {
		n   int16
		set bool
	}
	type all struct {
		flags *flag
		set   *bool
	}
	opt := Options{Firsts: map[string]bool{"bool": true, reflect.TypeFor[flag]().PkgPath() + ".flag": true}}
	bits := append(make([]byte, 0, 48), 1, 0, 1, 7, 1)[:48]
	flags := unsafe.Slice((*flag)(unsafe.Pointer(unsafe.SliceData(make([]byte, 160)))), 40)
	copy(flags, []flag{{1, true}, {2, false}, {3, true}})
	*(*byte)(unsafe.Pointer(&flags[3].set)) = 22
	v, w := all{&flags[0], (*bool)(unsafe.Pointer(&bits[0]))}, all{}
	throughWith(t, []Root{{"v", &v}}, []Root{{"v", &w}}, opt)
	equal(t, [3]bool{true, false, true}, [3]bool(unsafe.Slice(w.set, 3)))
	equal(t, [3]flag{{1, true}, {2, false}, {3, true}}, [3]flag(unsafe.Slice(w.flags, 3)))
}

// TestFirstBesideVariable captures pointers to two numbers that share an allocation, of which one
// is a root.
func TestFirstBesideVariable(t *testing.T) {
	pair := &[2]int{1, 2} // as the allocator puts two of new(int), at times
	first, second := &pair[0], &pair[1]
	opt := Options{Firsts: map[string]bool{"int": true}}
	for i, root := range []*int{first, second} {
		r, at, other := new(int), &[2]*int{first, second}, new([2]*int)
		throughWith(t, []Root{{"at", at}, {"root", root}}, []Root{{"at", other}, {"root", r}}, opt)
		check(t, *other[0] == 1 && *other[1] == 2 && other[i] == r)
	}
}

// TestFirstBesideCopies captures a pointer to a byte that may be the first of several, beside which
// the copies of a map's small keys and values, and of what a channel holds, may be allocated.
func TestFirstBesideCopies(t *testing.T) {
	type holder struct {
		first *byte
		m     map[byte]byte
		c     chan byte
		list  []map[byte]byte
	}
	opt := Options{Firsts: map[string]bool{"uint8": true}, Verify: true}
	for i := range 200 {
		h := holder{m: map[byte]byte{1: 2}, c: make(chan byte, 3)}
		h.c <- 5
		for range 1 + i%5 {
			h.list = append(h.list, map[byte]byte{3: 4})
		}
		for range i % 16 {
			h.first = new(byte)
		}
		if _, err := Capture([]Root{{"h", &h}}, opt); err != nil {
			t.Fatal(i, err)
		}
	}
}
