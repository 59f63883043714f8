package heap

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// Package reflect makes functions of functions that take and return lists of values
// (reflect.MakeFunc), and of methods and their receivers (reflect.Value.Method). What such a func
// value leads to is a struct of package reflect, with some words for the runtime, of which other
// processes have no use, and with what it was made of. In the image it is a closure with this as
// its environment, which is made for the occasion.
//
// When that is rebuilt, what it was made of is not complete before all else is. So a func value
// that has been made of something else stands in for it at first, whose struct is as large; and in
// the end its words become those of the one that is made then.

// A madeFunc is what reflect.MakeFunc has made a function of.
type madeFunc struct {
	typ reflect.Type
	fn  func([]reflect.Value) []reflect.Value
}

// Func makes it.
func (m *madeFunc) Func() any { return reflect.MakeFunc(m.typ, m.fn).Interface() }

func (m *madeFunc) complete() error {
	if m.typ == nil || m.typ.Kind() != reflect.Func {
		return &TypeChangedError{Type: fmt.Sprint(m.typ), Was: "the type of a function", Is: "something else"}
	}
	return nil
}

// A madeMethod is a method and a receiver, as a reflect.Value, that package reflect has made a
// function of.
type madeMethod struct{ method reflect.Value }

// Func makes it.
func (m *madeMethod) Func() any { return m.method.Interface() }

func (m *madeMethod) complete() error {
	if m.method.Kind() != reflect.Func || !m.method.CanInterface() {
		return &TypeChangedError{Type: "a method that package reflect has made a function of", Was: "a method", Is: fmt.Sprint(m.method.Kind())}
	}
	return nil
}

// methodOf returns method number i of a value, as the method Method of reflect.Value does. For that
// one's sake, the linker would leave all methods of all types in the program.
func methodOf(receiver reflect.Value, i int) reflect.Value {
	r := (*reflection)(unsafe.Pointer(&receiver))
	r.flag = r.flag&^(flagKinds|flagVariable) | uintptr(reflect.Func) | flagMethod | uintptr(i)<<methodShift
	return receiver
}

// A made is a madeFunc or a madeMethod.
type made interface {
	Closure
	complete() error // returns an error if Func would panic
}

// The names of the functions' code.
const (
	codeOfMadeFunc   = "reflect.makeFuncStub"
	codeOfMadeMethod = "reflect.methodValueCall"
)

func isMadeByReflect(code string) bool { return code == codeOfMadeFunc || code == codeOfMadeMethod }

var errUnknownMade = errors.New("package reflect has made it, and this version of Go keeps such functions in a way that is not known; keep what it was made of instead")

// Package reflect itself calls the method Get of a pool before it calls the method, and takes up
// what is to be continued in that.
var errMadeOfPool = errors.New("it is a method of a sync.Pool that package reflect has made a function of; keep the pool instead")

// madeOf returns what the function of a func value is made of.
func madeOf(x unsafe.Pointer, code string) (made, error) {
	w := wordsOfMade()
	switch {
	case code == codeOfMadeFunc && w.fn > 0:
		typ := reflect.TypeOf(typed(*(*unsafe.Pointer)(unsafe.Add(x, w.typ))))
		return &madeFunc{typ, *(*func([]reflect.Value) []reflect.Value)(unsafe.Add(x, w.fn))}, nil
	case code == codeOfMadeMethod && w.receiver > 0:
		receiver := *(*reflect.Value)(unsafe.Add(x, w.receiver))
		if receiver.Type() == reflect.TypeFor[*sync.Pool]() {
			return nil, errMadeOfPool
		}
		return &madeMethod{methodOf(receiver, *(*int)(unsafe.Add(x, w.method)))}, nil
	}
	return nil, errUnknownMade
}

// typed returns a zero value of the func type that is described there, which is a pointer itself.
func typed(description unsafe.Pointer) (zero any) {
	(*words)(unsafe.Pointer(&zero)).typ = description
	return zero
}

// madeWords are the offsets of what a function is made of in the structs of package reflect; 0 if
// they are not known.
type madeWords struct{ typ, fn, method, receiver uintptr }

// A probed has two methods.
type probed struct{ n int }

func (p *probed) First() int  { return p.n }
func (p *probed) Second() int { return -p.n }

// wordsOfMade looks for them in functions of which it is known what they are made of.
var wordsOfMade = sync.OnceValue(func() (w madeWords) {
	fn := func([]reflect.Value) []reflect.Value { return nil }
	t := reflect.TypeFor[func(*probed, float64, ...string) error]()
	x, size := pointsTo(reflect.MakeFunc(t, fn).Interface(), 6)
	for at := word; at+word <= size; at += word {
		switch *(*unsafe.Pointer)(unsafe.Add(x, at)) {
		case *(*unsafe.Pointer)(unsafe.Pointer(&fn)):
			w.fn = at
		case descriptor(t):
			w.typ = at
		}
	}
	if w.typ == 0 {
		w.fn = 0
	}
	if !reflectionKnown() {
		return w
	}
	receiver := reflect.ValueOf(&probed{1})
	type value [3]uintptr
	x, size = pointsTo(methodOf(receiver, 1).Interface(), 8)
	for at := 2 * word; at+unsafe.Sizeof(receiver) <= size; at += word {
		if *(*value)(unsafe.Add(x, at)) == *(*value)(unsafe.Pointer(&receiver)) && *(*int)(unsafe.Add(x, at-word)) == 1 {
			w.receiver, w.method = at, at-word
		}
	}
	return w
})

// pointsTo returns what a func value leads to, and the size of its allocation, which has so many
// words at least.
func pointsTo(f any, least uintptr) (x unsafe.Pointer, size uintptr) {
	x = (*words)(unsafe.Pointer(&f)).data
	_, size = extent(uintptr(x))
	return x, max(size, least*unsafe.Sizeof(x))
}

// standIn makes a func value whose struct is as large as that of the one which is made of m.
func standIn(m made) any {
	if _, ok := m.(*madeMethod); ok {
		return methodOf(reflect.ValueOf(new(probed)), 0).Interface()
	}
	return (&madeFunc{reflect.TypeFor[func()](), nil}).Func()
}

// become gives the func value that has stood in for the one that is made of m the words of that.
// There is no garbage collection meanwhile.
func become(x unsafe.Pointer, m made) error {
	if err := m.complete(); err != nil {
		return err
	}
	w, size := wordsOfMade(), uintptr(0)
	switch _, function := m.(*madeFunc); {
	case function && w.fn > 0:
		size = max(w.typ, w.fn) + unsafe.Sizeof(x)
	case !function && w.receiver > 0:
		size = w.receiver + unsafe.Sizeof(reflect.Value{})
	default:
		return fmt.Errorf("heap: a function can't be made again: %w", errUnknownMade)
	}
	from, _ := pointsTo(m.Func(), 0)
	copy(unsafe.Slice((*byte)(x), size), unsafe.Slice((*byte)(from), size))
	return nil
}
