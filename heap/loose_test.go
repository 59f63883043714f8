package heap

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// TestUnsafePointers saves unsafe pointers to the start and into the middle of objects that
// pointers with a type lead to as well, before and after the walk meets these.
func TestUnsafePointers(t *testing.T) {
	type item struct {
		a int32
		b [4]int16
	}
	type holder struct {
		first  unsafe.Pointer
		items  []item
		self   unsafe.Pointer
		middle any
		global unsafe.Pointer
		none   unsafe.Pointer
	}
	h := &holder{items: []item{{1, [4]int16{2, 3, 4, 5}}, {6, [4]int16{7, 8, 9, 10}}}}
	h.first = unsafe.Pointer(&h.items[0])
	h.self = unsafe.Pointer(&h.self)
	h.middle = unsafe.Pointer(&h.items[1].b[2])
	h.global = unsafe.Pointer(&h)
	var back *holder
	through(t, []Root{{"h", &h}}, []Root{{"h", &back}})
	check(t, back != h)
	check(t, back.first == unsafe.Pointer(&back.items[0]))
	check(t, back.self == unsafe.Pointer(&back.self))
	check(t, back.middle == any(unsafe.Pointer(&back.items[1].b[2])))
	check(t, back.global == unsafe.Pointer(&back))
	check(t, back.none == nil)
	equal(t, int16(9), *(*int16)(back.middle.(unsafe.Pointer)))
	equal(t, int32(1), *(*int32)(back.first))
}

// TestUnsafeWords saves unsafe pointers to the later words of strings, slices and interfaces.
func TestUnsafeWords(t *testing.T) {
	type item struct {
		_     int32
		text  string
		list  []int16
		value any
	}
	type holder struct {
		items [3]item
		texts []string
		words []unsafe.Pointer
	}
	words := func(h *holder) []unsafe.Pointer {
		return []unsafe.Pointer{
			unsafe.Add(unsafe.Pointer(&h.items[1].text), word), unsafe.Add(unsafe.Pointer(&h.items[2].list), word),
			unsafe.Add(unsafe.Pointer(&h.items[2].list), 2*word), unsafe.Add(unsafe.Pointer(&h.items[0].value), word),
			unsafe.Add(unsafe.Pointer(&h.texts[3]), word), unsafe.Pointer(&h.texts[3]), unsafe.Add(unsafe.Pointer(&h.texts[3]), word+1),
		}
	}
	h, back := &holder{texts: make([]string, 5)}, new(holder)
	h.items[2].list = make([]int16, 5, 7)
	h.texts[3] = "text"
	h.words = words(h)
	through(t, []Root{{"h", h}}, []Root{{"h", back}})
	for i, want := range words(back) {
		equal(t, want, back.words[i])
	}
	equal(t, 5, *(*int)(back.words[1]))
	equal(t, 7, *(*int)(back.words[2]))
	equal(t, 4, *(*int)(back.words[4]))
	if word > 4 { // an image with few objects has references of four bytes
		h.words = append(h.words, unsafe.Add(unsafe.Pointer(&h.texts[3]), word+5))
		_, err := Capture([]Root{{"h", h}}, Options{})
		check(t, err != nil && strings.Contains(err.Error(), "h.words[7]") && strings.Contains(err.Error(), "no such address in another process"), err)
	}
}

// TestUnsafeDescriptions saves unsafe pointers to descriptions of types, which a program has taken
// from interfaces.
func TestUnsafeDescriptions(t *testing.T) {
	type value struct {
		_   [0]func()
		typ unsafe.Pointer
		ptr unsafe.Pointer
		num uint64
	}
	typeOf := func(x any) unsafe.Pointer { return (*words)(unsafe.Pointer(&x)).typ }
	number := 5
	type holder struct {
		number *int
		values []value
	}
	types := []any{nil, false, int64(0), "", []byte(nil), value{}, &value{}, map[string]int{}}
	h := &holder{number: &number}
	for i, x := range types {
		h.values = append(h.values, value{typ: typeOf(x), num: uint64(i)})
	}
	h.values[2].ptr = unsafe.Pointer(h.number)
	b := again(t, h)
	for i, x := range types {
		check(t, b.values[i].typ == typeOf(x))
	}
	check(t, b.values[2].ptr == unsafe.Pointer(b.number))
}

