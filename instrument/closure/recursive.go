package closure

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A recursion goes on for as long as it pleases only along a cycle of calls, so it is enough that
// one function of each cycle polls on entry. Many programs are one large recursion, in which the
// functions that are called most often do least: those that take a lock, or free memory, and by way
// of a func value might call anything. So of the functions on cycles the one that calls most of the
// others is made to poll, and looked again for cycles among the rest.

// A recursion is the part of the call graph in which polls are sought: functions, as numbers, and
// which of the others each calls.
type recursion struct {
	nodes   []*callgraph.Node
	callees [][]int
	gone    []bool // functions that poll on entry, and so are on no cycle any more

	// of the search for components
	index, low []int
	on         []bool // the stack
	inside     []int  // in which search a function took part last
	searches   int
}

// breakCycles adds to entries functions that poll on entry, so that there is one in each cycle of
// calls. Only a function that is a descent needs none for calling itself. Cycles are those of the
// functions that among reports, and of wrappers.
func (g *graph) breakCycles(entries map[token.Pos]bool, among func(*ssa.Function) bool) {
	c := &recursion{}
	numbers := make(map[*callgraph.Node]int)
	for fn, n := range g.nodes {
		if k := g.kind(fn); k == user && among(fn) || k == synthetic {
			c.nodes = append(c.nodes, n)
		}
	}
	slices.SortFunc(c.nodes, func(a, b *callgraph.Node) int { return cmp.Compare(g.key(a.Func), g.key(b.Func)) })
	same := make(map[token.Pos][]int) // instances of one function
	for i, n := range c.nodes {
		numbers[n] = i
		if g.mayPoll(n.Func) {
			same[n.Func.Pos()] = append(same[n.Func.Pos()], i)
		}
	}
	c.callees = make([][]int, len(c.nodes))
	begun := g.begins(c.nodes)
	for i, n := range c.nodes {
		for _, e := range slices.Concat(n.Out, begun[n]) {
			if k, ok := numbers[e.Callee]; ok && !(k == i && g.descends(n)) {
				c.callees[i] = append(c.callees[i], k)
			}
		}
		slices.Sort(c.callees[i])
		c.callees[i] = slices.Compact(c.callees[i])
	}
	c.gone = make([]bool, len(c.nodes))
	c.index, c.low, c.inside = make([]int, len(c.nodes)), make([]int, len(c.nodes)), make([]int, len(c.nodes))
	c.on = make([]bool, len(c.nodes))

	all := make([]int, len(c.nodes))
	for i := range all {
		all[i] = i
	}
	part := make([]int, len(c.nodes)) // which component a function is in
	work := c.components(all)
	for number := 1; len(work) > 0; number++ {
		component := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range component {
			part[i] = number
		}
		best, most := -1, 0
		for _, i := range component {
			if fn := c.nodes[i].Func; !g.mayPoll(fn) || BodyOf(fn.Syntax()) == nil || isLoopBody(fn) {
				continue
			}
			inside := 0
			for _, k := range c.callees[i] {
				if part[k] == number && !c.gone[k] {
					inside++
				}
			}
			if inside > most {
				best, most = i, inside
			}
		}
		if best < 0 {
			best = slices.IndexFunc(component, func(i int) bool {
				fn := c.nodes[i].Func
				return g.mayPoll(fn) && isLoopBody(fn) && !g.passesOn(c.nodes[i], func(n *callgraph.Node) bool { return part[numbers[n]] == number })
			})
			if best < 0 {
				continue // none of them is rewritten, or they end with the stack
			}
			best = component[best]
		}
		pos := c.nodes[best].Func.Pos()
		entries[pos] = true
		for _, i := range same[pos] {
			c.gone[i] = true
		}
		work = append(work, c.components(component)...)
	}
}

