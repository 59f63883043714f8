package shadow

import "sync/atomic"

// A Package is what the precompiler leaves in each package that it rewrites.
// It is filled in by generated code and registered from its init function.
type Package struct {
	Path      string
	Standard  bool // it belongs to the standard library
	Functions []*Function
	Globals   []Global // mutable variables of this package: saved and restored
	Named     []Global // variables of packages that are not rewritten: saved by name
	Envs      []any    // a nil pointer to each closure environment: keeps its type in the binary
	Numbered  []any    // a nil pointer to each type whose addresses [Number] makes numbers of
	Described []any    // a nil pointer to each type that else only reflection has: keeps it where types are found by name
	Iterators []any    // a nil pointer to each struct that the package uses as an iterator over maps, with functions of the runtime
	Words     []any    // a nil pointer to each struct in which the package looks at the words of empty interfaces
	Recast    []any    // a nil pointer to each func type that the package has func values of other types as
	Holders   []any    // a nil pointer to each struct that the package finds by pointers to its later fields
	Pointees  []Pointee
	Heads     []string // types of structs whose addresses may be those of larger structs that they are the beginnings of: path of the package and type
	Parts     []string // those of Heads that are certainly made pointers to structs that begin with them, or that are found by them
	Wide      []string // the same for such larger structs
	Wholes    []string // and for those that begin with one of Heads, to which unsafe pointers are made pointers
	Punned    []string // types of structs whose addresses may be those of other structs
	Hiding    []string // types of numbers, of which slices may be memory with references: as Firsts
	Firsts    []string // types of values, of which a pointer may lead to the first of several: path of the package and type, or type
	Backs     []string // packages that make pointers of numbers
	Longs     []string // those of Backs that keep addresses as numbers of type uint64
	External  []Launch // go statements that are no part of checkpoints
	Transient []string // fields that are not saved: path of the package, type and field, with dots between
	// Mark, if not empty, is in the names of types that had to get another one at package level:
	// behind it stands what tells them from those that have theirs. Package heap takes it out of
	// what reflection tells.
	Mark string
	// Prepare, if not nil, sets up what a process that goes on from a checkpoint needs in packages
	// of the standard library.
	Prepare func()
	// Singletons, if not nil, names the objects that packages of the standard library have but one
	// of, such as curves.
	Singletons func(Name)
	// Alone is set in one package of a program whose goroutines nothing but each other, and the end
	// of a time.Sleep, can wake: it makes no timers, is notified of no signals, and has no C.
	Alone bool
	// Input is set in one package of a program that refers to standard input.
	Input bool
}

// A Pointee tells what an unsafe pointer leads to: all of a type, or those in a field of a struct.
type Pointee struct {
	Of    any // a nil pointer to the type or the struct
	Field string
	To    any // a nil pointer to what it leads to; nil: see below

	// Type is the field that describes the type, as the word of an interface does whose data word
	// this is, and Count, if not empty, the one with the number of bytes, if they are those of a
	// string or slice.
	Type, Count string

	// Several tells that it leads to the first of several.
	Several bool

	// Leads is the name of what it leads to instead, or may lead to if there are several Pointees
	// of a field. Generic is the name of a generic struct instead of Of, and then Leads that of
	// what the field leads to, with $i in the place of the i-th type argument. With Of it is that
	// of one which tells what the field leads to, see package heap.
	Generic, Leads string
}

// A Name makes an object one that is saved by a name and a number. With fields, the object is what
// a field of a field of the given one holds, and so on.
type Name func(name string, number int, object any, fields ...string)

// A Launch is a go statement that the line //ckp:external stands above: it stays as it
// is, and the goroutines that it starts are not looked at.
type Launch struct {
	File string // as it stands in the line directives of the generated code
	Line int    // of the word go
}

// A Function is one rewritten function, method or function literal, with its description in one of
// two forms. Generated code has the text: it is not for the garbage collector to look into, as
// thousands of structs with the names of resume points in them are in each of its cycles.
type Function struct {
	Text        string // see parse
	Description *Description
}

// A Description tells what there is to know of a rewritten function, method or function literal.
type Description struct {
	// Name is the name that the runtime gives the function in a stack trace,
	// with [...] for type arguments: main.sum, main.(*list[...]).push.
	Name string
	// Title is what people know the function by; empty if it is Name.
	Title string
	// File is the user's file, as a path relative to the module with the
	// module path in front: example.org/mod/sub/file.go.
	File string
	// Line is the line of the declaration in File.
	Line int
	// Rest is the name that the runtime gives the function that goes on from a resume point in a
	// loop for the rest of the iteration, called by this one; empty if there is none.
	Rest string
	// Fingerprint is a hash of the function's source and frame layout. It
	// is the same on every architecture.
	Fingerprint string
	// Defers tells that the function has defer statements. It pushes its
	// frame also when a checkpoint is taken inside a deferred call.
	Defers bool
	// Reflected tells that the function is of the type that reflect.MakeFunc takes. What calls it
	// then does not show on the stack.
	Reflected bool
	// Passes tells that the function does nothing but call another one, and pushes no frame.
	Passes bool
	// Renamed are the fields of its frames whose names are not those of the user's variables.
	Renamed []Field
	// Points are the resume points in order; the first is number 1.
	Points []Point
	// Traced tells that the lines of Points are those that stack traces show, so that a call from
	// another line is known to be none of them.
	Traced bool
}

