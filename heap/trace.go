package heap

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// A relation says how one object refers to another.
type relation uint8

const (
	byRoot relation = iota
	byPointer
	bySlice
	byString
	byInterface
	byMapKey
	byMapValue
	byChannel
	byClosure
)

// A trace tells how the walk came to an item. Traces are kept only when a
// capture has failed and is repeated to find the path.
type trace struct {
	parent int
	off    uintptr // of the reference in the parent
	how    relation
	plan   *plan
	count  int
	root   string
	keys   reflect.Value // of the map, for byMapValue
}

// path returns the path from the root to the place that the walk noted.
func (w *walker) path() string {
	var p path
	off := w.traces[0].off
	for i := w.traces[0].parent; i > 0; i = w.traces[i].parent {
		t := &w.traces[i]
		part := t.place(off)
		if t.how == byRoot {
			part = t.root + part
		}
		p.add(part)
		off = t.off
	}
	return p.String()
}

// pathTo returns the path to the reference by which the walk came to something.
func (w *walker) pathTo(trace int) string {
	t := &w.traces[trace]
	if t.how == byRoot {
		return t.root
	}
	w.traces[0].parent, w.traces[0].off = t.parent, t.off
	return w.path()
}

// pathOf returns the path to a region of a list.
func (w *walker) pathOf(b *batch, i int) string {
	if i < len(b.traces) {
		return w.pathTo(b.traces[i])
	}
	return w.pathOfTable(b.pointer(i), b.list.plan)
}

// pathOfTable returns the path to a region of the table.
func (w *walker) pathOfTable(p unsafe.Pointer, pl *plan) string {
	return w.describe(w.mem.find(p, pl))
}

// describe returns the path to a region of the table by its number.
func (w *walker) describe(region int) string {
	if t, ok := w.tableTraces[region]; ok {
		return w.pathTo(t)
	}
	return unknownPath
}

const unknownPath = "a value"

// A path is the parts of one, the last first. Of many, those at either end are kept.
type path struct {
	parts   []string
	skipped int
}

const pathEnds = 24 // parts kept at either end

func (p *path) add(part string) {
	p.parts = append(p.parts, part)
	if len(p.parts) > 2*pathEnds {
		p.parts = append(p.parts[:pathEnds], p.parts[pathEnds+1:]...)
		p.skipped++
	}
}

// String returns the path from its beginning.
func (p *path) String() string {
	var b strings.Builder
	for i := len(p.parts) - 1; i >= 0; i-- {
		b.WriteString(p.parts[i])
		if p.skipped > 0 && i == pathEnds {
			fmt.Fprintf(&b, "...(%d more)...", p.skipped)
		}
	}
	return b.String()
}

// place describes an offset in the values of an item.
func (t *trace) place(off uintptr) string {
	i := 0
	if t.plan.native > 0 {
		i = int(off / t.plan.native)
		off %= t.plan.native
	}
	inner := fieldPath(t.plan.rt, off)
	switch t.how {
	case bySlice, byChannel:
		return "[" + strconv.Itoa(i) + "]" + inner
	case byMapKey:
		return "[key]" + inner
	case byMapValue:
		if t.keys.IsValid() && i < t.keys.Len() {
			return "[" + keyText(t.keys.Index(i)) + "]" + inner
		}
	case byInterface:
		return ".(" + t.plan.rt.String() + ")" + inner
	case byClosure:
		return "()" + inner
	}
	if t.count > 1 && i < t.count {
		return "[" + strconv.Itoa(i) + "]" + inner
	}
	return inner
}

func keyText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		if len(s) > 40 {
			s = s[:40] + "..."
		}
		return strconv.Quote(s)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Interface:
		if !v.IsNil() {
			return keyText(v.Elem())
		}
	}
	return v.Type().String()
}

// fieldPath returns the fields and indexes that lead to an offset in a value.
func fieldPath(rt reflect.Type, off uintptr) string {
	var b strings.Builder
	for {
		if rt == typeOfFile || rt == typeOfRoot || isIterator(rt) || refused(rt) != "" {
			return b.String()
		}
		switch rt.Kind() {
		case reflect.Struct:
			found := false
			for i := rt.NumField() - 1; i >= 0; i-- {
				f := rt.Field(i)
				if off >= f.Offset && off < f.Offset+f.Type.Size() {
					b.WriteString("." + f.Name)
					off -= f.Offset
					rt = f.Type
					found = true
					break
				}
			}
			if !found {
				return b.String()
			}
		case reflect.Array:
			rt = rt.Elem()
			if rt.Size() == 0 {
				return b.String()
			}
			fmt.Fprintf(&b, "[%d]", off/rt.Size())
			off %= rt.Size()
		default:
			return b.String()
		}
	}
}

// root starts the walk at a variable.
func (w *walker) root(name string, p unsafe.Pointer, pl *plan) {
	from := len(w.traces)
	w.base = p
	w.tabled(p)
	w.visit(p, pl, 1, byRoot, p)
	for i := from; i < len(w.traces); i++ {
		w.traces[i].parent = 0
		w.traces[i].root = name
	}
}
