package closure

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/polls"
)

// The places where a program polls can be chosen from what was measured of it (package polls), in
// place of polls wherever much may be done without one. Any loop that is not over a function can
// poll then, and any function on entry.

// A Function is one in which polls can be.
type Function struct {
	// Path is the import path of its package, and Name its name there as in a polls.Place.
	Path, Name string
	// Syntax is a *ast.FuncDecl or *ast.FuncLit.
	Syntax ast.Node
	// Loops are those that can poll, *ast.ForStmt and *ast.RangeStmt, in the order of the source.
	Loops []ast.Stmt

	pos   token.Pos
	nodes []*callgraph.Node // its instances, and the bodies of loops over functions in it
}

// place returns a place in the function: that of a loop by its number, or of the entry.
func (f *Function) place(loop int) polls.Place {
	return polls.Place{Path: f.Path, Func: f.Name, Loop: loop}
}

// Places returns the places of the function, its entry and then its loops.
func (f *Function) Places() []polls.Place {
	var list []polls.Place
	for i := range len(f.Loops) + 1 {
		list = append(list, f.place(i))
	}
	return list
}

// Pollable returns the functions in which polls can be, in an order that is the same in every run.
func (c *Closure) Pollable() []*Function {
	at := make(map[token.Pos]*Function)
	var list []*Function
	for fn, n := range c.graph.nodes {
		if !c.graph.mayPoll(fn) || BodyOf(fn.Syntax()) == nil {
			continue
		}
		for isLoopBody(fn) {
			fn = fn.Parent()
		}
		if !c.graph.mayPoll(fn) { // an initialiser
			continue
		}
		f := at[fn.Pos()]
		if f == nil {
			_, name, _ := strings.Cut(c.graph.name(fn), ".")
			f = &Function{Path: packagePath(fn), Name: name, Syntax: fn.Syntax(), Loops: c.pollableLoops(fn.Syntax()), pos: fn.Pos()}
			at[fn.Pos()] = f
			list = append(list, f)
		}
		f.nodes = append(f.nodes, n)
	}
	slices.SortFunc(list, func(a, b *Function) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name)) })
	return list
}

