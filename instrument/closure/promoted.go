package closure

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What an interface calls can be a method of an embedded field:
//
//	type machine struct{ state } // an interface, or a pointer
//
//	func (s *idle) Run() { s.m.state = &busy{s.m}; ckp.Checkpoint() }
//
//	var r runner = m
//	r.Run() // calls code of the compiler's, which calls m.state.Run
//
// That code has no frame, and reads the field again when a process goes on. So such a call is made
// again with another receiver: one of the type whose method it was that has the next frame. The same
// goes for func values that are such methods, and for calls of them that were deferred.

// A forwarding is where that is so.
type forwarding struct {
	calls   map[token.Pos]bool // by their opening parentheses
	methods map[token.Pos]bool // by their names
}

// forwarded finds them, in the program's own packages and those of modules.
func (c *Closure) forwarded() *forwarding {
	c.asking.Lock()
	defer c.asking.Unlock()
	if c.forwards != nil {
		return c.forwards
	}
	f := &forwarding{make(map[token.Pos]bool), make(map[token.Pos]bool)}
	for n := range c.saved {
		made := n.Func.Synthetic != "" && n.Func.Syntax() == nil
		if !made && !c.graph.byUser(n.Func) {
			continue
		}
		for _, e := range n.Out {
			switch m := e.Callee.Func; {
			case made && m.Signature.Recv() != nil && c.graph.byUser(m):
				f.methods[m.Pos()] = true
			case !made && e.Site != nil && e.Site.Common().IsInvoke() && isPromoted(m):
				f.calls[sitePos(e)] = true
			}
		}
	}
	c.forwards = f
	return f
}

// isPromoted reports whether a function is the code for a method of an embedded field that a
// pointer, or an interface, leads to.
func isPromoted(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if fn.Synthetic == "" || fn.Syntax() != nil || recv == nil {
		return false
	}
	t := recv.Type()
	if p := pointee(t); p != nil {
		t = p
	}
	obj, index, indirect := types.LookupFieldOrMethod(t, true, fn.Object().Pkg(), fn.Name())
	m, ok := obj.(*types.Func)
	return ok && len(index) > 1 && (indirect || types.IsInterface(m.Signature().Recv().Type()))
}

// Forwards reports whether a call of a method of an interface may be one of a method of an embedded
// field.
func (c *Closure) Forwards(call *ast.CallExpr) bool { return c.forwarded().calls[call.Lparen] }

// Forwarded reports whether a method may be called by code of the compiler's.
func (c *Closure) Forwarded(fn ast.Node) bool { return c.forwarded().methods[functionPos(fn)] }

// Forwards is false: the standard library's calls are the same in all programs.
func (l *Library) Forwards(*ast.CallExpr) bool { return false }

// Forwarded is false for the same reason.
func (l *Library) Forwarded(ast.Node) bool { return false }
