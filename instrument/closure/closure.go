package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/polls"
)

// A Closure tells which functions and calls of a program can reach a checkpoint
// call. It is safe for concurrent use as far as what a rewrite.Closure asks goes, and Empty.
type Closure struct {
	graph *graph
	// next has the functions from which a checkpoint call can be reached and,
	// for each, the first call of a shortest path there; nil for checkpoint
	// calls.
	next map[*callgraph.Node]*callgraph.Edge
	// reached tells which calls of these lead there.
	reached *contexts
	// takes has those of them from which a checkpoint can be taken; from the
	// others it can only be joined.
	takes map[*callgraph.Node]bool
	// saved has those whose frames can be found on the stack by a checkpoint that is not
	// refused, with their calls as in next.
	saved map[*callgraph.Node]*callgraph.Edge
	// contexts tells which calls of these do.
	contexts *contexts
	// unseen has the main functions of which it is not seen that they lead there. See saveRoots.
	unseen map[*callgraph.Node]bool

	// Positions are unique in a program, and different instances of a generic
	// function share them; so syntax is identified by position.
	funcs  map[token.Pos]bool // name of the declaration, or the literal
	calls  map[token.Pos]bool // opening parenthesis, or for of a loop
	direct map[token.Pos]bool // those of calls that may be checkpoint calls themselves

	auto       bool
	dense      bool
	concurrent bool
	operations map[token.Pos]blocking.Operation // of the rewritten packages
	shut       map[token.Pos]blocking.Operation // locks that are none: see addWaiting

	entries     map[token.Pos]bool // functions that poll on entry, as in funcs
	loops       map[token.Pos]bool // loops that poll, by their for
	polledLoops map[token.Pos]bool // whether a loop polls by itself, not for what it calls
	slow        map[token.Pos]bool // those that call what loops without a poll
	sometimes   map[token.Pos]bool // those that poll only if what the function is handed lingers

	lingering map[*callgraph.Node][]context // functions with that

	misplaced error // see Misplaced

	stacks map[polls.Function]bool // those that a frame can be of, nil if that was not measured

	inside, anyhow reachedBy // see fromRoots; made when needed

	asking  sync.Mutex // held while a question is answered that the graph remembers
	touched *contacts  // see there; nil: not asked

	numberOnce sync.Once
	numbered   map[token.Pos]*types.TypeName // conversions of addresses, by their opening parenthesis

	called map[token.Pos]bool // see Value; made when needed

	forwards *forwarding // see forwarded; made when needed

	reaching map[token.Pos]bool // see Reaches; made when needed

	recoverOnce sync.Once
	recovers    map[token.Pos]bool
	recovering  []*ssa.Function // those that call recover themselves
}

// Of computes the closure of a program. With auto, loops and recursive functions
// poll for checkpoints.
func Of(p *load.Program, auto bool) *Closure { return of(newGraph(p), auto) }

func of(g *graph, auto bool) *Closure {
	c := &Closure{
		auto:        auto,
		entries:     make(map[token.Pos]bool),
		loops:       make(map[token.Pos]bool),
		polledLoops: make(map[token.Pos]bool),
		slow:        make(map[token.Pos]bool),
		sometimes:   make(map[token.Pos]bool),
		lingering:   make(map[*callgraph.Node][]context),
		graph:       g,
		next:        make(map[*callgraph.Node]*callgraph.Edge),
		saved:       make(map[*callgraph.Node]*callgraph.Edge),
		reached:     newContexts(),
		contexts:    newContexts(),
		unseen:      make(map[*callgraph.Node]bool),
		funcs:       make(map[token.Pos]bool),
		calls:       make(map[token.Pos]bool),
		direct:      make(map[token.Pos]bool),
	}
	points := anyhow(c.graph.points())
	var polled []context
	if auto {
		polled = c.findPolls()
	}
	c.walkBack(c.next, c.reached, slices.Concat(points, polled), true)
	c.takes = make(map[*callgraph.Node]bool, len(c.next))
	for n := range c.next {
		c.takes[n] = true
	}
	c.walkBack(c.saved, c.contexts, points, true)
	c.walkBack(c.saved, c.contexts, polled, false)
	c.saveRoots()
	if c.findOperations(); c.concurrent {
		c.addWaiting()
	}
	if choice := c.graph.prog.Choice; auto && choice != nil && len(choice.Stacks) > 0 {
		c.keepStacks(choice, points, polled)
	}
	c.markSyntax()
	c.markMistakable()
	return c
}

