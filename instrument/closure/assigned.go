package closure

import (
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// An Assignment is how a program changes a variable.
type Assignment struct {
	// Within is set if it changes what the variable leads to.
	Within bool
	// Initially is set if it gives the variable another value while it is initialised.
	Initially bool
}

// Assigned returns the exported variables of the standard library that the program gives another
// value, as in
//
//	http.DefaultClient = c
//	build.Default.GOOS = "plan9"
//	http.DefaultClient.Timeout = time.Second
//	xml.HTMLEntity["x"] = "y"
//	swap(&http.DefaultTransport, t)
//
// What another module does to them while it is initialised does not count, and what is changed
// through the pointer that one holds counts only after the initialisation of the program: each
// process does that by itself. A variable whose address is taken may be changed later, whoever
// takes it and when.
func (c *Closure) Assigned() map[*types.Var]Assignment {
	g := c.graph
	assigned := make(map[*types.Var]Assignment)
	own := make(map[string]bool)
	for _, pkg := range g.prog.All {
		if load.Own(pkg) {
			own[pkg.Types.Path()] = true
		}
	}
	for fn, n := range g.nodes {
		path := packagePath(fn)
		if path == "" || g.std[path] || load.Runtime(path) {
			continue
		}
		late := g.late()[n]
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				var v *types.Var
				var within bool
				switch instr := instr.(type) {
				case *ssa.Store:
					v, within = g.standardVariable(instr.Addr)
				case *ssa.MapUpdate:
					if load, ok := instr.Map.(*ssa.UnOp); ok && load.Op == token.MUL {
						v, _ = g.standardVariable(load.X)
						within = true
					}
				}
				if v != nil && (late || own[path] && !within) {
					was := assigned[v]
					assigned[v] = Assignment{was.Within || within, was.Initially || !late}
				}
				for v, within := range g.addressed(instr) {
					if was := assigned[v]; late || !within {
						assigned[v] = Assignment{was.Within || within, was.Initially}
					}
				}
			}
		}
	}
	return assigned
}

// addressed goes over the exported variables of the standard library whose addresses, or those of
// their parts, an instruction takes for other things than to read or assign them, and whether it is
// a part of what they lead to. Methods of the standard library do not change their receivers so, as
// those of build.Default and syscall.ForkLock.
func (g *graph) addressed(instr ssa.Instruction) iter.Seq2[*types.Var, bool] {
	return func(yield func(*types.Var, bool) bool) {
		var operands []*ssa.Value
		switch instr := instr.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.UnOp, *ssa.DebugRef:
			return
		case *ssa.Store:
			operands = []*ssa.Value{&instr.Val}
		case ssa.CallInstruction:
			operands = instr.Operands(nil)
			if fn := instr.Common().StaticCallee(); fn != nil && fn.Signature.Recv() != nil && g.std[packagePath(fn)] {
				operands = slices.DeleteFunc(operands, func(x *ssa.Value) bool { return x == &instr.Common().Args[0] })
			}
		default:
			operands = instr.Operands(nil)
		}
		for _, x := range operands {
			switch (*x).(type) {
			case *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr:
				if v, within := g.standardVariable(*x); v != nil && !yield(v, within) {
					return
				}
			}
		}
	}
}

// inObject returns the exported variable of the standard library if an instruction changes an
// object that it holds in an interface, as in http.DefaultTransport.(*http.Transport).MaxIdleConns
// = 9; nil if it does not. What lies behind an interface is of any kind, and not saved.
func (g *graph) inObject(instr ssa.Instruction) *types.Var {
	store, ok := instr.(*ssa.Store)
	if !ok {
		return nil
	}
	for addr := store.Addr; ; {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.Extract:
			addr = a.Tuple
		case *ssa.TypeAssert:
			if load, ok := a.X.(*ssa.UnOp); ok && load.Op == token.MUL {
				v, _ := g.standardVariable(load.X)
				return v
			}
			return nil
		default:
			return nil
		}
	}
}

// standardVariable returns the exported variable of the standard library that an address leads to,
// if it does, and whether it leads there through the pointer that the variable holds.
func (g *graph) standardVariable(addr ssa.Value) (v *types.Var, within bool) {
	for {
		switch a := addr.(type) {
		case *ssa.Global:
			v, ok := a.Object().(*types.Var)
			if !ok || !v.Exported() || !g.std[v.Pkg().Path()] {
				return nil, false
			}
			return v, within
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.UnOp:
			if a.Op != token.MUL || within {
				return nil, false
			}
			addr, within = a.X, true
		default:
			return nil, false
		}
	}
}
