package closure

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A program can keep one reference in a variable for another, by package unsafe: a channel, map or func value as a pointer,
//
//	*(**struct{})(unsafe.Pointer(&ch))    *(*chan struct{})(unsafe.Pointer(&p))
//
// or any pointer as one to a type that has no size. What such a pointer leads to is more than its type has.

// turnedFrom returns T if a conversion takes a *T for such a reference, or makes a *T of one that is not only looked at there, or nil.
func turnedFrom(c *ssa.Convert) types.Type {
	if of := pointee(c.X.Type()); of != nil && isKind(c.Type(), types.UnsafePointer) {
		if sizeIfKnown(of) == 0 && isKept(c.X) && c.Parent().Origin() == nil { // in an instance the type may be what a type parameter stands for
			return of
		}
		return nil
	}
	to, from := pointee(c.Type()), convertedFrom(c)
	switch {
	case to == nil || from == nil:
	case pointee(from) != nil && (isRuntimes(to) || hasSizeUnlike(to, from)):
		return pointee(from)
	case pointee(to) != nil && (isRuntimes(from) || hasSizeUnlike(from, to)) && isKeptBeyond(c):
		return pointee(to)
	}
	return nil
}

// isRuntimes reports whether a type is that of references to what the runtime has made.
func isRuntimes(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Map, *types.Signature:
		return true
	}
	return false
}

// hasSizeUnlike reports whether a type is that of pointers to values that have a size, and another one that of pointers to values that have none.
func hasSizeUnlike(t, than types.Type) bool {
	return pointee(t) != nil && sizeIfKnown(pointee(than)) == 0 && sizeIfKnown(pointee(t)) != 0
}

// isKeptBeyond reports whether a pointer that a conversion makes the address of is not only looked at, as in **(**uintptr)(unsafe.Pointer(&f)).
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
