package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A package can keep a table, or something that is there to be compared with or copied, where only
// an unsafe.Pointer leads to it, which does not tell its type:
//
//	var key = unsafe.Pointer(&[...]uint8{0xb8, 0xfe, ...})
//	var nilSlice = unsafe.Pointer(&sliceHeader{})
//	var expunged = unsafe.Pointer(new(any))
//	var zero = unsafe.Pointer(addressOf(0)) // func addressOf(n int) *int { return &n }
//
// The declaration does. What it makes is registered like a variable of its own, of which the
// compiler makes one as well if all of it is constant:
//
//	{Name: "example.org/hash.key*", Ptr: (*[192]uint8)(key)}
//
// If the variable leads to something else later, that is looked at as any unsafe.Pointer is.

// tables returns the globals that are to be registered for what the variables lead to.
func (p *pkg) tables(f *file, globals []*types.Var) string {
	var b strings.Builder
	for _, v := range globals {
		if types.Unalias(v.Type()) != types.Typ[types.UnsafePointer] {
			continue
		}
		table := p.table(v)
		if table == nil {
			continue
		}
		if text, err := f.typeText(table); err == nil {
			fmt.Fprintf(&b, "{Name: %q, Ptr: (*%s)(%s)},\n", p.types.Path()+"."+v.Name()+"*", text, v.Name())
		}
	}
	return b.String()
}

// table returns the type of what a variable is declared to lead to, if that is new and constant, or
// nil.
func (p *pkg) table(v *types.Var) types.Type {
	for _, init := range p.info.InitOrder {
		if len(init.Lhs) != 1 || init.Lhs[0] != v {
			continue
		}
		call, ok := ast.Unparen(init.Rhs).(*ast.CallExpr)
		if !ok || !p.info.Types[call.Fun].IsType() {
			return nil
		}
		switch made := ast.Unparen(call.Args[0]).(type) {
		case *ast.UnaryExpr:
			if literal, ok := ast.Unparen(made.X).(*ast.CompositeLit); ok && made.Op == token.AND && p.constant(literal) {
				return p.typeOf(literal)
			}
		case *ast.CallExpr:
			// Since Go 1.26 the operand can be a value.
			if p.info.Types[made.Fun].IsBuiltin() && builtinName(made.Fun) == "new" && p.info.Types[made.Args[0]].IsType() {
				return p.typeOf(made.Args[0])
			}
			if len(made.Args) == 1 && p.info.Types[made.Args[0]].Value != nil && p.returnsAddress(calledFunction(p.info, made)) {
				return deref(p.typeOf(made))
			}
		}
		return nil
	}
	return nil
}

// constant reports whether a literal is an array or struct, and all that it has a constant.
func (p *pkg) constant(literal *ast.CompositeLit) bool {
	switch p.typeOf(literal).Underlying().(type) {
	case *types.Array, *types.Struct:
	default:
		return false
	}
	for _, e := range literal.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if p.info.Types[e].Value == nil {
			return false
		}
	}
	return true
}

// returnsAddress reports whether a function of the package only returns the address of its
// parameter, which is a new variable in each call.
func (p *pkg) returnsAddress(fn *types.Func) bool {
	decl := p.declared(fn)
	if decl == nil || len(decl.Body.List) != 1 {
		return false
	}
	ret, ok := decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	of, ok := ast.Unparen(ret.Results[0]).(*ast.UnaryExpr)
	if !ok || of.Op != token.AND {
		return false
	}
	id, ok := ast.Unparen(of.X).(*ast.Ident)
	return ok && fn.Origin().Signature().Params().Len() == 1 && p.info.Uses[id] == fn.Origin().Signature().Params().At(0)
}