// begins returns, for each function, calls of those that it hands to the library for goroutines of
// their own. To set a timer again is to call what any has.
func (g *graph) begins(nodes []*callgraph.Node) map[*callgraph.Node][]*callgraph.Edge {
	calls := make(map[*callgraph.Node][]*callgraph.Edge)
	timers := make(map[*callgraph.Node]bool)
	var resets []*callgraph.Edge
	for _, n := range nodes {
		for _, e := range n.Out {
			f, ok := e.Callee.Func.Object().(*types.Func)
			if !ok || e.Site == nil || e.Site.Common().StaticCallee() != e.Callee.Func {
				continue
			}
			if blocking.Resets(f) {
				resets = append(resets, e)
			}
			if !blocking.Starts(f) {
				continue
			}
			m := &making{g.stored(), g.nodes, g.typed, func(ssa.CallInstruction) bool { return false }, make(map[ssa.Value]bool)}
			m.value(e.Site.Common().Args[1])
			for v := range m.met {
				if made, ok := v.(*ssa.MakeClosure); ok {
					v = made.Fn
				}
				if fn, ok := v.(*ssa.Function); ok && g.nodes[fn] != nil {
					calls[n] = append(calls[n], &callgraph.Edge{Caller: n, Site: e.Site, Callee: g.nodes[fn]})
					timers[g.nodes[fn]] = timers[g.nodes[fn]] || f.Pkg().Path() == "time"
				}
			}
		}
	}
	for _, e := range resets {
		for n, is := range timers {
			if is {
				calls[e.Caller] = append(calls[e.Caller], &callgraph.Edge{Caller: e.Caller, Site: e.Site, Callee: n})
			}
		}
	}
	return calls
}

// isLoopBody reports whether a function is the body of a loop over a function, which polls by
// itself only if no other function of a cycle does.
func isLoopBody(fn *ssa.Function) bool {
	_, ok := fn.Syntax().(*ast.RangeStmt)
	return ok
}

// passesOn reports whether a loop body, in which no function of its own is on a cycle, calls one
// that is at most once:
//
//	for x := range t.left.all() {
//		if !yield(x) {
//			return
//		}
//	}
//
// Where the iterators are in one another, such bodies are on the stack, and called for each
// element, once in each iterator. One that yields twice makes twice as many calls in each.
func (g *graph) passesOn(n *callgraph.Node, onCycle func(*callgraph.Node) bool) bool {
	if !g.isStraight(n.Func) {
		return false
	}
	calls := make(map[*ssa.BasicBlock]ssa.CallInstruction)
	for _, e := range n.Out {
		if !onCycle(e.Callee) {
			continue
		}
		call, ok := e.Site.(*ssa.Call)
		if !ok || calls[call.Block()] != nil && calls[call.Block()] != e.Site {
			return false
		}
		calls[call.Block()] = call
	}
	blocks := make(map[*ssa.BasicBlock]bool)
	for b := range calls {
		blocks[b] = true
	}
	for b := range blocks {
		if leadsTo(b, blocks) {
			return false
		}
	}
	return true
}

// components returns the sets of functions, among those listed, that lie on cycles of calls among
// them (Tarjan's strongly connected components, with a stack of its own, since call chains can be
// long).
func (c *recursion) components(list []int) [][]int {
	c.searches++
	for _, i := range list {
		c.index[i] = 0
		if !c.gone[i] {
			c.inside[i] = c.searches
		}
	}
	var result [][]int
	var stack []int
	type visit struct{ node, next int }
	count := 0
	enter := func(i int) visit {
		count++
		c.index[i], c.low[i] = count, count
		stack = append(stack, i)
		c.on[i] = true
		return visit{i, 0}
	}
	for _, root := range list {
		if c.inside[root] != c.searches || c.index[root] != 0 {
			continue
		}
		work := []visit{enter(root)}
		for len(work) > 0 {
			v := &work[len(work)-1]
			if v.next < len(c.callees[v.node]) {
				m := c.callees[v.node][v.next]
				v.next++
				switch {
				case c.inside[m] != c.searches:
				case c.index[m] == 0:
					work = append(work, enter(m))
				case c.on[m]:
					c.low[v.node] = min(c.low[v.node], c.index[m])
				}
				continue
			}
			n := v.node
			work = work[:len(work)-1]
			if len(work) > 0 {
				parent := work[len(work)-1].node
				c.low[parent] = min(c.low[parent], c.low[n])
			}
			if c.low[n] != c.index[n] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != n {
				at--
			}
			component := slices.Clone(stack[at:])
			stack = stack[:at]
			for _, i := range component {
				c.on[i] = false
			}
			if _, itself := slices.BinarySearch(c.callees[n], n); len(component) > 1 || itself {
				result = append(result, component)
			}
		}
	}
	return result
}
