package closure

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/callgraph"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A program is concurrent if it can take a checkpoint and can start goroutines in code that is
// rewritten. A checkpoint is then one of all of its goroutines, and a goroutine joins wherever it
// waits for others: so the functions with operations of package blocking are in the closure, with
// all that call them. A program of one goroutine counts, too, if that can wait for something else
// than a lock, so that a checkpoint can begin meanwhile. In other programs none of this matters,
// and nothing is rewritten for it.
//
// A frame of a package that is not rewritten can't be saved. So a function that is
// reached through one of these only is not in the closure because of operations: there
// a goroutine can't join in any case, and goes on until it can.

// findOperations finds the operations in the source of the rewritten packages, and
// decides whether the program is concurrent.
func (c *Closure) findOperations() {
	if len(c.takes) == 0 {
		return
	}
	c.operations = make(map[token.Pos]blocking.Operation)
	for _, pkg := range c.graph.prog.Rewritable() {
		if c.graph.prog.StandardLibrary(pkg) {
			continue
		}
		for _, file := range pkg.Syntax {
			for pos, op := range blocking.InFile(c.graph.fset, pkg.TypesInfo, file) {
				c.operations[pos] = op
			}
		}
	}
	if c.graph.prog.Standard() {
		maps.Copy(c.operations, c.graph.stdlibClosure().operations)
	}
	c.forgetDynamic()
	for fn := range c.graph.nodes {
		switch c.graph.kind(fn) {
		case user, initial:
			if _, yes := c.operation(fn.Syntax(), blocking.Operation.Lasts); yes {
				c.concurrent = true
				return
			}
		}
	}
}

// forgetDynamic removes the interface calls that may call something else than a function
// of package sync.
func (c *Closure) forgetDynamic() {
	for fn, n := range c.graph.nodes {
		if c.graph.kind(fn) != user {
			continue
		}
		for _, e := range n.Out {
			pos := sitePos(e)
			if f := c.operations[pos].Function; f != nil && f.Dynamic && !c.graph.ofSync(e.Callee, 0) {
				delete(c.operations, pos)
			}
		}
	}
}

// ofSync reports whether a function is one of package sync, or made by the analysis to
// call one.
func (g *graph) ofSync(n *callgraph.Node, depth int) bool {
	if g.kind(n.Func) != synthetic || depth > 10 {
		return packagePath(n.Func) == "sync"
	}
	for _, e := range n.Out {
		if !g.ofSync(e.Callee, depth+1) {
			return false
		}
	}
	return true
}

// waiting returns the functions with operations at which a goroutine can wait and that are not in
// the closure yet, or only where they are handed certain functions, in an order that is the same in
// every run.
func (c *Closure) waiting() []*callgraph.Node {
	var list []*callgraph.Node
	for fn, n := range c.graph.nodes {
		if c.contexts.has(whatever(n)) || c.graph.kind(fn) != user {
			continue
		}
		if _, waits := c.operation(fn.Syntax(), blocking.Operation.Waits); waits {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *callgraph.Node) int { return cmp.Compare(c.graph.key(a.Func), c.graph.key(b.Func)) })
	return list
}

// operation returns the first node in the body of a function, not in its literals, that
// is an operation of the kind that is asked for.
func (c *Closure) operation(fn ast.Node, is func(blocking.Operation) bool) (found ast.Node, ok bool) {
	return operationIn(fn, c.operations, is)
}

// operationIn is operation for some operations.
func operationIn(fn ast.Node, operations map[token.Pos]blocking.Operation, is func(blocking.Operation) bool) (found ast.Node, ok bool) {
	body := BodyOf(fn)
	if body == nil {
		return nil, false
	}
	elsewhere := make(map[ast.Node]bool) // calls that the goroutine which is started makes
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			elsewhere[n.Call] = true
		}
		if n != nil && found == nil && !elsewhere[n] {
			if pos := blocking.Pos(n); pos.IsValid() && is(operations[pos]) {
				found = n
			}
		}
		return found == nil
	})
	return found, found != nil
}

// Concurrent reports whether the program starts goroutines that are part of its
// checkpoints, or can be found waiting by one without.
func (c *Closure) Concurrent() bool { return c.concurrent }

// Operation returns what the node does to the goroutine that executes it; nothing if
// the program is not concurrent.
func (c *Closure) Operation(n ast.Node) blocking.Operation {
	if !c.concurrent {
		return blocking.Operation{}
	}
	pos := blocking.Pos(n)
	if !pos.IsValid() {
		return blocking.Operation{}
	}
	return c.operations[pos]
}
