package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// The runtime moves to the heap what a goroutine has on its stack when its frames are saved, by the
// types of the references. Two things tell no type: the environment of a func value that the
// compiler has laid out, as the package was not rewritten, and what an unsafe.Pointer leads to. The
// compiler has them on the stack of a rewritten function only where that makes them itself, or
// calls a function that is inlined. What such calls return is kept off the stack, unless the types
// of the results tell all: then nothing else can be in a frame, whatever was made in between.

// mostInlined is the size, in instructions, of a function that the compiler still inlines where a
// profile tells that it is called often.
const mostInlined = 2500

// Opaque reports whether something that a function returns may lead to memory that nothing tells
// the type of, and the compiler may have on the stack of the function that calls it.
func (c *Closure) Opaque(fn *types.Func) bool {
	if returnsTold(fn.Signature()) {
		return false
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	return c.graph.opaque(c.graph.program.FuncValue(fn.Origin()))
}

// OpaqueCall reports the same of a call in a rewritten function that does not name what it calls,
// of the given signature: it calls a func value, or the method of an interface. The compiler may
// find out which it is, and inline that.
func (c *Closure) OpaqueCall(call *ast.CallExpr, signature *types.Signature) bool {
	if returnsTold(signature) {
		return false
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	for _, e := range c.graph.unnamedCalls()[call.Lparen] {
		if isFound(e.Site.Common(), false) && c.graph.opaque(e.Callee.Func) {
			return true
		}
	}
	return false
}

// unnamedCalls returns the calls in rewritten functions that the call graph has callees of which
// are no declared functions called by their names, by the opening parentheses.
func (g *graph) unnamedCalls() map[token.Pos][]*callgraph.Edge {
	if g.unnamed == nil {
		g.unnamed = make(map[token.Pos][]*callgraph.Edge)
		for fn, n := range g.nodes {
			if g.classify(fn) != user {
				continue
			}
			for _, e := range n.Out {
				if call, ok := e.Site.(*ssa.Call); !ok || call.Call.StaticCallee() != nil && call.Call.StaticCallee().Object() != nil {
					continue
				}
				if pos := sitePos(e); pos.IsValid() {
					g.unnamed[pos] = append(g.unnamed[pos], e)
				}
			}
		}
	}
	return g.unnamed
}

// returnsTold reports whether the types of the results tell those of all that they lead to.
func returnsTold(signature *types.Signature) bool {
	met := make(map[types.Type]bool)
	for v := range signature.Results().Variables() {
		if !isTold(v.Type(), met) {
			return false
		}
	}
	return true
}

// mostMet is the number of types that isTold looks at: an instance of a generic type can lead to
// ever more of them.
const mostMet = 500

// isTold reports whether a type tells those of all that its values lead to.
func isTold(t types.Type, met map[types.Type]bool) bool {
	if met[t] {
		return true
	}
	if len(met) == mostMet || isTypeParam(t) {
		return false
	}
	met[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && u.Kind() != types.Invalid
	case *types.Map:
		return isTold(u.Key(), met) && isTold(u.Elem(), met)
	case *types.Struct:
		for f := range u.Fields() {
			if !isTold(f.Type(), met) {
				return false
			}
		}
		return true
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		return isTold(u.Elem(), met)
	}
	return false
}

// isFound reports whether the compiler may find out what a call calls: which type a value has that
// was put into an interface, or which function a variable holds, also by way of functions that are
// inlined. inlined tells that the call is in such a function itself; then its parameters may be
// known.
func isFound(call *ssa.CallCommon, inlined bool) bool {
	met := make(map[ssa.Value]bool)
	var found func(v ssa.Value, inlined bool) bool
	found = func(v ssa.Value, inlined bool) bool {
		if met[v] {
			return false
		}
		met[v] = true
		switch v := v.(type) {
		case *ssa.MakeInterface, *ssa.MakeClosure, *ssa.Function:
			return true
		case *ssa.ChangeInterface:
			return found(v.X, inlined)
		case *ssa.ChangeType:
			return found(v.X, inlined)
		case *ssa.Extract:
			return found(v.Tuple, inlined)
		case *ssa.Phi:
			return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return found(e, inlined) })
		case *ssa.UnOp:
			switch from := v.X.(type) {
			case *ssa.FreeVar: // it may be a local function's (package rewrite)
				return true
			case *ssa.Alloc:
				return slices.ContainsFunc(*from.Referrers(), func(in ssa.Instruction) bool {
					store, ok := in.(*ssa.Store)
					return ok && store.Addr == from && found(store.Val, inlined)
				})
			}
		case *ssa.FreeVar:
			return true
		case *ssa.Parameter:
			return inlined
		case *ssa.Call:
			callee := v.Call.StaticCallee()
			if callee == nil || sizeOf(callee) > mostInlined {
				return false
			}
			for _, b := range callee.Blocks {
				if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && slices.ContainsFunc(ret.Results, func(r ssa.Value) bool { return found(r, true) }) {
					return true
				}
			}
		}
		return false
	}
	return found(call.Value, inlined)
}

