package closure

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// A Step is one function of a call path, and where it makes the next call.
type Step struct {
	Function string         // as it is called in traces: main.f, sort.insertionSort
	Declared token.Position // where the function begins; zero if unknown
	Call     token.Position // of the call of the next function; zero in the last step
	User     bool           // the function is in a package that is rewritten
}

// A Path is a chain of calls. Functions that the analysis made up are left out.
type Path []Step

// String returns the names of the functions, joined by arrows.
func (p Path) String() string {
	names := make([]string, len(p))
	for i, s := range p {
		names[i] = s.Function
	}
	return strings.Join(names, " -> ")
}

// pathOf makes a Path of consecutive edges.
func (g *graph) pathOf(edges []*callgraph.Edge) Path {
	if len(edges) == 0 {
		return nil
	}
	var path Path
	add := func(fn *ssa.Function, site *callgraph.Edge) {
		if k := g.kind(fn); k == synthetic {
			return
		}
		s := Step{Function: g.name(fn), Declared: g.fset.Position(fn.Pos()), User: g.kind(fn) == user}
		if site != nil {
			s.Call = g.sitePosition(site)
		}
		if _, loop := fn.Syntax().(*ast.RangeStmt); loop {
			if n := len(path); n > 0 && path[n-1].Function == s.Function { // called from around it
				path[n-1].Call = s.Call
				return
			}
			s.Function += " (loop body)"
		}
		path = append(path, s)
	}
	for _, e := range edges {
		add(e.Caller.Func, e)
	}
	add(edges[len(edges)-1].Callee.Func, nil)
	return path
}

// sitePosition returns the position of the callee's name in a call.
func (g *graph) sitePosition(e *callgraph.Edge) token.Position {
	pos := sitePos(e)
	if start, ok := g.starts()[pos]; ok {
		pos = start
	}
	return g.fset.Position(pos)
}

// fromHere returns the calls of a shortest path from n to a checkpoint call.
func (c *Closure) fromHere(n *callgraph.Node) []*callgraph.Edge { return c.reached.path(n) }

// A reachedBy has the last call of a shortest path from a root to each function, nil for roots.
type reachedBy map[*callgraph.Node]*callgraph.Edge

// path returns the calls of that path; nil if there is none, empty and not nil for a root.
func (r reachedBy) path(n *callgraph.Node) []*callgraph.Edge {
	e, reached := r[n]
	if !reached {
		return nil
	}
	edges := []*callgraph.Edge{}
	for ; e != nil; e = r[e.Caller] {
		edges = append(edges, e)
	}
	slices.Reverse(edges)
	return edges
}

// reach finds shortest paths from the roots over calls that pass.
func (g *graph) reach(pass func(*callgraph.Edge) bool) reachedBy {
	came := make(reachedBy)
	queue := slices.Clone(g.roots)
	for _, r := range queue {
		came[r] = nil
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, e := range g.out(n) {
			if _, seen := came[e.Callee]; !seen && pass(e) {
				came[e.Callee] = e
				queue = append(queue, e.Callee)
			}
		}
	}
	return came
}

// fromRoots returns the calls of a shortest path from a root to n, inside the closure if
// there is one, nil if there is none.
func (c *Closure) fromRoots(n *callgraph.Node) []*callgraph.Edge {
	if c.inside == nil {
		c.inside = c.graph.reach(func(e *callgraph.Edge) bool { return c.takes[e.Callee] && stays(e) })
	}
	if edges := c.inside.path(n); edges != nil {
		return edges
	}
	return c.fromRootsAnyhow(n) // it runs in goroutines only
}

// isCalled reports whether there is a path from a root to n, whatever calls it has.
func (c *Closure) isCalled(n *callgraph.Node) bool {
	return slices.Contains(c.graph.roots, n) || c.fromRootsAnyhow(n) != nil
}

// fromRootsAnyhow returns the calls of a shortest path from a root to n, whatever they are, nil if
// there is none.
func (c *Closure) fromRootsAnyhow(n *callgraph.Node) []*callgraph.Edge {
	if c.anyhow == nil {
		c.anyhow = c.graph.reach(func(*callgraph.Edge) bool { return true })
	}
	return c.anyhow.path(n)
}
