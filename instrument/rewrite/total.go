package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// total reports whether e can be evaluated at any time without effect and
// without panic, whatever the values of the variables.
func (c *function) total(e ast.Expr) bool {
	if s, ok := c.subst[e]; ok {
		if s.indexed {
			return false // a frame that is taken up may have no shelf any more
		}
		for _, v := range s.uses {
			if !v.plain() {
				return false
			}
		}
		return true
	}
	if tv, ok := c.p.info.Types[e]; ok && (tv.Value != nil || tv.IsNil() || tv.IsType()) {
		if tv.Value != nil && tv.Value.Kind() == constant.Unknown {
			return false
		}
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		if c.isInstance(e) && !c.p.facts.called[e] {
			return c.env == nil
		}
		v := c.variables[c.p.info.Uses[e]]
		return v == nil || v.plain()
	case *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return c.total(e.X)
	case *ast.FuncLit:
		for _, v := range c.p.facts.captures(e, c.p.types) {
			if w := c.variables[v]; w != nil && w.carrier == c.env && c.env != nil {
				return false
			}
		}
		return true
	case *ast.UnaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.NOT, token.XOR:
			return c.total(e.X)
		case token.AND:
			switch x := ast.Unparen(e.X).(type) {
			case *ast.Ident:
				v := c.variables[c.p.info.Uses[x]]
				return v == nil || v.carrier == v
			case *ast.CompositeLit:
				return c.total(x)
			}
		}
		return false
	case *ast.SelectorExpr:
		s := c.p.info.Selections[e]
		if s == nil {
			return !c.isInstance(e.Sel)
		}
		return s.Kind() == types.FieldVal && !s.Indirect() && c.total(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT, token.LAND, token.LOR,
			token.LSS, token.GTR, token.LEQ, token.GEQ:
			return c.total(e.X) && c.total(e.Y)
		case token.EQL, token.NEQ:
			return !comparesInterface(c.p.typeOf(e.X)) && !comparesInterface(c.p.typeOf(e.Y)) && c.total(e.X) && c.total(e.Y)
		}
		return false
	case *ast.CompositeLit:
		if _, ok := c.p.typeOf(e).Underlying().(*types.Map); ok {
			return false
		}
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if !c.total(x) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		tv := c.p.info.Types[e.Fun]
		switch {
		case tv.IsType():
			from, to := c.p.typeOf(e.Args[0]), tv.Type
			if isTypeParam(from) || isTypeParam(to) {
				return false // a slice may become an array
			}
			_, slice := from.Underlying().(*types.Slice)
			_, str := to.Underlying().(*types.Basic)
			return (!slice || str || types.Identical(from.Underlying(), to.Underlying())) && c.total(e.Args[0])
		case tv.IsBuiltin():
			switch builtinName(e.Fun) {
			case "len", "cap":
				return !isPointer(c.p.typeOf(e.Args[0])) && c.total(e.Args[0])
			}
			return c.allocates(e)
		}
		return false
	}
	return false
}

// comparesInterface reports whether a comparison of values of the type compares interfaces, or what
// may be some: it panics if what they hold has no equality.
func comparesInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return comparesInterface(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if comparesInterface(f.Type()) {
				return true
			}
		}
	}
	return false
}

// allocates reports whether a call of new or make does nothing but to allocate what the compiler
// has on the stack where nobody keeps it. So it stays where it is, as a composite literal does: a
// variable for it would be one of the whole function, and in a loop what it leads to on the heap.
func (c *function) allocates(e *ast.CallExpr) bool {
	const most = 64 << 10 // bytes that the compiler has on the stack
	if !c.p.info.Types[e.Fun].IsBuiltin() {
		return false
	}
	small := func(t types.Type, n int64) bool {
		if hasTypeParam(t, nil) {
			return false
		}
		size := types.SizesFor("gc", "amd64").Sizeof(t)
		return size == 0 || n <= most/size
	}
	switch builtinName(e.Fun) {
	case "new":
		return c.p.info.Types[e.Args[0]].IsType() && small(c.p.typeOf(e.Args[0]), 1)
	case "make":
		switch t := c.p.typeOf(e).Underlying().(type) {
		case *types.Map:
			return len(e.Args) == 1
		case *types.Slice:
			value := c.p.info.Types[e.Args[len(e.Args)-1]].Value // the capacity, if there is one
			if value == nil || len(e.Args) == 3 && c.p.info.Types[e.Args[1]].Value == nil {
				return false // it can panic
			}
			n, exact := constant.Int64Val(constant.ToInt(value))
			return exact && small(t.Elem(), n)
		}
	}
	return false
}