// opaque reports whether a function that can be inlined, or one that is inlined in it, makes
// something of which nothing tells the type. The answer does not depend on what was asked before.
func (g *graph) opaque(first *ssa.Function) bool {
	if g.opaques == nil {
		g.opaques = make(map[*ssa.Function]bool)
	}
	met := map[*ssa.Function]bool{first: true}
	for todo := []*ssa.Function{first}; len(todo) > 0; {
		fn := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		known, ok := g.opaques[fn]
		if known || !ok && g.makesOpaque(fn) {
			g.opaques[first] = true
			return true
		}
		if ok || fn == nil || sizeOf(fn) > mostInlined {
			continue
		}
		for instr := range liveInstructions(fn) {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, callee := range g.inlinedAt(fn, call) {
				if !met[callee] {
					met[callee] = true
					todo = append(todo, callee)
				}
			}
		}
	}
	for fn := range met {
		g.opaques[fn] = false
	}
	return false
}

// inlinedAt returns the functions that the compiler may find to be called by a call in a function
// that is inlined.
func (g *graph) inlinedAt(fn *ssa.Function, call *ssa.Call) []*ssa.Function {
	if callee := call.Call.StaticCallee(); callee != nil {
		return []*ssa.Function{callee}
	}
	n := g.nodes[fn]
	if n == nil || !isFound(&call.Call, true) {
		return nil
	}
	var list []*ssa.Function
	for _, e := range n.Out {
		if e.Site == call {
			list = append(list, e.Callee.Func)
		}
	}
	return list
}

// makesOpaque reports whether a function that can be inlined does so itself.
func (g *graph) makesOpaque(fn *ssa.Function) bool {
	if fn == nil || sizeOf(fn) > mostInlined {
		return false
	}
	rewritten := g.classify(fn) == user && !g.byCgo[g.fset.File(fn.Pos())]
	for instr := range liveInstructions(fn) {
		switch instr := instr.(type) {
		case *ssa.MakeClosure:
			if !rewritten {
				return true
			}
		case *ssa.Convert:
			if isKind(instr.Type(), types.UnsafePointer) && !passing(instr) && isAddress(instr.X) || isLookedAt(instr) {
				return true
			}
		case *ssa.MultiConvert:
			if isKind(instr.Type(), types.UnsafePointer) {
				return true
			}
		case *ssa.UnOp:
			if instr.Op == token.MUL && load.HasUnsafePointer(instr.Type()) && isTurned(instr.X) {
				return true
			}
		}
	}
	return false
}

// liveInstructions are the instructions of a function that the compiler does not leave out.
func liveInstructions(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		live := liveBlocks(fn)
		for _, b := range fn.Blocks {
			if live != nil && !live[b] {
				continue
			}
			for _, instr := range b.Instrs {
				if !yield(instr) {
					return
				}
			}
		}
	}
}

// isTurned reports whether an address is in something that a pointer of another type leads to, as
// in (*words)(unsafe.Pointer(&x)).data. What an unsafe.Pointer there leads to the compiler knows,
// as it sees through the conversion: it is what x leads to.
func isTurned(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Convert:
			made, ok := x.X.(*ssa.Convert)
			return ok && isKind(made.Type(), types.UnsafePointer) && isAddress(made.X)
		default:
			return false
		}
	}
}

// isLookedAt reports whether a conversion gives a pointer to a struct with an unsafe pointer by
// which something else is looked at, and which is used for more than to select a field. (That is
// seen where the field is read.)
func isLookedAt(v *ssa.Convert) bool {
	p, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	if _, ok := p.Elem().Underlying().(*types.Struct); !ok || !load.HasUnsafePointer(p.Elem()) {
		return false
	}
	if made, ok := v.X.(*ssa.Convert); !ok || !isKind(made.Type(), types.UnsafePointer) || !isAddress(made.X) {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in.(type) {
		case *ssa.FieldAddr, *ssa.UnOp, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// sizeOf is the number of instructions of a function.
func sizeOf(fn *ssa.Function) int {
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// passing reports whether an unsafe.Pointer only becomes another pointer, or a number, or is handed
// to calls whose results are told: to the compiler what keeps it there is on the heap, and so is
// what it leads to.
func passing(v *ssa.Convert) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Convert:
			if isKind(r.Type(), types.UnsafePointer) {
				return false
			}
		case *ssa.BinOp:
			if r.Op != token.EQL && r.Op != token.NEQ {
				return false
			}
		case *ssa.Call:
			if !returnsTold(r.Call.Signature()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isAddress reports whether a value that becomes an unsafe.Pointer is an address, or computed from
// one that became a number before. Of other numbers the compiler does not know what they lead to.
func isAddress(v ssa.Value) bool {
	if !isKind(v.Type(), types.Uintptr) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Convert:
		return isKind(v.X.Type(), types.UnsafePointer) || isKind(v.X.Type(), types.Uintptr) && isAddress(v.X)
	case *ssa.BinOp:
		return isAddress(v.X) || isAddress(v.Y)
	}
	return false
}