// String returns what people know the function by.
func (f *Description) String() string {
	if f.Title != "" {
		return Readable(f.Title)
	}
	return Readable(f.Name)
}

// Readable returns a name as the runtime has it with the import path as people write it: the
// runtime escapes dots in its last element, as in gopkg.in/yaml%2ev3.
func Readable(name string) string {
	const escaped = "%2e"
	for i := 0; i+len(escaped) <= len(name); i++ {
		if name[i:i+len(escaped)] == escaped {
			name = name[:i] + "." + name[i+len(escaped):]
		}
	}
	return name
}

// A Field is one of a frame struct, and the user's variable that it holds, or, with a star in
// front, points to; empty if that is one of generated code.
type Field struct{ Name, Variable string }

// A Point is a resume point: a call that can reach a checkpoint.
type Point struct {
	Line   int
	Column int
	Call   string // the callee as the user wrote it
	// First and Last are the lines that a stack trace may show for the call; 0 if it shows Line.
	First, Last int
}

// at reports whether a call at a line of a stack trace may be one of the function's resume points.
func (f *Description) at(line int) bool {
	for i := range f.Points {
		p := &f.Points[i]
		if p.Line == line || p.First <= line && line <= p.Last {
			return true
		}
	}
	return !f.Traced
}

// A Global is a package variable: its name (with the package path in front,
// as in example.org/mod/sub.counter) and a pointer to it.
type Global struct {
	Name string
	Ptr  any
}

// Held returns a pointer to a variable with the value x, which another variable holds that is going
// to change.
func Held[T any](x T) any { return &x }

// Value returns x. To the compiler it is a call, so that x is evaluated where the length of an
// array is a constant.
func Value[T any](x T) T { return x }

// A Closure is the environment of a rewritten function literal or method
// value: a pointer to a generated struct of captured variables.
type Closure interface {
	// Func returns the func value over this environment.
	Func() any
}

// An Entry is the entry point of the code of a func value. The environments of func values begin
// with one, and a pointer to themselves, so that an environment is what a func value points to: for
// the compiler the value of a method of the environment, whose code finds the receiver behind the
// entry point. That saves an allocation for each. Package heap saves neither.
type Entry uintptr

var (
	packages    []*Package
	packageLock lock
	functions   atomic.Pointer[map[string]*Function]
)

// Register adds a package. Generated code calls it during initialisation.
func Register(p *Package) {
	packageLock.Lock()
	packages = append(packages, p)
	packageLock.Unlock()
	functions.Store(nil)
	for i := range known {
		known[i].Store(nil)
	}
}

// Mark returns that of the packages, empty if none has one.
func Mark() string {
	for _, p := range Packages() {
		if p.Mark != "" {
			return p.Mark
		}
	}
	return ""
}

// Packages returns the registered packages in the order of their
// initialisation. The caller must not change them.
func Packages() []*Package {
	packageLock.Lock()
	defer packageLock.Unlock()
	return packages[:len(packages):len(packages)]
}

// whenInitialised is what is to be done when the initialisation of the program has ended.
var whenInitialised func()

// WhenInitialised sets what [Initialised] calls. It is called during initialisation.
func WhenInitialised(f func()) { whenInitialised = f }

// Continues reports whether there is something for it to do: the process expects to continue a
// checkpoint.
func Continues() bool { return whenInitialised != nil }

// Initialised is called when main is entered.
func Initialised() {
	if f := whenInitialised; f != nil {
		whenInitialised = nil
		f()
	}
}

// FunctionByName returns the description of the rewritten function with the given runtime name, or
// of which the rest of an iteration has that name, or nil.
func FunctionByName(name string) *Description {
	m := functions.Load()
	if m == nil {
		byName := make(map[string]*Function)
		for _, p := range Packages() {
			for _, f := range p.Functions {
				name, rest := f.names()
				byName[name] = f
				if rest != "" {
					byName[rest] = f
				}
			}
		}
		m = &byName
		functions.Store(m)
	}
	if f := (*m)[name]; f != nil {
		return f.Described()
	}
	return nil
}
