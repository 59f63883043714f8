package rewrite

import (
	"go/ast"
	"go/types"
)

// plainLoop writes a loop without resume points as the user wrote it. s is the loop, or
// the label before it.
//
// More is alive around it than in the user's program: what the loops around it count with, and what
// would go into a frame. When the registers are full at the start of a loop, the compiler keeps the
// loop's own counter on the stack, and the loop can take twice the time. So a register is made free
// just before it, when what it ranges over has been evaluated. That is done, too, before the
// innermost of the loops inside. A loop that counts with what is there before it has that in a
// register already, as a rule. Where there are few iterations it would not pay: what was loaded
// before is loaded again after it.
//
//	{
//		over1 := rows[i]
//		shadow.Spare()
//		for j, x := range over1 { ... }
//	}
func (c *function) plainLoop(s, loop ast.Stmt) {
	if !c.closure {
		c.emit(s.Pos(), c.render(s))
		return
	}
	spare := c.shadow() + ".Spare()\n"
	if r, ok := loop.(*ast.RangeStmt); ok && c.evaluates(r) && c.spares(r) {
		over := c.numbered("over")
		operand := c.render(r.X)
		saved, had := c.subst[r.X]
		c.subst[r.X] = substitution{text: over, uses: saved.uses}
		text := c.render(s)
		delete(c.subst, r.X)
		if had {
			c.subst[r.X] = saved
		}
		line := "//line " + c.lineAt(s.Pos()) + "\n"
		in := c.emit(s.Pos(), "{\n"+line+over+" := "+operand+"\n//line <ckpgen>:1:1\n"+spare+line+text+"\n}")
		c.narrow(s, in)
		return
	}
	if !c.spares(loop) {
		c.narrow(s, c.emit(s.Pos(), c.render(s)))
		return
	}
	in := c.emit(s.Pos(), "{\n//line <ckpgen>:1:1\n"+spare+"//line "+c.lineAt(s.Pos())+"\n"+c.render(s)+"\n}")
	c.narrow(s, in)
}

// evaluates reports whether what a loop ranges over takes more than a look at a variable,
// and can be kept in a variable of its own.
func (c *function) evaluates(s *ast.RangeStmt) bool {
	if c.total(s.X) {
		return false
	}
	switch t := core(c.p.typeOf(s.X)).(type) {
	case *types.Slice, *types.Pointer:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// loopOf returns the loop that a node is, or is the label of.
func loopOf(n ast.Node) ast.Stmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n
	case *ast.RangeStmt:
		return n
	case *ast.LabeledStmt:
		return loopOf(n.Stmt)
	}
	return nil
}

// spares reports whether a register is made free before a loop.
func (c *function) spares(loop ast.Stmt) bool { return counts(loop) && !c.p.Closure.Few(c.node, loop) }

// counts reports whether a loop can have a counter of its own: it is not one with nothing but a
// condition.
func counts(loop ast.Stmt) bool {
	f, ok := loop.(*ast.ForStmt)
	return !ok || f.Init != nil || f.Cond == nil
}

// holdsLoop reports whether a loop has others inside.
func holdsLoop(loop ast.Stmt) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok || n == loop {
			return !ok
		}
		if n != nil && loopOf(n) != nil {
			found = true
		}
		return !found
	})
	return found
}
