package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// poll writes a poll, at the back edge of a loop or on entry of a function:
//
//		if shadow.Quiet() { goto polled1 }
//	resume1:
//		shadow.Poll()
//		(the test after every resume point)
//	polled1:
func (c *function) poll(at ast.Node) { c.wanted(at, "poll", "Poll") }

// wanted writes a call of a checkpoint function of package shadow for when a checkpoint is wanted.
func (c *function) wanted(at ast.Node, what, call string) {
	shadow := c.shadow()
	done := c.newLabel("polled")
	guard := c.emit(token.NoPos, "if "+shadow+".Quiet() { "+c.jump(done)+" }")
	p := &resumePoint{
		poll:   true,
		number: len(c.points) + 1,
		line:   c.p.fset.PositionFor(at.Pos(), false),
		text:   what,
		label:  c.numbered("resume"),
	}
	c.points = append(c.points, p)
	c.code = append(c.code, &instruction{text: shadow + "." + call + "()", falls: true, resume: p})
	c.place(done)
	guard.polls, c.code[len(c.code)-1].polls = p, p
}

// stripTrips is the number of iterations that a loop may make without a poll: milliseconds.
// outerTrips is that of one with brief loops in it (package closure, briefBound).
const (
	stripTrips = "1<<20"
	outerTrips = "1<<16"
)

// shortTrips is the number that one may have in all and no poll at all. The loop around it polls,
// or around the call of a function with it (package closure, mayBeShort).
const shortTrips = 1 << 12

// unpolled writes a counting loop a second time, as the user wrote it, for
// when it is short, and the jump around it. The loop with polls, which loses the
// compiler's optimisations for loops, follows; it ends at done. Nothing is written if
// the number of iterations can't be told before. One with brief loops in it is not written a second
// time.
//
//		if !(uint64(n)-uint64(0) < 4096 || n <= 0) { goto long1 }
//		for i := 0; i < n; i++ { sum += list[i] }
//		goto done1
//	long1:
func (c *function) unpolled(s ast.Stmt, done *label) bool {
	if c.p.Closure.Slow(s) {
		return false
	}
	short, ok := c.shortCondition(s)
	if !ok {
		return false
	}
	if holdsLoop(s) {
		return c.strips(s, done, outerTrips)
	}
	long := c.newLabel("long")
	c.emit(s.Pos(), "if !("+short+") { "+c.jump(long)+" }")
	c.plainLoop(s, s)
	c.emitGoto(done)
	c.place(long)
	return c.strips(s, done, stripTrips)
}

// shortCondition returns the text of the condition that a loop is short.
func (c *function) shortCondition(s ast.Stmt) (string, bool) {
	var body *ast.BlockStmt
	var from, to ast.Expr
	var counter types.Object
	down := false
	switch s := s.(type) {
	case *ast.ForStmt:
		body = s.Body
		init, ok1 := s.Init.(*ast.AssignStmt)
		cond, ok2 := s.Cond.(*ast.BinaryExpr)
		post, ok3 := s.Post.(*ast.IncDecStmt)
		if !ok1 || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
			return "", false
		}
		id := init.Lhs[0].(*ast.Ident)
		counter = c.p.info.Defs[id]
		x, ok4 := ast.Unparen(cond.X).(*ast.Ident)
		p, ok5 := post.X.(*ast.Ident)
		if counter == nil || !ok4 || !ok5 || c.p.info.Uses[x] != counter || c.p.info.Uses[p] != counter {
			return "", false
		}
		from, to = init.Rhs[0], cond.Y
		switch {
		case post.Tok == token.INC && (cond.Op == token.LSS || cond.Op == token.LEQ):
		case post.Tok == token.DEC && (cond.Op == token.GTR || cond.Op == token.GEQ):
			down = true
		default:
			return "", false
		}
	case *ast.RangeStmt:
		body = s.Body
		if s.Tok == token.ASSIGN {
			return "", false
		}
		to = s.X
	}
	if !isInteger(c.p.typeOf(to)) || !c.total(to) || from != nil && !c.total(from) || !c.straight(body) || !c.invariant(to, body, counter) {
		return "", false
	}
	high, low := c.render(to), "0"
	if from != nil {
		low = c.render(from)
	}
	top, fixedTop := c.integer(to)
	bottom, fixedBottom := c.integer(from)
	if down {
		high, low, top, bottom, fixedTop, fixedBottom = low, high, bottom, top, fixedBottom, fixedTop
	}
	reached := "" // where the loop goes on with the last number of its type, and so for ever
	if op, ok := inclusive(s); ok {
		switch t := c.p.typeOf(to); {
		case c.p.info.Types[to].Value == nil:
			step := map[token.Token]string{token.LEQ: "+1 > ", token.GEQ: "-1 < "}[op]
			reached = " && (" + c.render(to) + ")" + step + "(" + c.render(to) + ")"
		case !hasRoom(t, c.p.info.Types[to].Value, op):
			return "", false
		}
	}
	distance := "uint64(" + high + ")-uint64(" + low + ")"
	switch { // the compiler complains of constants below zero
	case fixedTop && fixedBottom:
		if top < bottom || uint64(top)-uint64(bottom) < shortTrips {
			return "0 == 0", true
		}
		return "0 != 0", true
	case fixedTop && top < 0:
		distance = fmt.Sprintf("%d-uint64(%s)", uint64(top), low)
	case fixedBottom && bottom < 0:
		distance = fmt.Sprintf("uint64(%s)-%d", high, uint64(bottom))
	}
	return fmt.Sprintf("%s < %d%s || (%s) < (%s)", distance, shortTrips, reached, high, low), true
}

