package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
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

// sizeless returns the variables that a statement or a line of a var declaration declares, and
// their values, if all of them become variables of the package.
func (c *function) sizeless(n ast.Node) (ids []*ast.Ident, values []ast.Expr) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return nil, nil
		}
		for _, l := range n.Lhs {
			ids = append(ids, l.(*ast.Ident))
		}
		values = n.Rhs
	case *ast.ValueSpec:
		if n.Type != nil {
			return nil, nil
		}
		ids, values = n.Names, n.Values
	}
	if len(ids) != len(values) {
		return nil, nil
	}
	for i, id := range ids {
		if !c.isSizeless(id, values[i]) {
			return nil, nil
		}
	}
	return ids, values
}

// isSizeless reports whether the variable that is declared with a value becomes one of the package.
func (c *function) isSizeless(id *ast.Ident, value ast.Expr) bool {
	obj, ok := c.p.info.Defs[id].(*types.Var)
	if !ok || id.Name == "_" || c.p.facts.assigned[obj] || c.p.facts.addressed[obj] || c.p.facts.lent[obj] {
		return false
	}
	if !hasNoSize(obj.Type()) || c.writable(obj.Type()) {
		return false
	}
	switch x := ast.Unparen(value).(type) {
	case *ast.SelectorExpr:
		v, ok := c.p.info.Uses[x.Sel].(*types.Var)
		return ok && !v.IsField()
	case *ast.Ident:
		v, ok := c.p.info.Uses[x].(*types.Var)
		return ok && c.p.moved[v] != ""
	}
	return false
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

// moveSizeless moves the variables that a statement declares to package level.
func (c *function) moveSizeless(s ast.Stmt) {
	for _, n := range declarations(s) {
		ids, values := c.sizeless(n)
		for i, id := range ids {
			name := c.p.packageName(c.base + "_" + id.Name)
			c.p.moved[c.p.info.Defs[id]] = name
			c.file.append("var " + name + " = " + c.render(values[i]) + "\n\n")
		}
	}
}

// declarations returns the parts of a statement that may declare such variables.
func declarations(s ast.Stmt) []ast.Node {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return []ast.Node{s}
	case *ast.DeclStmt:
		var list []ast.Node
		if g := s.Decl.(*ast.GenDecl); g.Tok == token.VAR {
			for _, spec := range g.Specs {
				list = append(list, spec)
			}
		}
		return list
	}
	return nil
}

// movedSizeless returns what stands for the declaration of such variables.
func (c *function) movedSizeless(n ast.Node) (string, bool) {
	if !c.moves {
		return "", false
	}
	ids, _ := c.sizeless(n)
	var blanks, names []string
	for _, id := range ids {
		name := c.p.moved[c.p.info.Defs[id]]
		if name == "" {
			return "", false
		}
		blanks, names = append(blanks, "_"), append(names, name)
	}
	return strings.Join(blanks, ", ") + " = " + strings.Join(names, ", "), len(ids) > 0
}
