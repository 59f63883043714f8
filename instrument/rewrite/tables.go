package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A package can keep a table where only an unsafe.Pointer leads to it, which does not tell its type:
//
//	var key = unsafe.Pointer(&[...]uint8{0xb8, 0xfe, ...})
//
// The declaration does. The table is registered like a variable of its own, of which the compiler makes one as well if
// all of it is constant:
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

// table returns the type of the constant array that a variable is declared to lead to, or nil.
func (p *pkg) table(v *types.Var) types.Type {
	for _, init := range p.info.InitOrder {
		if len(init.Lhs) != 1 || init.Lhs[0] != v {
			continue
		}
		call, ok := ast.Unparen(init.Rhs).(*ast.CallExpr)
		if !ok || !p.info.Types[call.Fun].IsType() {
			return nil
		}
		address, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
		if !ok || address.Op != token.AND {
			return nil
		}
		literal, ok := ast.Unparen(address.X).(*ast.CompositeLit)
		if !ok {
			return nil
		}
		array, ok := p.typeOf(literal).(*types.Array)
		if !ok || !isNumber(array.Elem()) {
			return nil
		}
		for _, e := range literal.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if p.info.Types[e].Value == nil {
				return nil
			}
		}
		return array
	}
	return nil
}
