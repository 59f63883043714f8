package rewrite

import (
	"go/ast"
	"go/types"
)

// An unsafe.Pointer in a frame can be saved if a reference with a type leads to the same. Often it
// is made of one that is not read again:
//
//	func hash(t *tree) uint64 { return sum(unsafe.Pointer(t), unsafe.Sizeof(*t)) }
//
// The compiler need not know any more that t leads there: the unsafe.Pointer alone keeps the tree.
// A checkpoint needs t, its bearer. So t is in the frame as long as what was made of it can be on
// the stack: during the call that it is an operand of, and as long as a variable is live that was
// declared with it, or got it by an assignment. The bearers of an expression are the variables of
// which it makes unsafe pointers: by a conversion, or by a call that returns one. What is said here
// of unsafe pointers holds for structs of nothing but one, too, as packages have them for the sake
// of methods:
//
//	type pointer struct{ p unsafe.Pointer }

// bearers are what is known of the variables of a function that are unsafe pointers, and of the
// others what they are parts of.
type bearers map[types.Object][]types.Object

// bearersOf returns the variables that unsafe pointers are made of in an expression.
func (c *function) bearersOf(e ast.Expr) (list []types.Object) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			if v, ok := c.p.info.Uses[n].(*types.Var); ok && isBorne(v.Type()) {
				list = append(list, c.borne()[v]...)
			}
		case *ast.CallExpr:
			if t := c.p.typeOf(n); t == nil || !isBorne(t) || c.p.info.Types[n.Fun].IsBuiltin() {
				break
			}
			if method, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && c.p.info.Selections[method] != nil {
				if v := c.bearer(method.X); v != nil {
					list = append(list, v)
				}
			}
			for _, arg := range n.Args {
				if v := c.bearer(arg); v != nil {
					list = append(list, v)
				}
			}
		case *ast.SelectorExpr:
			// (*words)(unsafe.Pointer(&x)).data, or w.data
			if isBorne(c.p.typeOf(n)) {
				list = append(list, c.turnedVariable(n.X)...)
				if v := c.bearer(n.X); v != nil && isWords(deref(v.Type())) {
					list = append(list, v)
				}
			}
		}
		return true
	})
	return list
}

// turnedVariable returns the variable whose address an expression converts to another pointer.
func (c *function) turnedVariable(e ast.Expr) []types.Object {
	for range 2 {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !c.p.info.Types[call.Fun].IsType() {
			return nil
		}
		e = call.Args[0]
	}
	if v := c.bearer(e); v != nil {
		return []types.Object{v}
	}
	return nil
}

// bearer returns the local variable that an expression is, is in or has the address of, if it tells
// what it leads to.
func (c *function) bearer(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.UnaryExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.CallExpr:
			if len(x.Args) != 1 || !c.p.info.Types[x.Fun].IsType() && !c.p.isUnsafe(x, "SliceData", "StringData") {
				return nil
			}
			e = x.Args[0]
		case *ast.Ident:
			v, ok := c.p.info.Uses[x].(*types.Var)
			if !ok || isBorne(v.Type()) {
				return nil
			}
			if w := c.variables[v]; w == nil && (v.Pos() < c.node.Pos() || v.Pos() >= c.node.End()) || isNumber(v.Type()) && (w == nil || !w.cell) {
				return nil
			}
			return v
		default:
			return nil
		}
	}
}

// borne returns the bearers of the function's variables that are unsafe pointers. Those that are
// made of others have the bearers of these.
func (c *function) borne() bearers {
	if c.bearers != nil {
		return c.bearers
	}
	c.bearers = bearers{}
	note := func(target, value ast.Expr) {
		id, ok := target.(*ast.Ident)
		if !ok {
			return
		}
		v, _ := c.p.info.ObjectOf(id).(*types.Var)
		if v == nil {
			return
		}
		if isBorne(v.Type()) {
			c.bearers[v] = append(c.bearers[v], c.bearersOf(value)...)
		} else if from := c.bearer(value); from != nil && from != v && !isNumber(v.Type()) {
			c.bearers[v] = append(c.bearers[v], from)
		}
	}
	ast.Inspect(c.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == c.node
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					note(n.Lhs[i], n.Rhs[i])
				} else {
					note(n.Lhs[i], n.Rhs[0])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Names {
				switch len(n.Values) {
				case len(n.Names):
					note(n.Names[i], n.Values[i])
				case 1:
					note(n.Names[i], n.Values[0])
				}
			}
		}
		return true
	})
	return c.bearers
}

// carriers returns the variables of the written function that hold these, once each. One that is
// declared in a statement which stays as it was, such as t in
//
//	if t, ok := x.(*tree); ok {
//		p = unsafe.Pointer(t)
//	}
//
// can be in no frame; what it is declared with is.
func (c *function) carriers(list []types.Object) (all []*variable) {
	seen := make(map[types.Object]bool)
	var add func(list []types.Object)
	add = func(list []types.Object) {
		for _, obj := range list {
			v := c.variables[obj]
			switch {
			case seen[obj]:
			case v != nil && v.carrier != nil:
				all = withAll(all, []*variable{v.carrier})
			default:
				seen[obj] = true
				add(c.borne()[obj])
			}
		}
	}
	add(list)
	return all
}

// isBorne reports whether values of a type are unsafe pointers, or structs of nothing but one, or
// are results among which there is one.
func isBorne(t types.Type) bool {
	if t == nil {
		return false
	}
	if results, ok := t.(*types.Tuple); ok {
		for v := range results.Variables() {
			if isBorne(v.Type()) {
				return true
			}
		}
		return false
	}
	if st, ok := t.Underlying().(*types.Struct); ok && st.NumFields() == 1 {
		t = st.Field(0).Type()
	}
	return isUnsafePointer(t)
}

// keepBearers has the instructions that use a variable which is an unsafe pointer use its bearers,
// too.
func (c *function) keepBearers() {
	if c.loop != nil || !c.closure {
		return
	}
	of := make(map[*variable][]*variable)
	for obj, list := range c.borne() {
		if v := c.variables[obj]; v != nil && len(list) > 0 && isBorne(obj.Type()) {
			of[v] = c.carriers(list)
		}
	}
	if len(of) == 0 {
		return
	}
	for _, in := range c.code {
		for _, v := range in.uses {
			if behind := of[v]; behind != nil {
				in.uses = withAll(in.uses, behind)
			}
		}
	}
}
