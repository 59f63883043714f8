package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A local function is a variable that a function literal is the value of, once and for all, and
// that is only called:
//
//	dist := func(i, j int) float64 { return list[i].to(list[j]) }
//	for ... { sum += dist(i, j) }
//
// The compiler knows what such a call calls, and inlines it. In the rewritten function it would
// not: it calls a func value that a frame may have brought along. So the variable is a pointer to
// the environment of the literal, and what is called is its method:
//
//	dist = &f_closure1{list: list}
//	for ... { sum += dist.call(i, j) }
//
// So is one that calls itself, if its variable is declared without a value, and given the literal
// by a later statement of the list, before anything else mentions it:
//
//	var walk func(*node)
//	walk = func(n *node) { ...; walk(n.left) }
//
// What it calls is then the method of the environment that it has anyway. If the literal captures
// nothing, it is a function, and the variable is not needed at all. Another literal that calls it
// has that pointer instead of a func value, but not one that is deferred or what a goroutine runs.
// In a function that can't be at a checkpoint, all of it stays as it is, if all such literals do:
// they are not alive at any.

// localFunction writes the definition of such a variable, and reports whether it is one.
func (c *function) localFunction(at ast.Stmt, targets, values []ast.Expr) bool {
	if len(targets) != 1 || len(values) != 1 {
		return false
	}
	lit, ok := ast.Unparen(values[0]).(*ast.FuncLit)
	if !ok || !c.p.facts.isCalledOnly(lit) {
		return false
	}
	obj := c.p.facts.definedAs[lit]
	if c.isShared(obj) {
		return false
	}
	l := c.lifted(lit)
	switch {
	case l == nil:
		return false
	case l.plain:
		c.plainFunctions[obj] = l.name
		return true
	}
	v := &variable{name: c.variableName(obj), text: "*" + l.name + c.p.typeArguments(l.typeParams), method: l.entry()}
	v.settle()
	c.all = append(c.all, v)
	if c.inLoop(at) && c.p.facts.isLocal(lit) { // nothing that outlives the iteration leads to it
		c.stored(v, at, c.environment(l))
	} else {
		c.emit(at.Pos(), v.name+" = &"+c.environment(l)).defines = []*variable{v}
	}
	c.variables[obj] = v
	return true
}

// isLocalFunction reports whether an identifier is a local function, and returns the variable that
// decides what its call calls, if there is one.
func (c *function) isLocalFunction(id *ast.Ident) (*variable, bool) {
	obj := c.p.info.Uses[id]
	if _, ok := c.plainFunctions[obj]; ok {
		return nil, true
	}
	if v := c.variables[obj]; v != nil && v.method != "" {
		return v.carrier, true
	}
	return nil, false
}

// isLocal reports whether a literal is a local function, as are all that call it.
func (f *facts) isLocal(lit *ast.FuncLit) bool {
	return f.isCalledOnly(lit) && !slices.ContainsFunc(f.capturedBy[f.definedAs[lit]], func(by *ast.FuncLit) bool { return by != lit && !f.isLocal(by) })
}

// isCalledOnly reports whether a literal is a local function: the only value of a variable that is
// called, and nothing else.
func (f *facts) isCalledOnly(lit *ast.FuncLit) bool {
	obj := f.definedAs[lit]
	return obj != nil && f.isOnlyCalled(obj)
}

// isOnlyCalled reports whether a variable that is defined as a literal is called, and nothing else.
func (f *facts) isOnlyCalled(obj types.Object) bool {
	return !f.valued[obj] && !f.assigned[obj] && !f.addressed[obj] &&
		!slices.ContainsFunc(f.capturedBy[obj], func(by *ast.FuncLit) bool { return f.deferred[by] || f.started[by] != nil })
}

// variablesOf returns the captured variables that a literal needs: not those of local functions
// that capture nothing.
func (c *function) variablesOf(captured []*types.Var) []*types.Var {
	return slices.DeleteFunc(captured, func(v *types.Var) bool { return c.plainFunctions[v] != "" })
}

// define notes the variable that a statement declares with a literal, a number, or a length.
func (f *facts) define(id *ast.Ident, value ast.Expr) {
	obj, _ := f.info.Defs[id].(*types.Var)
	if obj == nil || obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope() {
		return
	}
	if lit, ok := ast.Unparen(value).(*ast.FuncLit); ok {
		f.definedAs[lit] = obj
	} else if text := number(f.info.Types[value].Value, obj.Type()); text != "" {
		f.numbers[obj] = text
	} else {
		f.defineLength(obj, value)
	}
}

// findValued finds the variables that are used other than to be called where they stand.
func (f *facts) findValued() {
	for id, obj := range f.info.Uses {
		if v, ok := obj.(*types.Var); ok && !v.IsField() && !f.given[id] && (!f.called[id] || f.later[id]) {
			f.valued[v] = true
		}
	}
}

// A recursion is a variable that is declared without a value and then given a literal.
type recursion struct {
	variable types.Object
	assigned *ast.AssignStmt
	lit      *ast.FuncLit
}

// findPairs finds such statements in a list.
func (f *facts) findPairs(list []ast.Stmt) {
	for i, s := range list {
		a, _ := s.(*ast.AssignStmt)
		if a == nil || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			continue
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		lit, isLit := ast.Unparen(a.Rhs[0]).(*ast.FuncLit)
		if !ok || !isLit || id.Name == "_" {
			continue
		}
		if obj := f.info.Uses[id]; f.declaredLast(list[:i], obj) {
			f.pairs = append(f.pairs, recursion{obj, a, lit})
			f.given[id] = true
		}
	}
}

// declaredLast reports whether the last statement of a list that mentions a variable is one that
// declares it without a value. No statement behind it has a label: what is jumped to may be
// executed again.
func (f *facts) declaredLast(list []ast.Stmt, v types.Object) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if d, ok := list[i].(*ast.DeclStmt); ok && f.declaresZero(d, v) {
			return !mentions(f.info, d, v)
		}
		if _, labelled := list[i].(*ast.LabeledStmt); labelled || mentions(f.info, list[i], v) {
			return false
		}
	}
	return false
}

// declaresZero reports whether a declaration is that of a variable, without a value.
func (f *facts) declaresZero(d *ast.DeclStmt, v types.Object) bool {
	for _, spec := range d.Decl.(*ast.GenDecl).Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if ok && len(spec.Values) == 0 && slices.ContainsFunc(spec.Names, func(id *ast.Ident) bool { return f.info.Defs[id] == v }) {
			return true
		}
	}
	return false
}

// findRecursive decides which of the pairs define a local function. In all others the variable is
// assigned, as by any statement.
func (f *facts) findRecursive() {
	used := make(map[types.Object]bool) // outside of its literal
	of := make(map[types.Object]*ast.FuncLit)
	for _, r := range f.pairs {
		of[r.variable] = r.lit
	}
	for id, obj := range f.info.Uses {
		if lit := of[obj]; lit != nil && !f.given[id] {
			used[obj] = used[obj] || id.Pos() < lit.Pos() || id.Pos() >= lit.End()
		}
	}
	for _, r := range f.pairs {
		if v := r.variable; f.isOnlyCalled(v) && used[v] {
			f.definedAs[r.lit] = v
			f.recursive[v] = true
			continue
		}
		f.assign(r.assigned.Lhs[0])
	}
}
