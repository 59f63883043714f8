package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// What a loop calls may assign the variable that it counts with, or add to the slice that it takes
// elements from, where that is written before the loop:
//
//	push := func(x int) { queue = append(queue, x) }
//	for len(queue) > 0 { x := queue[0]; queue = queue[1:]; push(2*x) }
//
// So such a variable must not have its address taken in the function, nor be assigned in a literal
// there that the loop is not in.

// A sharing tells where in a function its variables are assigned by what may be called while
// something else in it is executed.
type sharing struct {
	addressed map[*types.Var]bool
	literals  map[*types.Var][]*ast.FuncLit // those that assign the variable, and are not around its declaration
}

// assignedByOthers reports whether a variable may be assigned by what the loop calls, other than by
// a literal in the loop.
func (l counted) assignedByOthers(v *types.Var) bool {
	s := l.g.sharingIn(l.fn, l.info)
	if s.addressed[v] {
		return true
	}
	at := l.loop.For
	return slices.ContainsFunc(s.literals[v], func(lit *ast.FuncLit) bool { return at < lit.Pos() || lit.End() <= at })
}

// sharingIn returns how the variables of a function are shared.
func (g *graph) sharingIn(fn ast.Node, info *types.Info) *sharing {
	s := g.sharings[fn]
	if s != nil {
		return s
	}
	s = &sharing{make(map[*types.Var]bool), make(map[*types.Var][]*ast.FuncLit)}
	if g.sharings == nil {
		g.sharings = make(map[ast.Node]*sharing)
	}
	g.sharings[fn] = s
	named := func(e ast.Expr) *types.Var {
		id, _ := ast.Unparen(e).(*ast.Ident)
		if id == nil {
			return nil
		}
		v, _ := info.ObjectOf(id).(*types.Var)
		return v
	}
	var around []*ast.FuncLit // innermost last
	assigned := func(e ast.Expr) {
		v := named(e)
		if v == nil {
			return
		}
		for _, lit := range slices.Backward(around) {
			if lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
				break // its own
			}
			s.literals[v] = append(s.literals[v], lit)
		}
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			around = append(around, n)
			ast.Inspect(n.Body, visit)
			around = around[:len(around)-1]
			return false
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
			for _, e := range operands(n) {
				assigned(e)
			}
		case *ast.UnaryExpr:
			if v := named(n.X); v != nil && n.Op == token.AND {
				s.addressed[v] = true
			}
		case *ast.SelectorExpr: // a method with a pointer receiver
			m := info.Selections[n]
			if v := named(n.X); v != nil && m != nil && m.Kind() == types.MethodVal && !isPointer(v.Type()) && isPointer(receiver(m.Obj().(*types.Func))) {
				s.addressed[v] = true
			}
		}
		return true
	}
	ast.Inspect(BodyOf(fn), visit)
	return s
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
