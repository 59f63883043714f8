package directive

import (
	"go/ast"
	"go/token"
)

// ends reports whether a statement is a terminating one, as the language defines them, or a jump:
// nothing that follows it in its list is executed but by way of a label. label is the statement's
// own.
func ends(s ast.Stmt, label string) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.LabeledStmt:
		return ends(s.Stmt, s.Label.Name)
	case *ast.BlockStmt:
		return endsList(s.List)
	case *ast.IfStmt:
		return s.Else != nil && ends(s.Body, "") && ends(s.Else, "")
	case *ast.ForStmt:
		return s.Cond == nil && !breaks(s.Body, label)
	case *ast.SwitchStmt:
		return endsClauses(s.Body, label, false)
	case *ast.TypeSwitchStmt:
		return endsClauses(s.Body, label, false)
	case *ast.SelectStmt:
		return endsClauses(s.Body, label, true)
	}
	return false
}

func endsList(list []ast.Stmt) bool { return len(list) > 0 && ends(list[len(list)-1], "") }

// endsClauses reports whether each clause ends, and whether one of them is executed.
func endsClauses(body *ast.BlockStmt, label string, one bool) bool {
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.CaseClause:
			one = one || s.List == nil
			if !endsList(s.Body) {
				return false
			}
		case *ast.CommClause:
			if !endsList(s.Body) {
				return false
			}
		}
	}
	return one && !breaks(body, label)
}

// breaks reports whether a break statement leaves the statement that has this body and label.
func breaks(body *ast.BlockStmt, label string) bool {
	found := false
	var look func(n ast.Node, inner bool)
	look = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BranchStmt:
				if m.Tok == token.BREAK && (m.Label == nil && !inner || m.Label != nil && m.Label.Name == label) {
					found = true
				}
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if !inner {
					look(m, true)
					return false
				}
			}
			return true
		})
	}
	look(body, false)
	return found
}
