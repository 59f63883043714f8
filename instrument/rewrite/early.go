package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Where the language leaves the order open, a program is to see the one that the gc compiler
// chooses. It reads variables late, after all calls of the expression, but gives these operations
// their turn among the calls, from left to right:
//
//	x && y, x || y               (lowerShortCircuit)
//	x[i:j], and before it i, j   if they are more than a variable
//	x.(T)                        unless a T is a single pointer
//	[]byte(s), []rune(s)
//	map[K]V{...}                 and before it each k: v
//	what an interface is made of, a map is indexed with, x == y compares,
//	                             if that is copied to have an address
//	m[string(b)]                 and the like, unless it is assigned to
//	the function of a call, and  if something is called for it
//	the interface of x.M()       or it is made of what is no single pointer
//
// So they become temporaries if a resume point follows in the expression.

// early lets a temporary stand for e, whose parts have been lowered, if it is one of these.
func (c *function) early(e ast.Expr) {
	if c.pending > 0 && c.hasTurn(e) && !c.trailing[e] {
		c.intoTemporary(e, "early")
	}
}

// lastOperands finds the conversions to slices among the operands of a call after which nothing is
// called but the function itself: these are made in their turn where they stand, and the compiler
// has what they make on the stack if nobody keeps it.
func (c *function) lastOperands(call *ast.CallExpr) {
	for _, a := range slices.Backward(call.Args) {
		if conversion, ok := ast.Unparen(a).(*ast.CallExpr); ok && c.p.info.Types[conversion.Fun].IsType() {
			c.trailing[conversion] = true
		}
		if hasEffect(c.p.info, a) {
			return
		}
	}
}

func (c *function) hasTurn(e ast.Expr) bool {
	t := c.p.typeOf(e)
	if _, several := t.(*types.Tuple); several || c.p.info.Types[e].Value != nil {
		return false
	}
	switch e := e.(type) {
	case *ast.SliceExpr:
		return true
	case *ast.TypeAssertExpr:
		return !singlePointer(t)
	case *ast.CallExpr: // a conversion
		if isUnsafePointer(t) {
			// A number does not keep what it is the address of.
			_, hoisted := c.subst[ast.Unparen(e.Args[0])]
			return hoisted && isNumber(c.p.typeOf(e.Args[0]))
		}
		_, slice := t.Underlying().(*types.Slice)
		from, ok := c.p.typeOf(e.Args[0]).Underlying().(*types.Basic)
		return slice && ok && from.Info()&types.IsString != 0
	case *ast.CompositeLit:
		_, ok := t.Underlying().(*types.Map)
		return ok && e.Type != nil
	}
	return false
}

// earlyBound is early for an index of a slice expression.
func (c *function) earlyBound(e ast.Expr) {
	if e == nil || c.pending == 0 || c.p.info.Types[e].Value != nil {
		return
	}
	if _, ok := ast.Unparen(e).(*ast.Ident); ok {
		return
	}
	if _, ok := c.subst[e]; !ok {
		c.intoTemporary(e, "early")
	}
}

// boxed is early for an operand that becomes a value of type t, where it stands for one.
// The values that an interface is made of are copied first, unless they have an address or
// the runtime takes them as they are.
func (c *function) boxed(e ast.Expr, t types.Type) {
	if t != nil && types.IsInterface(t) && !isTypeParam(t) {
		c.copied(e)
	}
}

// copied is early for an operand of which the runtime takes the address.
func (c *function) copied(e ast.Expr) {
	t := c.p.typeOf(e)
	if c.pending == 0 || t == nil || c.p.info.Types[e].Addressable() || !byAddress(t) {
		return
	}
	c.freeze(e)
}

// freeze evaluates e now, unless its value can't change.
func (c *function) freeze(e ast.Expr) {
	if c.pending == 0 || c.constant(e) {
		return
	}
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		for _, x := range lit.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value // a key is a field, a constant, or of a map and frozen
			}
			c.freeze(x)
		}
		return
	}
	if c.writable(types.Default(c.p.typeOf(e))) { // rather late than refused
		c.intoTemporary(e, "early")
	}
}

// constant reports whether e has the same value, without a panic, whatever is called meanwhile. A
// variable whose address is lent to what is called is in no cell, but what is called may change it.
func (c *function) constant(e ast.Expr) bool {
	if _, ok := c.subst[e]; !ok && !c.total(e) {
		return false
	}
	same := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case ast.Expr:
			if _, ok := c.subst[n]; ok {
				return false
			}
			switch n := n.(type) {
			case *ast.Ident:
				v, ok := c.p.info.Uses[n].(*types.Var)
				same = same && (!ok || v.IsField() || c.variables[v] != nil && !c.p.facts.lent[v])
			case *ast.CallExpr:
				same = same && !c.ofBytes(n)
			}
		}
		return same
	})
	return same
}

