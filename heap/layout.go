package heap

import (
	"reflect"
	"strconv"
	"sync"
	"unsafe"
)

// A layout tells where values of a type have references, in their order, all of which the collector
// knows: unlike a plan it does not tell what they mean.
type layout struct {
	typ        reflect.Type
	size       uintptr
	direct     bool // an interface has a value of the type in its data word
	references []liftReference
}

// A liftReference is one, or the references of an array. Its kind is that of the Go type; Array
// stands for a value of an array that has references, Struct for a reflect.Value.
type liftReference struct {
	kind reflect.Kind
	off  uintptr
	n    int
	step uintptr
	typ  reflect.Type // what pointers and slices lead to, the element of arrays; else the type itself
}

// layouts are those of types that have been asked for.
var layouts sync.Map // reflect.Type to *layout

func layoutOf(rt reflect.Type) *layout {
	if lay, ok := layouts.Load(rt); ok {
		return lay.(*layout)
	}
	lay := &layout{typ: rt, size: rt.Size(), direct: isDirect(rt)}
	lay.add(rt, 0)
	known, _ := layouts.LoadOrStore(rt, lay)
	return known.(*layout)
}

// layout returns that of what a reference leads to.
func (r *liftReference) layout() *layout { return layoutOf(r.typ) }

// add adds the references of a value at an offset.
func (lay *layout) add(rt reflect.Type, off uintptr) {
	one := func(typ reflect.Type) {
		lay.references = append(lay.references, liftReference{kind: rt.Kind(), off: off, n: 1, step: rt.Size(), typ: typ})
	}
	switch rt.Kind() {
	case reflect.Pointer, reflect.Slice:
		one(rt.Elem())
	case reflect.String, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		one(rt)
	case reflect.Array:
		if rt.Len() == 0 || rt.Elem().Size() == 0 {
			return
		}
		elem := layoutOf(rt.Elem())
		if len(elem.references) > 0 {
			lay.references = append(lay.references, liftReference{kind: reflect.Array, off: off, n: rt.Len(), step: elem.size, typ: rt.Elem()})
		}
	case reflect.Struct:
		if isReflectionType(rt) && reflectionKnown() {
			one(rt)
			return
		}
		for i := range rt.NumField() {
			f := rt.Field(i)
			lay.add(fieldType(rt, f), off+f.Offset)
		}
	}
}

// allocate returns room for n values.
func (lay *layout) allocate(n int) unsafe.Pointer {
	if n == 1 {
		return reflect.New(lay.typ).UnsafePointer()
	}
	return reflect.MakeSlice(reflect.SliceOf(lay.typ), n, n).UnsafePointer()
}

// move copies n values from one place of the heap to another.
func (lay *layout) move(to, from unsafe.Pointer, n int) {
	reflect.Copy(reflect.SliceAt(lay.typ, to, n), reflect.SliceAt(lay.typ, from, n))
}

// has reports whether values of the layout have references wherever n values of another one have
// them, which lie at an offset.
func (lay *layout) has(off uintptr, part *layout, n int) bool {
	if len(part.references) == 0 || lay.typ == part.typ && off%lay.size == 0 {
		return true
	}
	for at := uintptr(0); at < part.size*uintptr(n); at += unsafe.Sizeof(at) {
		if part.isReference(at, n) && !lay.isWord((off+at)%lay.size) {
			return false
		}
	}
	return true
}

// isReference reports whether n values have a word at an offset that the collector looks at.
func (lay *layout) isReference(off uintptr, n int) bool {
	return off < lay.size*uintptr(n) && lay.isWord(off%lay.size)
}

func (lay *layout) isWord(off uintptr) bool {
	for i := range lay.references {
		r := &lay.references[i]
		switch at := off - r.off; {
		case off < r.off:
		case r.kind == reflect.Array:
			if at < uintptr(r.n)*r.step && r.layout().isWord(at%r.step) {
				return true
			}
		case at == 0, at == word && (r.kind == reflect.Interface || r.kind == reflect.Struct):
			return true
		}
	}
	return false
}

// wordsLayout returns the layout of memory between two distances from the end of the stack, in
// which the words are references that are so in one of the regions.
func wordsLayout(from, until uintptr, regions []lifted) *layout {
	isReference := make([]bool, (from-until)/word)
	for _, r := range regions {
		for at := r.from % word; at < r.size(); at += word {
			if r.layout.isReference(at, r.n) {
				isReference[(from-r.from+at)/word] = true
			}
		}
	}
	var fields []reflect.StructField
	for i, n := 0, 0; i < len(isReference); i += n {
		t := reflect.TypeFor[uintptr]()
		if isReference[i] {
			t = reflect.TypeFor[unsafe.Pointer]()
		}
		for n = 1; i+n < len(isReference) && isReference[i+n] == isReference[i]; n++ {
		}
		fields = append(fields, reflect.StructField{Name: "W" + strconv.Itoa(i), Type: reflect.ArrayOf(n, t)})
	}
	return layoutOf(reflect.StructOf(fields))
}

// objectLayouts are the layouts of what func values point to; nil if it is not known.
var objectLayouts sync.Map // objectKey to *layout

// An objectKey is the code of a func value, and whether that is of an environment's method and
// points to the environment itself. A method value of one that the compiler has made points to two
// words.
type objectKey struct {
	code uintptr
	self bool
}

// environmentAt returns the layout of what a func value points to.
func environmentAt(x unsafe.Pointer) *layout {
	code := *(*uintptr)(x)
	if lay, ok := objectLayouts.Load(objectKey{code, true}); ok && lay.(*layout) != nil && (*methodValue)(x).receiver == x {
		if lay != ofInstance {
			return lay.(*layout)
		}
		if t := genericObject(x, functionName(code)); t != nil {
			return layoutOf(t.Elem())
		}
		return nil
	}
	if lay, ok := objectLayouts.Load(objectKey{code, false}); ok {
		return lay.(*layout)
	}
	objectLayouts.Store(objectKey{code, true}, environmentOf(code))
	objectLayouts.Store(objectKey{code, false}, methodValueOf(code))
	return environmentAt(x)
}

// ofInstance stands for the layout of an environment of code that instances of a generic type have
// in common. Each object tells its own.
var ofInstance = new(layout)

// environmentOf returns the layout of an environment that begins with the words of a method value
// whose receiver it is.
func environmentOf(code uintptr) *layout {
	if ofGenericFunc(functionName(code)) > 0 {
		return ofInstance
	}
	if r := receiverOf(functionName(code)); r.pt != nil && !r.value && isFuncObject(r.pt.Elem()) {
		return layoutOf(r.pt.Elem())
	}
	return nil
}

// methodValueOf returns the layout of a method value.
func methodValueOf(code uintptr) *layout {
	name := functionName(code)
	if r := receiverOf(name); r.pt != nil && soleEntry(name) == code {
		return layoutOf(r.methodObject())
	}
	return nil
}
