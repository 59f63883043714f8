package closure

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function borrows what a parameter leads to if it makes no use of that address after it has returned: it reads and writes
// there, and passes it to functions that borrow it as well. It does not keep it in memory, return it, or hand it to code that is
// not known. The address of a local variable that is only lent so is nowhere when the call has returned.

// Borrows reports whether a function borrows what a parameter leads to, a pointer or slice. The parameters are counted from
// 0; -1 is the receiver.
func (c *Closure) Borrows(fn *types.Func, param int) bool {
	sig := fn.Type().(*types.Signature)
	if fn.Origin() != fn || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return false // instances have functions of their own
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
	return c.graph.borrows(c.graph.program.FuncValue(fn), param)
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

// borrows reports whether fn borrows what its parameter leads to.
func (g *graph) borrows(fn *ssa.Function, param int) bool {
	if fn == nil || len(fn.Blocks) == 0 || param < 0 || param >= len(fn.Params) {
		return false // written in assembly, or not looked at
	}
	p := fn.Params[param]
	if known, ok := g.borrowed[p]; ok {
		return known
	}
	if g.borrowed == nil {
		g.borrowed = make(map[*ssa.Parameter]bool)
	}
	g.borrowed[p] = false // for calls of itself
	g.borrowed[p] = g.uses(p, make(map[ssa.Value]bool))
	return g.borrowed[p]
}

// uses reports whether all that is done with an address, or with a slice, is over when its function returns.
func (g *graph) uses(v ssa.Value, seen map[ssa.Value]bool) bool {
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
			ok = g.uses(in.(ssa.Value), seen)
		case *ssa.Convert: // a string has bytes of its own
			to, basic := in.Type().Underlying().(*types.Basic)
			ok = basic && to.Info()&types.IsString != 0
		case *ssa.Call:
			ok = g.passes(in.Common(), v)
		}
		if !ok {
			return false
		}
	}
	return true
}

// passes reports whether a call makes no use of an argument but while it lasts.
func (g *graph) passes(call *ssa.CallCommon, v ssa.Value) bool {
	if call.IsInvoke() || call.Value == v {
		return false
	}
	builtin, isBuiltin := call.Value.(*ssa.Builtin)
	for i, arg := range call.Args {
		if arg != v {
			continue
		}
		switch {
		case !isBuiltin:
			if !g.borrows(call.StaticCallee(), i) {
				return false
			}
		case builtin.Name() == "len", builtin.Name() == "cap", builtin.Name() == "copy", builtin.Name() == "clear":
		case builtin.Name() == "append" && i == 1: // its elements are copied
		default:
			return false
		}
	}
	return true
}
