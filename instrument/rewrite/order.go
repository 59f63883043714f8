package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// Package variables are initialised in an order that follows from what their values refer to, also
// by way of functions and methods. The compiler does not follow methods of generic types, and a
// literal in a generic function is one of these once it is lifted: what it refers to would be
// initialised after a variable whose value calls it.
//
//	var first = made(1)
//
//	func made[T any](x T) int { f := func() int { return second }; return f() }
//
//	var second = note("second")
//
// So a generic function tells what it leads to, if it is called for the value of a variable:
//
//	func made[T any](x T) int { _ = made_order; … }
//
//	func made_order() { _ = second }

// An order is what is known of the values of package variables.
type order struct {
	declared map[*types.Func]*ast.FuncDecl
	called   map[*types.Func]bool // the functions that the values refer to
}

// order returns that of the package.
func (p *pkg) order() *order {
	if p.initialised != nil {
		return p.initialised
	}
	o := &order{declared: make(map[*types.Func]*ast.FuncDecl), called: make(map[*types.Func]bool)}
	p.initialised = o
	for _, f := range p.Pkg.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if fn, ok := p.info.Defs[d.Name].(*types.Func); ok {
					o.declared[fn] = d
				}
			}
		}
	}
	for _, init := range p.info.InitOrder {
		o.reach(p, init.Rhs, o.called, make(map[types.Object]bool))
	}
	return o
}

// reach adds the functions and variables of the package that n refers to as the compiler sees it,
// also by way of functions.
func (o *order) reach(p *pkg, n ast.Node, functions map[*types.Func]bool, variables map[types.Object]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := p.info.Uses[id].(type) {
		case *types.Var:
			variables[obj] = true
		case *types.Func: // a method of an instance is not one that is declared
			if d := o.declared[obj]; d != nil && !functions[obj] {
				functions[obj] = true
				o.reach(p, d.Body, functions, variables)
			}
		}
		return true
	})
}

// ordering returns the statement by which a generic function tells what it leads to, or nothing.
func (c *function) ordering(d *ast.FuncDecl) string {
	fn, _ := c.p.info.Defs[d.Name].(*types.Func)
	if fn == nil || d.Type.TypeParams == nil || !c.p.order().called[fn] {
		return ""
	}
	variables := make(map[types.Object]bool)
	c.p.order().reach(c.p, d.Body, make(map[*types.Func]bool), variables)
	var reads strings.Builder
	for _, init := range c.p.info.InitOrder {
		for _, v := range init.Lhs {
			if variables[v] {
				fmt.Fprintf(&reads, "_ = %s\n", v.Name())
			}
		}
	}
	if reads.Len() == 0 {
		return ""
	}
	name := c.p.packageName(c.base + "_order")
	c.file.append(fmt.Sprintf("// %s has the variables that are initialised before %s is called for the value of another.\nfunc %s() {\n%s}\n\n",
		name, c.base, name, reads.String()))
	return "_ = " + name + "\n"
}
