package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// The calls of the standard library at which a goroutine waits (the table is in package
// blocking) become calls of the runtime, which are resume points. The first argument is
// the receiver as the method takes it, with promotion through embedded fields, address
// and indirection written out; when the call is made again it must be what it was.
//
//	mu.Lock()              if shadow.IsOff() { (&mu).Lock() } else { shadow.Lock(&mu) }
//	s.Lock()               ... else { shadow.Lock(arg1) }, arg1 being &s.Mutex
//	time.Sleep(d)          blocking.Sleep(d)

// waitsFor writes a call of a method at which a goroutine waits.
func (c *function) waitsFor(call *ast.CallExpr, f *blocking.Function) {
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	var keep []*variable
	recv := c.heldReceiver(sel, c.p.info.Selections[sel], &keep)
	plain := recv
	if plain[0] == '&' {
		plain = "(" + plain + ")"
	}
	c.point(call, call.Pos(), oneLine(c.source(call.Fun.Pos(), call.Fun.End())), plain+"."+sel.Sel.Name+"()", c.replacement(f)+"("+recv+")", keep, nil)
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
	c.file.keepTime()
	return c.importName(BlockingPath, "blocking") + "." + f.Name
}

// keepTime makes sure that the file still uses its import of package time.
func (f *file) keepTime() {
	if f.timeKept {
		return
	}
	f.timeKept = true
	name := ""
	for _, im := range f.syntax.Imports {
		if n := f.p.info.PkgNameOf(im); n != nil && n.Imported().Path() == "time" && n.Name() != "_" {
			if n.Name() != "." {
				name = n.Name() + "."
			}
			f.append("var _ " + name + "Duration\n\n")
			return
		}
	}
}
