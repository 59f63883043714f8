package closure

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// An Obstacle is a way to a checkpoint on which it can't be taken: at run time it
// is refused there.
type Obstacle struct {
	Pos    token.Position // the call in the user's code from which it comes about
	Reason string
	WayOut string
	Path   Path // from main or an initialiser to the checkpoint call
}

// Text returns the obstacle as one line, with file names relative to dir.
func (o Obstacle) Text(dir string) string {
	return fmt.Sprintf("%s: %s; call path: %s; %s", load.Position(o.Pos, dir), o.Reason, o.Path, o.WayOut)
}

// Obstacles returns what is in the way of checkpoints, ordered by position: callbacks from packages
// that are not rewritten, goroutines that are not part of checkpoints, and what runs before main.
// Each function that is called back is in one obstacle, with the others that are called back from
// the same call.
func (c *Closure) Obstacles() []Obstacle {
	list := slices.Concat(c.callbacks(), c.goroutines(), c.initialisers())
	slices.SortStableFunc(list, func(a, b Obstacle) int {
		return cmp.Or(strings.Compare(sortable(a.Pos), sortable(b.Pos)), strings.Compare(a.Reason, b.Reason))
	})
	return list
}

func sortable(pos token.Position) string {
	return fmt.Sprintf("%s:%08d:%08d", pos.Filename, pos.Line, pos.Column)
}

// A reach is how the search for callbacks came to a function.
type reach struct {
	state
	edge   *callgraph.Edge // the call that led here; nil for a root
	before *reach
	// start is the call that starts the goroutine whose root this is; nil for
	// roots of the program.
	start *callgraph.Edge
}

// A state of the search for callbacks: a function, and from where it was called.
type state struct {
	node *callgraph.Node
	from approach
}

// An approach says whether a package that is not rewritten called a function, directly or through
// others, since the user's code last did.
type approach uint8

const (
	home     approach = iota // no
	abroad                   // yes
	doubtful                 // so it seems, by way of functions of the standard library that are rewritten
)

// enters returns the approach to a callee that is not the user's.
func (c *Closure) enters(from approach, e *callgraph.Edge) approach {
	g := c.graph
	named := e.Site != nil && e.Site.Common().StaticCallee() != nil
	method := e.Site != nil && e.Site.Common().IsInvoke()
	// The graph does not tell for whom package os calls sync.Once.Do, and has all that
	// anybody hands to that called; nor for whom the program calls it. A method of an interface is
	// likely to be that of a value which the program has handed over.
	switch k := g.kind(e.Callee.Func); {
	case k == outside && from == home && g.kind(e.Caller.Func) == user && g.ofLibrary(e.Caller.Func) && !named:
		return doubtful
	case k == outside && from == home:
		return abroad
	case k == user && from == abroad && g.kind(e.Caller.Func) == outside && !method:
		return doubtful
	}
	return from
}

// callbacks searches from the roots, breadth first and inside the closure, for functions of the
// user, or checkpoint calls, that are called from packages that are not rewritten. From such a
// function the search goes on as if it had been called by the user, to find all of them. What is
// called back only by way of a doubtful approach is not reported if it is also called from the
// user's code without any function that is not rewritten: that is likely to be the only way.
func (c *Closure) callbacks() []Obstacle {
	g := c.graph
	var list []Obstacle
	reported := make(map[*ssa.Function]bool)
	called := make(map[calledBack][]Obstacle)
	report := func(culprit *ssa.Function, r *reach) {
		if reported[culprit] {
			return
		}
		reported[culprit] = true
		if o, at := c.callback(r); at.function == "" {
			list = append(list, o)
		} else {
			called[at] = append(called[at], o)
		}
	}
	clean := make(map[*ssa.Function]bool)
	type doubt struct {
		culprit *ssa.Function
		*reach
	}
	var doubts []doubt
	visited := make(map[state]*reach)
	var queue []*reach
	visit := func(r *reach) {
		if visited[r.state] == nil {
			visited[r.state] = r
			queue = append(queue, r)
		}
	}
	for _, n := range g.roots {
		r := &reach{state: state{node: n}}
		if g.kind(n.Func) == outside {
			r.from = abroad
		}
		visit(r)
	}
	for _, e := range c.started() {
		root := &reach{state: state{node: e.Callee}, start: e}
		// What sync and time start for the program was replaced.
		if path := packagePath(e.Caller.Func); g.kind(e.Caller.Func) == outside && path != "sync" && path != "time" {
			if !c.isCalled(e.Caller) {
				continue // what it starts only seems to be the program's: the graph has what is in all slices of such functions in one
			}
			root.from = abroad
		}
		if k := g.kind(e.Callee.Func); root.from == abroad && (g.byUser(e.Callee.Func) || k == point) {
			report(e.Callee.Func, root)
			root.from = home
		}
		visit(root)
	}
	for len(queue) > 0 {
		r := queue[0]
		queue = queue[1:]
		for _, e := range g.out(r.node) {
			if !c.takes[e.Callee] || !stays(e) || formatsNoMethods(e) {
				continue
			}
			next := &reach{state: state{node: e.Callee, from: r.from}, edge: e, before: r}
			if k := g.kind(e.Callee.Func); !g.byUser(e.Callee.Func) && k != point {
				next.from = c.enters(r.from, e)
				visit(next)
				continue
			}
			culprit := e.Callee.Func
			if g.kind(culprit) == point {
				culprit = r.node.Func // many libraries may call the same checkpoint call
			}
			switch r.from {
			case home:
				clean[culprit] = true
			case abroad:
				report(culprit, next)
			case doubtful:
				doubts = append(doubts, doubt{culprit, next})
			}
			next.from = home
			visit(next)
		}
	}
	for _, d := range doubts {
		if !clean[d.culprit] {
			report(d.culprit, d.reach)
		}
	}
	for at, several := range called {
		list = append(list, at.together(several))
	}
	return list
}

