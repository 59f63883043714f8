package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
)

// The compiler tests no index of which it knows that it is in range. What it knows of a loop's
// variables it has from where these begin:
//
//	n := len(s)
//	for i := 0; i < n; i++ { sum += s[i] }
//
// Where the copies of a loop come back to the first one (again.go), each variable has other values,
// too, of which the compiler knows nothing: they may come from a frame. It would test each index
// from then on. So it is told there, once, what is always true:
//
//	loop1_home:
//		shadow.AtLeast(i, 0)
//		n = len(s)
//
// That is so of the counter of a loop, which nothing but the loop counts, and begins with a number,
// or with something that does not change, if it counts down, and does not come to the end of the
// range of its type and go on at the other end; of a variable that is declared as the length of
// another one, or a number more or less, if neither is assigned; and of one that is made with a
// length that is such a variable.

// A bound is something that is true before each iteration of a loop: the text says so to the
// compiler.
type bound struct {
	text string
	uses []*variable
}

// A length is what a variable is declared as, which is the length of another one, or a number more
// or less, or what it is made with.
type length struct {
	value ast.Expr
	made  bool
}

// defineLength notes the length that a variable is declared as, or with.
func (f *facts) defineLength(v *types.Var, value ast.Expr) {
	of := ast.Unparen(value)
	for {
		b, ok := of.(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD && b.Op != token.SUB || f.info.Types[b.Y].Value == nil {
			break
		}
		of = ast.Unparen(b.X)
	}
	call, ok := of.(*ast.CallExpr)
	if !ok || !f.info.Types[call.Fun].IsBuiltin() {
		return
	}
	switch name := builtinName(call.Fun); {
	case name == "len" && isInt(v.Type()):
		f.lengths[v] = length{value: value}
	case name == "make" && len(call.Args) > 1 && hasIndex(v.Type()):
		f.lengths[v], of = length{call.Args[1], true}, call.Args[1]
	default:
		return
	}
	ast.Inspect(of, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			f.measured[f.info.Uses[id]] = true
		}
		return true
	})
}

// isInt reports whether a type is int itself: a counter of that type comes to no end of its range
// on a machine of 64 bits.
func isInt(t types.Type) bool { return types.Identical(t, types.Typ[types.Int]) }

// hasIndex reports whether values of the type are slices or strings.
func hasIndex(t types.Type) bool {
	switch u := core(t).(type) {
	case *types.Slice:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0
	}
	return false
}

// isConstant reports whether a variable has the value that it is declared with for as long as it is
// there.
func (f *facts) isConstant(v types.Object) bool {
	return !f.assigned[v] && !f.addressed[v] && !f.lent[v]
}

// tells reports whether a variable may be one that the compiler is told of, which then is not used
// again for another one.
func (f *facts) tells(v types.Object) bool {
	_, ok := f.lengths[v]
	return (ok || f.measured[v]) && f.isConstant(v)
}

// begins notes at the label of a loop what is known of its counters.
func (c *function) begins(loop *label, s *ast.ForStmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != len(init.Rhs) {
		return
	}
	for i, l := range init.Lhs {
		obj := c.p.info.Defs[l.(*ast.Ident)]
		if obj == nil || !isInt(obj.Type()) {
			continue
		}
		v := c.variables[obj]
		if v == nil || !v.plain() || c.p.facts.addressed[obj] || c.p.facts.lent[obj] || !c.indexes(s, obj) {
			continue
		}
		if up, counts := c.steps(s, obj); counts && (c.near(init.Rhs[i]) || c.stops(s, obj, up)) {
			c.tellBegin(loop, v, init.Rhs[i], up)
		}
	}
}

