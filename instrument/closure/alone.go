package closure

import (
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// wakers are the functions by which something else than a goroutine comes to wake goroutines: a
// timer, or a signal. Where a goroutine sleeps the runtime knows that it does.
var wakers = map[string]bool{
	"time.NewTimer":           true,
	"time.NewTicker":          true,
	"time.After":              true,
	"time.Tick":               true,
	"time.AfterFunc":          true,
	"os/signal.Notify":        true,
	"os/signal.NotifyContext": true,
}

// Alone reports whether goroutines of the program are woken by goroutines only: no function
// that can run makes timers or handles signals, and there is no C, which could call back. When
// all goroutines of such a program wait, they do so for ever. ckpgen's own runtime does not count.
func (c *Closure) Alone() bool {
	c.asking.Lock()
	defer c.asking.Unlock()
	g := c.graph
	for _, pkg := range g.prog.All {
		if pkg.PkgPath == "runtime/cgo" {
			return false
		}
	}
	seen := make(map[*callgraph.Node]bool)
	var queue []*callgraph.Node
	visit := func(n *callgraph.Node) {
		if !seen[n] && !g.own(n.Func) {
			seen[n] = true
			queue = append(queue, n)
		}
	}
	for fn, n := range g.nodes {
		if k := g.kind(fn); k == user || k == initial {
			visit(n)
		}
	}
	for _, n := range g.roots {
		visit(n)
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if packagePath(n.Func) != "time" && refersToWaker(n.Func) {
			return false
		}
		for _, e := range n.Out {
			visit(e.Callee)
		}
	}
	return true
}

// own reports whether fn belongs to ckpgen's runtime.
func (g *graph) own(fn *ssa.Function) bool {
	path := packagePath(fn)
	return load.Runtime(path) && !isBSP(path) && !strings.HasSuffix(path, "_test")
}

// refersToWaker reports whether a function calls one of the wakers, or takes its value.
func refersToWaker(fn *ssa.Function) bool {
	var operands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			operands = in.Operands(operands[:0])
			for _, v := range operands {
				if f, ok := (*v).(*ssa.Function); ok && wakers[f.String()] {
					return true
				}
			}
		}
	}
	return false
}
