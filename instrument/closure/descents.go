package closure

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// A descent is a recursion in which each activation makes one more at most, as a search in a tree
// does, or what looks for a name in one scope after the other:
//
//	func (s *scope) lookup(name string) *variable {
//		if v := s.variables[name]; v != nil || s.outer == nil {
//			return v
//		}
//		return s.outer.lookup(name)
//	}
//
// It ends soon: it makes as many activations at most as there are on the stack in the end, which is
// in memory, like a list. So it has no poll, if an activation neither loops nor calls what does or
// may take long (bounded.go); what calls it in a loop polls (nests.go).

// descends reports whether a function is a descent.
func (g *graph) descends(n *callgraph.Node) bool {
	is, ok := g.descents[n]
	if !ok {
		if g.descents == nil {
			g.descents = make(map[*callgraph.Node]bool)
		}
		is = g.isDescent(n)
		g.descents[n] = is
	}
	return is
}

func (g *graph) isDescent(n *callgraph.Node) bool {
	fn := n.Func
	if g.kind(fn) != user || !g.isStraight(fn) {
		return false
	}
	calls := make(map[*ssa.BasicBlock]bool) // in which it calls itself
	for _, e := range n.Out {
		if e.Callee != n {
			if !g.isBrief(e.Callee, 3) {
				return false
			}
			continue
		}
		call, ok := e.Site.(*ssa.Call)
		if !ok || call.Call.StaticCallee() != fn || calls[call.Block()] {
			return false
		}
		calls[call.Block()] = true
	}
	for b := range calls {
		if leadsTo(b, calls) {
			return false
		}
	}
	return len(calls) > 0
}

// isStraight reports whether a function has a body without loops and gotos.
func (g *graph) isStraight(fn *ssa.Function) bool {
	body := BodyOf(fn.Syntax())
	if body == nil || holdsLoop(body) {
		return false
	}
	goes := false
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(*ast.BranchStmt)
		goes = goes || ok && s.Tok == token.GOTO
		return !goes
	})
	return !goes
}

// A briefness is what was asked of isBrief.
type briefness struct {
	n     *callgraph.Node
	depth int
}

// isBrief reports whether a function neither loops nor calls what does, nor what is not rewritten
// and not quick. depth bounds how far it looks.
func (g *graph) isBrief(n *callgraph.Node, depth int) bool {
	asked := briefness{n, depth}
	is, ok := g.brief[asked]
	if !ok {
		if g.brief == nil {
			g.brief = make(map[briefness]bool)
		}
		is = g.looksBrief(n, depth)
		g.brief[asked] = is
	}
	return is
}

func (g *graph) looksBrief(n *callgraph.Node, depth int) bool {
	switch kind := g.kind(n.Func); {
	case kind == outside:
		f, ok := n.Func.Object().(*types.Func)
		return ok && f.Pkg() != nil && isQuick(f)
	case kind != synthetic && (kind != user || !g.isStraight(n.Func)):
		return false
	}
	for _, e := range n.Out {
		if depth == 0 || !g.isBrief(e.Callee, depth-1) {
			return false
		}
	}
	return true
}

// leadsTo reports whether control can go from behind a block to one of those.
func leadsTo(from *ssa.BasicBlock, those map[*ssa.BasicBlock]bool) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	work := append([]*ssa.BasicBlock(nil), from.Succs...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if those[b] {
			return true
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}
