package rewrite

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// The calls of the standard library at which a goroutine waits (the table is in package
// blocking) become calls of the runtime, which are resume points. The first argument is
// the receiver as the method takes it, with promotion through embedded fields, address
// and indirection written out; when the call is made again it must be what it was, and so
// must the other arguments, but for what only the first call looks at (time.Sleep).
//
//	mu.Lock()              if shadow.IsOff() { (&mu).Lock() } else { shadow.Lock(&mu) }
//	s.Lock()               ... else { shadow.Lock(arg1) }, arg1 being &s.Mutex
//	time.Sleep(d)          blocking.Sleep(d)
//	x, ok = v.Recv()       ... else { x, ok = blocking.Recv(v) }

// waitsFor writes a call at which a goroutine waits, and whose operands are held for it.
func (c *function) waitsFor(call *ast.CallExpr, f *blocking.Function, results []*variable) {
	var keep []*variable
	var operands []string
	plain := ""
	if s := c.selection(call); s != nil {
		sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		var recv string
		if f.Package == "shadow" {
			recv = c.heldReceiver(sel, s, &keep)
		} else { // by value
			text, t := c.receiver(sel, s)
			v := c.value(text, t, sel.X)
			c.keep(&keep, v)
			recv = v.name
		}
		operands = append(operands, recv)
		if recv[0] == '&' {
			recv = "(" + recv + ")"
		}
		plain = recv + "." + sel.Sel.Name
	} else {
		plain = c.render(call.Fun)
	}
	first := len(operands)
	sig := core(c.p.typeOf(call.Fun)).(*types.Signature)
	for i, a := range call.Args {
		v := c.value(c.render(a), parameterType(sig, i, false), a)
		c.keep(&keep, v)
		operands = append(operands, v.name)
	}
	plain += "(" + strings.Join(operands[first:], ", ") + ")"
	c.point(call, call.Pos(), oneLine(c.source(call.Fun.Pos(), call.Fun.End())), plain, c.replacement(f)+"("+strings.Join(operands, ", ")+")", keep, results)
}

// selection returns that of the method that a call calls; nil if it is no method.
func (c *function) selection(call *ast.CallExpr) *types.Selection {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return c.p.info.Selections[sel]
	}
	return nil
}

// heldReceiver is held for the receiver of x.M.
func (c *function) heldReceiver(sel *ast.SelectorExpr, s *types.Selection, keep *[]*variable) string {
	text, t := c.receiver(sel, s)
	uses := c.takeUses()
	if t := c.p.typeOf(sel.X); len(s.Index()) == 1 && (isPointer(t) || isInterface(t)) {
		if fixed, v := c.fixed(sel.X); v != nil {
			c.keep(keep, v.carrier)
			return fixed
		}
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && len(s.Index()) == 1 && !isPointer(c.p.typeOf(id)) && !isInterface(c.p.typeOf(id)) {
		switch v := c.variables[c.p.info.Uses[id]]; {
		case v == nil && len(uses) == 0: // a package variable
			return text
		case v != nil && v.address != "":
			c.keep(keep, v.carrier)
			return text
		}
	}
	c.use(uses...)
	v := c.value(text, t, sel.X)
	c.keep(keep, v)
	return v.name
}

// replacement returns the name of the function that is called in place of one of the
// standard library.
func (c *function) replacement(f *blocking.Function) string {
	if f.Package != "blocking" {
		return c.shadow() + "." + f.Name
	}
	of, typ := "time", "Duration"
	switch f.Name {
	case "Select", "Send", "Recv":
		of, typ = "reflect", "Value"
	}
	c.file.keepImport(of, typ)
	return c.importName(BlockingPath, "blocking") + "." + f.Name
}

// keepImport makes sure that the file still uses its import of a package, which has the type of
// that name.
func (f *file) keepImport(path, typ string) {
	if f.kept[path] {
		return
	}
	if f.kept == nil {
		f.kept = make(map[string]bool)
	}
	f.kept[path] = true
	name := ""
	for _, im := range f.syntax.Imports {
		if n := f.p.info.PkgNameOf(im); n != nil && n.Imported().Path() == path && n.Name() != "_" {
			if n.Name() != "." {
				name = f.p.nameOf(n) + "."
			}
			f.append("var _ " + name + typ + "\n\n")
			return
		}
	}
}