// lowerIndex is lowerExpr for x[i].
func (c *function) lowerIndex(e *ast.IndexExpr) {
	c.lowerExpr(e.X)
	c.lowerExpr(e.Index)
	m, ok := core(c.p.typeOf(e.X)).(*types.Map)
	if !ok {
		return
	}
	c.earlyKey(e.Index, m)
	if c.ofBytes(e.Index) && !c.assigned[e] && c.pending > 0 && !isTuple(c.p.typeOf(e)) {
		c.intoTemporary(e, "early")
	}
}

// earlyKey is early for what a map is indexed with.
func (c *function) earlyKey(e ast.Expr, m *types.Map) {
	fast := byWord(m.Key()) && !isLarge(m.Elem())
	addressable := c.p.info.Types[e].Addressable()
	switch m.Key().Underlying().(type) {
	case *types.Struct, *types.Array:
		if fast || !addressable {
			c.freeze(e)
		}
	case *types.Basic:
		if !fast && !addressable {
			c.freeze(e)
		}
	case *types.Interface:
		if !addressable || !types.IsInterface(c.p.typeOf(e)) {
			c.freeze(e)
		}
	}
}

// byWord reports whether the runtime takes keys of type t as they are, in most maps.
func byWord(t types.Type) bool {
	switch u := soleComponent(t).(type) {
	case *types.Basic:
		size := types.SizesFor("gc", "amd64").Sizeof(u)
		return u.Info()&types.IsString != 0 || u.Info()&types.IsInteger != 0 && size >= 4 || u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Chan:
		return true
	}
	return false
}

// ofBytes reports whether e makes a string of bytes that can change, perhaps within a struct or
// array.
func (c *function) ofBytes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if !c.p.info.Types[e.Fun].IsType() {
			return false
		}
		_, slice := core(c.p.typeOf(e.Args[0])).(*types.Slice)
		return slice
	case *ast.CompositeLit:
		return slices.ContainsFunc(e.Elts, func(x ast.Expr) bool {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			return c.ofBytes(x)
		})
	}
	return false
}

// noteTargets notes what is assigned to.
func (c *function) noteTargets(list ...ast.Expr) {
	if c.assigned == nil {
		c.assigned = map[ast.Expr]bool{}
	}
	for _, e := range list {
		c.assigned[ast.Unparen(e)] = true
	}
}

// byAddress reports whether the runtime takes the address of a value of type t that it puts
// into an interface: all but strings, slices, and numbers of 2, 4 and 8 bytes.
func byAddress(t types.Type) bool {
	// Of a type parameter, whose underlying type is an interface, it is not known.
	if types.IsInterface(t) || isTuple(t) || t == types.Typ[types.UntypedNil] {
		return false
	}
	switch u := soleComponent(types.Default(t)).(type) {
	case *types.Slice:
		return false
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return false
		}
		size := types.SizesFor("gc", "amd64").Sizeof(u)
		return u.Kind() == types.UnsafePointer || u.Info()&types.IsComplex != 0 || size == 1 || size > 8
	}
	return true
}

// soleComponent is the underlying type of t, and of a struct of one field or an array of one
// element that of this.
func soleComponent(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if u.NumFields() == 1 {
			return soleComponent(u.Field(0).Type())
		}
	case *types.Array:
		if u.Len() == 1 {
			return soleComponent(u.Elem())
		}
	}
	return t.Underlying()
}

// earlyFunction is early for the function of a call with the given arguments, which has been
// lowered. Others may call something that changes what it is read from, or fail only after the
// arguments if it does.
func (c *function) earlyFunction(fun ast.Expr, args []ast.Expr) {
	fun = ast.Unparen(fun)
	later := c.p.facts.later[fun]
	if sel, s := c.selectedMethod(instantiated(fun)); s != nil && s.Kind() == types.MethodVal {
		if t := c.p.typeOf(sel.X); !types.IsInterface(t) || isTypeParam(t) {
			return // the receiver is an argument
		}
		fun = ast.Unparen(sel.X)
	}
	if _, done := c.subst[fun]; done || !c.callsFor(fun) && (later || !c.converted(fun)) || !slices.ContainsFunc(args, c.callsFor) {
		return
	}
	hoisted := func(n ast.Node) bool { _, ok := c.subst[n]; return ok }
	if (c.pending > 0 || contains(fun, hoisted)) && c.writable(c.p.typeOf(fun)) {
		c.intoTemporary(fun, "early")
	}
}

