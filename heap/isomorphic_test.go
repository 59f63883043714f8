package heap

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// A comparison decides whether two graphs are the same up to addresses. It is
// deliberately simple: it goes through both in step and notes for each cell of
// memory which cell of the other graph it corresponds to; the correspondence
// must be one to one.
type comparison struct {
	there, back map[cell]cell
	maps        map[unsafe.Pointer]unsafe.Pointer
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
		// Keys are made of numbers and strings, so that they can be looked up;
		// those that are not equal to themselves are counted.
		it := a.MapRange()
		odd := 0
		for it.Next() {
			v := b.MapIndex(it.Key())
			if !it.Key().Equal(it.Key()) {
				odd++
				continue
			}
			if !v.IsValid() {
				return c.no(path, "key %v lost", it.Key())
			}
			if !c.same(it.Value(), v, fmt.Sprint(path, "[", it.Key(), "]")) {
				return false
			}
		}
		it = b.MapRange()
		for it.Next() {
			if !it.Key().Equal(it.Key()) {
				odd--
			}
		}
		if odd != 0 {
			return c.no(path, "keys that are not numbers")
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
