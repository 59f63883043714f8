package heap

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

type ownedBucket struct {
	entries [2]unsafe.Pointer // *instancePair[K, V]
	more    []unsafe.Pointer  // as well
	next    unsafe.Pointer    // *ownedPadded
}

type ownedPadded struct {
	_ [8]byte
	ownedBucket
}

type ownedTable[K, V any] struct {
	buckets []ownedPadded
	spare   *ownedBucket
}

// An ownedBoth has another owner in it.
type ownedBoth[V any] struct {
	list  []ownedPadded
	other ownedTable[string, *string]
}

// TestPointeesOfOwners captures what unsafe pointers lead to that can be of several types by what
// is there, but not by whose they are.
func TestPointeesOfOwners(t *testing.T) {
	type holder struct {
		n     int
		table [2]ownedTable[string, *string] // by value
	}
	type vars struct {
		numbers *ownedTable[string, *int]
		texts   *holder
		bucket  *ownedBucket
		both    *ownedBoth[*int]
	}
	of := reflect.TypeFor[ownedBucket]().PkgPath()
	opt := Options{Pointees: []Pointee{{Of: reflect.TypeFor[ownedBucket](), Field: "next", To: reflect.TypeFor[ownedPadded]()}}}
	for _, field := range []string{"entries", "more"} {
		for _, name := range []string{".instancePair[string,*int]", ".instancePair[string,*string]"} {
			opt.Pointees = append(opt.Pointees, Pointee{Of: reflect.TypeFor[ownedBucket](), Field: field, Leads: of + name})
		}
	}
	unowned := opt
	for _, field := range []string{"entries", "more"} {
		opt.Pointees = append(opt.Pointees, Pointee{Of: reflect.TypeFor[ownedBucket](), Field: field, Generic: of + ".ownedTable", Leads: of + ".instancePair[$0,$1]"},
			Pointee{Of: reflect.TypeFor[ownedBucket](), Field: field, Generic: of + ".ownedBoth", Leads: of + ".instancePair[string,$0]"})
	}
	number := func(n int) unsafe.Pointer { return unsafe.Pointer(&instancePair[string, *int]{"number", &n}) }
	text := func(s string) unsafe.Pointer { return unsafe.Pointer(&instancePair[string, *string]{"text", &s}) }
	v, w := new(vars), new(vars)
	v.numbers = &ownedTable[string, *int]{buckets: make([]ownedPadded, 3)}
	v.numbers.buckets[2].entries[1] = number(1)
	next := &ownedPadded{ownedBucket: ownedBucket{more: []unsafe.Pointer{nil, number(2)}}}
	v.numbers.buckets[1].next = unsafe.Pointer(next)
	next.next = unsafe.Pointer(&ownedPadded{ownedBucket: ownedBucket{entries: [2]unsafe.Pointer{number(3)}}})
	v.texts = &holder{n: 5}
	v.texts.table[1].spare = &ownedBucket{entries: [2]unsafe.Pointer{text("a"), text("b")}}
	v.both = &ownedBoth[*int]{list: make([]ownedPadded, 1), other: ownedTable[string, *string]{buckets: make([]ownedPadded, 1)}}
	v.both.list[0].entries[0] = number(6)
	v.both.other.buckets[0].entries[0] = text("c")
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	equal(t, 6, *(*instancePair[string, *int])(w.both.list[0].entries[0]).b)
	equal(t, "c", *(*instancePair[string, *string])(w.both.other.buckets[0].entries[0]).b)
	equal(t, 1, *(*instancePair[string, *int])(w.numbers.buckets[2].entries[1]).b)
	first := (*ownedPadded)(w.numbers.buckets[1].next)
	equal(t, 2, *(*instancePair[string, *int])(first.more[1]).b)
	equal(t, 3, *(*instancePair[string, *int])((*ownedPadded)(first.next).entries[0]).b)
	equal(t, 5, w.texts.n)
	equal(t, "a", *(*instancePair[string, *string])(w.texts.table[1].spare.entries[0]).b)
	equal(t, "b", *(*instancePair[string, *string])(w.texts.table[1].spare.entries[1]).b)

	refused := func(opt Options) {
		t.Helper()
		_, err := Capture([]Root{{"v", v}}, opt)
		check(t, err != nil && strings.Contains(err.Error(), "and nothing tells which"), err)
	}
	refused(unowned)
	v.bucket = &ownedBucket{entries: [2]unsafe.Pointer{number(4)}} // nobody's
	refused(opt)
	v.bucket = nil
	v.texts.table[0].spare = &next.ownedBucket // two owners'
	refused(opt)
}
