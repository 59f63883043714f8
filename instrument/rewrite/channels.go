package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// In a program with goroutines a channel operation is a resume point: a call of a
// function of the runtime that can leave it, and is called again to wait on.
//
//	out <- <-in + 1
//
// becomes
//
//	resume1:
//		if shadow.IsOff() { received1 = <-in } else { received1 = shadow.Receive(in) }
//		(the test after every resume point)
//		arg1 = received1 + 1
//	resume2:
//		if shadow.IsOff() { out <- arg1 } else { shadow.Send(out, arg1) }
//		(the test)
//
// Without checkpoints the operation itself stands there, in traces and profiles, too.
// Unlike those of other calls, the operands matter when the call is made again, and they
// must be the same then. So each is a constant, a variable of the function that nobody
// else can change, a field of an environment, or a temporary of the frame.
//
//	v, ok = <-ch           ... else { v, ok = shadow.Receive2(ch) }
//	for v := range ch      a loop with item1, open1 = ... shadow.Receive2(over1)

// sends writes a send statement.
func (c *function) sends(s *ast.SendStmt) {
	if !c.waits(s) {
		c.lower(s.Chan, s.Value)
		c.emit(s.Pos(), c.render(s))
		return
	}
	c.lowerAll([]ast.Expr{s.Chan, s.Value})
	c.sendPoint(s)
}

// sendPoint writes the send itself.
func (c *function) sendPoint(s *ast.SendStmt) {
	var keep []*variable
	ch := c.heldChannel(s.Chan, types.SendOnly, &keep)
	value := c.held(s.Value, blocking.Element(c.p.typeOf(s.Chan)), &keep)
	c.point(s, s.Pos(), oneLine(c.source(s.Pos(), s.End())), ch+" <- "+value, c.shadow()+".Send("+ch+", "+value+")", keep, nil)
}

// receives writes a receive operation whose operand has been lowered. It yields as many
// values as there are results.
func (c *function) receives(e *ast.UnaryExpr, results []*variable) {
	var keep []*variable
	ch := c.heldChannel(e.X, types.RecvOnly, &keep)
	c.receivePoint(e, oneLine(c.source(e.Pos(), e.End())), ch, keep, results)
}

// receivePoint writes the receive itself.
func (c *function) receivePoint(at ast.Node, what, ch string, keep, results []*variable) {
	if len(results) < 2 {
		c.point(at, at.Pos(), what, "<-"+ch, c.shadow()+".Receive("+ch+")", keep, results)
		return
	}
	var open *variable
	if r := results[1]; r != nil && !types.Identical(r.typ, types.Typ[types.Bool]) {
		open = c.temporary("open", types.Typ[types.Bool], at)
		results = []*variable{results[0], open}
		defer func() {
			c.use(open)
			c.emit(token.NoPos, r.name+" = "+r.text+"("+open.name+")").defines = []*variable{r}
		}()
	}
	c.point(at, at.Pos(), what, "<-"+ch, c.shadow()+".Receive2("+ch+")", keep, results)
}

// receiveValues makes temporaries of what e receives, which stand for it.
func (c *function) receiveValues(e *ast.UnaryExpr) {
	var results []*variable
	for _, t := range resultTypes(c.p.typeOf(e)) {
		results = append(results, c.temporary("received", t, e))
	}
	c.receives(e, results)
	c.substituteResults(e, results)
}

// heldChannel is held for the channel of an operation. Inference does not look into
// type parameters.
func (c *function) heldChannel(e ast.Expr, dir types.ChanDir, keep *[]*variable) string {
	return c.held(e, c.channelType(e, dir), keep)
}

func (c *function) channelType(e ast.Expr, dir types.ChanDir) types.Type {
	t := c.p.typeOf(e)
	if isTypeParam(t) {
		return types.NewChan(dir, blocking.Element(t))
	}
	return t
}

// held returns an expression of type t for the operand e of a resume point that is made
// again with the same operands. The variables that have its value are added to keep.
func (c *function) held(e ast.Expr, t types.Type, keep *[]*variable) string {
	tv := c.p.info.Types[e]
	if tv.IsNil() && !isTypeParam(t) {
		return "nil"
	}
	if tv.Value != nil && types.Identical(tv.Type, t) {
		text := c.render(e)
		c.takeUses()
		return text
	}
	if text, v := c.fixed(e); v != nil && types.Identical(v.typ, t) {
		c.keep(keep, v.carrier)
		return text
	}
	text := c.render(e)
	v := c.temporary("arg", t, e)
	c.emit(e.Pos(), v.name+" = "+text).defines = []*variable{v}
	c.keep(keep, v)
	return v.name
}

func (c *function) keep(list *[]*variable, v *variable) {
	if !slices.Contains(*list, v) {
		*list = append(*list, v)
	}
}

// fixed returns the variable that e denotes, and its text, if nobody but the function
// itself changes it: it is plain, or a copy in an environment.
func (c *function) fixed(e ast.Expr) (string, *variable) {
	if v := c.plainVariable(e); v != nil {
		return v.name, v
	}
	if _, ok := c.subst[e]; ok {
		return "", nil
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v := c.variables[c.p.info.Uses[id]]; v != nil && !v.cell && v.carrier == c.env && c.env != nil {
			return v.access, v
		}
	}
	return "", nil
}
