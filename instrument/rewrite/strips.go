package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// strips writes a counting loop that may be long, with a poll after each strip of so many trips,
// and reports whether it did: a poll in each iteration would cost more than the iteration, if that
// is short. done is behind the loop.
//
//		i = 0
//	loop1:
//		if !(i < n) { goto done1 }
//		stop1 = n
//		if uint64(stop1)-uint64(i) > 1<<20 { stop1 = i + 1<<20 }
//		for ; i < stop1; i++ { sum += list[i] }
//		(poll)
//		goto loop1
//	done1:
//
// Where the loop goes on with the limit, too, the last strip ends one further, which may be the
// first number of the type again:
//
//	if uint64(stop1)-uint64(i) > 1<<20 { stop1 = i + 1<<20 } else { stop1++ }
//	for ; i != stop1; i++ { sum += list[i] }
//
// What the compiler knew of the counter and of the limit it is told again before each strip
// (known.go), if something is indexed by the counter.
//
// The caller has made sure that the body changes neither the counter nor the limit.
func (c *function) strips(s ast.Stmt, done *label, trips string) bool {
	var counter *variable
	var key *variable // of a range clause
	var limit, op, step string
	var body *ast.BlockStmt
	var begin ast.Expr // of a for statement
	index := types.Object(nil)
	switch s := s.(type) {
	case *ast.ForStmt:
		init, cond := s.Init.(*ast.AssignStmt), s.Cond.(*ast.BinaryExpr)
		obj := c.p.info.Defs[init.Lhs[0].(*ast.Ident)]
		if !isWide(obj.Type()) {
			return false
		}
		c.statement(s.Init)
		counter, body, begin, index = c.variables[obj], s.Body, init.Rhs[0], obj
		limit, op, step = c.render(cond.Y), cond.Op.String(), s.Post.(*ast.IncDecStmt).Tok.String()
	case *ast.RangeStmt:
		t := c.p.typeOf(s.X)
		if given(s.Key) {
			obj := c.p.info.Defs[s.Key.(*ast.Ident)]
			if c.needsCell(obj) {
				return false
			}
			t = obj.Type()
		}
		if t = types.Default(t); !isWide(t) {
			return false
		}
		body = s.Body
		limit, op, step = c.render(s.X), "<", "++"
		c.takeUses()
		counter = c.counter(s, t)
		if given(s.Key) {
			index = c.p.info.Defs[s.Key.(*ast.Ident)]
			key = c.declare(index, s.Key)
		}
	}
	at := s.Pos()
	stop := c.temporary("stop", counter.typ, s)
	until, last := op, ""
	end := limit // where the compiler knows that the last strip ends
	if op, ok := inclusive(s); ok {
		until, last, end = "!=", " else { "+stop.name+step+" }", ""
		if v := c.p.info.Types[limitOf(s)].Value; v != nil && hasRoom(counter.typ, v, op) {
			until, end = op.String()[:1], "("+limit+")"+step[:1]+"1"
		}
	}
	from, to, sign := counter.name, stop.name, "+"
	if step == token.DEC.String() {
		from, to, sign = to, from, "-"
	}
	loop := c.newLabel("loop")
	c.place(loop)
	tells := isInt(counter.typ) && index != nil && c.indexes(body, index)
	if s, ok := s.(*ast.ForStmt); ok && tells {
		tells = c.near(begin) || c.stops(s, index, sign == "+")
	}
	if tells {
		c.tellBegin(loop, counter, begin, sign == "+")
		for _, k := range loop.bounds { // before each strip, not only the first
			c.use(k.uses...)
			c.emit(at, k.text)
		}
		loop.bounds = nil
	}
	c.render(limitOf(s))
	c.use(counter)
	c.emit(at, "if !("+counter.name+" "+op+" "+limit+") { "+c.jump(done)+" }")
	c.render(limitOf(s))
	c.emit(at, stop.name+" = "+limit).defines = []*variable{stop}
	c.use(counter, stop)
	c.emit(at, "if uint64("+to+")-uint64("+from+") > "+trips+" { "+stop.name+" = "+counter.name+" "+sign+" "+trips+" }"+last)

	if tells && end != "" {
		c.render(limitOf(s))
		c.use(stop)
		if sign == "+" {
			c.emit(at, c.atLeast(end, stop.name))
		} else {
			c.emit(at, c.atLeast(stop.name, end))
		}
	}

	c.flat[s] = &loopLabels{done: done}
	text := "/*line " + c.lineAt(body.Lbrace) + "*/" + c.render(body)
	c.use(counter, stop)
	if key != nil {
		text = "{ " + key.name + " = " + counter.name + "; " + text + "\n}"
		delete(c.used, key) // is set before it is read
	}
	c.emit(at, "{\n//line <ckpgen>:1:1\n"+c.shadow()+".Spare()\n//line "+c.lineAt(at)+"\nfor ; "+counter.name+" "+until+" "+stop.name+"; "+counter.name+step+
		" "+text+"\n}")
	c.poll(s)
	c.emitGoto(loop)
	c.place(done)
	return true
}

// limitOf returns the expression that a counting loop counts to.
func limitOf(s ast.Stmt) ast.Expr {
	switch s := s.(type) {
	case *ast.ForStmt:
		return s.Cond.(*ast.BinaryExpr).Y
	case *ast.RangeStmt:
		return s.X
	}
	return nil
}

// isWide reports whether t is an integer type that a strip can be counted in.
func isWide(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int, types.Int32, types.Int64, types.Uint, types.Uint32, types.Uint64, types.Uintptr:
		return true
	}
	return false
}
