package closure

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// The runtime moves to the heap what a goroutine has on its stack when its frames are saved, by the types of the references. Two things tell no
// type: the environment of a func value that the compiler has laid out, as the package was not rewritten, and what an unsafe.Pointer
// leads to. The compiler has them on the stack of a rewritten function only where that makes them itself, or calls a function that
// is inlined. What such calls return is kept off the stack.

// mostInlined is the size, in instructions, of a function that the compiler still inlines where a profile tells that it is called often.
const mostInlined = 2500

// Opaque reports whether something that a function returns may lead to memory that nothing tells the type of, and the compiler may have on
// the stack of the function that calls it.
func (c *Closure) Opaque(fn *types.Func) bool {
	results := fn.Signature().Results()
	tells := true
	for v := range results.Variables() {
		if _, basic := v.Type().Underlying().(*types.Basic); !basic || isKind(v.Type(), types.UnsafePointer) {
			tells = false
		}
	}
	if tells {
		return false
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	return c.graph.opaque(c.graph.program.FuncValue(fn.Origin()))
}

// opaque reports whether a function that can be inlined, or one that is inlined in it, makes something of which nothing tells the type.
func (g *graph) opaque(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	if known, ok := g.opaques[fn]; ok {
		return known
	}
	if g.opaques == nil {
		g.opaques = make(map[*ssa.Function]bool)
	}
	g.opaques[fn] = false // to its own calls: what is inlined is not recursive
	size := 0
	for _, b := range fn.Blocks {
		size += len(b.Instrs)
	}
	if size > mostInlined {
		return false
	}
	found := false
	rewritten := g.classify(fn) == user
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MakeClosure:
				found = found || !rewritten
			case *ssa.Convert:
				found = found || isKind(instr.Type(), types.UnsafePointer) && !passing(instr) && isAddress(instr.X)
			case *ssa.Call:
				found = found || g.opaque(instr.Common().StaticCallee())
			}
		}
	}
	g.opaques[fn] = found
	return found
}

// passing reports whether an unsafe.Pointer only becomes another pointer, or a number.
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
		default:
			return false
		}
	}
	return true
}

// isAddress reports whether a value that becomes an unsafe.Pointer is an address, or computed from one that became a number before. Of
// other numbers the compiler does not know what they lead to.
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
