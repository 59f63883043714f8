package closure

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A function is timeless if it makes no difference when it is called with the same arguments: it
// computes something of their values, and perhaps puts it into new memory. It reads and writes no
// other, can't panic, does not loop, and calls none but such functions. Code that was translated
// from C is full of them.

// Timeless reports whether a function is.
func (c *Closure) Timeless(fn *types.Func) bool {
	sig := fn.Signature()
	if fn.Origin() != fn || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || sig.Recv() != nil && types.IsInterface(sig.Recv().Type()) {
		return false
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	return c.graph.isTimeless(c.graph.program.FuncValue(fn))
}

// isTimeless is Timeless for a function in SSA form.
func (g *graph) isTimeless(fn *ssa.Function) bool {
	if fn == nil || len(fn.Blocks) == 0 || len(fn.FreeVars) > 0 || g.kind(fn) == point {
		return false // written in assembly, or not looked at
	}
	if known, ok := g.timeless[fn]; ok {
		return known
	}
	if g.timeless == nil {
		g.timeless = make(map[*ssa.Function]bool)
	}
	g.timeless[fn] = false // for calls of itself; none of a cycle is timeless, whichever is asked about first
	own := make(map[ssa.Value]bool)
	for _, b := range fn.DomPreorder() {
		for _, s := range b.Succs {
			if s.Index <= b.Index {
				return false // perhaps a loop
			}
		}
		for _, in := range b.Instrs {
			if !g.timelessly(in, own) {
				return false
			}
		}
	}
	g.timeless[fn] = true
	return true
}

// timelessly reports whether an instruction can be one of a timeless function. own are the
// addresses of what that has made.
func (g *graph) timelessly(in ssa.Instruction, own map[ssa.Value]bool) bool {
	switch in := in.(type) {
	case *ssa.Alloc:
		own[in] = true
	case *ssa.FieldAddr:
		own[in] = own[in.X]
		return own[in]
	case *ssa.Store:
		return own[in.Addr]
	case *ssa.UnOp:
		return in.Op != token.ARROW && (in.Op != token.MUL || own[in.X])
	case *ssa.BinOp:
		basic, ok := in.X.Type().Underlying().(*types.Basic)
		if !ok {
			return false // of interfaces and the like it can panic
		}
		switch in.Op {
		case token.QUO, token.REM:
			return basic.Info()&types.IsInteger == 0
		case token.SHL, token.SHR:
			_, constant := in.Y.(*ssa.Const)
			by, ok := in.Y.Type().Underlying().(*types.Basic)
			return constant || ok && by.Info()&types.IsUnsigned != 0
		}
	case *ssa.Convert:
		_, from := in.X.Type().Underlying().(*types.Slice)
		_, to := in.Type().Underlying().(*types.Slice)
		return !from && !to && !isTypeParam(in.X.Type()) && !isTypeParam(in.Type())
	case *ssa.Call:
		if _, builtin := in.Call.Value.(*ssa.Builtin); builtin || in.Call.IsInvoke() {
			return false
		}
		return g.isTimeless(in.Call.StaticCallee())
	case *ssa.ChangeType, *ssa.MakeInterface, *ssa.Field, *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.Extract, *ssa.DebugRef:
	default:
		return false
	}
	return true
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}
