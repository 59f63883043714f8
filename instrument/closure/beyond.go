package closure

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A beyond finds out which addresses lead the program to what is behind the value that they are of.
// It follows them as unsafe pointers and as numbers through variables, fields, calls and results.
type beyond struct {
	graph *graph

	loads   map[any][]ssa.Value // what is read of a place; made when needed, as the next
	headers typeutil.Map        // structs that the program takes slices for
}

// canBeUnsafe reports whether a function is one of the user or of another module.
func (g *graph) canBeUnsafe(fn *ssa.Function) bool {
	return fn != nil && !load.Runtime(packagePath(fn)) && !g.std[packagePath(fn)]
}

// headMade returns T if an instruction makes a slice of a *T that is not made there, or of a struct
// with a *T, or an unsafe pointer of a *T that leads to what is behind it.
func (y *beyond) headMade(in ssa.Instruction) types.Type {
	switch in := in.(type) {
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "Slice" && (isKeptFirst(in.Call.Args[0]) || isKeptUnsafe(in.Call.Args[0])) && !load.Counted(renamed(in.Call.Args[0]).Type()) {
			return pointee(in.Call.Args[0].Type())
		}
	case *ssa.Convert:
		to, from := pointee(in.Type()), convertedFrom(in)
		if to != nil && from != nil {
			if s, ok := to.Underlying().(*types.Slice); ok && isHeader(from) {
				return s.Elem()
			}
			if of := heldBy(from); of != nil && y.takenFor(in, of, to) {
				return of
			}
			return nil
		}
		if of := pointee(in.X.Type()); of != nil && isKind(in.Type(), types.UnsafePointer) && hasAddresses(of) && isKeptFirst(in.X) &&
			y.leads(address{in, false}, of, make(map[address]bool)) {
			return of
		}
	case *ssa.Store:
		if f, ok := in.Addr.(*ssa.FieldAddr); ok && f.Field == 0 && pointee(in.Val.Type()) != nil && hasAddresses(pointee(in.Val.Type())) && y.isHeaderOfSlices(pointee(f.X.Type())) {
			return pointee(in.Val.Type())
		}
	}
	return nil
}

// heldBy returns T if a type is *T, or atomic.Pointer[T]; else nil.
func heldBy(t types.Type) types.Type {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic" && n.Obj().Name() == "Pointer" {
		return n.TypeArgs().At(0)
	}
	return pointee(t)
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// isTaken reports whether an instruction takes a variable of one pointer type for one of another.
func (y *beyond) isTaken(in ssa.Instruction) bool {
	c, ok := in.(*ssa.Convert)
	return ok && pointee(c.Type()) != nil && convertedFrom(c) != nil
}

// convertedFrom returns what the pointer leads to that a conversion converts by an unsafe pointer,
// or nil.
func convertedFrom(c *ssa.Convert) types.Type {
	if p, ok := c.X.(*ssa.Convert); ok && isKind(p.Type(), types.UnsafePointer) {
		return pointee(p.X.Type())
	}
	return nil
}

// takenFor reports whether the program takes a variable of type *of, whose address p is, for a
// pointer to what is larger, or for an address that leads there.
func (y *beyond) takenFor(p *ssa.Convert, of, variable types.Type) bool {
	if to := pointee(variable); to != nil {
		return exceeds(to, of)
	}
	if !isRawAddress(variable) {
		return false
	}
	for _, r := range *p.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if y.leads(address{r, false}, of, make(map[address]bool)) {
				return true
			}
		case *ssa.Call:
			if readsAtomically(r, p) && y.leads(address{r, false}, of, make(map[address]bool)) {
				return true
			}
		}
	}
	return false
}

// readsAtomically reports whether a call returns what a variable has or had, of which it is handed
// the address.
func readsAtomically(call *ssa.Call, of ssa.Value) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || packagePath(fn) != "sync/atomic" || len(call.Call.Args) == 0 || call.Call.Args[0] != of {
		return false
	}
	switch fn.Name() {
	case "LoadPointer", "LoadUintptr", "SwapPointer", "SwapUintptr":
		return true
	}
	return false
}

// isHeader reports whether a struct can be what a slice consists of.
func isHeader(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() < 2 {
		return false
	}
	first := s.Field(0).Type()
	return pointee(first) != nil || isKind(first, types.UnsafePointer) || isKind(first, types.Uintptr)
}

// exceeds reports whether values of a type are larger than those of another one.
func exceeds(t, than types.Type) bool {
	a, b := sizeIfKnown(t), sizeIfKnown(than)
	return a >= 0 && b >= 0 && a > b
}

// An address is an unsafe pointer or a number. If it was elsewhere, in a variable or in another
// function, it can be that of several values, and is converted to pointers to the types of all of
// them.
type address struct {
	ssa.Value
	elsewhere bool
}