// converted reports whether e is a conversion to an interface of a value that is no single pointer.
// The compiler knows which method is meant then, and takes the value out of the interface for it,
// but not in go and defer statements, nor where the type depends on type parameters.
func (c *function) converted(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !c.p.info.Types[call.Fun].IsType() {
		return false
	}
	t := c.p.typeOf(call.Args[0])
	if types.IsInterface(t) {
		return c.converted(call.Args[0])
	}
	return types.IsInterface(c.p.typeOf(call)) && !singlePointer(t) && !hasTypeParam(t, nil)
}

// callsFor reports whether the evaluation of e calls something, to the compiler: a conversion or an
// allocation is no call.
func (c *function) callsFor(e ast.Expr) bool {
	return contains(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			fun := c.p.info.Types[n.Fun]
			return !fun.IsType() && c.p.info.Types[n].Value == nil &&
				!(fun.IsBuiltin() && (builtinName(n.Fun) == "new" || builtinName(n.Fun) == "make"))
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		}
		return false
	})
}

// contains reports whether the condition holds for a node of e, outside of function literals.
func contains(e ast.Expr, condition func(ast.Node) bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok || n == nil {
			return false
		}
		found = found || condition(n)
		return !found
	})
	return found
}

// lowerTo is lowerExpr for operands that become values of the given types, as far as there are
// such. Those of a call begin with its function.
func (c *function) lowerTo(list []ast.Expr, to []types.Type) {
	for i, e := range list {
		c.lowerExpr(e)
		if i == 0 && c.p.facts.called[ast.Unparen(e)] {
			c.earlyFunction(e, list[1:])
		}
		if i < len(to) {
			c.boxed(e, to[i])
		}
	}
}

// operandTypes returns the types that the operands of a call become, beginning with its function.
func (c *function) operandTypes(call *ast.CallExpr) []types.Type {
	to := make([]types.Type, 1+len(call.Args))
	sig, ok := core(c.p.typeOf(call.Fun)).(*types.Signature)
	if !ok || len(call.Args) == 1 && isTuple(c.p.typeOf(call.Args[0])) {
		return to
	}
	for i := range call.Args {
		to[i+1] = parameterType(sig, i, call.Ellipsis.IsValid())
	}
	return to
}

func isTuple(t types.Type) bool {
	_, ok := t.(*types.Tuple)
	return ok
}

// lowerLiteral is lowerExpr for a composite literal. The entries of a map are added one by one.
func (c *function) lowerLiteral(e *ast.CompositeLit) {
	t := core(c.p.typeOf(e))
	if p, ok := t.(*types.Pointer); ok { // &T{...} without the &T
		t = core(p.Elem())
	}
	for i, x := range e.Elts {
		kv, keyed := x.(*ast.KeyValueExpr)
		if !keyed {
			kv = &ast.KeyValueExpr{Value: x}
		}
		switch t := t.(type) {
		case *types.Map:
			c.lowerExpr(kv.Key)
			c.earlyKey(kv.Key, t)
			c.lowerTo([]ast.Expr{kv.Value}, []types.Type{t.Elem()})
			c.freeze(kv.Key)
			c.freeze(kv.Value)
		case *types.Struct:
			f := t.Field(min(i, t.NumFields()-1))
			if keyed {
				f = c.p.info.Uses[kv.Key.(*ast.Ident)].(*types.Var)
			}
			c.lowerTo([]ast.Expr{kv.Value}, []types.Type{f.Type()})
		case interface{ Elem() types.Type }: // an array or slice, whose keys are constants
			c.lowerTo([]ast.Expr{kv.Value}, []types.Type{t.Elem()})
		}
	}
	c.early(e)
}

// lowerComparison is lowerExpr for the operands of x == y and the like.
func (c *function) lowerComparison(e *ast.BinaryExpr) {
	x, y := c.p.typeOf(e.X), c.p.typeOf(e.Y)
	c.lowerExpr(e.X)
	if !types.IsInterface(x) {
		c.boxed(e.X, y)
	}
	c.lowerExpr(e.Y)
	if !types.IsInterface(y) {
		c.boxed(e.Y, x)
	}
	switch x.Underlying().(type) {
	case *types.Struct, *types.Array:
		c.copied(e.X)
		c.copied(e.Y)
	}
}

// singlePointer reports whether values of the type are one pointer, which an interface holds in its
// second word.
func singlePointer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() == 1 && singlePointer(u.Elem())
	case *types.Struct:
		return u.NumFields() == 1 && singlePointer(u.Field(0).Type())
	}
	return false
}
