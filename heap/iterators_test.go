package heap

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// TestIterators saves iterators over maps at each place, in maps with and without a directory: they
// go on with the entries that they have not come to, whatever happens to the map.
func TestIterators(t *testing.T) {
	for _, n := range []int{1, 5, 8, 9, 100, 1500} {
		for _, at := range []int{1, n / 2, n - 1, n} {
			if at < 1 {
				continue
			}
			type holder struct {
				it *reflect.MapIter
				m  map[string]*int
			}
			h := &holder{m: make(map[string]*int)}
			for i := range n {
				h.m[fmt.Sprint("key ", i)] = &i
			}
			h.it = reflect.ValueOf(h.m).MapRange()
			seen := make(map[string]bool)
			note := func() {
				k := h.it.Key().String()
				check(t, !seen[k], "twice", k)
				check(t, h.it.Value().Interface() == any(h.m[k]), k)
				seen[k] = true
			}
			for range at {
				check(t, h.it.Next())
				note()
			}
			h = *again(t, &h)
			last := h.it.Key().String()
			check(t, seen[last] && h.it.Value().Interface() == any(h.m[last]))
			h.m[last] = new(int) // where it was
			check(t, h.it.Value().Interface() == any(h.m[last]))
			h.m["new"] = new(int) // may come, or not
			saved := 0
			for h.it.Next() {
				note()
				if saved < 20 {
					h = *again(t, &h)
					saved++
				}
			}
			delete(seen, "new")
			equal(t, n, len(seen))
			equal(t, "MapIter.Next called on exhausted iterator", panicOf(func() { h.it.Next() }))
		}
	}
}

func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}

// TestIteratorsWithChanges deletes, changes and adds entries, and clears the map, before and after
// an iterator is saved.
func TestIteratorsWithChanges(t *testing.T) {
	for seed := range int64(60) {
		r := rand.New(rand.NewSource(seed))
		type holder struct {
			it *reflect.MapIter
			m  map[int]int
		}
		h := &holder{m: make(map[int]int)}
		n := 1 + r.Intn([]int{8, 30, 1200}[seed%3])
		due := make(map[int]bool) // have to come
		for i := range n {
			h.m[i] = i
			due[i] = true
		}
		h.it = reflect.ValueOf(h.m).MapRange()
		seen := make(map[int]bool)
		saves := 0
		for h.it.Next() {
			k := int(h.it.Key().Int())
			v, ok := h.m[k]
			check(t, ok && !seen[k] && int(h.it.Value().Int()) == v, seed, k, v)
			seen[k] = true
			delete(due, k)
			switch x := r.Intn(n + 10); r.Intn(6) {
			case 0:
				delete(h.m, x)
				delete(due, x)
				delete(seen, x) // may come again if it is added
			case 1:
				h.m[x] = r.Int()
			case 2:
				h.m[n+r.Intn(3*n)] = 1
			case 3:
				if r.Intn(n) == 0 {
					clear(h.m)
					clear(due)
					clear(seen)
				}
			}
			if saves < 10 && r.Intn(3) == 0 {
				saves++
				h = *again(t, &h)
			}
		}
		equal(t, 0, len(due))
	}
}