// walkBack visits, nearest first, all functions from which one in the queue can be reached, and
// which have not been visited: through packages that are not rewritten only if that is asked for.
// Calls that hand a function another one than leads there are passed over (contexts.go).
//
// A frame of such a package can't be saved. Polls below are passed over, and so are operations at
// which a goroutine waits: the functions that come to them in no other way can stay as they are.
// Nearly everything calls functions of package fmt, from where methods of the program are called. A
// checkpoint call is refused there, and the message should name the package that is in the way, not
// the functions around it.
func (c *Closure) walkBack(next map[*callgraph.Node]*callgraph.Edge, in *contexts, queue []context, through bool) {
	g := c.graph
	var work []context
	for _, x := range queue {
		if !in.has(x) {
			in.add(x, link{})
			work = append(work, x)
		}
		if _, seen := next[x.node]; !seen {
			next[x.node] = nil
		}
	}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		for _, e := range g.in(at.node) {
			if !stays(e) {
				continue
			}
			from, leads := at.before(e)
			if !leads || in.has(from) {
				continue
			}
			switch k := g.kind(e.Caller.Func); k {
			case user, outside, synthetic:
				if !through && (k == outside || !c.wasOnStack(e.Caller)) {
					continue
				}
				if _, seen := next[e.Caller]; !seen {
					next[e.Caller] = e
				}
				in.add(from, link{e, at})
				work = append(work, from)
			case point, machinery, initial:
			}
		}
	}
}

// saveRoots adds the main functions from which a poll can be reached in any way: what is refused
// there is told by the runtime, which is there only if the program has a root. If none can reach
// what can reach a checkpoint, that is called by way of package reflect, and all are added.
func (c *Closure) saveRoots() {
	if !c.graph.mains {
		return
	}
	saved := false
	for _, n := range c.graph.roots {
		if c.takes[n] && c.graph.kind(n.Func) == user {
			c.saveRoot(n)
			saved = true
		}
	}
	if saved || !c.callsBack() {
		return
	}
	for _, n := range c.graph.roots {
		if c.graph.kind(n.Func) == user {
			c.saveRoot(n)
			c.unseen[n] = true
		}
	}
}

func (c *Closure) saveRoot(n *callgraph.Node) {
	if _, saved := c.saved[n]; !saved {
		c.saved[n] = c.next[n]
	}
}

// callsBack reports whether a method from which a checkpoint can be taken has no callers that the
// analysis sees.
func (c *Closure) callsBack() bool {
	for n := range c.takes {
		if k := c.graph.kind(n.Func); (k == user || k == synthetic) && n.Func.Signature.Recv() != nil && len(n.In) == 0 {
			return true
		}
	}
	return false
}

func (c *Closure) markSyntax() {
	for n := range c.saved {
		if c.graph.kind(n.Func) == user && c.runsLate(n) {
			c.markFunc(n.Func)
		}
		for _, e := range n.In {
			goes := !stays(e) // and goes on when main begins, whoever starts it
			if !goes && !c.runsLate(e.Caller) || !c.contexts.leads(e) {
				continue
			}
			switch k := c.graph.kind(e.Caller.Func); {
			case k == user, k == outside, k == initial && goes:
				if pos := sitePos(e); pos.IsValid() {
					c.calls[pos] = true
					if c.graph.kind(n.Func) == point {
						c.direct[pos] = true
					}
				}
			}
		}
	}
}

// runsLate reports whether a function, or the one that a loop body is a part of, can run when the
// program is initialised. What can't is never below a root, as an init function.
func (c *Closure) runsLate(n *callgraph.Node) bool {
	fn := n.Func
	for fn.Parent() != nil {
		if _, loop := fn.Syntax().(*ast.RangeStmt); !loop {
			break
		}
		fn = fn.Parent()
	}
	if in := c.graph.nodes[fn]; in != nil {
		n = in
	}
	return c.graph.late()[n]
}

func (c *Closure) markFunc(fn *ssa.Function) {
	for {
		if _, loop := fn.Syntax().(*ast.RangeStmt); !loop {
			break
		}
		fn = fn.Parent()
	}
	if c.graph.kind(fn) != user { // a loop in an initialiser
		return
	}
	c.funcs[fn.Pos()] = true
}

// Empty reports whether no function of a package that is rewritten can reach a
// checkpoint call.
func (c *Closure) Empty() bool { return len(c.funcs) == 0 }

// Func reports whether a checkpoint call can be reached from the body of fn, an
// *ast.FuncDecl or *ast.FuncLit of a package that is rewritten. It is false for
// other nodes.
func (c *Closure) Func(fn ast.Node) bool {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return c.funcs[fn.Name.Pos()]
	case *ast.FuncLit:
		return c.funcs[fn.Pos()]
	}
	return false
}

// Call reports whether the call can reach a checkpoint call: whether any function
// that may be called there can, or is one. Of the call in a go statement it tells
// whether the goroutine can.
func (c *Closure) Call(call *ast.CallExpr) bool { return c.calls[call.Lparen] }

// Direct reports whether the call may be a checkpoint call itself.
func (c *Closure) Direct(call *ast.CallExpr) bool { return c.direct[call.Lparen] }

// Range reports whether the iterator of a range-over-func loop, or the body that
// the iterator calls, can reach a checkpoint call.
func (c *Closure) Range(loop *ast.RangeStmt) bool { return c.calls[loop.For] }

// Packages returns the packages of the program that are to be rewritten, imports
// before importers.
func (c *Closure) Packages() []*packages.Package {
	var list []*packages.Package
	for _, pkg := range programPackages(c.graph.prog) {
		if c.graph.prog.Rewrites(pkg) {
			list = append(list, pkg)
		}
	}
	return list
}
