package rewrite

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/cfg"
)

// A function literal shares a variable that it captures with the function around it, so the
// variable has to live in a cell, unless it has its last value when the literal is evaluated: then
// the literal can have a copy.
//
//	limit := 10
//	if deep {
//		limit = 20
//	}
//	each(func(n int) bool { return n < limit }) // no assignment can follow
//
// That is found on the control-flow graph of the function that declares the variable: no path from
// a literal that captures it leads to an assignment, but through its declaration, where another
// variable begins.

// settle finds the variables that a function declares and that have their last value wherever a
// literal in its body captures them. What assigns to them otherwise than by statements of that body
// is not looked at: a variable that literals, loops over functions, range clauses or return
// statements assign is left to be shared.
func (f *facts) settle(recv *ast.FieldList, t *ast.FuncType, body *ast.BlockStmt) {
	declared := func(v types.Object) bool {
		from := t.Pos()
		if recv != nil {
			from = min(from, recv.Pos())
		}
		return from <= v.Pos() && v.Pos() < body.End()
	}
	captures := make(map[types.Object]int) // literals that capture the variable
	assignments := make(map[types.Object]int)
	shared := make(map[types.Object]bool)
	f.uses(body, func(lit *ast.FuncLit, v types.Object) { captures[v]++ },
		func(v types.Object) { assignments[v]++ },
		func(v types.Object) { shared[v] = true })
	var graph *cfg.CFG
	for v := range captures {
		if !declared(v) || !f.assigned[v] || f.otherwise[v] || f.addressed[v] || f.lent[v] || shared[v] {
			continue
		}
		if graph == nil {
			graph = cfg.New(body, func(*ast.CallExpr) bool { return true })
		}
		if f.settled(graph, v, captures[v], assignments[v]) {
			f.last[v] = true
		}
	}
}

// uses tells of the literals that stand in a body, of the assignments that do, and of the variables
// that are assigned inside of literals or captured by loops over functions.
func (f *facts) uses(body ast.Node, capture func(*ast.FuncLit, types.Object), assign, share func(types.Object)) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			seen := make(map[types.Object]bool)
			ast.Inspect(n.Body, func(m ast.Node) bool {
				switch m := m.(type) {
				case *ast.Ident:
					if v, ok := f.info.Uses[m].(*types.Var); ok && f.captured[v] && !seen[v] {
						seen[v] = true
						capture(n, v)
					}
				case *ast.AssignStmt:
					for _, l := range m.Lhs {
						f.assignee(l, share)
					}
				case *ast.IncDecStmt:
					f.assignee(m.X, share)
				}
				return true
			})
			return false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				f.assignee(l, assign)
			}
		case *ast.IncDecStmt:
			f.assignee(n.X, assign)
		case *ast.RangeStmt:
			if t := f.info.TypeOf(n.X); t != nil {
				if _, ok := core(t).(*types.Signature); ok {
					ast.Inspect(n, func(m ast.Node) bool {
						if id, ok := m.(*ast.Ident); ok {
							if v, ok := f.info.Uses[id].(*types.Var); ok {
								share(v)
							}
						}
						return true
					})
				}
			}
		}
		return true
	})
}

// assignee tells of the variable that an assignment to l changes, if it does not declare it.
func (f *facts) assignee(l ast.Expr, tell func(types.Object)) {
	v := f.variable(l)
	if v == nil {
		return
	}
	if id, ok := l.(*ast.Ident); ok && f.info.Defs[id] != nil {
		return
	}
	tell(v)
}

// settled reports whether no path leads from a literal that captures v to an assignment. That many
// literals and assignments must be found on the graph: what is not, is not understood.
func (f *facts) settled(graph *cfg.CFG, v types.Object, captures, assignments int) bool {
	type place struct {
		block *cfg.Block
		node  int
	}
	var literals []place
	assigns := make(map[ast.Node]bool)
	declares := make(map[ast.Node]bool)
	for _, b := range graph.Blocks {
		for i, n := range b.Nodes {
			f.uses(n, func(_ *ast.FuncLit, w types.Object) {
				if w == v {
					captures--
					literals = append(literals, place{b, i})
				}
			}, func(w types.Object) {
				if w == v {
					assignments--
					assigns[n] = true
				}
			}, func(types.Object) {})
			ast.Inspect(n, func(m ast.Node) bool {
				if id, ok := m.(*ast.Ident); ok && f.info.Defs[id] == v {
					declares[n] = true
				}
				return true
			})
		}
	}
	if captures != 0 || assignments != 0 {
		return false
	}
	seen := make(map[*cfg.Block]bool)
	var leads func(nodes []ast.Node, succs []*cfg.Block) bool
	leads = func(nodes []ast.Node, succs []*cfg.Block) bool {
		for _, n := range nodes {
			switch {
			case assigns[n]:
				return true
			case declares[n]:
				return false
			}
		}
		for _, s := range succs {
			if !seen[s] {
				seen[s] = true
				if leads(s.Nodes, s.Succs) {
					return true
				}
			}
		}
		return false
	}
	for _, l := range literals {
		clear(seen)
		n := l.block.Nodes[l.node]
		if assigns[n] || leads(l.block.Nodes[l.node+1:], l.block.Succs) {
			return false
		}
	}
	return true
}