// leads reports whether an address of a value leads to what is behind the value.
func (y *beyond) leads(p address, of types.Type, seen map[address]bool) bool {
	if p.Referrers() == nil || seen[p] {
		return false
	}
	seen[p] = true
	here := func(v ssa.Value) bool { return y.leads(address{v, p.elsewhere}, of, seen) }
	anywhere := func(values []ssa.Value) bool {
		return slices.ContainsFunc(values, func(v ssa.Value) bool { return y.leads(address{v, true}, of, seen) })
	}
	size := sizeIfKnown(of)
	inside := func(v ssa.Value) bool {
		n, ok := v.(*ssa.Const)
		return ok && n.Value != nil && n.Int64() >= 0 && n.Int64() < size
	}
	for _, r := range *p.Referrers() {
		switch r := r.(type) {
		case *ssa.Phi:
			if here(r) {
				return true
			}
		case *ssa.ChangeType:
			if here(r) {
				return true
			}
		case *ssa.Convert:
			if to := pointee(r.Type()); to != nil {
				if !p.elsewhere && exceeds(to, of) || makesMore(r, to, of) {
					return true
				}
			} else if here(r) {
				return true
			}
		case *ssa.BinOp:
			if r.Op == token.ADD && (!inside(r.X) && !inside(r.Y) || here(r)) {
				return true
			}
		case *ssa.Store:
			if r.Val != p.Value {
				continue
			}
			if f, ok := r.Addr.(*ssa.FieldAddr); ok && f.Field == 0 && y.isHeaderOfSlices(pointee(f.X.Type())) || anywhere(y.loadsOf(r.Addr)) {
				return true
			}
		case *ssa.Return:
			for i, v := range r.Results {
				if v == p.Value && anywhere(y.resultsOf(r.Parent(), i)) {
					return true
				}
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok {
				if b.Name() == "Add" && r.Call.Args[0] == p.Value && (!inside(r.Call.Args[1]) || here(r)) {
					return true
				}
				continue
			}
			for i, arg := range r.Call.Args {
				if arg == p.Value && anywhere(y.parameters(r, i)) {
					return true
				}
			}
		}
	}
	return false
}

// makesMore reports whether a slice or string with more than one value has is made of what its
// address becomes.
func makesMore(p *ssa.Convert, to, of types.Type) bool {
	for _, r := range *p.Referrers() {
		call, ok := r.(*ssa.Call)
		if !ok {
			continue
		}
		if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "Slice" && b.Name() != "String" || call.Call.Args[0] != p {
			continue
		}
		n, ok := call.Call.Args[1].(*ssa.Const)
		if !ok || n.Value == nil || n.Int64()*max(sizeIfKnown(to), 1) > sizeIfKnown(of) {
			return true
		}
	}
	return false
}

// parameters returns what an argument of a call is in the functions that are called.
func (y *beyond) parameters(call *ssa.Call, arg int) (list []ssa.Value) {
	node := y.graph.nodes[call.Parent()]
	if node == nil {
		return nil
	}
	if call.Call.IsInvoke() {
		arg++
	}
	for _, e := range node.Out {
		if e.Site == call && e.Callee.Func.Blocks != nil && arg < len(e.Callee.Func.Params) {
			list = append(list, e.Callee.Func.Params[arg])
		}
	}
	return list
}

// resultsOf returns a result of a function where it is called.
func (y *beyond) resultsOf(fn *ssa.Function, result int) (list []ssa.Value) {
	node := y.graph.nodes[fn]
	if node == nil {
		return nil
	}
	for _, e := range node.In {
		call, ok := e.Site.(*ssa.Call)
		if !ok {
			continue
		}
		if fn.Signature.Results().Len() == 1 {
			list = append(list, call)
			continue
		}
		for _, r := range *call.Referrers() {
			if x, ok := r.(*ssa.Extract); ok && x.Index == result {
				list = append(list, x)
			}
		}
	}
	return list
}

// A member is any element of slices and arrays of a type.
type member struct{ of string }

// placeAt returns what stands for what an address is of: a variable, a field in all structs of a
// type, or all elements of a type; or nil.
func placeAt(of ssa.Value) any {
	if a, ok := of.(*ssa.IndexAddr); ok {
		return member{a.Type().String()}
	}
	return variableAt(of)
}

// loadsOf returns what is read where an address leads to.
func (y *beyond) loadsOf(of ssa.Value) []ssa.Value {
	y.look()
	if at := placeAt(of); at != nil {
		return y.loads[at]
	}
	return nil
}

// isHeaderOfSlices reports whether a type is that of a struct that the program takes slices for.
func (y *beyond) isHeaderOfSlices(t types.Type) bool {
	y.look()
	return y.headers.At(types.Unalias(t)) != nil
}

// look makes the tables.
func (y *beyond) look() {
	if y.loads != nil {
		return
	}
	y.loads = make(map[any][]ssa.Value)
	for fn := range y.graph.nodes {
		if !y.graph.canBeUnsafe(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				y.note(in)
			}
		}
	}
}

func (y *beyond) note(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL && isRawAddress(in.Type()) {
			if at := placeAt(in.X); at != nil {
				y.loads[at] = append(y.loads[at], in)
			}
		}
	case *ssa.Field:
		if isRawAddress(in.Type()) {
			at := fieldOf(in.X.Type(), in.Field)
			y.loads[at] = append(y.loads[at], in)
		}
	case *ssa.Convert:
		if to, from := pointee(in.Type()), convertedFrom(in); to != nil && from != nil {
			if s, ok := from.Underlying().(*types.Slice); ok && hasAddresses(s.Elem()) && isHeader(to) {
				y.headers.Set(types.Unalias(to), true)
			}
		}
	}
}

// isRawAddress reports whether a value of a type can be an address that is followed.
func isRawAddress(t types.Type) bool {
	return isKind(t, types.UnsafePointer) || isKind(t, types.Uintptr)
}