// A calledBack is the call of the user's code from which functions are called back, and by whom.
type calledBack struct {
	pos            token.Position
	function, path string // that calls back, and its package
	isNot          string // why it is not rewritten
}

// together makes one obstacle of those of functions that are called back from the same call: a
// server or a client of package net/http may call hundreds. The reasons are the names of the
// functions.
func (at calledBack) together(several []Obstacle) Obstacle {
	slices.SortFunc(several, func(a, b Obstacle) int { return strings.Compare(a.Reason, b.Reason) })
	o := several[0]
	names, there := o.Reason, o.Reason
	if n := len(several); n > 1 {
		there = "these"
		if names += " and " + several[1].Reason; n > 2 {
			names = fmt.Sprintf("%s, %s and %d more", o.Reason, several[1].Reason, n-2)
		}
	}
	o.Reason = fmt.Sprintf("%s calls back %s, which can reach a checkpoint, but package %s %s, so the checkpoint is refused", at.function, names, at.path, at.isNot)
	o.WayOut = fmt.Sprintf("take no checkpoint in %s, or write what %s does as code of your own module", there, at.function)
	return o
}

// callback makes an Obstacle of a path whose last call goes from a package that is not rewritten to
// the user's code or to a checkpoint call. What is called back is the Reason, and the second result
// says by whom; if it is a checkpoint call the obstacle is complete, and the second result is
// empty.
func (c *Closure) callback(last *reach) (Obstacle, calledBack) {
	g := c.graph
	var edges []*callgraph.Edge
	r := last
	for ; r.edge != nil; r = r.before {
		edges = append(edges, r.edge)
	}
	slices.Reverse(edges)
	if r.start != nil {
		edges = slices.Concat(c.fromRootsAnyhow(r.start.Caller), []*callgraph.Edge{r.start}, edges)
	}
	leave := len(edges) - 1 // the call that leaves the user's code
	for leave > 0 && !g.byUser(edges[leave].Caller.Func) {
		leave--
	}
	// The same way can lead from another call, which hands over the very function.
	if better := c.handingOver(edges[leave].Callee, last.node.Func); better != nil && !handsOver(edges[leave].Site, last.node.Func) {
		if before := c.fromRoots(better.Caller); before != nil {
			edges = slices.Concat(before, []*callgraph.Edge{better}, edges[leave+1:])
			leave = len(before)
		}
	}
	library := edges[leave].Callee // the first function that is not rewritten
	for i := leave; i < len(edges) && g.kind(library.Func) != outside; i++ {
		library = edges[i].Callee
	}
	o := Obstacle{
		Pos:  g.sitePosition(edges[leave]),
		Path: g.pathOf(append(edges, c.fromHere(last.node)...)),
	}
	entry := g.name(library.Func)
	isNot := "is not rewritten"
	if why := g.prog.Excluded(packagePath(library.Func)); why != "" {
		isNot = "can't be rewritten (" + why + ")"
	}
	if g.kind(last.node.Func) == point {
		o.Reason = fmt.Sprintf("%s can take a checkpoint, but package %s %s, so the checkpoint is refused", entry, packagePath(library.Func), isNot)
		o.WayOut = "copy the package into the main module, or name its directory in a replace directive"
		return o, calledBack{}
	}
	o.Reason = g.name(last.node.Func)
	return o, calledBack{o.Pos, entry, packagePath(library.Func), isNot}
}