// pollableLoops returns the loops of a function, not those in its literals, but for those over
// functions.
func (c *Closure) pollableLoops(fn ast.Node) []ast.Stmt {
	var list []ast.Stmt
	ast.Inspect(BodyOf(fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			list = append(list, n)
		case *ast.RangeStmt:
			if !c.overFunction(n) {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// usePlaces notes the places that were chosen, and returns the functions with them.
func (c *Closure) usePlaces(choice *polls.Choice) (list []*callgraph.Node) {
	functions := make(map[polls.Place]*Function) // by their entries
	for _, f := range c.Pollable() {
		functions[f.place(0)] = f
	}
	for i, p := range choice.Places {
		f := functions[polls.Place{Path: p.Path, Func: p.Func}]
		switch {
		case f == nil:
			if c.misplaced == nil && !c.declares(p) {
				c.misplaced = choice.Errorf(i, "package %s has no function %s; take the line out, or measure again", p.Path, p.Func)
			}
			continue
		case p.Loop > len(f.Loops):
			if c.misplaced == nil {
				c.misplaced = choice.Errorf(i, "function %s has %d loops that can poll; take the line out, or measure again", p.Func, len(f.Loops))
			}
			continue
		case p.Loop > 0:
			loop := f.Loops[p.Loop-1]
			c.loops[forOf(loop)] = true
			c.slow[forOf(loop)] = c.graph.calls(loop)
		default:
			c.entries[f.pos] = true
		}
		list = append(list, f.nodes...)
	}
	slices.SortFunc(list, func(a, b *callgraph.Node) int { return cmp.Compare(c.graph.key(a.Func), c.graph.key(b.Func)) })
	return slices.Compact(list)
}

// calls reports whether the body of a loop has calls of functions, or loops.
func (g *graph) calls(loop ast.Stmt) bool {
	info, found := g.infoAt(loop.Pos()), false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || n != loop
		case *ast.CallExpr:
			if t := info.Types[n.Fun]; !t.IsType() && !t.IsBuiltin() {
				found = true
			}
		}
		return !found
	})
	return found
}

// declares reports whether a function that can't run, or is not of the program at all, is declared
// by the package of a place, or the package is not of the program.
func (c *Closure) declares(p polls.Place) bool {
	found := false
	for _, s := range c.graph.symbols() {
		if s.path != p.Path {
			continue
		}
		found = true
		if _, name, _ := strings.Cut(s.name, "."); name == p.Func || strings.HasPrefix(p.Func, name+".func") {
			return true
		}
	}
	return !found
}

// Misplaced returns the error of a place to poll that the program does not have.
func (c *Closure) Misplaced() error { return c.misplaced }

// Choose chooses places to poll from what was measured of the program (see package polls), so that
// within the given time each goroutine that computes comes to one, as far as it did come to places
// where a poll is of use. The places are ordered.
func (c *Closure) Choose(v *polls.Visits, within time.Duration) []polls.Place {
	reached := c.reachedDirectly()
	functions := make(map[polls.Place]*Function)
	for _, f := range c.Pollable() {
		if slices.ContainsFunc(f.nodes, func(n *callgraph.Node) bool { return reached[n] }) {
			for _, p := range f.Places() {
				functions[p] = f
			}
		}
	}
	own, all := v.Coverage(within/2, false), v.Coverage(2*within, true)
	chosen := make(map[int]bool) // sites
	add := func(site int) {
		chosen[site] = true
		own.Choose(site)
		all.Choose(site)
	}
	var rest []int
	for i, s := range v.Sites {
		switch f := functions[s.Place]; {
		case f == nil:
		case s.Place.Loop > 0 && s.Longest >= within/2, s.Place.Loop == 0 && slices.ContainsFunc(f.nodes, begins):
			add(i)
		default:
			rest = append(rest, i)
		}
	}
	visited := make(map[token.Pos]int) // the entries of functions that were, again and again
	for _, i := range rest {
		if p := v.Sites[i].Place; p.Loop == 0 && own.Recurs(i) {
			visited[functions[p].pos] = i
		}
	}
	if len(visited) > 0 {
		entries := make(map[token.Pos]bool)
		c.graph.breakCycles(entries, func(fn *ssa.Function) bool {
			for isLoopBody(fn) {
				fn = fn.Parent()
			}
			_, ok := visited[fn.Pos()]
			return ok
		})
		for pos := range entries {
			if i, ok := visited[pos]; ok { // no loop body
				add(i)
			}
		}
	}
	slices.SortFunc(rest, func(i, k int) int {
		a, b := v.Sites[i], v.Sites[k]
		return cmp.Or(cmp.Compare(b.Longest, a.Longest), cmp.Compare(a.Visits, b.Visits), cmp.Compare(i, k))
	})
	for _, i := range rest {
		if !chosen[i] && (own.Helps(i) || all.Helps(i)) {
			add(i)
		}
	}
	var list []polls.Place
	for i := range chosen {
		list = append(list, v.Sites[i].Place)
	}
	slices.SortFunc(list, func(a, b polls.Place) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Loop, b.Loop))
	})
	return list
}

// begins reports whether goroutines begin with a function.
func begins(n *callgraph.Node) bool {
	return slices.ContainsFunc(n.In, func(e *callgraph.Edge) bool { return !stays(e) })
}

// reachedDirectly returns the functions that can be called with nothing on the stack that is not
// rewritten: a checkpoint in any other is refused.
func (c *Closure) reachedDirectly() map[*callgraph.Node]bool {
	reached := make(map[*callgraph.Node]bool)
	var work []*callgraph.Node
	add := func(n *callgraph.Node) {
		if k := c.graph.kind(n.Func); !reached[n] && (k == user || k == synthetic) {
			reached[n] = true
			work = append(work, n)
		}
	}
	for _, n := range c.graph.roots {
		add(n)
	}
	for _, n := range c.graph.nodes {
		if begins(n) {
			add(n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range n.Out {
			add(e.Callee)
		}
	}
	return reached
}