// tellBegin notes at the label of a loop that its counter is never below where it begins, nor above
// that if it counts down; at 0 if begin is nil.
func (c *function) tellBegin(loop *label, counter *variable, begin ast.Expr, up bool) {
	text, uses, ok := "0", []*variable(nil), true
	if begin != nil {
		text, uses, ok = c.settled(begin)
	}
	switch uses = append(uses, counter); {
	case !ok:
	case up:
		loop.bounds = append(loop.bounds, bound{c.atLeast(counter.name, text), uses})
	default:
		loop.bounds = append(loop.bounds, bound{c.atLeast(text, counter.name), uses})
	}
}

// atLeast returns the statement that tells the compiler that one number is never below another one.
func (c *function) atLeast(number, least string) string {
	return fmt.Sprintf("%s.AtLeast(%s, %s)", c.shadow(), number, least)
}

// counts notes at the label of a loop over something that its counter is never below 0, if
// something is indexed by that.
func (c *function) counts(loop *label, s *ast.RangeStmt, index *variable, itself bool) {
	key, _ := s.Key.(*ast.Ident)
	if isInt(index.typ) && index.plain() && (itself || key != nil && c.indexes(s.Body, c.p.info.ObjectOf(key))) {
		c.tellBegin(loop, index, nil, true)
	}
}

// indexes reports whether something is indexed in n by an expression with a variable.
func (c *function) indexes(n ast.Node, obj types.Object) (found bool) {
	by := func(e ast.Expr) {
		if e == nil || found {
			return
		}
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && c.p.info.Uses[id] == obj
			return !found
		})
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			by(n.Index)
		case *ast.SliceExpr:
			by(n.Low)
			by(n.High)
			by(n.Max)
		}
		return !found
	})
	return found
}

// mostSteps is how far a counter goes at a time at most: it could be counted for years before it
// came to the end of its range.
const mostSteps = 1 << 10

// steps reports whether a loop counts a variable up, or down; it is not ok if something else
// assigns it.
func (c *function) steps(s *ast.ForStmt, obj types.Object) (up, ok bool) {
	switch post := s.Post.(type) {
	case *ast.IncDecStmt:
		up, ok = post.Tok == token.INC, c.isVariable(post.X, obj)
	case *ast.AssignStmt:
		if len(post.Lhs) != 1 || post.Tok != token.ADD_ASSIGN && post.Tok != token.SUB_ASSIGN || !c.isVariable(post.Lhs[0], obj) {
			return false, false
		}
		step := c.p.info.Types[post.Rhs[0]].Value
		if step == nil {
			return false, false
		}
		n, exact := constant.Int64Val(constant.ToInt(step))
		up, ok = post.Tok == token.ADD_ASSIGN, exact && 0 < n && n <= mostSteps
	}
	return up, ok && !c.assignsIn(s.Body, obj) && (s.Cond == nil || !c.assignsIn(s.Cond, obj))
}

// near reports whether the value of an expression, of type int, is far from both ends of its range:
// a small constant, or a length, or one of these plus or minus another.
func (c *function) near(e ast.Expr) bool {
	if v := c.p.info.Types[e].Value; v != nil {
		n, exact := constant.Int64Val(constant.ToInt(v))
		return exact && -math.MaxInt32 <= n && n <= math.MaxInt32
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := c.p.info.Uses[e]
		l, ok := c.p.facts.lengths[obj]
		return ok && !l.made && c.p.facts.isConstant(obj) && c.near(l.value)
	case *ast.CallExpr:
		return c.p.info.Types[e.Fun].IsBuiltin() && builtinName(e.Fun) == "len"
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB) && c.near(e.X) && c.near(e.Y)
	}
	return false
}

