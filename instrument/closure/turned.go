package closure

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A program can keep one reference in a variable for another, by package unsafe: a channel, map or
// func value as a pointer, or a pointer as one to a smaller type,
//
//	*(**struct{})(unsafe.Pointer(&ch))    *(*chan struct{})(unsafe.Pointer(&p))
//	*(**int)(unsafe.Pointer(&n))          (*atomic.Pointer[node])(unsafe.Pointer(&p)).Load()
//	(*struct{ t, data *byte })(unsafe.Pointer(&x)).data
//
// or any pointer as one to a type that has no size, or as one to an array or struct of numbers.
// What such a pointer leads to is more than its type has.

// turnedFrom returns types T if a conversion takes a *T for such a reference, or makes a *T of one
// that is not only looked at there.
func turnedFrom(c *ssa.Convert) (list []types.Type) {
	if of := pointee(c.X.Type()); of != nil && isKind(c.Type(), types.UnsafePointer) {
		if sizeIfKnown(of) == 0 && isKept(c.X) && c.Parent().Origin() == nil { // in an instance the type may be what a type parameter stands for
			return []types.Type{of}
		}
		return nil
	}
	to, from := pointee(c.Type()), convertedFrom(c)
	if to == nil || from == nil || types.Identical(to, from) || sizeIfKnown(to) < 0 || sizeIfKnown(from) < 0 {
		return nil
	}
	if of := numbersTaken(c, from, to); of != nil {
		return []types.Type{of}
	}
	sources := make(map[int64]types.Type)
	references(from, 0, func(off int64, t types.Type) { sources[off] = t })
	references(to, 0, func(off int64, t types.Type) {
		switch source := sources[off]; {
		case source == nil:
		case pointee(source) != nil && isMoreThan(t, source):
			list = append(list, pointee(source))
		case pointee(t) != nil && isMoreThan(source, t) && isKeptBeyond(c):
			list = append(list, pointee(t))
		}
	})
	return list
}

// numbersTaken returns the array or struct of numbers that a conversion takes for something with
// references, if the pointer to the numbers is kept, or the other way about; else nil.
func numbersTaken(c *ssa.Convert, from, to types.Type) types.Type {
	if isOfNumbers(from) && hasAddresses(to) && isKept(c.X.(*ssa.Convert).X) {
		return from
	}
	if isOfNumbers(to) && hasAddresses(from) && leavesHere(c) {
		return to
	}
	return nil
}

// isOfNumbers reports whether a type is an array or struct that has a size and no references.
func isOfNumbers(t types.Type) bool {
	_, basic := t.Underlying().(*types.Basic)
	return !basic && !hasAddresses(t) && sizeIfKnown(t) > 0
}

// leavesHere reports whether the pointer that a conversion makes is not only used to look at what
// it leads to.
func leavesHere(c *ssa.Convert) bool {
	for _, r := range *c.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.BinOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == c {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// mostReferences is how many elements of an array are looked at.
const mostReferences = 16

// references calls a function with the offsets and types of the references of one word that values
// of a type have.
func references(t types.Type, off int64, f func(off int64, t types.Type)) {
	sizes := types.SizesFor("gc", "amd64")
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic" && named.TypeArgs().Len() == 1 {
		f(off, types.NewPointer(named.TypeArgs().At(0))) // an atomic.Pointer
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		f(off, t)
	case *types.Interface:
		f(off+sizes.Sizeof(types.Typ[types.Uintptr]), t) // the first word tells the type
	case *types.Array:
		for i := range min(u.Len(), mostReferences) {
			references(u.Elem(), off+i*sizes.Sizeof(u.Elem()), f)
		}
	case *types.Struct:
		fields := make([]*types.Var, u.NumFields())
		for i := range fields {
			fields[i] = u.Field(i)
		}
		for i, at := range sizes.Offsetsof(fields) {
			references(fields[i].Type(), off+at, f)
		}
	}
}

// isMoreThan reports whether a reference of one type leads to more than the type of a pointer
// tells: to what the runtime has made or what is in an interface, to what has a size where that has
// none, or to something that has references and is larger, or is taken for an array or struct of
// numbers.
func isMoreThan(t, pointer types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Map, *types.Signature, *types.Interface:
		return true
	case *types.Pointer:
		to, of := pointee(t), pointee(pointer)
		return sizeIfKnown(of) == 0 && sizeIfKnown(to) != 0 || hasAddresses(to) && (exceeds(to, of) || isOfNumbers(of))
	}
	return false
}

// isKeptBeyond reports whether a pointer that a conversion makes the address of is not only looked
// at, as in **(**uintptr)(unsafe.Pointer(&f)).
func isKeptBeyond(c *ssa.Convert) bool {
	for _, r := range *c.Referrers() {
		load, ok := r.(*ssa.UnOp)
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if !ok {
			return true
		}
		for _, r := range *load.Referrers() {
			switch r.(type) {
			case *ssa.UnOp, *ssa.FieldAddr, *ssa.BinOp, *ssa.DebugRef:
			default:
				return true
			}
		}
	}
	return false
}
