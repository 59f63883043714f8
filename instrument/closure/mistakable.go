package closure

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A checkpoint is refused where a function on the stack was called from a line without a resume
// point: it came from where the analysis does not see functions flow, and its caller would go on
// with results that do not exist. A stack does not tell the calls of a line apart, though, and
// deferred calls are made from any line. So a call is a resume point, too, if it calls by its type
// alone a function that can be on the stack at a checkpoint, and it is on a line with another
// resume point, or in a function with deferred calls. It is one of a func value or of a method of
// an interface, or of a function of the standard library that is rewritten in any case.

// markMistakable marks these calls. Their functions are in the closure already.
func (c *Closure) markMistakable() {
	calls := c.mistakable()
	if len(calls) == 0 {
		return
	}
	for _, pkg := range c.graph.prog.Rewritable() {
		if c.graph.prog.StandardLibrary(pkg) {
			continue
		}
		for _, file := range pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if c.Func(n) {
					c.markIn(n, calls)
				}
				return true
			})
		}
	}
}

// mistakable returns the calls that are no resume points and may call by their types what can be on
// the stack at a checkpoint, as in c.calls.
func (c *Closure) mistakable() map[token.Pos]bool {
	found := make(map[token.Pos]bool)
	for n := range c.saved {
		if c.graph.kind(n.Func) != user || c.graph.ofLibrary(n.Func) {
			continue
		}
		isCall := func(site ssa.CallInstruction) bool {
			_, call := site.(*ssa.Call)
			pos := site.Common().Pos()
			return call && !(pos.IsValid() && (c.calls[pos] || found[pos]))
		}
		c.graph.possible(n.Func, isCall, func(site ssa.CallInstruction, callee *callgraph.Node) {
			if !c.mayBeOnStack(callee) {
				return
			}
			if pos := sitePos(&callgraph.Edge{Site: site, Callee: callee}); pos.IsValid() && !c.calls[pos] {
				found[pos] = true
			}
		})
	}
	return found
}

// mayBeOnStack reports whether a function can be saved: it can come to a checkpoint by what is
// seen, or its syntax is rewritten for another reason, as that of the standard library is, and of
// an instance that can.
func (c *Closure) mayBeOnStack(n *callgraph.Node) bool {
	if _, saved := c.saved[n]; saved {
		return true
	}
	return c.graph.kind(n.Func) == user && (c.graph.ofLibrary(n.Func) || c.funcs[n.Func.Pos()])
}

// markIn marks those of the calls in a function that share a line with a resume point, until no
// more do.
func (c *Closure) markIn(fn ast.Node, calls map[token.Pos]bool) {
	type lines struct{ first, last int }
	line := func(pos token.Pos) int { return c.graph.fset.Position(pos).Line }
	points := []lines{{line(fn.Pos()), line(fn.Pos())}} // a poll on entry
	var others []ast.Node
	defers := false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn
		case *ast.DeferStmt:
			defers = true
		case *ast.ForStmt:
			points = append(points, lines{line(n.For), line(n.For)}) // its poll
		case *ast.RangeStmt:
			points = append(points, lines{line(n.For), line(n.For)})
		}
		switch pos := blocking.Pos(n); {
		case c.calls[pos] || c.Operation(n).Waits():
			points = append(points, lines{line(n.Pos()), line(n.End())})
		case calls[pos]:
			others = append(others, n)
		}
		return true
	})
	for again := true; again; {
		again = false
		others = slices.DeleteFunc(others, func(n ast.Node) bool {
			l := lines{line(n.Pos()), line(n.End())}
			if !defers && !slices.ContainsFunc(points, func(p lines) bool { return p.first <= l.last && l.first <= p.last }) {
				return false
			}
			c.calls[blocking.Pos(n)] = true
			points = append(points, l)
			again = true
			return true
		})
	}
}
