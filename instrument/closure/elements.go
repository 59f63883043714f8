package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// A loop that reads or sets the element at its counter in each iteration, or takes elements away,
// has as many iterations at most as there are elements: it would end by a panic else.
//
//	for s[i] == ' ' { i++ }
//	for i > 0 && s[i-1] == '0' { i-- }
//	for i < n && s[len(s)-1-i] == '0' { i++ }
//	for { c := s[i]; i++; ... }
//	for i := 0; i < n; i++ { s[i] = x }
//	for n < limit && load(s[start+n:]) == x { n += 8 }
//	for i := range n { if s[i] == x { return i } }
//	for len(s) > 0 { c, width := utf8.DecodeRuneInString(s); ...; s = s[width:] }

// readsElements reports whether a for statement is such a loop.
func (l counted) readsElements() bool {
	always := l.conditions()
	for _, e := range always {
		if cond, ok := e.(*ast.BinaryExpr); ok && l.notEmpty(cond) {
			return true
		}
	}
	for _, s := range l.loop.Body.List {
		always = append(always, alwaysEvaluated(s)...)
		if !l.goesThrough(s) {
			break
		}
	}
	for _, e := range always {
		if l.readsIn(e) {
			return true
		}
	}
	return false
}

// readsByKey reports whether a range loop over a number is such a loop: a for statement that
// counts.
func (l counted) readsByKey(loop *ast.RangeStmt) bool {
	if loop.Key == nil {
		return false
	}
	l.loop = &ast.ForStmt{For: loop.For, Post: &ast.IncDecStmt{X: loop.Key, Tok: token.INC}, Body: loop.Body}
	return l.readsElements()
}

// alwaysEvaluated returns expressions of a statement that are evaluated whenever it is executed.
func alwaysEvaluated(s ast.Stmt) (list []ast.Expr) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		list = slices.Concat(s.Rhs, s.Lhs)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				list = append(list, spec.(*ast.ValueSpec).Values...)
			}
		}
	case *ast.IncDecStmt:
		list = []ast.Expr{s.X}
	case *ast.ExprStmt:
		list = []ast.Expr{s.X}
	case *ast.IfStmt:
		list = append(alwaysEvaluated(s.Init), s.Cond)
	case *ast.SwitchStmt:
		list = alwaysEvaluated(s.Init)
		if s.Tag != nil {
			list = append(list, s.Tag)
		}
	}
	return slices.Clip(list)
}

// readsIn reports whether an expression reads, or is, an element that tells that the loop ends
// soon.
func (l counted) readsIn(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR { // the right operand is not always evaluated
				found = found || l.readsIn(n.X)
				return false
			}
		case *ast.IndexExpr:
			found = found || l.inMemory(n.X) && (l.reads(n.Index) || l.shrinking(l.variable(n.X)))
		case *ast.SliceExpr:
			found = found || l.inMemory(n.X) && (n.Low != nil && l.reads(n.Low) || n.High != nil && l.reads(n.High))
		}
		return !found
	})
	return found
}

// reads reports whether an index is a counter of the loop, or at some distance from it that the
// loop does not change.
func (l counted) reads(index ast.Expr) bool {
	for _, v := range l.counters(index) {
		switch {
		case isUnsigned(v.Type()) && isShort(v.Type()): // goes on with the first element after the last
		case l.only(v, l.increments):
			return l.addLittle(l.loop.Body, v)
		case l.only(v, l.decrements):
			return l.addLittle(l.loop.Body, nil)
		}
	}
	return false
}

// counters returns the variables in a sum or a difference of which all else is the same in each
// iteration.
func (l counted) counters(e ast.Expr) (list []*types.Var) {
	var terms []ast.Expr
	var visit func(e ast.Expr)
	visit = func(e ast.Expr) {
		e = ast.Unparen(e)
		if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.ADD || b.Op == token.SUB) {
			visit(b.X)
			visit(b.Y)
			return
		}
		terms = append(terms, e)
	}
	visit(e)
	for i, e := range terms {
		v := l.variable(e)
		if v != nil && !slices.ContainsFunc(slices.Delete(slices.Clone(terms), i, i+1), func(e ast.Expr) bool { return !l.unchanged(e) }) {
			list = append(list, v)
		}
	}
	return list
}

// unchanged reports whether an expression is a constant, or a variable that the loop does not
// assign, or the length of one.
func (l counted) unchanged(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && l.isLen(call) && l.inMemory(call.Args[0]) {
		e = call.Args[0]
	}
	return l.constant(e) != nil || l.keeps(l.variable(e))
}

// keeps reports whether a variable has the same value in all iterations.
func (l counted) keeps(v *types.Var) bool {
	return v != nil && l.nothingElse(v, func(ast.Stmt) bool { return false })
}

