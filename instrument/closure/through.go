package closure

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/standard"
)

// ThroughStandard reports whether the user's functions, or checkpoint calls, can be called back
// through functions of the standard library all of which can be rewritten, with a checkpoint being
// taken or joined then, or by package reflect; or are started as goroutines there; or whether the
// program is likely to keep func values that have been made there. demanded are the import paths of
// the packages among these that are rewritten on demand only.
func (c *Closure) ThroughStandard() (needed bool, demanded []string) {
	g := c.graph
	below := c.callers()
	// Those of them that the user's code can have called are the ones that count.
	var queue []*callgraph.Node
	seen := make(map[*callgraph.Node]bool)
	visit := func(n *callgraph.Node) {
		if below[n] && !seen[n] {
			seen[n] = true
			queue = append(queue, n)
		}
	}
	for n := range below {
		for _, e := range n.In {
			if g.kind(e.Caller.Func) == user {
				visit(n)
			}
		}
		for _, e := range n.Out {
			if _, called := c.next[e.Callee]; !stays(e) && (called || below[e.Callee]) && g.kind(n.Func) == outside {
				visit(n)
			}
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if path := packagePath(n.Func); g.kind(n.Func) == outside {
			needed = true
			if !standard.Has(path) {
				demanded = append(demanded, path)
			}
		}
		for _, e := range n.Out {
			visit(e.Callee)
		}
	}
	if len(c.next) > 0 {
		kept, more := c.keepsStandard()
		needed, demanded = needed || kept, append(demanded, more...)
	}
	if c.callsByReflection() {
		needed, demanded = true, append(demanded, standard.Reflection)
	}
	slices.Sort(demanded)
	return needed, slices.Compact(demanded)
}

// callers returns the functions of the standard library that can be rewritten and from which
// functions of the user in the closure, or checkpoint calls, can be called through none but such
// functions, or where goroutines wait at the ends of a pipe. Wrappers that the analysis has made
// are among them.
func (c *Closure) callers() map[*callgraph.Node]bool {
	g := c.graph
	var queue []*callgraph.Node
	below := make(map[*callgraph.Node]bool)
	passes := func(*callgraph.Edge) bool { return false } // by which calls of the program's functions the walk goes on to their callers
	visit := func(e *callgraph.Edge, polls bool) {
		fn := e.Caller.Func
		switch k := g.kind(fn); {
		case below[e.Caller]:
			return
		case k == synthetic:
		case k == user && passes(e):
		case k != outside:
			return
		case standard.Has(packagePath(fn)):
			if !g.stdlibClosure().has(fn) {
				return
			}
		case !standard.OnDemand(packagePath(fn), polls):
			return
		case g.ofLibrary(e.Callee.Func) && e.Site != nil && e.Site.Common().StaticCallee() != nil && packagePath(fn) != packagePath(e.Callee.Func) &&
			!standard.Streams(packagePath(e.Callee.Func)):
			return // a doubtful way: see approach
		}
		below[e.Caller] = true
		queue = append(queue, e.Caller)
	}
	walk := func(polls bool) {
		for len(queue) > 0 {
			n := queue[0]
			queue = queue[1:]
			for _, e := range n.In {
				visit(e, polls)
			}
		}
	}
	if c.auto { // checkpoint calls besides polls: what leads to them is not walked as what polls is
		passes = stays
		for n := range c.next {
			if g.kind(n.Func) == point {
				for _, e := range n.In {
					visit(e, false)
				}
			}
		}
		walk(false)
	}
	passes = func(e *callgraph.Edge) bool { return passesOn(e.Caller.Func) } // a writer of the program around the pipe
	for _, n := range c.pipeEnds() {
		below[n] = true
		queue = append(queue, n)
	}
	walk(false) // a goroutine is sure to wait there; the polls of a method that is called are seldom come to
	passes = func(*callgraph.Edge) bool { return false }
	for n := range c.next {
		if k := g.kind(n.Func); k == user || k == point {
			for _, e := range n.In {
				visit(e, c.auto)
			}
		}
	}
	walk(c.auto)
	return below
}

// passesOn reports whether a function has the results of a reader or writer, n and err: what it
// calls can be the one that it is put around. Other functions of the program that wait at a pipe
// are those of its goroutines, and what calls them back is seldom below a call of package fmt.
func passesOn(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	if results.Len() != 2 || !types.Identical(results.At(1).Type(), types.Universe.Lookup("error").Type()) {
		return false
	}
	n, ok := types.Unalias(results.At(0).Type()).(*types.Basic)
	return ok && (n.Kind() == types.Int || n.Kind() == types.Int64)
}

// pipeEnds returns the methods by which a goroutine waits for another one at the ends of an
// io.Pipe or net.Pipe, if the program makes one. A goroutine can join a checkpoint there if the
// package is rewritten, and what reads and writes by way of the pipe, such as package
// compress/gzip.
func (c *Closure) pipeEnds() (ends []*callgraph.Node) {
	made := false
	for fn, n := range c.graph.nodes {
		switch fn.String() {
		case "io.Pipe", "net.Pipe":
			made = made || slices.ContainsFunc(n.In, func(e *callgraph.Edge) bool { return c.graph.byProgram(e.Caller.Func) })
		case "(*io.PipeReader).Read", "(*io.PipeWriter).Write", "(*net.pipe).read", "(*net.pipe).write":
			ends = append(ends, n)
		}
	}
	if !made || len(c.next) == 0 {
		return nil
	}
	return ends
}

// byProgram reports whether a function is not one of the standard library, nor of the runtime.
func (g *graph) byProgram(fn *ssa.Function) bool {
	path := packagePath(fn)
	return path != "" && !g.std[path] && !load.Runtime(path)
}

// keepsStandard reports whether a function that is not of the standard library calls one of the
// packages there that can be rewritten which returns a func value, such as context.WithCancel. It
// is likely to be kept, and can be saved only if its literal is rewritten, and the functions that
// it calls. An iterator is not counted, as it is nearly always used where it is made. So it is with
// a function that leaves a goroutine behind. demanded are the packages of such functions that are
// rewritten on demand only, such as os/signal for the sake of NotifyContext.
func (c *Closure) keepsStandard() (needed bool, demanded []string) {
	g := c.graph
	for fn, n := range g.nodes {
		if !g.byProgram(fn) {
			continue
		}
		for _, e := range n.Out {
			callee := e.Callee.Func
			path := packagePath(callee)
			if onDemand := standard.OnDemand(path, c.auto); !onDemand && !standard.Has(path) || !returnsFunction(callee.Signature) && !leavesGoroutine(callee) {
				continue
			} else if onDemand {
				demanded = append(demanded, path)
			}
			needed = true
		}
	}
	return needed, demanded
}

// leavesGoroutine reports whether a function of the standard library starts a goroutine that waits
// for what the program does with the result, until that is closed: it is in the way of all
// checkpoints if it can't join them.
func leavesGoroutine(fn *ssa.Function) bool {
	switch fn.String() {
	case "database/sql.Open", "database/sql.OpenDB":
		return true
	}
	return false
}

func returnsFunction(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		f, ok := v.Type().Underlying().(*types.Signature)
		if ok && !iterator(f) {
			return true
		}
	}
	return false
}

// iterator reports whether a function is one that a for statement can range over.
func iterator(f *types.Signature) bool {
	if f.Params().Len() != 1 || f.Results().Len() != 0 {
		return false
	}
	yield, ok := f.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}
