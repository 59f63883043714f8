package heap

import (
	"fmt"
	"math"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unique"
	"unsafe"
	"weak"
)

// A comparison decides whether two graphs are the same up to addresses. It is
// deliberately simple: it goes through both in step and notes for each cell of
// memory which cell of the other graph it corresponds to; the correspondence
// must be one to one.
type comparison struct {
	there, back map[cell]cell
	maps        map[unsafe.Pointer]unsafe.Pointer
	weaks       []func() bool // to be compared when all else is
	why         string
}

type cell struct {
	at  unsafe.Pointer
	typ reflect.Type
}

func newComparison() *comparison {
	return &comparison{there: map[cell]cell{}, back: map[cell]cell{}, maps: map[unsafe.Pointer]unsafe.Pointer{}}
}

func (c *comparison) no(path, format string, args ...any) bool {
	if c.why == "" {
		c.why = path + ": " + fmt.Sprintf(format, args...)
	}
	return false
}

// twins notes that two references of one kind correspond.
func (c *comparison) twins(a, b unsafe.Pointer, path string) (known, ok bool) {
	if x, ok := c.maps[a]; ok {
		if x != b {
			c.no(path, "another one")
		}
		return true, x == b
	}
	for _, x := range c.maps {
		if x == b {
			c.no(path, "shared only afterwards")
			return true, false
		}
	}
	c.maps[a] = b
	return false, true
}

func (c *comparison) same(a, b reflect.Value, path string) bool {
	if a.Type() != b.Type() {
		return c.no(path, "type %s became %s", a.Type(), b.Type())
	}
	if !a.CanAddr() { // in a map or interface: compare copies
		x, y := reflect.New(a.Type()).Elem(), reflect.New(a.Type()).Elem()
		x.Set(a)
		y.Set(b)
		a, b = x, y
	}
	if a.Type().Size() > 0 {
		x, y := cell{a.Addr().UnsafePointer(), a.Type()}, cell{b.Addr().UnsafePointer(), b.Type()}
		if z, ok := c.there[x]; ok {
			if z != y {
				return c.no(path, "sharing lost")
			}
			return true
		}
		if _, ok := c.back[y]; ok {
			return c.no(path, "sharing gained")
		}
		c.there[x], c.back[y] = y, x
		a = reflect.NewAt(a.Type(), x.at).Elem()
		b = reflect.NewAt(b.Type(), y.at).Elem()
	}
	if known, ok := c.special(a, b, path); known {
		return ok
	}
	switch a.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.String,
		reflect.Complex64, reflect.Complex128:
		if !a.Equal(b) {
			return c.no(path, "%v became %v", a, b)
		}
	case reflect.Float32, reflect.Float64:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			return c.no(path, "%v became %v", a, b)
		}
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return c.no(path, "nil %v became nil %v", a.IsNil(), b.IsNil())
			}
			return true
		}
		return c.same(a.Elem(), b.Elem(), path+"^")
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() || a.Cap() != b.Cap() {
			return c.no(path, "slice %v %d %d became %v %d %d", a.IsNil(), a.Len(), a.Cap(), b.IsNil(), b.Len(), b.Cap())
		}
		a, b = a.Slice(0, a.Cap()), b.Slice(0, b.Cap())
		for i := range a.Len() {
			if !c.same(a.Index(i), b.Index(i), fmt.Sprint(path, "[", i, "]")) {
				return false
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if !c.same(a.Index(i), b.Index(i), fmt.Sprint(path, "[", i, "]")) {
				return false
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if !c.same(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name) {
				return false
			}
		}
	case reflect.Func:
		if a.IsNil() != b.IsNil() || !a.IsNil() && a.Pointer() != b.Pointer() {
			return c.no(path, "func")
		}
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return c.no(path, "map nil %v of %d became %v of %d", a.IsNil(), a.Len(), b.IsNil(), b.Len())
		}
		if a.IsNil() {
			return true
		}
		if known, ok := c.twins(a.UnsafePointer(), b.UnsafePointer(), path); known {
			return ok
		}
		// Keys are made of numbers and strings, so that they can be looked up, or told by their
		// marks; those that are not equal to themselves are counted, and compared if there is but
		// one.
		it := a.MapRange()
		var odd, oddAfter []reflect.Value
		for it.Next() {
			if !it.Key().Equal(it.Key()) {
				odd = append(odd, it.Value())
				continue
			}
			key := counterpart(it.Key(), b)
			v := b.MapIndex(key)
			if !v.IsValid() {
				return c.no(path, "key %v lost", it.Key())
			}
			inner := fmt.Sprint(path, "[", it.Key(), "]")
			if !c.same(it.Key(), key, inner+".key") || !c.same(it.Value(), v, inner) {
				return false
			}
		}
		it = b.MapRange()
		for it.Next() {
			if !it.Key().Equal(it.Key()) {
				oddAfter = append(oddAfter, it.Value())
			}
		}
		if len(odd) != len(oddAfter) {
			return c.no(path, "%d keys that are not numbers became %d", len(odd), len(oddAfter))
		}
		if len(odd) == 1 {
			return c.same(odd[0], oddAfter[0], path+"[NaN]")
		}
	case reflect.Chan:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() || a.Cap() != b.Cap() {
			return c.no(path, "chan")
		}
		if a.IsNil() {
			return true
		}
		if known, ok := c.twins(a.UnsafePointer(), b.UnsafePointer(), path); known {
			return ok
		}
		for i := range a.Len() {
			x, _ := a.Recv()
			y, _ := b.Recv()
			if !c.same(x, y, fmt.Sprint(path, "<-", i)) {
				return false
			}
		}
	default:
		return c.no(path, "kind %s", a.Kind())
	}
	return true
}

