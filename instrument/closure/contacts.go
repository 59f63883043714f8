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
	for _, pkg := range c.graph.prog.All {
		if pkg.PkgPath == "runtime/cgo" {
			return false
		}
	}
	return !c.contacts().wakers
}

// ReadsInput reports whether a function that can run refers to os.Stdin, as fmt.Scan does.
func (c *Closure) ReadsInput() bool { return c.contacts().input }

// contacts are what functions that can run have to do with things outside of the program.
type contacts struct {
	wakers bool // they make timers, or handle signals
	input  bool // they refer to os.Stdin
}

func (c *Closure) contacts() contacts {
	c.asking.Lock()
	defer c.asking.Unlock()
	if c.touched != nil {
		return *c.touched
	}
	g := c.graph
	c.touched = new(contacts)
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
	for len(queue) > 0 && *c.touched != (contacts{true, true}) {
		n := queue[0]
		queue = queue[1:]
		c.touched.note(n.Func)
		for _, e := range n.Out {
			visit(e.Callee)
		}
	}
	return *c.touched
}

// note looks at what a function refers to. Packages time and os have what is looked for
// themselves.
func (t *contacts) note(fn *ssa.Function) {
	path := packagePath(fn)
	var operands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			operands = in.Operands(operands[:0])
			for _, v := range operands {
				switch v := (*v).(type) {
				case *ssa.Function:
					t.wakers = t.wakers || path != "time" && wakers[v.String()]
				case *ssa.Global:
					t.input = t.input || path != "os" && v.Name() == "Stdin" && v.Pkg.Pkg.Path() == "os"
				}
			}
		}
	}
}

// own reports whether fn belongs to ckpgen's runtime.
func (g *graph) own(fn *ssa.Function) bool {
	path := packagePath(fn)
	return load.Runtime(path) && !isBSP(path) && !strings.HasSuffix(path, "_test")
}
