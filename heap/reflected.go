package heap

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// A reflect.Value is a type, a pointer and flags. The pointer leads to a value of that type, which
// is a variable or an immutable copy as behind an interface; or it is itself the value, if that is
// a single reference. A method of a value has the type and the pointer of the value, with the kind
// of a function and the number of the method in the flags; whether the pointer leads to a variable
// is not told.

const reflectValue = "reflect.Value"

const (
	flagKinds    = 1<<5 - 1
	flagIndirect = 1 << 7
	flagVariable = 1 << 8
	flagMethod   = 1 << 9
	methodShift  = 10
)

// A reflection is a reflect.Value, as far as it is looked at here.
type reflection struct {
	typ  unsafe.Pointer
	ptr  unsafe.Pointer
	flag uintptr
}

// isReflection reports whether a type is reflect.Value or a type that is defined by it.
func (t *Type) isReflection() bool {
	if t.Kind != reflect.Struct || len(t.Fields) != 3 {
		return false
	}
	kinds := [...]reflect.Kind{reflect.Pointer, reflect.UnsafePointer, reflect.Uintptr}
	for i, name := range [...]string{"typ_", "ptr", "flag"} {
		if f := &t.Fields[i]; f.Name != name || f.pkg != "reflect" || f.Type.Kind != kinds[i] {
			return false
		}
	}
	return true
}

// isReflectionType is the same of a type of this program.
func isReflectionType(rt reflect.Type) bool {
	return rt.Kind() == reflect.Struct && rt.NumField() == 3 && rt.ConvertibleTo(reflect.TypeFor[reflect.Value]())
}

// kind returns what the flags of a value of a type have as its kind.
func (r *reflection) kind() reflect.Kind {
	if r.flag&flagMethod != 0 {
		return reflect.Func
	}
	return described(r.typ).Kind()
}

// reflectionKnown tests the layout on values in known states.
var reflectionKnown = sync.OnceValue(func() bool {
	if unsafe.Sizeof(reflection{}) != unsafe.Sizeof(reflect.Value{}) {
		return false
	}
	is := func(v reflect.Value, typ reflect.Type, ptr unsafe.Pointer, flags uintptr) bool {
		r := *(*reflection)(unsafe.Pointer(&v))
		return r.typ == descriptor(typ) && (ptr == nil || r.ptr == ptr) && r.flag == flags|uintptr(typ.Kind())
	}
	x := new(int64)
	p, n := reflect.TypeFor[*int64](), reflect.TypeFor[int64]()
	return is(reflect.ValueOf(x), p, unsafe.Pointer(x), 0) &&
		is(reflect.ValueOf(x).Elem(), n, unsafe.Pointer(x), flagIndirect|flagVariable) &&
		is(reflect.ValueOf(*x), n, nil, flagIndirect) &&
		is(reflect.ValueOf(&x).Elem(), p, unsafe.Pointer(&x), flagIndirect|flagVariable)
})

// reflectionAt returns the reflect.Value whose pointer is stored at q.
func reflectionAt(q unsafe.Pointer) *reflection {
	return (*reflection)(unsafe.Add(q, -int(unsafe.Offsetof(reflection{}.ptr))))
}

// reflected visits what a reflect.Value stands for; x is its pointer, found at q.
func (w *walker) reflected(x, q unsafe.Pointer) error {
	r := reflectionAt(q)
	if !reflectionKnown() {
		w.note(q)
		return &refusal{reflectValue, "this version of Go keeps such values in a way that is not known"}
	}
	p, err := w.findable(w.of(described(r.typ)), q)
	switch {
	case err != nil:
		return err
	case r.flag&flagIndirect == 0:
		return w.single(p, x, q)
	case r.flag&(flagVariable|flagMethod) != 0:
		return w.pointer(x, p, q)
	case p.refuse != "":
		return w.refusal(p, q)
	}
	w.box(x, p, q)
	return nil
}

// reflected returns the reference for the pointer of a reflect.Value.
func (e *encoder) reflected(x, q unsafe.Pointer) uint64 {
	r := reflectionAt(q)
	p := e.of(described(r.typ))
	switch {
	case r.flag&flagIndirect == 0:
		return e.word(p.only(), x)
	case r.flag&(flagVariable|flagMethod) != 0:
		return e.address(x, p)
	}
	return e.box(x, p)
}

// checkReflected checks the three words of a reflect.Value.
func (im *Image) checkReflected(typ, word, flag uint64) error {
	if typ == 0 {
		if word != 0 || flag != 0 {
			return fmt.Errorf("a reflect.Value of no type has a value")
		}
		return nil
	}
	tag, n := split(typ)
	if tag != tagType || n >= uint64(len(im.types)) || !im.types[n].dynamic {
		return fmt.Errorf("the type of a reflect.Value is %#x", typ)
	}
	t := im.types[n]
	kind := t.Kind
	if flag&flagMethod != 0 {
		kind = reflect.Func
	}
	if flag&flagKinds != uint64(kind) {
		return fmt.Errorf("a reflect.Value of %s has the flags %#x", t, flag)
	}
	if flag&flagIndirect != 0 {
		if word == 0 {
			return fmt.Errorf("a reflect.Value holds no %s", t)
		}
		return im.checkPointer(word, t, 1, flag&(flagVariable|flagMethod) == 0)
	}
	if !t.inWord() || flag&flagVariable != 0 {
		return fmt.Errorf("a reflect.Value of %s has the flags %#x", t, flag)
	}
	return im.checkWord(&t.wireSlots()[0], word)
}

// reflected returns the pointer of a reflect.Value.
func (b *builder) reflected(typ, word, flag uint64) (unsafe.Pointer, error) {
	if word == 0 {
		return nil, nil
	}
	if !reflectionKnown() {
		return nil, fmt.Errorf("heap: this version of Go keeps a reflect.Value in a way that is not known")
	}
	_, n := split(typ)
	if rt := b.plans[n].rt; flag&flagMethod != 0 && flag>>methodShift >= uint64(rt.NumMethod()) {
		return nil, fmt.Errorf("heap: a reflect.Value is method %d of %s, which has %d", flag>>methodShift, rt, rt.NumMethod())
	}
	if flag&flagIndirect != 0 {
		return b.pointer(word), nil
	}
	s := b.plans[n].only()
	if s == nil {
		return nil, fmt.Errorf("heap: a reflect.Value of %s is one word", b.Image.types[n])
	}
	return b.word(s, word)
}
