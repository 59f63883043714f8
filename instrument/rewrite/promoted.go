package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// A method of an interface can be one of an embedded field of what is in the interface, which the
// compiler's code for it reads (closure/promoted.go). The field may have changed when a process goes
// on. So the receiver is in a variable of an interface with just that method, and becomes one of the
// type whose method has the next frame, which has its own receiver:
//
//	r.Run(1)
//
//	receiver1 = r
//	resume1:
//	if shadow.Busy != 0 {
//		if x, ok := shadow.Beneath("Run").(interface{ Run(int) }); ok { receiver1 = x }
//	}
//	receiver1.Run(1)

// forwarded returns the call of a method of an interface so, the variable, and what stands before
// the call; or what it is given if that can't be written here.
func (c *function) forwarded(call *ast.CallExpr, fun string, decides *variable) (string, *variable, string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || decides.typ == nil || !types.IsInterface(decides.typ) || isTypeParam(decides.typ) {
		return fun, decides, ""
	}
	m, ok := c.p.info.Uses[sel.Sel].(*types.Func)
	if !ok || !m.Exported() && m.Pkg() != c.p.types {
		return fun, decides, ""
	}
	sig := m.Signature()
	bare := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	t := types.NewInterfaceType([]*types.Func{types.NewFunc(m.Pos(), m.Pkg(), m.Name(), bare)}, nil).Complete()
	if !c.writable(t) {
		return fun, decides, ""
	}
	c.use(decides)
	v := c.value(decides.name, t, call.Fun)
	c.use(v)
	return v.name + "." + m.Name(), v, fmt.Sprintf("if %s.Busy != 0 {\n%s}\n", c.shadow(), c.beneath(m.Name(), v.text, func(x string) string { return v.name + " = " + x }))
}

// beneath returns what a process that goes on does with another receiver for a method, if it has
// the type of an interface.
func (c *function) beneath(method, of string, does func(x string) string) string {
	x, is := c.p.freeName("x"), c.p.freeName("ok")
	return fmt.Sprintf("if %s, %s := %s.Beneath(%q).(%s); %[2]s {\n%[6]s\n}\n", x, is, c.shadow(), method, of, does(x))
}

// writeReceiver writes the method of a frame that tells of what type the receiver is.
func (c *function) writeReceiver(b *strings.Builder, frame string) {
	d, ok := c.node.(*ast.FuncDecl)
	if !ok || d.Recv == nil || !c.p.Closure.Forwarded(d) {
		return
	}
	recv := c.p.info.Defs[d.Name].(*types.Func).Signature().Recv().Type()
	text, err := c.typeText(recv)
	if err != nil {
		return // the receiver of a call remains what it is
	}
	value := "(" + text + ")(nil)"
	if !isPointer(recv) {
		value = "*new(" + text + ")"
	}
	fmt.Fprintf(b, "func (*%s) Receiver(method string) %s {\nif method == %q {\nreturn %s\n}\nreturn nil\n}\n\n", frame, c.p.any(), d.Name.Name, value)
}
