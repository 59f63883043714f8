package heap

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// A Closure is the environment of a func literal or method value that the
// precompiler rewrote: a pointer to a generated struct of captured variables.
type Closure interface {
	// Func returns the func value over this environment. It only makes the
	// value; it does not look at the captured variables.
	Func() any
}

// A Remade is a Closure that has to know when it is rebuilt: its func values are method values as
// the compiler makes them, and Func is called for each.
type Remade interface {
	Closure
	RemadeByCkpgen()
}

var typeOfRemade = reflect.TypeFor[Remade]()

// A func object is an environment that func values point to. To the compiler it is what a func
// value leads to of a literal or method value that captures the environment itself, and in a
// literal also variables of it, which are its next fields. So it begins with two words of the
// process. One of type-parameterised code has two fields of the process more: the dictionary of the
// type arguments, behind all that is captured, and a nil pointer that tells the type. For a literal
// that is captured as well, and comes first, for a method value last.
var (
	funcFields        = []string{"code", "self"}
	genericFuncFields = []string{"code", "self", "dictionary", "of"}
)

const (
	ofLiteral     = 2 // the field that tells the type of an environment
	ofMethodValue = 3
)

// isFuncObject reports whether func values point to values of a type.
func isFuncObject(rt reflect.Type) bool { return len(processFields(rt)) > 0 }

// processFields returns the fields of the process in a type of func objects; none for other types.
func processFields(rt reflect.Type) []string {
	if rt.Kind() != reflect.Struct || rt.NumField() < len(funcFields) || !reflect.PointerTo(rt).Implements(typeOfClosure) {
		return nil
	}
	code, self := rt.Field(0), rt.Field(1)
	if code.Name != "code" || code.Type.Kind() != reflect.Uintptr || self.Name != "self" || self.Type != reflect.PointerTo(rt) {
		return nil
	}
	return funcFieldsOf(rt.NumField(), func(i int) string { return rt.Field(i).Name })
}

// processFields tells the same of a type of the image, as far as fields tell.
func (t *Type) processFields() []string {
	if t.Kind != reflect.Struct || len(t.Fields) < len(funcFields) {
		return nil
	}
	code, self := t.Fields[0], t.Fields[1]
	if code.Name != "code" || code.Type.Kind != reflect.Uintptr || self.Name != "self" || self.Type.Kind != reflect.Pointer || self.Type.Elem != t {
		return nil
	}
	return funcFieldsOf(len(t.Fields), func(i int) string { return t.Fields[i].Name })
}

// funcFieldsOf returns the fields of the process of func objects with n fields. A variable that an
// environment has captured is not named as one.
func funcFieldsOf(n int, name func(int) string) []string {
	if n > ofLiteral && name(ofLiteral) == "of" || n > ofMethodValue && name(ofMethodValue) == "of" {
		return genericFuncFields
	}
	return funcFields
}

// genericObject returns the type of a pointer to the func object that a func value of
// type-parameterised code points to; nil if it points to none. The code is named name.
func genericObject(x unsafe.Pointer, name string) reflect.Type {
	of := ofGenericFunc(name)
	if of == 0 || uintptr((*methodValue)(x).receiver) != uintptr(x) {
		return nil
	}
	t := reflect.TypeOf(*(*any)(unsafe.Add(x, uintptr(of)*unsafe.Sizeof(uintptr(0)))))
	if t == nil || t.Kind() != reflect.Pointer || len(processFields(t.Elem())) != len(genericFuncFields) {
		return nil
	}
	return t
}

// ofGenericFunc returns which field of a func object of type-parameterised code tells its type, if
// a function bears the name of the code of such objects; else 0.
func ofGenericFunc(name string) (field int) {
	of, ok := strings.CutSuffix(name, "[...]).fill.func1")
	field = ofLiteral
	if !ok {
		of, ok = strings.CutSuffix(name, "[...]).bind.func1")
		field = ofMethodValue
	}
	if !ok || !strings.Contains(of, "(*") {
		return 0
	}
	return field
}

// isMethodValue reports whether a func value of the image is one that the compiler has made of a
// method and its receiver, which can be a nil pointer, or have no size.
func (f *funcEntry) isMethodValue() bool {
	return f.typ != nil && strings.HasSuffix(f.code, "-fm") && len(f.typ.Elem.processFields()) == 0
}

