package closure

import (
	"go/ast"
	"go/token"
)

// Value reports whether a function, as in Func, may be a func value, so that it can be called by
// what is not seen to call it, such as a function that package reflect has made of it. One that is
// only called is none.
func (c *Closure) Value(fn ast.Node) bool {
	c.asking.Lock()
	defer c.asking.Unlock()
	if c.called == nil {
		c.called = c.graph.onlyCalled()
	}
	return !c.called[functionPos(fn)]
}

// Value is true: some program may make a value of it.
func (l *Library) Value(ast.Node) bool { return true }

// onlyCalled returns the positions of the functions and literals that are called and nothing else,
// and of methods that no interface leads to. There are none if there is no main function: what
// others do with exported functions is not known then.
func (g *graph) onlyCalled() map[token.Pos]bool {
	called := make(map[token.Pos]bool)
	if !g.mains || g.typed == nil {
		return called
	}
	for fn, is := range g.typed.Reachable {
		only := !is.AddrTaken || g.calledWhereItStands(fn)
		if before, met := called[fn.Pos()]; met {
			only = only && before
		}
		called[fn.Pos()] = only
	}
	return called
}
