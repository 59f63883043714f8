package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A variable of an unexported type of another package has no type that could be written where its
// declaration is moved to:
//
//	order := binary.BigEndian
//
// If values of the type have no size, there is but one of them, and nothing to save. A variable
// that has its value from one of another package then becomes one of the package, and the statement
//
//	_ = convert_order

// sizeless returns the variable that a statement declares, and nothing else, if it becomes one of
// the package.
func (c *function) sizeless(s ast.Stmt) (*ast.Ident, ast.Expr) {
	var id *ast.Ident
	var value ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil, nil
		}
		id, value = s.Lhs[0].(*ast.Ident), s.Rhs[0]
	case *ast.DeclStmt:
		g := s.Decl.(*ast.GenDecl)
		if g.Tok != token.VAR || len(g.Specs) != 1 {
			return nil, nil
		}
		spec := g.Specs[0].(*ast.ValueSpec)
		if spec.Type != nil || len(spec.Names) != 1 || len(spec.Values) != 1 {
			return nil, nil
		}
		id, value = spec.Names[0], spec.Values[0]
	default:
		return nil, nil
	}
	obj, ok := c.p.info.Defs[id].(*types.Var)
	if !ok || c.p.facts.assigned[obj] || c.p.facts.addressed[obj] || c.p.facts.lent[obj] {
		return nil, nil
	}
	if !hasNoSize(obj.Type()) || c.writable(obj.Type()) {
		return nil, nil
	}
	switch x := ast.Unparen(value).(type) {
	case *ast.SelectorExpr:
		if v, ok := c.p.info.Uses[x.Sel].(*types.Var); ok && !v.IsField() {
			return id, value
		}
	case *ast.Ident:
		if v, ok := c.p.info.Uses[x].(*types.Var); ok && c.p.moved[v] != "" {
			return id, value
		}
	}
	return nil, nil
}

// hasNoSize reports whether a type is a struct without fields, or with nothing but such in it.
func hasNoSize(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if !hasNoSize(f.Type()) {
			return false
		}
	}
	return true
}

// moveSizeless moves the variable that a statement declares to package level.
func (c *function) moveSizeless(s ast.Stmt) {
	id, value := c.sizeless(s)
	if id == nil {
		return
	}
	obj := c.p.info.Defs[id].(*types.Var)
	name := c.p.packageName(c.base + "_" + id.Name)
	c.p.moved[obj] = name
	c.file.append("var " + name + " = " + c.render(value) + "\n\n")
}

// movedSizeless returns the statement that stands for the declaration of such a variable.
func (c *function) movedSizeless(s ast.Stmt) (string, bool) {
	if !c.moves {
		return "", false
	}
	id, _ := c.sizeless(s)
	if id == nil || c.p.moved[c.p.info.Defs[id]] == "" {
		return "", false
	}
	return "_ = " + c.p.moved[c.p.info.Defs[id]], true
}