// notEmpty reports whether a condition tells that there is an element of what the loop takes
// elements from.
func (l counted) notEmpty(cond *ast.BinaryExpr) bool {
	if cond.Op != token.GTR && cond.Op != token.GEQ && cond.Op != token.NEQ {
		return false
	}
	x := ast.Unparen(cond.X)
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && l.isLen(call) {
		n := l.constant(cond.Y)
		if n == nil || constant.Sign(n) < 0 || constant.Sign(n) == 0 && cond.Op == token.GEQ || constant.Sign(n) > 0 && cond.Op == token.NEQ {
			return false
		}
		x = call.Args[0]
	} else if n := l.info.Types[cond.Y].Value; n == nil || n.Kind() != constant.String || constant.StringVal(n) != "" || cond.Op != token.NEQ {
		return false
	}
	return l.shrinking(l.variable(x))
}

// shrinking reports whether each iteration takes elements from a variable, and nothing adds any.
func (l counted) shrinking(v *types.Var) bool {
	return v != nil && !isBoundless(v.Type()) && l.only(v, l.shrinks) && l.addLittle(l.loop.Body, nil)
}

// shrinks reports whether a statement takes elements from a variable.
func (l counted) shrinks(v *types.Var, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	at := slices.IndexFunc(a.Lhs, func(e ast.Expr) bool { return l.variable(e) == v })
	if at < 0 {
		return false
	}
	part, ok := ast.Unparen(a.Rhs[at]).(*ast.SliceExpr)
	if !ok || l.variable(part.X) != v || part.Max != nil {
		return false
	}
	switch {
	case part.Low != nil && part.High == nil:
		return l.some(part.Low)
	case part.Low == nil && part.High != nil:
		less, ok := ast.Unparen(part.High).(*ast.BinaryExpr)
		if !ok || less.Op != token.SUB || !l.some(less.Y) {
			return false
		}
		call, ok := ast.Unparen(less.X).(*ast.CallExpr)
		return ok && len(call.Args) == 1 && l.isLen(call) && l.variable(call.Args[0]) == v
	}
	return false
}

// some reports whether an expression is a positive number of elements.
func (l counted) some(e ast.Expr) bool {
	if n := l.constant(e); n != nil {
		return constant.Sign(n) > 0
	}
	return l.width(l.variable(e))
}

// isLen reports whether a call is one of len.
func (l counted) isLen(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "len" && l.info.Types[id].IsBuiltin()
}

// inMemory reports whether an expression is a slice, a string, an array or a pointer to one: to
// read an element that they don't have is a panic. There can be any number of elements that have no
// size.
func (l counted) inMemory(e ast.Expr) bool {
	t := l.info.TypeOf(e)
	if t == nil || isBoundless(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Array)
		return ok
	case *types.Basic:
		return u.Info()&types.IsString != 0
	}
	return false
}

// isBoundless reports whether something of the type can have any number of elements, as they take
// no memory: make([]struct{}, n).
func isBoundless(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return isSizeless(u.Elem())
	case *types.Chan:
		return isSizeless(u.Elem())
	case *types.Array:
		return u.Len() > smallBound && isSizeless(u.Elem())
	case *types.Pointer:
		array, ok := u.Elem().Underlying().(*types.Array)
		return ok && isBoundless(array)
	}
	return false
}

// isSizeless reports whether values of the type take no memory.
func isSizeless(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() == 0 || isSizeless(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !isSizeless(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// indexes reports whether a variable is the index of a range loop over what is in memory.
func (l counted) indexes(loop *ast.RangeStmt, v *types.Var) bool {
	return loop.Key != nil && l.variable(loop.Key) == v && l.inMemory(loop.X) && (loop.Value == nil || l.variable(loop.Value) != v)
}

// width reports whether a variable is the number of bytes of what was decoded, such as the second
// result of utf8.DecodeRuneInString: of a function that returns a character (a rune by that name,
// no other number) and a number. That is not zero as long as there is something to decode.
func (l counted) width(v *types.Var) bool {
	if !l.local(v) {
		return false
	}
	decoded, other := false, false
	ast.Inspect(l.fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			other = other || n.Op == token.AND && l.variable(n.X) == v
		case ast.Stmt:
			if !l.assigns(n, v) {
				break
			}
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 && l.variable(a.Lhs[1]) == v && l.decodes(a.Rhs[0]) {
				decoded = true
			} else {
				other = true
			}
		}
		return !other
	})
	return decoded && !other
}

// decodes reports whether an expression is a call with a character and a number as results.
func (l counted) decodes(e ast.Expr) bool {
	if _, ok := ast.Unparen(e).(*ast.CallExpr); !ok {
		return false
	}
	results, ok := l.info.TypeOf(e).(*types.Tuple)
	return ok && results.Len() == 2 && results.At(0).Type() == types.Universe.Lookup("rune").Type() && isKind(results.At(1).Type(), types.Int)
}