// findObject is the runtime's search for the heap object at an address; base is
// 0 for addresses outside the heap.
//
//go:linkname findObject runtime.findObject
func findObject(p, refBase, refOff uintptr) (base uintptr, s unsafe.Pointer, objIndex uintptr)

// A methodValue is what the compiler makes of x.M where x is a pointer: the code of a function that
// is named as the method with "-fm" behind it, and x. Of other receivers it makes an object of type
// [methodObject].
type methodValue struct {
	code     uintptr
	receiver unsafe.Pointer
}

// A receiver tells what a method value captures.
type receiver struct {
	pt    reflect.Type // *T, nil if that is not known
	value bool         // a copy of a T (which may be an interface), not a *T
}

// receiverOf returns what method values capture whose code is named pkg.(*T).M-fm or pkg.T.M-fm.
// What the literal pkg.(*T).fill.func1 captures is the same if T is an environment: the method
// makes it one.
func receiverOf(name string) receiver {
	if of, ok := strings.CutSuffix(name, ".fill.func1"); ok {
		if pt := pointerNamed(of); pt != nil && isFuncObject(pt.Elem()) {
			return receiver{pt, false}
		}
		return receiver{}
	}
	method, ok := strings.CutSuffix(name, "-fm")
	dot := strings.LastIndexByte(method, '.')
	if !ok || dot < 0 {
		return receiver{}
	}
	of := method[:dot]
	if strings.HasSuffix(of, ")") {
		return receiver{pointerNamed(of), false}
	}
	slash := strings.LastIndexByte(of, '/') + 1
	pkg, name, ok := strings.Cut(of[slash:], ".")
	if !ok {
		return receiver{}
	}
	return receiver{pointerTo(of[:slash]+pkg, name), true}
}

// methodObject returns the type of what a method value points to.
func (r receiver) methodObject() reflect.Type {
	t := r.pt
	if r.value {
		t = t.Elem()
	}
	return reflect.StructOf([]reflect.StructField{{Name: "Code", Type: reflect.TypeFor[uintptr]()}, {Name: "Receiver", Type: t}})
}

// captured returns the receiver of a method value that is a pointer, or else where the copy is, nil
// if it has no size.
func (r receiver) captured(x unsafe.Pointer) unsafe.Pointer {
	switch {
	case !r.value:
		return (*methodValue)(x).receiver
	case r.pt.Elem().Size() == 0:
		return nil
	}
	return unsafe.Add(x, r.methodObject().Field(1).Offset)
}

// soleEntry returns the entry of the only function of a name, 0 if there are none or several.
func soleEntry(name string) uintptr {
	if entries := entryPoints(name); len(entries) == 1 {
		return entries[0]
	}
	return 0
}

// function returns the name of the code of a func value and, if it is a
// rewritten closure, its environment and the type of the pointer to that. For a method value
// the receiver is the environment.
func function(x unsafe.Pointer) (name string, env unsafe.Pointer, envType reflect.Type, err error) {
	code := *(*uintptr)(x)
	name = functionName(code)
	if name == "" {
		return "", nil, nil, fmt.Errorf("its code is not known to the runtime")
	}
	if saved := equalName(x, name); saved != "" {
		return saved, nil, nil, nil
	}
	r := receiverOf(name)
	if r.pt != nil && !r.value && (isFuncObject(r.pt.Elem()) || r.pt.Implements(typeOfRemade)) { // for a method value, the method has the name of the user's
		return name, r.captured(x), r.pt, callable(r.pt)
	}
	if t := genericObject(x, name); t != nil {
		return name, x, t, callable(t)
	}
	if base, _, _ := findObject(uintptr(x), 0, 0); base != 0 && !isFunctionWord(x) {
		if r.pt != nil && soleEntry(name) == code {
			return name, r.captured(x), r.pt, nil
		}
		if alone(x) && soleEntry(name) == code {
			return name, nil, nil, nil
		}
		if isMadeByReflect(name) {
			m, err := madeOf(x, name)
			if err != nil {
				return "", nil, nil, err
			}
			t := reflect.TypeOf(m)
			return name, reflect.ValueOf(m).UnsafePointer(), t, callable(t)
		}
		return "", nil, nil, fmt.Errorf("%s captures variables and was not rewritten by ckpgen; make it a method of a struct, or build the package with ckpgen", unescaped(name))
	}
	if isRuntimeHash(name) {
		return "", nil, nil, fmt.Errorf("%s is a hash function of Go's runtime, which gives other numbers in each process; hash with package hash/maphash", name)
	}
	if soleEntry(name) != code {
		return "", nil, nil, fmt.Errorf("%d functions are named %s, a new process could not tell which it is", len(entryPoints(name)), unescaped(name))
	}
	return name, nil, nil, nil
}