// TestIteratorsOfKinds saves iterators over maps of keys that are not equal to themselves, that are
// kept behind pointers, and without size.
func TestIteratorsOfKinds(t *testing.T) {
	type holder struct{ nan, large, empty, boxed, nothing, none, fresh, ended, deleted *reflect.MapIter }
	type large struct{ text [40]string }
	next := func(m any) *reflect.MapIter {
		it := reflect.ValueOf(m).MapRange()
		it.Next()
		return it
	}
	nan := map[float64]int{1: 1}
	for i := range 9 {
		nan[math.NaN()] = i
	}
	longs := make(map[large]large)
	empties := make(map[int8]struct{})
	boxes := make(map[any]any)
	deleted := make(map[string][]int)
	for i := range 20 {
		longs[large{[40]string{39: fmt.Sprint(i)}}] = large{[40]string{1: fmt.Sprint(i)}}
		empties[int8(i)] = struct{}{}
		boxes[i] = fmt.Sprint(i)
		boxes[fmt.Sprint(i)] = &i
		deleted[fmt.Sprint(i)] = []int{i}
	}
	h := &holder{nan: next(nan), large: next(longs), empty: next(empties), boxed: next(boxes), nothing: next(map[struct{}]int{{}: 1}),
		none: next(map[int]int(nil)), fresh: reflect.ValueOf(empties).MapRange(), ended: next(map[int]int{1: 1}), deleted: next(deleted)}
	check(t, !h.ended.Next())
	key := h.deleted.Key().String()
	delete(deleted, key)
	for range 2 {
		h = *again(t, &h)
	}
	count := func(it *reflect.MapIter, visit func(key, value reflect.Value)) int {
		n := 0
		for more := true; more; more = it.Next() {
			visit(it.Key(), it.Value())
			n++
		}
		return n
	}
	sum := 0
	equal(t, 10, count(h.nan, func(_, v reflect.Value) { sum += int(v.Int()) }))
	equal(t, 37, sum)
	equal(t, 20, count(h.large, func(k, v reflect.Value) {
		equal(t, k.Interface().(large).text[39], v.Interface().(large).text[1])
	}))
	seen := make(map[int64]bool)
	equal(t, 20, count(h.empty, func(k, v reflect.Value) { seen[k.Int()] = true }))
	equal(t, 20, len(seen))
	equal(t, 40, count(h.boxed, func(k, v reflect.Value) {
		switch k := k.Interface().(type) {
		case int:
			equal(t, fmt.Sprint(k), v.Interface().(string))
		case string:
			equal(t, k, fmt.Sprint(*v.Interface().(*int)))
		}
	}))
	equal(t, 1, count(h.nothing, func(_, v reflect.Value) { equal(t, int64(1), v.Int()) }))
	for _, it := range []*reflect.MapIter{h.none, h.ended} {
		equal(t, "MapIter.Next called on exhausted iterator", panicOf(func() { it.Next() }))
	}
	n := 0
	for h.fresh.Next() {
		n++
	}
	equal(t, 20, n)
	equal(t, "", h.deleted.Key().String()) // as in the map that it was deleted from
	equal(t, 0, h.deleted.Value().Len())
	n = 0
	for h.deleted.Next() {
		check(t, h.deleted.Key().String() != key && h.deleted.Value().Len() == 1)
		n++
	}
	equal(t, 19, n)
	h.deleted.Reset(reflect.ValueOf(map[int]int{3: 4}))
	check(t, h.deleted.Next() && h.deleted.Key().Int() == 3)
}

// TestTwoIterators saves two over the same map, which has nothing else that leads to it.
func TestTwoIterators(t *testing.T) {
	m := reflect.ValueOf(map[int]bool{1: true, 2: true, 3: true, 4: true})
	list := []*reflect.MapIter{m.MapRange(), m.MapRange()}
	list[0].Next()
	list[1].Next()
	list[1].Next()
	list = *again(t, &list)
	for i, n := range []int{4, 3} {
		for more := true; more; more = list[i].Next() {
			n--
		}
		equal(t, 0, n)
	}
}

// TestTooManyToCome refuses an iterator with more keys to come than a table has room for.
func TestTooManyToCome(t *testing.T) {
	m := make(map[int]bool)
	for i := range mostKeys + 1 {
		m[i] = true
	}
	it := reflect.ValueOf(m).MapRange()
	it.Next()
	_, err := Capture([]Root{{"it", &it}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "it.hiter" && strings.Contains(unsupported.Why, "32768 entries"), err)
	it.Next()
	it = *again(t, &it)
	n := 1
	for it.Next() {
		n++
	}
	equal(t, mostKeys, n)
}

//go:linkname beginIterator reflect.mapiterinit
//go:noescape
func beginIterator(typ, m unsafe.Pointer, it *ownIterator)

//go:linkname advanceIterator reflect.mapiternext
//go:noescape
func advanceIterator(it *ownIterator)

// An ownIterator is what packages had as an iterator before Go 1.24.
type ownIterator struct {
	key, value unsafe.Pointer
	t, h       unsafe.Pointer
	_          [4]unsafe.Pointer
	_          [5]uintptr
}

// TestLinkedIterators saves iterators of a package that has the functions of the runtime.
func TestLinkedIterators(t *testing.T) {
	type holder struct {
		it, fresh *ownIterator
		m         map[int]string
	}
	h := &holder{it: new(ownIterator), fresh: new(ownIterator), m: make(map[int]string)}
	for i := range 12 {
		h.m[i] = fmt.Sprint(i)
	}
	beginIterator(descriptor(reflect.TypeOf(h.m)), reflect.ValueOf(h.m).UnsafePointer(), h.it)
	opt := Options{Iterators: []reflect.Type{reflect.TypeFor[ownIterator]()}}
	n := 0
	for h.it.key != nil {
		equal(t, fmt.Sprint(*(*int)(h.it.key)), *(*string)(h.it.value))
		n++
		h = *againWith(t, &h, opt)
		check(t, h.fresh.t == nil)
		advanceIterator(h.it)
	}
	equal(t, 12, n)
	h = *againWith(t, &h, opt)
	check(t, h.it.key == nil && h.it.t != nil)
	h.it.h = unsafe.Pointer(new(int))
	_, err := Capture([]Root{{"h", &h}}, opt)
	check(t, err != nil && strings.Contains(err.Error(), "iterator"), err)
}

// againWith is again with options.
func againWith[T any](t testing.TB, v *T, opt Options) *T {
	t.Helper()
	w := new(T)
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	return w
}
