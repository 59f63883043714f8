package closure

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/callgraph"

	"github.com/ckpgen/ckpgen/instrument/polls"
)

// The places where a program polls can be chosen from what was measured of it (package polls), in place of polls wherever much
// may be done without one. Any loop that is not over a function can poll then, and any function on entry.

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
		if !c.graph.mayPoll(fn) || bodyOf(fn.Syntax()) == nil {
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

// pollableLoops returns the loops of a function, not those in its literals, but for those over functions.
func (c *Closure) pollableLoops(fn ast.Node) []ast.Stmt {
	var list []ast.Stmt
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
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

// declares reports whether a function that can't run, or is not of the program at all, is declared by the package of a place, or the
// package is not of the program.
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

// Choose chooses places to poll from what was measured of the program: see polls.Choose.
func (c *Closure) Choose(v *polls.Visits, within time.Duration) []polls.Place {
	numbers := make(map[*callgraph.Node]int)
	var nodes []*callgraph.Node
	for fn, n := range c.graph.nodes {
		if k := c.graph.kind(fn); k == user || k == synthetic {
			nodes = append(nodes, n)
		}
	}
	slices.SortFunc(nodes, func(a, b *callgraph.Node) int { return cmp.Compare(c.graph.key(a.Func), c.graph.key(b.Func)) })
	// Instances of a function are one, since their source is.
	same := make(map[token.Pos]int)
	count := 0
	for _, n := range nodes {
		pos := n.Func.Pos()
		if k, ok := same[pos]; ok && pos.IsValid() && c.graph.kind(n.Func) == user {
			numbers[n] = k
			continue
		}
		same[pos], numbers[n] = count, count
		count++
	}
	calls := polls.Calls{Callers: make([][]int, count), Entries: make([]uint64, count)}
	for _, n := range nodes {
		for _, e := range c.graph.in(n) {
			if k, ok := numbers[e.Caller]; ok && stays(e) {
				calls.Callers[numbers[n]] = append(calls.Callers[numbers[n]], k)
			}
		}
	}
	of := make(map[polls.Place]int)
	reached := c.reachedDirectly()
	for _, f := range c.Pollable() {
		if slices.ContainsFunc(f.nodes, func(n *callgraph.Node) bool { return reached[n] }) {
			for _, p := range f.Places() {
				of[p] = numbers[f.nodes[0]]
			}
		}
		for _, n := range f.nodes[1:] { // bodies of loops over functions go with it
			a, b := numbers[f.nodes[0]], numbers[n]
			if a != b {
				calls.Callers[a], calls.Callers[b] = append(calls.Callers[a], b), append(calls.Callers[b], a)
			}
		}
	}
	for _, s := range v.Sites {
		k, ok := of[s.Place]
		if !ok {
			k = -1
		} else if s.Place.Loop == 0 {
			calls.Entries[k] = s.Visits
		}
		calls.Of = append(calls.Of, k)
	}
	var list []polls.Place
	for _, i := range polls.Choose(v, calls, within) {
		list = append(list, v.Sites[i].Place)
	}
	slices.SortFunc(list, func(a, b polls.Place) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Loop, b.Loop))
	})
	return list
}

// reachedDirectly returns the functions that can be called with nothing on the stack that is not rewritten: a checkpoint in any other is refused.
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
		for _, e := range n.In {
			if !stays(e) {
				add(n)
			}
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