// IsRuntimeHash reports whether a function is one by which the runtime's own maps hash. It gives
// other numbers in each process, and is refused.
func IsRuntimeHash(f func(unsafe.Pointer, uintptr) uintptr) bool {
	return f != nil && isRuntimeHash(functionName(**(**uintptr)(unsafe.Pointer(&f))))
}

// isRuntimeHash reports whether a function of this name is one by which the runtime's own maps
// hash. Programs get at them by taking apart the description of a map type.
func isRuntimeHash(name string) bool {
	f, ok := strings.CutPrefix(name, "runtime.")
	return strings.HasPrefix(name, "type:.hash.") || ok && !strings.Contains(f, ".") && strings.Contains(f, "hash")
}

// alone reports whether an allocation is one word, so that a func value which points to it has
// nothing but its code. Package reflect makes such words for the functions of methods. Words of
// four bytes are not told from larger allocations.
func alone(x unsafe.Pointer) bool {
	base, size := extent(uintptr(x))
	return base == uintptr(x) && size == unsafe.Sizeof(x)
}

// functionWords holds the words that rebuilt func values point to, by entry
// point. The compiler's own are in read-only data, where a func value that
// captures nothing is told by; these are on the heap. There are at most as many
// as the program has functions.
var functionWords sync.Map // uintptr to *uintptr

// functionWord returns the word for a function without captured variables.
func functionWord(entry uintptr) *uintptr {
	word := new(uintptr)
	*word = entry
	w, _ := functionWords.LoadOrStore(entry, word)
	return w.(*uintptr)
}

// isFunctionWord reports whether functionWord returned x.
func isFunctionWord(x unsafe.Pointer) bool {
	w, ok := functionWords.Load(*(*uintptr)(x))
	return ok && unsafe.Pointer(w.(*uintptr)) == x
}

var typeOfClosure = reflect.TypeFor[Closure]()

// unescaped returns the name of a function with its import path as people write it: the runtime
// escapes dots in the last element.
func unescaped(name string) string { return strings.ReplaceAll(name, "%2e", ".") }

// pointerNamed returns the type *T of which the name of a method begins with pkg.(*T), nil if
// there is none or it is not certain.
func pointerNamed(name string) reflect.Type {
	dot := strings.LastIndex(name, ".(*")
	if dot < 0 || !strings.HasSuffix(name, ")") {
		return nil
	}
	return pointerTo(name[:dot], name[dot+3:len(name)-1])
}

// pointerTo returns the type *T of a package whose path is as in names of functions, nil if there
// is none or it is not certain.
func pointerTo(pkg, name string) reflect.Type {
	fits := namedTypes().find(unescaped(pkg) + "." + name)
	if len(fits) > 1 { // those that functions declare have no methods of their own
		fits = slices.DeleteFunc(slices.Clone(fits), func(t reflect.Type) bool { return t.NumMethod()+reflect.PointerTo(t).NumMethod() == 0 })
	}
	if len(fits) != 1 {
		return nil
	}
	return reflect.PointerTo(fits[0])
}

// functions are those of the binary. There can be several of
// one name: all instances of a generic function have the same.
var functions = sync.OnceValue(func() *nameIndex[uintptr] {
	return newNameIndex(functionName, 1<<15, func(add func(uintptr, string)) {
		for pc := lastFunction(); pc != 0; {
			fn := runtime.FuncForPC(pc)
			if fn == nil {
				break
			}
			entry := fn.Entry()
			if made, _, _ := findObject(uintptr(unsafe.Pointer(fn)), 0, 0); made != 0 { // of what is inlined at the end
				add(entry, functionName(entry))
			} else {
				add(entry, fn.Name())
			}
			pc = entry - 1
		}
	})
})

// entryPoints returns the entries of the functions of a name that func values can have. One in
// assembly has two entries, of which func values have only one.
func entryPoints(name string) []uintptr {
	if name == "" {
		return nil
	}
	entries := functions().find(name)
	if len(entries) > 1 {
		entries = slices.DeleteFunc(slices.Clone(entries), isAssembly)
	}
	return entries
}

