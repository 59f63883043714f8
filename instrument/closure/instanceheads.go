package closure

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// InstanceHeads returns the types with references of which generic functions of the user or of other modules make a slice by a pointer to the first, or to
// whose address they add what leads to others, where a type parameter stands for them:
//
//	type vector[T any] struct { p *T; n int }
//
//	unsafe.Slice(v.p, v.n)    (*T)(unsafe.Add(unsafe.Pointer(v.p), i*size))
//
// Package rewrite tells those that do so without type parameters (heads), and can't see here what these stand for. Those without a name are others. Types that functions declare are
// not among them.
func (c *Closure) InstanceHeads() (heads map[*types.TypeName]bool, others []types.Type) {
	heads = make(map[*types.TypeName]bool)
	for fn := range c.graph.nodes {
		if origin := fn.Origin(); origin == nil || origin == fn || load.Runtime(packagePath(fn)) || c.graph.std[packagePath(fn)] {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if t := headMade(in); t != nil && hasAddresses(t) {
					if name := declarationOf(t); name != nil {
						heads[name] = true
					} else if _, ok := types.Unalias(t).(*types.Named); !ok {
						others = append(others, t)
					}
				}
			}
		}
	}
	return heads, others
}

// headMade returns T if an instruction makes a slice of a *T that is not made there, or an unsafe pointer of one to which is added what leads to others.
func headMade(in ssa.Instruction) types.Type {
	switch in := in.(type) {
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "Slice" && isKeptFirst(in.Call.Args[0]) {
			return pointee(in.Call.Args[0].Type())
		}
	case *ssa.Convert:
		of := pointee(in.X.Type())
		if of == nil || !isKind(in.Type(), types.UnsafePointer) || !isKeptFirst(in.X) {
			return nil
		}
		if addedTo(in, of, make(map[ssa.Value]bool)) {
			return of
		}
	}
	return nil
}

// addedTo reports whether to an unsafe pointer to a value is added what leads to others, also in functions that are handed it.
func addedTo(p ssa.Value, of types.Type, seen map[ssa.Value]bool) bool {
	if seen[p] {
		return false
	}
	seen[p] = true
	for _, r := range *p.Referrers() {
		if addsTo(r) && !staysIn(r, of) {
			return true
		}
		call, ok := r.(*ssa.Call)
		if !ok {
			continue
		}
		fn := call.Call.StaticCallee()
		if fn == nil {
			continue
		}
		for i, arg := range call.Call.Args {
			if arg == p && i < len(fn.Params) && fn.Blocks != nil && addedTo(fn.Params[i], of, seen) {
				return true
			}
		}
	}
	return false
}

// isKeptFirst reports whether a pointer may have been kept, and was not made of a slice there.
func isKeptFirst(v ssa.Value) bool {
	for {
		named, ok := v.(*ssa.ChangeType)
		if !ok {
			break
		}
		v = named.X
	}
	if call, ok := v.(*ssa.Call); ok && isFirst(call) {
		return false
	}
	return isKept(v)
}

// staysIn reports whether an instruction adds nothing to the address of a value but what leads to a part of it.
func staysIn(in ssa.Instruction, of types.Type) bool {
	size := sizeIfKnown(of)
	small := func(v ssa.Value) bool {
		n, ok := v.(*ssa.Const)
		return ok && n.Value != nil && n.Int64() >= 0 && n.Int64() < size
	}
	switch in := in.(type) {
	case *ssa.Call:
		return small(in.Call.Args[1])
	case *ssa.Convert:
		for _, r := range *in.Referrers() {
			if sum, ok := r.(*ssa.BinOp); ok && sum.Op == token.ADD && !small(sum.X) && !small(sum.Y) {
				return false
			}
		}
		return true
	}
	return false
}

// declarationOf returns the declaration of a type at package level, of a basic one that of its name, or nil.
func declarationOf(t types.Type) *types.TypeName {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		name, _ := types.Universe.Lookup(types.Typ[t.Kind()].Name()).(*types.TypeName)
		return name
	case *types.Named:
		if obj := t.Origin().Obj(); obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			return obj
		}
	}
	return nil
}
