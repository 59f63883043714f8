package closure

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function borrows what a parameter leads to if it makes no use of that address after it has
// returned: it reads and writes there, and passes it to functions that borrow it as well. It does
// not keep it in memory, return it, or hand it to code that is not known. The address of a local
// variable that is only lent so is nowhere when the call has returned.

// Borrows reports whether a function borrows what a parameter leads to, a pointer or slice, or a
// func value, which it may call. The parameters are counted from 0; -1 is the receiver.
func (c *Closure) Borrows(fn *types.Func, param int) bool {
	fn = fn.Origin()
	sig := fn.Type().(*types.Signature)
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		if param < 0 || param >= sig.Params().Len() || !isFunc(sig.Params().At(param).Type()) {
			return false // instances may have code of their own for what the parameter leads to
		}
	}
	if sig.Recv() != nil {
		if types.IsInterface(sig.Recv().Type()) {
			return false
		}
		param++
	}
	if sig.Variadic() && param >= len(paramsOf(sig))-1 {
		return false // it is an element of what the parameter leads to
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	return c.graph.borrows(c.graph.program.FuncValue(fn), param)
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// paramsOf returns the parameters of a function as in SSA form, with the receiver first.
func paramsOf(sig *types.Signature) []*types.Var {
	var list []*types.Var
	if sig.Recv() != nil {
		list = append(list, sig.Recv())
	}
	for v := range sig.Params().Variables() {
		list = append(list, v)
	}
	return list
}

// borrows reports whether fn borrows what its parameter leads to. Functions that call each other
// borrow it unless one of them makes another use of it: the answer does not depend on which of them
// is asked about first.
func (g *graph) borrows(fn *ssa.Function, param int) bool {
	first := parameter(fn, param)
	if first == nil {
		return false
	}
	if known, ok := g.borrowed[first]; ok {
		return known
	}
	if g.borrowed == nil {
		g.borrowed = make(map[*ssa.Parameter]bool)
	}
	var kept []*ssa.Parameter // what is not borrowed
	from := make(map[*ssa.Parameter][]*ssa.Parameter)
	met := []*ssa.Parameter{first}
	for i := 0; i < len(met); i++ {
		p := met[i]
		g.borrowed[p] = true
		to := make(map[*ssa.Parameter]bool)
		if !uses(p, make(map[ssa.Value]bool), to) {
			kept = append(kept, p)
			continue
		}
		for q := range to {
			borrowed, known := g.borrowed[q]
			switch {
			case !known:
				g.borrowed[q] = true
				met = append(met, q)
			case !borrowed:
				kept = append(kept, p)
			}
			from[q] = append(from[q], p)
		}
	}
	for len(kept) > 0 {
		p := kept[len(kept)-1]
		kept = kept[:len(kept)-1]
		g.borrowed[p] = false
		kept = append(kept, from[p]...)
		delete(from, p)
	}
	return g.borrowed[first]
}

// parameter returns a parameter of a function in SSA form; nil if the function is written in
// assembly, or not looked at.
func parameter(fn *ssa.Function, param int) *ssa.Parameter {
	if fn == nil || len(fn.Blocks) == 0 || param < 0 || param >= len(fn.Params) {
		return nil
	}
	return fn.Params[param]
}

// uses reports whether all that is done with an address, or with a slice, is over when its function
// returns, if the parameters that it is passed to are borrowed, which it notes.
func uses(v ssa.Value, seen map[ssa.Value]bool, to map[*ssa.Parameter]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for _, in := range *v.Referrers() {
		ok := false
		switch in := in.(type) {
		case *ssa.DebugRef:
			ok = true
		case *ssa.UnOp: // what it leads to is read
			ok = in.Op == token.MUL
		case *ssa.Store: // or written
			ok = in.Val != v
		case *ssa.BinOp:
			ok = in.Op == token.EQL || in.Op == token.NEQ
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.Phi, *ssa.ChangeType:
			ok = uses(in.(ssa.Value), seen, to)
		case *ssa.Convert: // a string has bytes of its own
			to, basic := in.Type().Underlying().(*types.Basic)
			ok = basic && to.Info()&types.IsString != 0
		case *ssa.Call:
			ok = passes(in.Common(), v, to)
		}
		if !ok {
			return false
		}
	}
	return true
}

// passes reports whether a call makes no use of an argument but while it lasts, if the parameters
// that it is are borrowed.
func passes(call *ssa.CallCommon, v ssa.Value, to map[*ssa.Parameter]bool) bool {
	if call.IsInvoke() {
		return false
	}
	builtin, isBuiltin := call.Value.(*ssa.Builtin)
	for i, arg := range call.Args {
		if arg != v {
			continue
		}
		switch {
		case !isBuiltin:
			p := parameter(call.StaticCallee(), i)
			if p == nil {
				return false
			}
			to[p] = true
		case builtin.Name() == "len", builtin.Name() == "cap", builtin.Name() == "copy", builtin.Name() == "clear":
		case builtin.Name() == "append" && i == 1: // its elements are copied
		default:
			return false
		}
	}
	return true
}