// code visits what a *runtime.Func leads to, which is outside of Go's heap: the function is saved
// by its name. That of a call that was inlined is an allocation of the runtime's.
func (w *walker) code(fn *runtime.Func, pl *plan, q unsafe.Pointer) error {
	x := unsafe.Pointer(fn)
	if _, ok := w.funcs[x]; ok {
		return nil
	}
	if base, _, _ := findObject(uintptr(x), 0, 0); base != 0 {
		w.note(q)
		return &refusal{typeText(pl.rt.Elem()), "it is what the runtime has made for a call that was inlined"}
	}
	name := fn.Name()
	if entry := soleEntry(name); entry == 0 || functionAt(entry) != fn {
		w.note(q)
		return &refusal{typeText(pl.rt.Elem()), fmt.Sprintf("%d functions are named %s, a new process could not tell which it is", len(functions().find(name)), unescaped(name))}
	}
	w.funcs[x] = len(w.fncSeq)
	w.fncSeq = append(w.fncSeq, funcCapture{name: name})
	return nil
}

// code returns the *runtime.Func of a function.
func (b *builder) code(name string) (unsafe.Pointer, error) {
	if fn := functionAt(soleEntry(name)); fn != nil {
		return unsafe.Pointer(fn), nil
	}
	return nil, &TypeChangedError{Type: name, Was: "a function", Is: fmt.Sprintf("%d functions of this name", len(entryPoints(name)))}
}

// isAssembly reports whether a function is written in assembly. Func values never have its entry,
// but that of a function of the same name that the compiler makes, which calls it as Go does.
func isAssembly(entry uintptr) bool {
	file, _ := runtime.FuncForPC(entry).FileLine(entry)
	return strings.HasSuffix(file, ".s")
}

// lastFunction returns the entry of the last function of the binary, by
// bisection between one that is known and an address beyond the program.
func lastFunction() uintptr {
	lo := reflect.ValueOf(lastFunction).Pointer()
	step := uintptr(1 << 20)
	for step < 1<<30 && runtime.FuncForPC(lo+step) != nil {
		lo += step
	}
	for step > 1 {
		step /= 2
		if runtime.FuncForPC(lo+step) != nil {
			lo += step
		}
	}
	return runtime.FuncForPC(lo).Entry()
}

// functionName returns the name of the function at an entry point. Where
// another function was inlined at the very beginning, FuncForPC tells the name
// of that, in a Func made for the occasion; the Func of the function itself is
// always the same one.
func functionName(entry uintptr) string {
	if f := functionAt(entry); f != nil {
		return f.Name()
	}
	return ""
}

// functionAt returns the Func of the function itself, nil if there is none.
func functionAt(entry uintptr) *runtime.Func {
	for pc := entry; pc < entry+4096; pc++ {
		f := runtime.FuncForPC(pc)
		if f == nil || f.Entry() != entry {
			break
		}
		if f == runtime.FuncForPC(pc) {
			return f
		}
	}
	return nil
}

// callable makes sure that the method Func of an environment is in the binary:
// the linker drops methods of types that are never put into an interface.
func callable(env reflect.Type) error {
	v := reflect.New(typeOfClosure)
	v.Elem().Set(reflect.Zero(env))
	type itab struct {
		iface, typ unsafe.Pointer
		hash       uint32
		fun        [1]uintptr
	}
	tab := (*itab)((*words)(v.UnsafePointer()).typ)
	if fn := runtime.FuncForPC(tab.fun[0]); fn != nil && fn.Name() == "runtime.unreachableMethod" {
		return fmt.Errorf("the linker dropped the method Func of %s; register a nil %s with shadow.Register", env, env)
	}
	return nil
}

// canBe reports whether a func value of one type can be in a variable of another: it can be
// converted, or the program takes it for one by package unsafe ([Options].Recast), and what both take
// and return has the same sizes.
func (b *builder) canBe(t, of reflect.Type) bool {
	if t.ConvertibleTo(of) {
		return true
	}
	if of.Kind() != reflect.Func || t.NumIn() != of.NumIn() || t.NumOut() != of.NumOut() || !slices.ContainsFunc(b.recast, of.ConvertibleTo) {
		return false
	}
	for i := range t.NumIn() {
		if t.In(i).Size() != of.In(i).Size() {
			return false
		}
	}
	for i := range t.NumOut() {
		if t.Out(i).Size() != of.Out(i).Size() {
			return false
		}
	}
	return true
}
