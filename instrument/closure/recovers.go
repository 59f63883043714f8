package closure

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// Recovers reports whether any function that the call may call calls recover
// itself.
func (c *Closure) Recovers(call *ast.CallExpr) bool {
	c.recoverOnce.Do(c.findRecovers)
	return c.recovers[call.Lparen]
}

// AlwaysRecovers reports whether a call calls functions, methods and literals of packages of the
// user and of modules that are rewritten, and nothing else, all of which call recover themselves,
// and can be at a checkpoint or have no results without names. If the call is that of a func value,
// methods and instances of generic functions are others: it is a function between that is called,
// of the compiler's or as these values are rewritten.
func (c *Closure) AlwaysRecovers(call *ast.CallExpr, value bool) bool {
	pos, found := call.Lparen, false
	for _, n := range c.graph.nodes {
		for _, e := range n.Out {
			if e.Site == nil || sitePos(e) != pos {
				continue
			}
			fn := e.Callee.Func
			if value && (len(fn.TypeArgs()) > 0 || fn.Signature.Recv() != nil) {
				return false
			}
			if fn.Syntax() == nil || !c.graph.user[packagePath(fn)] || !callsRecover(fn) {
				return false
			}
			if results := fn.Signature.Results(); results.Len() > 0 && results.At(0).Name() == "" && !c.Func(fn.Syntax()) {
				return false
			}
			found = true
		}
	}
	return found
}

// findRecovers finds the functions that call recover, and their call sites.
func (c *Closure) findRecovers() {
	c.recovers = make(map[token.Pos]bool)
	for fn, n := range c.graph.nodes {
		if !callsRecover(fn) {
			continue
		}
		c.recovering = append(c.recovering, fn)
		queue, seen := []*callgraph.Node{n}, map[*callgraph.Node]bool{n: true}
		for len(queue) > 0 {
			n := queue[0]
			queue = queue[1:]
			for _, e := range n.In {
				if pos := sitePos(e); pos.IsValid() {
					c.recovers[pos] = true
				}
				// A wrapper passes the call on. An instance of a generic function is synthetic
				// as well, but has a body of its own. What package reflect calls is called by that.
				if e.Caller.Func.Synthetic != "" && e.Caller.Func.Syntax() == nil && e.Caller != c.graph.handing && !seen[e.Caller] {
					seen[e.Caller] = true
					queue = append(queue, e.Caller)
				}
			}
		}
	}
}

func callsRecover(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok {
				if f, ok := call.Common().Value.(*ssa.Builtin); ok && f.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}

// MayRecover reports whether a function or method, or any method that one of an interface may be,
// calls recover itself.
func (c *Closure) MayRecover(fn types.Object) bool {
	method := false
	if sig, ok := fn.Type().(*types.Signature); ok && sig.Recv() != nil {
		method = types.IsInterface(sig.Recv().Type())
	}
	if f, ok := fn.(*types.Func); ok {
		fn = f.Origin() // a method of an instance of a generic type is another object
	}
	c.recoverOnce.Do(c.findRecovers)
	for _, f := range c.recovering {
		if f.Syntax() == nil {
			continue
		}
		object := f.Object()
		if f.Origin() != nil {
			object = f.Origin().Object()
		}
		if object != nil && (object == fn || method && f.Signature.Recv() != nil && f.Name() == fn.Name()) {
			return true
		}
	}
	return false
}
