package closure

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// With polls, a checkpoint can be taken where no checkpoint call stands: at the back
// edge of each loop that is not bounded by the size of something in memory (bounded.go),
// and on entry of each function that calls itself, directly or through others, and has
// no such loop. Between two polls a program then does a bounded
// amount of work (but for gotos that go back, and for code that is not rewritten),
// and a function that neither loops nor recurs costs nothing.

// Dense, the value of the environment variable CKPGEN_POLLS, puts a poll on entry of
// every function and in every loop. Programs are tested so: a checkpoint is possible
// at every call.
const Dense = "dense"

// PollsVariable is the name of that variable.
const PollsVariable = "CKPGEN_POLLS"

// findPolls returns the functions with polls, in an order that is the same in every
// run, and notes which are polled on entry.
func (c *Closure) findPolls() []*callgraph.Node {
	var list []*callgraph.Node
	recursive := c.graph.recursive()
	c.dense = os.Getenv(PollsVariable) == Dense
	for fn, n := range c.graph.nodes {
		if c.graph.kind(fn) != user || !c.graph.polled[packagePath(fn)] {
			continue
		}
		loops := c.findLoops(fn.Syntax())
		if !loops && !recursive[n] && !c.dense {
			continue
		}
		list = append(list, n)
		if !loops || c.dense {
			c.entries[fn.Pos()] = true
		}
	}
	slices.SortFunc(list, func(a, b *callgraph.Node) int { return cmp.Compare(c.graph.key(a.Func), c.graph.key(b.Func)) })
	return list
}

// findLoops notes the loops of a function that poll, not those in its literals, and
// reports whether there are any.
func (c *Closure) findLoops(fn ast.Node) bool {
	body := bodyOf(fn)
	if body == nil {
		return false
	}
	found := false
	info := c.graph.infoAt(body.Pos())
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			if v := info.Types[n.Cond].Value; v != nil && !constant.BoolVal(v) { // see dropDead
				if n.Else != nil {
					ast.Inspect(n.Else, visit)
				}
				return false
			}
		case *ast.ForStmt:
			if c.dense || !c.endsSoon(fn, n) {
				c.loops[n.For] = true
				found = true
			}
		case *ast.RangeStmt:
			if c.dense && !c.overFunction(n) || c.long(fn, n) {
				c.loops[n.For] = true
				found = true
			}
		}
		return true
	}
	ast.Inspect(body, visit)
	return found
}

// bodyOf returns the body of a function, a literal, or a loop over a function; nil if it has
// none.
func bodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	case *ast.RangeStmt:
		return fn.Body
	}
	return nil
}

// overFunction reports whether a range loop calls an iterator.
func (c *Closure) overFunction(loop *ast.RangeStmt) bool {
	_, ok := c.graph.typeOf(loop.X).(*types.Signature)
	return ok
}

// long reports whether a range loop of the function fn polls: it walks no memory, has loops
// inside that make it longer, or calls what may take long and does not poll.
func (c *Closure) long(fn ast.Node, loop *ast.RangeStmt) bool {
	l := counted{c.graph, c.graph.infoAt(loop.For), fn, nil}
	switch u := c.graph.typeOf(loop.X).(type) {
	case *types.Signature:
		return false // the iterator's own loops poll
	case *types.Slice, *types.Array, *types.Pointer, *types.Map:
	case *types.Basic:
		if u.Info()&types.IsString == 0 && !l.length(loop.X, 0) {
			return true
		}
	default:
		return true
	}
	return !l.addLittle(loop.Body, nil) || l.callsOut(loop.Body)
}

// holdsLoop reports whether there is a loop in the body of one.
func holdsLoop(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		}
		return !found
	})
	return found
}

// typeOf returns the underlying type of an expression of a rewritten package.
func (g *graph) typeOf(e ast.Expr) types.Type {
	if info := g.infoAt(e.Pos()); info != nil {
		if t := info.TypeOf(e); t != nil {
			return t.Underlying()
		}
	}
	return nil
}

// Loop reports whether the loop, a *ast.ForStmt or *ast.RangeStmt, polls.
func (c *Closure) Loop(loop ast.Stmt) bool {
	switch l := loop.(type) {
	case *ast.ForStmt:
		return c.loops[l.For]
	case *ast.RangeStmt:
		return c.loops[l.For]
	}
	return false
}

// recursive returns the rewritten functions that lie on a cycle of calls among
// rewritten functions (Tarjan's strongly connected components, with a stack of
// its own, since call chains can be long).
func (g *graph) recursive() map[*callgraph.Node]bool {
	var order []*callgraph.Node
	for fn, n := range g.nodes {
		if k := g.kind(fn); k == user || k == synthetic {
			order = append(order, n)
		}
	}
	slices.SortFunc(order, func(a, b *callgraph.Node) int { return cmp.Compare(g.key(a.Func), g.key(b.Func)) })
	callees := func(n *callgraph.Node) []*callgraph.Node {
		var list []*callgraph.Node
		for _, e := range n.Out {
			if _, goes := e.Site.(*ssa.Go); goes {
				continue
			}
			if k := g.kind(e.Callee.Func); k == user || k == synthetic {
				list = append(list, e.Callee)
			}
		}
		return list
	}

	result := make(map[*callgraph.Node]bool)
	index, low := make(map[*callgraph.Node]int), make(map[*callgraph.Node]int)
	on := make(map[*callgraph.Node]bool)
	var stack []*callgraph.Node
	type visit struct {
		node *callgraph.Node
		next []*callgraph.Node
	}
	for _, root := range order {
		if index[root] != 0 {
			continue
		}
		enter := func(n *callgraph.Node) visit {
			index[n] = len(index) + 1
			low[n] = index[n]
			stack = append(stack, n)
			on[n] = true
			return visit{n, callees(n)}
		}
		work := []visit{enter(root)}
		for len(work) > 0 {
			v := &work[len(work)-1]
			if len(v.next) > 0 {
				m := v.next[0]
				v.next = v.next[1:]
				switch {
				case m == v.node:
					result[m] = true
				case index[m] == 0:
					work = append(work, enter(m))
				case on[m]:
					low[v.node] = min(low[v.node], index[m])
				}
				continue
			}
			n := v.node
			work = work[:len(work)-1]
			if len(work) > 0 {
				parent := work[len(work)-1].node
				low[parent] = min(low[parent], low[n])
			}
			if low[n] != index[n] {
				continue
			}
			for size := 0; ; size++ {
				m := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				on[m] = false
				if m != n || size > 0 {
					result[m] = true
				}
				if m == n {
					break
				}
			}
		}
	}
	return result
}

// Polls reports whether the function polls on entry.
func (c *Closure) Polls(fn ast.Node) bool {
	var pos token.Pos
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		pos = fn.Name.Pos()
	case *ast.FuncLit:
		pos = fn.Pos()
	}
	return c.entries[pos]
}

// Auto reports whether there are polls.
func (c *Closure) Auto() bool { return c.auto }
