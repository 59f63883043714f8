package closure

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Heads returns the types with references of which functions of the user or of other modules make a
// slice by a pointer to the first, or from whose address they come to what is behind them, in
// generic functions also those that a type parameter stands for:
//
//	type vector[T any] struct { p *T; n int }
//
//	unsafe.Slice(v.p, v.n)    unsafe.Slice((*T)(v.unsafe), v.n)    (*T)(unsafe.Add(unsafe.Pointer(v.p), i*size))
//
// and those of which pointers are kept in the place of other references (turned.go). Package
// rewrite tells of the structs of a package (heads), and can't see where what it has the address of
// comes to. Those without a name are others. Types that functions declare are not among them. Only
// functions of packages of whose paths linked is true count.
func (c *Closure) Heads(linked func(path string) bool) (heads map[*types.TypeName]bool, others []types.Type) {
	heads = make(map[*types.TypeName]bool)
	far := beyond{graph: c.graph}
	add := func(t types.Type) {
		if name := declarationOf(t); name != nil {
			heads[name] = true
		} else if _, ok := types.Unalias(t).(*types.Named); !ok {
			others = append(others, t)
		}
	}
	for fn := range c.graph.nodes {
		if !c.graph.canBeUnsafe(fn) || !linked(packagePath(fn)) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				made := partsTaken(in)
				if t := far.headMade(in); t != nil && (hasAddresses(t) || isStruct(t) && far.isTaken(in)) {
					made = append(made, t)
				}
				if c, ok := in.(*ssa.Convert); ok {
					made = append(made, turnedFrom(c)...)
				}
				for _, t := range made {
					add(t)
				}
			}
		}
	}
	return heads, others
}

// partsTaken returns the structs to which pointers are kept in something that an instruction takes
// for the same with pointers to larger ones, as a []*node for a []*leaf.
func partsTaken(in ssa.Instruction) (list []types.Type) {
	c, ok := in.(*ssa.Convert)
	if !ok {
		return nil
	}
	to, from := pointee(c.Type()), convertedFrom(c)
	if to == nil || from == nil {
		return nil
	}
	const deep = 4
	var compare func(from, to types.Type, depth int)
	compare = func(from, to types.Type, depth int) {
		if depth > deep || types.Identical(from, to) {
			return
		}
		switch f := from.Underlying().(type) {
		case *types.Pointer:
			if t := pointee(to); t != nil && isStruct(f.Elem()) {
				if exceeds(t, f.Elem()) {
					list = append(list, f.Elem())
				} else {
					compare(f.Elem(), t, depth+1)
				}
			}
		case *types.Slice:
			if t, ok := to.Underlying().(*types.Slice); ok {
				compare(f.Elem(), t.Elem(), depth+1)
			}
		case *types.Array:
			if t, ok := to.Underlying().(*types.Array); ok {
				compare(f.Elem(), t.Elem(), depth+1)
			}
		case *types.Chan:
			if t, ok := to.Underlying().(*types.Chan); ok {
				compare(f.Elem(), t.Elem(), depth+1)
			}
		case *types.Map:
			if t, ok := to.Underlying().(*types.Map); ok {
				compare(f.Key(), t.Key(), depth+1)
				compare(f.Elem(), t.Elem(), depth+1)
			}
		case *types.Struct:
			if t, ok := to.Underlying().(*types.Struct); ok {
				for i := range min(f.NumFields(), t.NumFields()) {
					compare(f.Field(i).Type(), t.Field(i).Type(), depth+1)
				}
			}
		}
	}
	compare(from, to, 0)
	return list
}

// isKeptFirst reports whether a pointer may have been kept, and was not made of a slice there.
func isKeptFirst(v ssa.Value) bool {
	v = renamed(v)
	if call, ok := v.(*ssa.Call); ok && isFirst(call) {
		return false
	}
	return isKept(v)
}

// declarationOf returns the declaration of a type at package level, of a basic one that of its
// name, or nil.
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
