package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
)

// The variables of a flattened function stand at its top, or at that of a block (blocks.go), and
// are there for as long as it runs. In a long function most of them belong to scopes that are never
// entered together, and the operands of calls are needed for a statement only. Each would have its
// own place in the stack frame, and the large ones be cleared on each entry. So a variable whose
// scope is left is used again for one of the same type that bears the same name; and so is a
// temporary whose statement is done.
//
//	{ m := message(1); send(m) }      m = message(1)
//	{ m := message(2); send(m) }      send(m)
//	                                  m = message(2)
//	                                  send(m)

// A holding is a variable in use, in the order in which they were declared.
type holding struct {
	v         *variable
	kind      string // for whom it can be used again
	temporary bool
}

// hold returns a variable that is not in use, or nil, and otherwise holds the one that
// create makes. What kind says is what they have in common.
func (c *function) hold(kind string, temporary bool, create func() *variable) *variable {
	var v *variable
	if list := c.free[kind]; len(list) > 0 {
		v = list[len(list)-1]
		c.free[kind] = list[:len(list)-1]
	} else {
		v = create()
		c.all = append(c.all, v)
	}
	c.inUse = append(c.inUse, holding{v, kind, temporary})
	return v
}

// release lets go of the variables that were declared since there were n: temporaries,
// and those of the user if their scope is left, too.
func (c *function) release(n int, scope bool) {
	kept := c.inUse[:n]
	for _, h := range c.inUse[n:] {
		if scope || h.temporary {
			c.free[h.kind] = append(c.free[h.kind], h.v)
		} else {
			kept = append(kept, h)
		}
	}
	c.inUse = kept
}

// hasScope reports whether what a statement declares is not seen by those that follow it.
func hasScope(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return hasScope(s.Stmt)
	case *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// declare makes a Go variable at the top of the function for the user's
// variable obj.
func (c *function) declare(obj types.Object, at ast.Node) *variable {
	v := &variable{typ: obj.Type(), cell: c.needsCell(obj), fixed: c.p.facts.numberOf(obj)}
	v.again = v.cell && !c.isShared(obj) && c.p.facts.onlyPassed(obj) && c.inLoop(at)
	v.text = c.textOf(v.typ, at)
	if v.cell || c.isShared(obj) {
		v.fixed = ""
	}
	if c.isShared(obj) {
		v.name = c.variableName(obj)
		v.settle()
		c.share(v)
		c.all = append(c.all, v)
		c.variables[obj] = v
		return v
	}
	kind := fmt.Sprintf("%s %t %t %s %s", obj.Name(), v.cell, v.again, v.text, v.fixed)
	if c.p.facts.tells(obj) {
		kind += fmt.Sprintf(" %d", obj.Pos())
	}
	w := c.hold(kind, false, func() *variable {
		v.name = c.variableName(obj)
		v.settle()
		return v
	})
	c.variables[obj] = w
	c.measure(w, obj)
	return w
}

// temporary makes a Go variable of type t for the statement that is being written.
func (c *function) temporary(base string, t types.Type, at ast.Node) *variable {
	v := &variable{typ: types.Default(t)}
	v.text = c.textOf(v.typ, at)
	return c.hold(base+": "+v.text, true, func() *variable {
		v.name = c.numbered(base)
		v.settle()
		return v
	})
}