// inclusive returns the comparison of a counting loop that goes on with its limit, too.
func inclusive(s ast.Stmt) (op token.Token, ok bool) {
	if s, is := s.(*ast.ForStmt); is {
		op = s.Cond.(*ast.BinaryExpr).Op
	}
	return op, op == token.LEQ || op == token.GEQ
}

// hasRoom reports whether there is another number of an integer type beyond a limit, on all
// machines.
func hasRoom(t types.Type, limit constant.Value, op token.Token) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	one := constant.MakeInt64(1)
	for _, machine := range []string{"386", "amd64"} {
		bits := uint(types.SizesFor("gc", machine).Sizeof(b) * 8)
		first, last := constant.MakeInt64(0), constant.BinaryOp(constant.Shift(one, token.SHL, bits), token.SUB, one)
		if b.Info()&types.IsUnsigned == 0 {
			half := constant.Shift(one, token.SHL, bits-1)
			first, last = constant.UnaryOp(token.SUB, half, 0), constant.BinaryOp(half, token.SUB, one)
		}
		if op == token.GEQ {
			last = first
		}
		if constant.Compare(limit, token.EQL, last) {
			return false
		}
	}
	return true
}

// integer returns the value of a constant; 0 if there is no expression.
func (c *function) integer(e ast.Expr) (int64, bool) {
	if e == nil {
		return 0, true
	}
	v := c.p.info.Types[e].Value
	if v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}

// straight reports whether a body has neither loops with resume points nor anything that is written
// anew, nor jumps by labels.
func (c *function) straight(body *ast.BlockStmt) bool {
	ok := !holdsLoop(body) || !c.reaches(body)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.LabeledStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt:
			ok = false
		case *ast.BranchStmt:
			if n.Label != nil {
				ok = false
			}
		case *ast.CallExpr:
			if c.isResume(n) {
				ok = false
			}
		case *ast.SendStmt, *ast.UnaryExpr:
			if c.waits(n) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// invariant reports whether the body of a loop can't change the value of e, nor its
// own counter.
func (c *function) invariant(e ast.Expr, body *ast.BlockStmt, counter types.Object) bool {
	fixed := map[types.Object]bool{}
	if counter != nil {
		fixed[counter] = true
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			if v, is := c.p.info.Uses[id].(*types.Var); is {
				fixed[v] = true
			}
		}
		return true
	})
	for v := range fixed {
		switch core(v.Type()).(type) {
		case *types.Map, *types.Chan:
			ok = false // the length of which is changed by other things than assignments
		}
		if v.Parent() == v.Pkg().Scope() || c.p.facts.addressed[v] || c.p.facts.lent[v] || c.p.facts.captured[v] {
			ok = false // others can change it
		}
		ok = ok && !c.assignsIn(body, v)
	}
	return ok
}
