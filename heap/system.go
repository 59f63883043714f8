package heap

import (
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// The structs of system calls, such as syscall.Stat_t, which an os.FileInfo holds, have other
// fields on each architecture: in another order, as wide as the kernel has them there, and with
// others between them that fill up. An image has those of the machine that wrote it. Where they
// differ, a rebuild finds the fields by their names and converts numbers; it leaves out what fills
// up.

// isSystem reports whether a type is a struct of system calls.
func isSystem(rt reflect.Type) bool {
	if rt.Kind() != reflect.Struct {
		return false
	}
	switch strings.TrimPrefix(rt.PkgPath(), "vendor/") {
	case "syscall", "golang.org/x/sys/unix":
		return true
	}
	return false
}

// A conversion is a run of n numbers of a struct of system calls: where they are in the image and
// in memory, and as what.
type conversion struct {
	wire     uint64
	off      uintptr
	kind, to reflect.Kind
	n        int
}

// fillsUp reports whether a field of a struct of system calls is there for the sake of the others.
func fillsUp(name string) bool {
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, "X__") || strings.HasPrefix(name, "Pad") || strings.HasPrefix(name, "pad")
}

// foreign returns how to convert values of type t of an image to values of type rt, a struct of
// system calls; nil if they are the same, or too different.
func foreign(t *Type, rt reflect.Type) []conversion {
	if !isSystem(rt) || t.refs || t.opaque {
		return nil
	}
	list, same, ok := conversions(nil, t, rt, 0, 0)
	if same || !ok {
		return nil
	}
	return list
}

// conversions appends those of a type, and reports whether it is the same type and, if not, whether
// there are any.
func conversions(list []conversion, t *Type, rt reflect.Type, wire uint64, off uintptr) (_ []conversion, same, ok bool) {
	same = t.Kind == rt.Kind()
	switch {
	case t.Kind == reflect.Struct && same:
		same = len(t.Fields) == rt.NumField()
		for i, f := range t.Fields {
			same = same && f.Name == rt.Field(i).Name
			if fillsUp(f.Name) {
				continue
			}
			g, found := rt.FieldByName(f.Name)
			if !found || len(g.Index) > 1 {
				return list, false, false
			}
			var one bool
			if list, one, ok = conversions(list, f.Type, g.Type, wire+f.off, off+g.Offset); !ok {
				return list, false, false
			}
			same = same && one
		}
		for i := range rt.NumField() {
			f := rt.Field(i)
			if !fillsUp(f.Name) && !t.hasField(f.Name) {
				return list, false, false
			}
		}
		return list, same, true
	case t.Kind == reflect.Array && same:
		same = t.Len == rt.Len()
		if !same {
			return list, false, false
		}
		if isNumber(t.Elem.Kind) && isNumber(rt.Elem().Kind()) {
			return append(list, conversion{wire, off, t.Elem.Kind, rt.Elem().Kind(), t.Len}), t.Elem.Kind == rt.Elem().Kind(), true
		}
		for i := range t.Len {
			var one bool
			if list, one, ok = conversions(list, t.Elem, rt.Elem(), wire+uint64(i)*t.Elem.size, off+uintptr(i)*rt.Elem().Size()); !ok {
				return list, false, false
			}
			same = same && one
		}
		return list, same, true
	case isNumber(t.Kind) && isNumber(rt.Kind()):
		return append(list, conversion{wire, off, t.Kind, rt.Kind(), 1}), same, true
	}
	return list, false, false
}

func (t *Type) hasField(name string) bool {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return true
		}
	}
	return false
}

// isNumber reports whether a kind is one of integers.
func isNumber(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// wireSize returns how many bytes an integer takes in the image.
func wireSize(k reflect.Kind) uint64 {
	t := Type{Kind: k}
	_ = t.layout(shortWord) // of an integer
	return t.size
}

// convert fills a struct of system calls.
func (p *plan) convert(dst unsafe.Pointer, src []byte) error {
	clear(unsafe.Slice((*byte)(dst), p.native))
	for _, c := range p.conversions {
		size, to := wireSize(c.kind), basic[c.to]
		for i := range c.n {
			at := c.wire + uint64(i)*size
			if !setInteger(reflect.NewAt(to, unsafe.Add(dst, c.off+uintptr(i)*to.Size())).Elem(), integer(src[at:], c.kind), c.kind) {
				return &overflow{at, integerText(integer(src[at:], c.kind), c.kind), c.to}
			}
		}
	}
	return nil
}

// converted translates an offset in the image of a struct of system calls.
func (p *plan) converted(off uint64) uintptr {
	for _, c := range p.conversions {
		if size := wireSize(c.kind); off > 0 && off >= c.wire && off < c.wire+uint64(c.n)*size {
			return c.off + uintptr((off-c.wire)/size)*basic[c.to].Size()
		}
	}
	return 0
}

// integer returns an integer of the image, extended by its sign if it has one.
func integer(src []byte, kind reflect.Kind) uint64 {
	size := wireSize(kind)
	var x uint64
	switch size {
	case 1:
		x = uint64(src[0])
	case 2:
		x = uint64(le.Uint16(src))
	case 4:
		x = uint64(le.Uint32(src))
	default:
		x = le.Uint64(src)
	}
	if signed(kind) {
		x = uint64(int64(x<<(64-8*size)) >> (64 - 8*size))
	}
	return x
}

func signed(kind reflect.Kind) bool { return kind <= reflect.Int64 }

func integerText(x uint64, kind reflect.Kind) string {
	if signed(kind) {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatUint(x, 10)
}

// setInteger sets v to an integer that was of another kind, and reports whether it fits. One of the
// same size has the same bits.
func setInteger(v reflect.Value, x uint64, was reflect.Kind) bool {
	bits := uint64(v.Type().Size()) * 8
	low := x << (64 - bits) >> (64 - bits)
	if v.CanInt() {
		v.SetInt(int64(x<<(64-bits)) >> (64 - bits))
		return bits >= wireSize(was)*8 || uint64(v.Int()) == x && (signed(was) || int64(x) >= 0)
	}
	v.SetUint(low)
	return bits >= wireSize(was)*8 || low == x
}
