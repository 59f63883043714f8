package closure

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A setting is a place where a function gives a variable of its own a value.
type setting struct {
	s     ast.Stmt // nil: where it is declared by var
	value ast.Expr // nil: the statement sets it otherwise, by a step, a range clause or with others by one call
}

// A history tells of all values that a variable of a function has.
type history struct {
	settings  []setting
	zero      bool // it is declared without a value
	addressed bool // its address is taken by &
}

// history returns where a variable of the function gets its values.
func (l counted) history(v *types.Var) *history {
	h := l.g.histories[v]
	if h != nil {
		return h
	}
	h = &history{}
	if l.g.histories == nil {
		l.g.histories = make(map[*types.Var]*history)
	}
	l.g.histories[v] = h
	ast.Inspect(l.fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				if l.variable(e) != v {
					continue
				}
				s := setting{s: n}
				if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.DEFINE || n.Tok == token.ASSIGN) {
					s.value = n.Rhs[i]
				}
				h.settings = append(h.settings, s)
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				switch {
				case l.info.Defs[id] != v:
				case len(n.Values) == len(n.Names):
					h.settings = append(h.settings, setting{value: n.Values[i]})
				default:
					h.zero = true
				}
			}
		case *ast.UnaryExpr:
			h.addressed = h.addressed || n.Op == token.AND && l.variable(n.X) == v
		case ast.Stmt:
			if l.assigns(n, v) {
				h.settings = append(h.settings, setting{s: n})
			}
		}
		return true
	})
	return h
}

// operands returns what a statement assigns, with what it declares by :=, but for the variables of
// a range clause that declares them.
func operands(n ast.Node) (list []ast.Expr) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok != token.ASSIGN {
			return nil
		}
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil {
				list = append(list, e)
			}
		}
	}
	return list
}