// TestBlankDescriptions saves pointers to descriptions of types that are pointers to structs of the
// program: to one without a size, and to one that has what a description begins with. Other values
// of these structs are what they are.
func TestBlankDescriptions(t *testing.T) {
	type blank struct{}
	type begun struct {
		size, pointers uintptr
		hash           uint32
	}
	type longer struct {
		_ [0]func()
		begun
		elem *begun
	}
	type unlinked [3]int
	type holder struct {
		blanks  []*blank
		begun   []*begun
		longer  *longer
		names   map[*blank]string
		any     any
		nothing *blank
		own     *begun
		same    *begun
	}
	kinds := []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[*holder](), reflect.TypeFor[error](), reflect.SliceOf(reflect.PointerTo(reflect.TypeFor[unlinked]()))}
	h := &holder{names: make(map[*blank]string), nothing: new(blank), own: &begun{1, 2, 3}}
	for _, rt := range kinds {
		h.blanks = append(h.blanks, (*blank)(descriptor(rt)))
		h.begun = append(h.begun, (*begun)(descriptor(rt)))
		h.names[(*blank)(descriptor(rt))] = rt.String()
	}
	h.longer, h.any, h.same = (*longer)(descriptor(kinds[1])), h.blanks[2], h.own
	b := again(t, h)
	for i, rt := range kinds {
		check(t, b.blanks[i] == h.blanks[i])
		check(t, b.begun[i] == h.begun[i])
		equal(t, rt.String(), b.names[h.blanks[i]])
	}
	check(t, b.longer == h.longer && b.any == h.any && b.nothing != nil)
	check(t, b.own != h.own && b.own == b.same)
	equal(t, *h.own, *b.own)

	type other struct{ words [6]uintptr }
	_, err := Capture([]Root{{"o", new((*other)(descriptor(kinds[0])))}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "it is the runtime's description of a type"))
}

// TestUnsafeHeaders saves unsafe pointers that are maps and channels, as a program has them that
// asks reflect.Value.Pointer which it has met.
func TestUnsafeHeaders(t *testing.T) {
	type holder struct {
		before unsafe.Pointer
		m      map[string]int
		c      chan int
		met    map[unsafe.Pointer]string
	}
	pointer := func(x any) unsafe.Pointer { return reflect.ValueOf(x).UnsafePointer() }
	h := &holder{m: map[string]int{"a": 1}, c: make(chan int, 3)}
	h.before = pointer(h.m)
	h.met = map[unsafe.Pointer]string{pointer(h.m): "map", pointer(h.c): "channel"}
	h.c <- 4
	b := again(t, h)
	check(t, b.before == pointer(b.m) && b.before != h.before)
	equal(t, "map", b.met[pointer(b.m)])
	equal(t, "channel", b.met[pointer(b.c)])
	equal(t, 1, b.m["a"])
	equal(t, 4, <-b.c)
}

// TestMadeDescriptions saves unsafe pointers to descriptions of types that the binary does not
// have, and that package reflect has made. What only looks like one is refused.
func TestMadeDescriptions(t *testing.T) {
	type unlinked [2]int
	type holder struct{ types []unsafe.Pointer }
	kinds := []reflect.Type{reflect.PointerTo(reflect.PointerTo(reflect.TypeFor[unlinked]()))}
	kinds = append(kinds, reflect.PointerTo(reflect.SliceOf(reflect.PointerTo(kinds[0]))), reflect.SliceOf(kinds[0]))
	h := &holder{}
	for _, rt := range kinds {
		base, _, _ := findObject(uintptr(descriptor(rt)), 0, 0)
		check(t, base != 0) // made
		h.types = append(h.types, descriptor(rt))
	}
	b := again(t, h)
	for i, rt := range kinds {
		check(t, b.types[i] == descriptor(rt))
	}
	forged := *(*madeDescription)(h.types[0])
	h.types = append(h.types, unsafe.Pointer(&forged))
	refuses(t, h)
	forged.elem = unsafe.Pointer(&forged)
	refuses(t, h)
	for range 3000 { // also where an allocation is the last of its pages
		small := new([3]int64)
		h.types[len(h.types)-1] = unsafe.Pointer(small)
		check(t, !isDescriptor(unsafe.Pointer(small)))
	}
}

// refuses expects that an unsafe pointer of v can't be saved.
func refuses(t *testing.T, v any) {
	t.Helper()
	_, err := Capture([]Root{{"v", &v}}, Options{})
	check(t, err != nil)
	check(t, strings.Contains(err.Error(), "it leads to nothing that the program also reaches"))
}
