package closure

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Hiding returns the names of the types of numbers of which functions of the user or of other
// modules may make slices or strings of memory that has references, as [Closure.Firsts] has them:
//
//	unsafe.Slice((*byte)(unsafe.Pointer(p)), n)    (*[16]byte)(unsafe.Pointer(p))[:]    p being a pointer to something with references, or an unsafe.Pointer
//	view((*byte)(unsafe.Pointer(p)))               p being a pointer to something with references
//	*(*[]byte)(unsafe.Pointer(&x))                 x being neither a slice nor a string
//	(*reflect.SliceHeader)(unsafe.Pointer(&b))     b being a slice of bytes
//
// tests and linked are as for Firsts.
func (c *Closure) Hiding(linked func(path string) bool, tests bool) []string {
	names := make(map[string]bool)
	for fn := range c.graph.nodes {
		if !c.graph.canBeUnsafe(fn) || !linked(packagePath(fn)) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if t := hidesIn(in); t != nil {
					names[elementName(t, tests)] = true
				}
			}
		}
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// hidesIn returns the type of numbers if an instruction makes such a slice or string, or nil.
func hidesIn(in ssa.Instruction) types.Type {
	switch in := in.(type) {
	case *ssa.Slice:
		if mayHide(in.X) {
			return pointee(in.X.Type()).Underlying().(*types.Array).Elem()
		}
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && (b.Name() == "Slice" || b.Name() == "String") && mayHide(in.Call.Args[0]) {
			return pointee(in.Call.Args[0].Type())
		}
	case *ssa.Convert:
		to, from := pointee(in.Type()), convertedFrom(in)
		if to == nil || !isKind(in.X.Type(), types.UnsafePointer) {
			return nil
		}
		if of := numbersOf(to); of != nil && (from == nil || numbersOf(from) == nil) {
			return of
		}
		if of := numbersOf(from); of != nil && isHeader(to) {
			return of
		}
		if from != nil && hasAddresses(from) && !hasAddresses(to) && leavesHere(in) {
			return elementType(to)
		}
	}
	return nil
}

// mayHide reports whether a value is a pointer to numbers that is made of an unsafe one, which is
// not made of one to numbers.
func mayHide(p ssa.Value) bool {
	c, ok := renamed(p).(*ssa.Convert)
	if !ok || !isKind(c.X.Type(), types.UnsafePointer) {
		return false
	}
	to, from := pointee(c.Type()), convertedFrom(c)
	return to != nil && !hasAddresses(to) && (from == nil || hasAddresses(from))
}

// numbersOf returns the type of the elements of a slice or string, if they are numbers; else nil.
func numbersOf(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if !hasAddresses(u.Elem()) {
			return u.Elem()
		}
	case *types.Basic:
		if u.Kind() == types.String {
			return types.Typ[types.Uint8]
		}
	}
	return nil
}

// elementType returns the type of the elements of an array, and of those of arrays in it, or the
// type itself.
func elementType(t types.Type) types.Type {
	if a, ok := types.Unalias(t).(*types.Array); ok {
		return elementType(a.Elem())
	}
	return t
}