// stops reports whether a loop that counts a variable up, or down, ends before that comes to the
// end of its range, wherever it began. One that has no such condition goes on at the other end of
// the range, as it may where it begins with a hash.
func (c *function) stops(s *ast.ForStmt, obj types.Object, up bool) bool {
	_, single := s.Post.(*ast.IncDecStmt)
	var stops func(cond ast.Expr) bool
	stops = func(cond ast.Expr) bool {
		b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
		if !ok {
			return false
		}
		op, limit := b.Op, b.Y
		if op == token.LAND {
			return stops(b.X) || stops(b.Y)
		}
		if c.isVariable(b.Y, obj) {
			op, limit = turnedRound[op], b.X
		} else if !c.isVariable(b.X, obj) {
			return false
		}
		switch op {
		case token.LSS, token.LEQ:
			ok = up
		case token.GTR, token.GEQ:
			ok = !up
		default:
			ok = false
		}
		return ok && (single && (op == token.LSS || op == token.GTR) || c.near(limit))
	}
	return s.Cond != nil && stops(s.Cond)
}

// turnedRound has the comparison that says the same of its operands in the other order.
var turnedRound = map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}

func (c *function) isVariable(e ast.Expr, obj types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && c.p.info.Uses[id] == obj
}

// settled returns the text of an expression that has the same value for as long as its variables
// are there, and these: a variable, or a length, plus or minus a number, or that number alone.
func (c *function) settled(e ast.Expr) (text string, uses []*variable, ok bool) {
	if v := c.p.info.Types[e].Value; v != nil {
		n, exact := constant.Int64Val(constant.ToInt(v))
		return fmt.Sprint(n), nil, exact && -mostSteps <= n && n <= math.MaxInt32
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := c.p.info.Uses[e]
		if v := c.variables[obj]; v != nil && v.plain() && v.typ != nil && isInt(v.typ) && c.p.facts.isConstant(obj) {
			return v.name, []*variable{v}, true
		}
	case *ast.CallExpr:
		if text, v := c.settledLength(e); v != nil {
			return text, []*variable{v}, true
		}
	case *ast.BinaryExpr:
		if e.Op != token.ADD && e.Op != token.SUB || c.p.info.Types[e.Y].Value == nil {
			break
		}
		x, uses, ok := c.settled(e.X)
		y, _, exact := c.settled(e.Y)
		return x + e.Op.String() + "(" + y + ")", uses, ok && exact
	}
	return "", nil, false
}

// settledLength returns the text of an expression that is the length of a variable which has one
// value, and that; nothing if it is another one.
func (c *function) settledLength(e ast.Expr) (text string, of *variable) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !c.p.info.Types[call.Fun].IsBuiltin() || builtinName(call.Fun) != "len" {
		return "", nil
	}
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok {
		return "", nil
	}
	obj := c.p.info.Uses[id]
	v := c.variables[obj]
	if v == nil || !v.plain() || v.typ == nil || !hasIndex(v.typ) || !c.p.facts.isConstant(obj) {
		return "", nil
	}
	return "len(" + v.name + ")", v
}

// known returns what the compiler is told where the first copy of a loop is entered.
func (a *again) known(home int) string {
	if a.c.code[home].label == nil {
		return "" // in the midst of an iteration
	}
	list := slices.Clone(a.c.bounds)
	for i := home; i >= 0 && a.c.code[i].label != nil; i-- {
		list = append(list, a.c.code[i].label.bounds...)
	}
	var b strings.Builder
	for _, k := range list {
		alive := true
		for _, v := range k.uses {
			alive = alive && (v.fixed != "" || v.isIn(a.alive[home]))
		}
		if alive {
			b.WriteString(k.text + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "//line <ckpgen>:1:1\n" + b.String()
}

// measure notes what is known of the length that a variable is, or has.
func (c *function) measure(v *variable, obj types.Object) {
	l, ok := c.p.facts.lengths[obj]
	if !ok || !v.plain() || v.fixed != "" || !c.p.facts.isConstant(obj) {
		return
	}
	value, uses, ok := c.settled(l.value)
	if !ok {
		return
	}
	text := fmt.Sprintf("%s = %s", v.name, value)
	if l.made {
		text = fmt.Sprintf("%s.Same(len(%s), %s)", c.shadow(), v.name, value)
	}
	c.bounds = append(c.bounds, bound{text, append(uses, v)})
}