// counterpart returns the key of a map that a key of the other graph corresponds to.
func counterpart(key, m reflect.Value) reflect.Value {
	mark := func(v reflect.Value) uint64 {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.IsValid() && v.Type() == reflect.TypeFor[*marked]() && !v.IsNil() {
			return v.Elem().Field(0).Uint()
		}
		return 0
	}
	if n := mark(key); n > 0 {
		for _, k := range m.MapKeys() {
			if mark(k) == n {
				return k
			}
		}
	}
	return key
}

// special compares values of types that are more, or less, than their bytes.
func (c *comparison) special(a, b reflect.Value, path string) (known, ok bool) {
	if a.Type().Size() == 0 {
		return false, false
	}
	switch x := a.Addr().Interface().(type) {
	case *atomic.Pointer[tree]:
		y := b.Addr().Interface().(*atomic.Pointer[tree])
		return true, c.same(reflect.ValueOf(x.Load()), reflect.ValueOf(y.Load()), path)
	case *weak.Pointer[tree]:
		c.weaks = append(c.weaks, sameWeak(c, *x, *b.Addr().Interface().(*weak.Pointer[tree]), path))
	case *weak.Pointer[node]:
		c.weaks = append(c.weaks, sameWeak(c, *x, *b.Addr().Interface().(*weak.Pointer[node]), path))
	case *unique.Handle[string]:
		if *x != *b.Addr().Interface().(*unique.Handle[string]) {
			return true, c.no(path, "another handle")
		}
	case *time.Time:
		y := *b.Addr().Interface().(*time.Time)
		if !x.Equal(y) || x.Location() != y.Location() || x.String() != y.String() {
			return true, c.no(path, "%v became %v", x, y)
		}
	case *sync.Mutex:
		y := b.Addr().Interface().(*sync.Mutex)
		before, after := x.TryLock(), y.TryLock()
		if before {
			x.Unlock()
		}
		if after {
			y.Unlock()
		}
		if before != after {
			return true, c.no(path, "a lock is held %v and was %v", !after, !before)
		}
	case *reflect.Type:
		if *x != *b.Addr().Interface().(*reflect.Type) {
			return true, c.no(path, "another type")
		}
	case *reflect.Value:
		y := *b.Addr().Interface().(*reflect.Value)
		if x.Interface() != y.Interface() {
			return true, c.no(path, "%v became %v", x, y)
		}
	default:
		return false, false
	}
	return true, true
}

// sameWeak returns what compares two weak pointers when it is known what the graphs hold otherwise:
// if what the first leads to is part of its graph, the second leads to the same of the other.
func sameWeak[T any](c *comparison, a, b weak.Pointer[T], path string) func() bool {
	return func() bool {
		zero := weak.Pointer[T]{}
		x, y := a.Value(), b.Value()
		if (a == zero) != (b == zero) {
			return c.no(path, "weak pointer %v became %v", a, b)
		}
		twin, held := c.there[cell{unsafe.Pointer(x), reflect.TypeFor[T]()}]
		switch {
		case x == nil && y != nil:
			return c.no(path, "what was gone is back")
		case held && unsafe.Pointer(y) != twin.at:
			return c.no(path, "a weak pointer leads elsewhere")
		case x != nil && y != nil:
			return c.same(reflect.ValueOf(x).Elem(), reflect.ValueOf(y).Elem(), path)
		}
		return true
	}
}

// finish compares what is compared last.
func (c *comparison) finish() bool {
	for i := 0; i < len(c.weaks); i++ { // grows
		if !c.weaks[i]() {
			return false
		}
	}
	return true
}
