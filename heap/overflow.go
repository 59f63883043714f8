package heap

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// An OverflowError tells that an image has a number which is too large for the machine that
// rebuilds it: it was written where an int has 64 bits. The image is not damaged.
type OverflowError struct {
	Path  string // of the variable, for instance main.sim.steps
	Type  string // its type
	Value string
}

// Error names variable, type and value.
func (e *OverflowError) Error() string {
	return fmt.Sprintf("heap: %s (%s): %s is too large for this machine, on which an int has %d bits", e.Path, e.Type, e.Value, strconv.IntSize)
}

// An overflow is an OverflowError whose variable is not known yet: so many bytes into what is being
// rebuilt.
type overflow struct {
	off   uint64
	value string
	kind  reflect.Kind
}

func (o *overflow) Error() string { return "heap: " + o.value + " does not fit" }

// within adds to the place of an overflow where what it is in begins.
func within(err error, off uint64) error {
	if o, ok := err.(*overflow); ok {
		o.off += off
	}
	return err
}

// located names the variable of an overflow in an object.
func (im *Image) located(err error, number uint64) error {
	var o *overflow
	if !errors.As(err, &o) {
		return err
	}
	return &OverflowError{Path: im.path(number, o.off), Type: o.kind.String(), Value: o.value}
}

// path returns a shortest path from a root to a place in an object, in the notation of Go.
func (im *Image) path(number, off uint64) string {
	type step struct {
		link
		from uint64
		root int // index + 1
	}
	steps := make([]step, im.objects+1)
	var todo []uint64
	reach := func(s step) {
		if t := &steps[s.to]; t.from == 0 && t.root == 0 {
			*t = s
			todo = append(todo, s.to)
		}
	}
	for i, r := range im.roots {
		im.follow(r.at, 0, byRoot, func(l link) { reach(step{link: l, root: i + 1}) })
	}
	for len(todo) > 0 && steps[number].to == 0 {
		from := todo[0]
		todo = todo[1:]
		im.links(from, func(l link) { reach(step{link: l, from: from}) })
	}
	if steps[number].to == 0 {
		return "a value"
	}
	var p path
	for {
		s := &steps[number]
		part := im.place(s.link, off)
		if s.root > 0 {
			p.add(im.roots[s.root-1].name + part)
			return p.String()
		}
		p.add(part)
		number, off = s.from, s.link.off
	}
}

// place describes an offset in an object, seen from a reference to it.
func (im *Image) place(l link, off uint64) string {
	g := im.groupOf(l.to)
	size := g.typ.size
	index := int64(off/size) - int64(l.at/size)
	inner, before := g.typ.fieldPath(off%size), g.typ.fieldPath(l.at%size)
	if rest, ok := strings.CutPrefix(inner, before); ok && index == 0 {
		inner = rest
	}
	switch l.how {
	case bySlice, byChannel, byString:
		return fmt.Sprintf("[%d]%s", index, inner)
	case byMapKey:
		return "[key]" + inner
	case byMapValue:
		_, n := split(l.word)
		m := im.maps[n]
		if key, ok := im.at(m.keys, m.typ.Key); ok {
			if key.typ.size > 0 {
				key.b = key.b[uint64(index)*key.typ.size:]
			}
			key.id = 0
			return "[" + key.Format(Limits{Depth: 1, Elements: 4, Bytes: 40, Total: 80}) + "]" + inner
		}
	case byInterface:
		return ".(" + shortName(g.typ) + ")" + inner
	case byClosure:
		return "()" + inner
	}
	if g.elements(l.to-g.first) > 1 {
		return fmt.Sprintf("[%d]%s", index, inner)
	}
	return inner
}

// fieldPath returns the fields and indexes that lead to an offset in a value.
func (t *Type) fieldPath(off uint64) string {
	var b strings.Builder
	for {
		switch t.Kind {
		case reflect.Struct:
			i := len(t.Fields) - 1
			for i >= 0 && (off < t.Fields[i].off || off >= t.Fields[i].off+t.Fields[i].Type.size) {
				i--
			}
			if i < 0 {
				return b.String()
			}
			b.WriteString("." + t.Fields[i].Name)
			off -= t.Fields[i].off
			t = t.Fields[i].Type
		case reflect.Array:
			t = t.Elem
			if t.size == 0 {
				return b.String()
			}
			fmt.Fprintf(&b, "[%d]", off/t.size)
			off %= t.size
		default:
			return b.String()
		}
	}
}