// handingOver returns a call of fn from the user's code with an argument that is
// the function back, or has it as a method.
func (c *Closure) handingOver(fn *callgraph.Node, back *ssa.Function) *callgraph.Edge {
	var list []*callgraph.Edge
	for _, e := range fn.In {
		if c.graph.byUser(e.Caller.Func) && stays(e) && handsOver(e.Site, back) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return c.graph.ordered(list)[0]
}

func handsOver(site ssa.CallInstruction, back *ssa.Function) bool {
	if site == nil {
		return false
	}
	for _, arg := range site.Common().Args {
		if carries(arg, back) {
			return true
		}
	}
	return false
}

// carries reports whether a value is the function back, or has it as a method, as far
// as can be seen without following variables.
func carries(v ssa.Value, back *ssa.Function) bool {
	switch v := v.(type) {
	case *ssa.Function:
		return v == back || sameObject(v, back)
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		return fn == back || sameObject(fn, back)
	case *ssa.ChangeType:
		return carries(v.X, back)
	case *ssa.MakeInterface:
		if recv := back.Signature.Recv(); recv != nil {
			t := v.X.Type()
			if p, ok := types.Unalias(t).(*types.Pointer); ok {
				t = p.Elem()
			}
			r := recv.Type()
			if p, ok := types.Unalias(r).(*types.Pointer); ok {
				r = p.Elem()
			}
			return types.Identical(t, r)
		}
		return carries(v.X, back)
	}
	return false
}

// sameObject reports whether two functions are made from the same declaration: a
// method and its bound form are.
func sameObject(a, b *ssa.Function) bool { return a.Object() != nil && a.Object() == b.Object() }

// started returns the calls that start goroutines from which a checkpoint can be taken,
// in an order that is the same in every run.
func (c *Closure) started() []*callgraph.Edge {
	var list []*callgraph.Edge
	for n := range c.takes {
		for _, e := range n.In {
			if k := c.graph.kind(e.Caller.Func); !stays(e) && (k == user || k == initial || k == outside) {
				list = append(list, e)
			}
		}
	}
	return c.graph.ordered(list)
}

// goroutines returns the go statements whose goroutines are not part of checkpoints and
// can call for one nevertheless. Where they poll they leave it to others.
func (c *Closure) goroutines() []Obstacle {
	g := c.graph
	found := make(map[token.Pos]*callgraph.Edge)
	next, in := make(map[*callgraph.Node]*callgraph.Edge), newContexts()
	c.walkBack(next, in, anyhow(g.points()), true)
	for _, e := range c.started() {
		site, ok := e.Site.(*ssa.Go)
		if !ok || g.kind(e.Caller.Func) == outside || c.operations[site.Pos()].Kind == blocking.Start {
			continue
		}
		if _, calls := next[e.Callee]; !calls {
			continue
		}
		if pos := sitePos(e); found[pos] == nil {
			found[pos] = e
		}
	}
	var list []Obstacle
	for _, e := range found {
		list = append(list, Obstacle{
			Pos:    g.sitePosition(e),
			Reason: fmt.Sprintf("the goroutine started here can reach a checkpoint in %s, but is marked %s, so the checkpoint is refused", g.name(e.Callee.Func), blocking.External),
			WayOut: "remove that line, or take checkpoints in other goroutines",
			Path:   g.pathOf(append([]*callgraph.Edge{e}, in.path(e.Callee)...)),
		})
	}
	return list
}

// initialisers returns the calls in init functions and initialisers of package
// variables that can reach a checkpoint call. A poll there is nothing that anybody has asked for.
func (c *Closure) initialisers() []Obstacle {
	g := c.graph
	found := make(map[token.Pos]*callgraph.Edge)
	next, in := make(map[*callgraph.Node]*callgraph.Edge), newContexts()
	c.walkBack(next, in, anyhow(g.points()), true)
	for n := range next {
		for _, e := range g.in(n) {
			fn := e.Caller.Func
			if pos := sitePos(e); stays(e) && in.leads(e) && pos.IsValid() && g.kind(fn) == initial && g.user[packagePath(fn)] && found[pos] == nil {
				found[pos] = e
			}
		}
	}
	var list []Obstacle
	for _, e := range found {
		list = append(list, Obstacle{
			Pos:    g.sitePosition(e),
			Reason: fmt.Sprintf("%s can reach a checkpoint call during the initialisation of package %s, before main runs, where none is taken", g.name(e.Callee.Func), packagePath(e.Caller.Func)),
			WayOut: "do it in main",
			Path:   g.pathOf(append([]*callgraph.Edge{e}, in.path(e.Callee)...)),
		})
	}
	return list
}
