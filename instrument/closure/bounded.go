package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
)

// A loop ends soon, without a poll, if the number of its iterations is at most the size of
// something in memory, and the loops inside add little to that (nested.go). A range loop tells that
// by what it ranges over. A for statement does if it has one of these forms, in which E is a
// length: len, cap, a small constant, a variable that is assigned nothing but lengths, a method
// that only returns a length, and sums, differences, min and max of those:
//
//	for ...; i < E; i++                 counts to a length, here or by a positive number (stepping.go, ends.go)
//	for i < E && ... { ...; i++ }       in its body; if E is a constant, the loop says where i begins
//	for i := E; i >= 0; i--             counts down from one; if i has no other values, it may have it before the loop
//	for ...; n > 0; n /= 10             divides: as many iterations as n has bits
//	for b != 0 { a, b = b, a%b }        takes remainders: see remainders.go
//	for b != 0 { ...; b &= b - 1 }      clears one bit after the other: see clearing.go
//	for { c := 2*i + 1; ...; i = c }    doubles: see doubling.go
//	for i < j { h := (i + j) / 2 ... }  searches in what is ordered: see bisection.go
//	for p := list; p != nil; p = p.next walks a list, or around one that is a ring, and does not make it longer: see walks.go, lengthened.go
//	for p != nil { p = p.left or p.right } goes down a tree, and is no machine with states: see turning.go
//	for i := first; i >= 0; i = next[i] does, too: see chains.go
//	for ...; s[i] ...; i++              reads or sets an element in each iteration, here or in its body: see elements.go
//	for len(s) > 0 { ...; s = s[1:] }   takes elements from a slice or string
//	for p.i < len(p.s) { ...; p.i++ }   does any of this with fields: see fields.go
//
// Instead of the condition there can be a statement as if i >= E { break } in the body: see
// iteration.go. What is done in each iteration stands on every way through the body.
//
// Neither kind calls anything but functions that are rewritten and do not loop without a poll
// themselves (nests.go), or quick ones, unless it is left then. Nothing else may assign the
// variable that counts. A length that grows in the loop is still the size of something. A list that
// is closed to a ring is walked for ever; the functions that are called on the way poll then, or
// they don't matter.

// smallBound is the largest constant that counts as a length, and minus that the smallest.
const smallBound = 1 << 16

// A counted is a loop, the function that it, or a literal with it, is in, and what is known of
// their types.
type counted struct {
	g    *graph
	info *types.Info
	fn   ast.Node
	loop *ast.ForStmt // nil: a range loop
	// polls reports whether a loop inside polls; nil: that is not known.
	polls func(loop ast.Stmt) bool
}

// counted returns what is asked of a loop at a position in the function fn, or in a literal of it.
func (c *Closure) counted(fn ast.Node, at token.Pos, loop *ast.ForStmt) counted {
	return counted{c.graph, c.graph.infoAt(at), fn, loop, func(inner ast.Stmt) bool { return c.loopPolls(fn, inner) }}
}

// endsSoon reports whether a for statement of the function fn, or of a literal in it, ends soon.
func (c *Closure) endsSoon(fn ast.Node, loop *ast.ForStmt) bool {
	l := c.counted(fn, loop.For, loop)
	if l.info == nil || l.callsOut(loop) {
		return false
	}
	for _, cond := range l.conditions() {
		if e, ok := cond.(*ast.BinaryExpr); ok && (l.counts(e) || l.divides(e) || l.walks(e) || l.bisects(e) || l.followsIndices(e) || l.doubles(e)) && l.addLittle(loop.Body, l.upCounter(e)) {
			return true
		}
	}
	return l.readsElements()
}

// quick are packages of the standard library whose functions take no longer than what they are
// given justifies.
var quick = map[string]bool{
	"bytes": true, "cmp": true, "errors": true, "math": true, "math/bits": true, "math/cmplx": true, "slices": true, "sort": true, "strconv": true, "strings": true,
	"sync": true, "sync/atomic": true, "unicode": true, "unicode/utf16": true, "unicode/utf8": true, "unsafe": true,
}

// isQuick reports whether a function is in such a package, or makes a number of bytes or at random.
func isQuick(f *types.Func) bool {
	switch f.Pkg().Path() {
	case "encoding/binary":
		switch f.Name() {
		case "Uvarint", "PutUvarint", "AppendUvarint", "Varint", "PutVarint", "AppendVarint":
			return true
		}
		return receiver(f) != types.Typ[types.Invalid] // of the orders of bytes
	case "math/rand", "math/rand/v2":
		switch f.Name() {
		case "Perm", "Shuffle", "Read", "Seed":
			return false
		}
		return true
	}
	return quick[f.Pkg().Path()]
}

// callsOut reports whether a loop calls what is not rewritten and may take long, or what is not
// known. A rewritten function polls itself if it takes long. What the loop calls on a way out of
// it, such as what makes an error that is returned, it calls once.
func (l counted) callsOut(loop ast.Stmt) bool {
	out := false
	literals := 0 // that the walk is in: their return statements do not leave the loop
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literals++
			ast.Inspect(n.Body, visit)
			literals--
			return false
		case *ast.ReturnStmt:
			return literals > 0
		case *ast.BlockStmt:
			return literals > 0 || !l.leaves(n.List)
		case *ast.CaseClause:
			if literals == 0 && l.leaves(n.Body) {
				for _, e := range n.List {
					ast.Inspect(e, visit)
				}
				return false
			}
		case *ast.CallExpr:
			out = out || l.takesLong(n)
		}
		return !out
	}
	ast.Inspect(loop, visit)
	return out
}

// leaves reports whether a list of statements in a loop ends with a return statement, and nothing
// in it goes elsewhere.
func (l counted) leaves(list []ast.Stmt) bool {
	return len(list) > 0 && isReturn(list[len(list)-1]) && l.staysInside(list)
}

// leavesByJump reports the same of a goto statement that leads out of the loop.
func (l counted) leavesByJump(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	last, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok && l.jumpsOut(last) && l.staysInside(list[:len(list)-1])
}

func isReturn(s ast.Stmt) bool {
	_, ok := s.(*ast.ReturnStmt)
	return ok
}

// jumpsOut reports whether a statement is a goto to a label outside of the loop.
func (l counted) jumpsOut(s *ast.BranchStmt) bool {
	if s.Tok != token.GOTO {
		return false
	}
	to := l.info.Uses[s.Label]
	return to != nil && (to.Pos() < l.loop.Body.Pos() || l.loop.Body.End() <= to.Pos())
}

// staysInside reports whether nothing in a list of statements goes elsewhere.
func (l counted) staysInside(list []ast.Stmt) bool {
	stays := true
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BranchStmt:
				stays = stays && n.Tok == token.BREAK && n.Label == nil
			case *ast.LabeledStmt:
				stays = false // a goto may come back
			}
			return stays
		})
	}
	return stays
}

// takesLong reports whether a call calls what is not rewritten and may take long, or what is not
// known.
func (l counted) takesLong(call *ast.CallExpr) bool {
	if l.isQuick(call) {
		return false
	}
	f := l.calledByName(call)
	if f == nil {
		return !l.g.callsHome(call.Lparen)
	}
	if l.g.user[f.Pkg().Path()] && !l.g.byCgo[l.g.fset.File(f.Pos())] {
		return false
	}
	return !l.formats(f, call)
}

// isQuick reports whether a call is a conversion, or calls a builtin function or one that takes no
// longer than what it is given justifies.
func (l counted) isQuick(call *ast.CallExpr) bool {
	if tv := l.info.Types[ast.Unparen(call.Fun)]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	f := l.calledByName(call)
	return f != nil && isQuick(f)
}

// calledByName returns the function or method of a package that is called, nil if it is not known
// which.
func (l counted) calledByName(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X // an instance
	}
	f := l.callee(fun)
	if f == nil || f.Pkg() == nil || types.IsInterface(receiver(f)) {
		return nil
	}
	return f
}

// formats reports whether a call makes a string of others and numbers by package fmt, without a
// method of the program.
func (l counted) formats(f *types.Func, call *ast.CallExpr) bool {
	if f.Pkg().Path() != "fmt" || call.Ellipsis.IsValid() {
		return false
	}
	switch f.Name() {
	case "Sprint", "Sprintf", "Sprintln", "Errorf":
	default:
		return false
	}
	for _, a := range call.Args {
		if _, ok := types.Unalias(l.info.TypeOf(a)).(*types.Basic); !ok {
			return false
		}
	}
	return true
}

// callsHome reports whether a call of a func value, or of an interface's method, in rewritten code
// calls nothing but functions that are rewritten or quick.
func (g *graph) callsHome(at token.Pos) bool {
	if g.abroad == nil {
		g.abroad = make(map[token.Pos]bool)
		for fn, n := range g.nodes {
			if g.kind(fn) != user {
				continue
			}
			for _, e := range n.Out {
				if e.Site == nil || e.Site.Common().StaticCallee() != nil {
					continue
				}
				if pos := sitePos(e); pos.IsValid() && !g.isHome(e.Callee, 0) {
					g.abroad[pos] = true
				}
			}
		}
	}
	return !g.abroad[at]
}

// isHome reports whether a function is rewritten or quick, or a wrapper of such.
func (g *graph) isHome(n *callgraph.Node, depth int) bool {
	switch g.kind(n.Func) {
	case point:
		return true
	case synthetic:
		return depth < 10 && !slices.ContainsFunc(n.Out, func(e *callgraph.Edge) bool { return !g.isHome(e.Callee, depth+1) })
	}
	path := packagePath(n.Func)
	return g.user[path] || quick[path]
}

// receiver returns the type of the receiver of a method, and of a function that of nothing.
func receiver(f *types.Func) types.Type {
	if r := f.Signature().Recv(); r != nil {
		return r.Type()
	}
	return types.Typ[types.Invalid]
}

// conjuncts returns the parts of a condition that must all hold; none if there is no condition.
func conjuncts(e ast.Expr) []ast.Expr {
	if e == nil {
		return nil
	}
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{e}
}

// counts reports whether the condition compares a counter with a length, or, if it counts
// down, with a constant.
func (l counted) counts(cond *ast.BinaryExpr) bool {
	x, y, op := cond.X, cond.Y, cond.Op
	switch op {
	case token.GTR, token.GEQ: // E > i is i < E
		if l.countsUp(y, mirrored[op], x) {
			return true
		}
		v := l.variable(x)
		return v != nil && (l.small(y) || op == token.GTR && isUnsigned(v.Type())) && l.only(v, l.lowers(op, y)) && (l.from(v) || l.begins(v))
	case token.LSS, token.LEQ:
		return l.countsUp(x, op, y)
	}
	return false
}

// mirrored are comparisons with the operands exchanged.
var mirrored = map[token.Token]token.Token{token.GTR: token.LSS, token.GEQ: token.LEQ}

// countsUp reports whether x is a counter that goes up to a length. What is compared with a
// constant may begin far below it; what is compared with the size of something is an index or a
// number of things, which do not.
func (l counted) countsUp(x ast.Expr, op token.Token, length ast.Expr) bool {
	v := l.variable(x)
	return v != nil && l.only(v, l.ascends(op, length)) && l.length(length, 0) && (l.constant(length) == nil && !l.beginsFar(v) || l.from(v))
}

// beginsFar reports whether a variable is set to a constant that is far below zero.
func (l counted) beginsFar(v *types.Var) bool {
	return slices.ContainsFunc(l.history(v).settings, func(s setting) bool {
		if s.value == nil {
			return false
		}
		n := l.constant(s.value)
		return n != nil && constant.Compare(n, token.LSS, constant.MakeInt64(-smallBound))
	})
}

// from reports whether the loop begins with the variable at a length.
func (l counted) from(v *types.Var) bool {
	init, ok := l.loop.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != len(init.Rhs) {
		return false
	}
	for i, e := range init.Lhs {
		if l.variable(e) == v {
			return l.length(init.Rhs[i], 0)
		}
	}
	return false
}

// begins reports whether a variable of the function has nothing but lengths and what was taken from
// them.
func (l counted) begins(v *types.Var) bool {
	return l.assignedOnly(v, 0, func(s ast.Stmt) bool { return l.decrements(v, s) })
}

// isShort reports whether a type has only values that count as lengths.
func isShort(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int8, types.Uint8, types.Int16, types.Uint16:
		return true
	}
	return false
}

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

func isUnsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// divides reports whether the condition compares a variable with a constant that is divided in each
// iteration.
func (l counted) divides(cond *ast.BinaryExpr) bool {
	v, bound := l.variable(cond.X), l.constant(cond.Y)
	if v == nil || bound == nil || isFloat(v.Type()) { // there are such that are no less when they are divided
		return false
	}
	switch cond.Op {
	case token.GTR, token.NEQ:
		return constant.Sign(bound) >= 0 && (cond.Op == token.GTR || constant.Sign(bound) == 0) && l.only(v, l.halves)
	case token.GEQ:
		return constant.Sign(bound) > 0 && l.only(v, l.halves)
	}
	return false
}

// only reports whether each iteration assigns the variable as step says, and nothing
// assigns it otherwise.
func (l counted) only(v *types.Var, step func(*types.Var, ast.Stmt) bool) bool {
	steps := func(s ast.Stmt) bool { return step(v, s) }
	return (l.loop.Post != nil && steps(l.loop.Post) || l.onEveryPath(steps)) && l.nothingElse(v, steps)
}

// nothingElse reports whether nothing in the loop, nor what that calls, assigns the variable but
// certain statements, or on a way out of the loop. One that is declared in its body begins anew in
// each iteration.
func (l counted) nothingElse(v *types.Var, steps func(ast.Stmt) bool) bool {
	ok := !within(v, l.loop.Body) && !l.assignedByOthers(v) && (!v.IsField() || l.keepsField(v))
	ast.Inspect(l.loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return ok && !l.leavesByJump(n.List)
		case *ast.CaseClause:
			return ok && !l.leavesByJump(n.Body)
		case *ast.BranchStmt:
			if n.Tok == token.GOTO && !l.jumpsOut(n) {
				ok = false
			}
		case *ast.FuncLit:
			if l.mentions(n, v) {
				ok = false
			}
		case ast.Stmt:
			if n != l.loop.Init && l.assigns(n, v) && !steps(n) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// assigns reports whether a statement itself assigns the variable.
func (l counted) assigns(s ast.Stmt, v *types.Var) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			if l.variable(e) == v {
				return true
			}
		}
	case *ast.IncDecStmt:
		return l.variable(s.X) == v
	case *ast.RangeStmt:
		return s.Key != nil && l.variable(s.Key) == v || s.Value != nil && l.variable(s.Value) == v
	}
	return false
}

// mentions reports whether a node refers to the variable.
func (l counted) mentions(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && l.info.ObjectOf(id) == v {
			found = true
		}
		return !found
	})
	return found
}

// halves reports whether a statement divides the variable by two or more, or takes about half of
// it, now or in the next iteration.
func (l counted) halves(v *types.Var, s ast.Stmt) bool {
	if l.remainder(v, s) {
		return true
	}
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || l.variable(a.Lhs[0]) != v {
		return false
	}
	if l.takesHalf(v, a) || l.clears(v, a) {
		return true
	}
	op, by := a.Tok, a.Rhs[0]
	if e, ok := ast.Unparen(by).(*ast.BinaryExpr); ok && op == token.ASSIGN && l.variable(l.apart(e.X, token.SUB)) == v {
		switch e.Op {
		case token.QUO:
			op, by = token.QUO_ASSIGN, e.Y
		case token.SHR:
			op, by = token.SHR_ASSIGN, e.Y
		}
	}
	n := l.constant(by)
	if n == nil {
		return false
	}
	switch op {
	case token.QUO_ASSIGN:
		return constant.Compare(n, token.GEQ, constant.MakeInt64(2))
	case token.SHR_ASSIGN:
		return constant.Sign(n) > 0
	}
	return false
}

// variable returns the local variable that an expression names, or, of a loop, the field of what
// one is or points to (fields.go), without the parentheses.
func (l counted) variable(e ast.Expr) *types.Var {
	if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && l.loop != nil {
		return l.field(s)
	}
	return l.ownVariable(e)
}

// ownVariable returns the local variable that an expression names.
func (l counted) ownVariable(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := l.info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	return v
}

// constant returns the value of an integer constant, or nil.
func (l counted) constant(e ast.Expr) constant.Value {
	v := l.info.Types[e].Value
	if v == nil {
		return nil
	}
	if v = constant.ToInt(v); v.Kind() != constant.Int {
		return nil
	}
	return v
}

// small reports whether an expression is an integer constant that counts as a length.
func (l counted) small(e ast.Expr) bool {
	n := l.constant(e)
	return n != nil && constant.Compare(n, token.LEQ, constant.MakeInt64(smallBound)) && constant.Compare(n, token.GEQ, constant.MakeInt64(-smallBound))
}

// apart returns an expression without the small constant that is added to it, or taken from it.
func (l counted) apart(e ast.Expr, ops ...token.Token) ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && slices.Contains(ops, b.Op) {
		switch {
		case l.small(b.Y):
			return ast.Unparen(b.X)
		case b.Op == token.ADD && l.small(b.X):
			return ast.Unparen(b.Y)
		}
	}
	return e
}

// length reports whether the value of an expression is about the size of something in memory,
// or small. depth bounds how far it looks through variables and methods.
func (l counted) length(e ast.Expr, depth int) bool {
	e = ast.Unparen(e)
	if l.constant(e) != nil {
		return l.small(e)
	}
	if t := l.info.TypeOf(e); t != nil && isShort(t) {
		return true
	}
	if depth > 8 {
		return false
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB:
			return l.length(e.X, depth+1) && l.length(e.Y, depth+1)
		case token.QUO, token.SHR:
			return l.length(e.X, depth+1)
		}
	case *ast.CallExpr:
		fun := ast.Unparen(e.Fun)
		if tv := l.info.Types[fun]; tv.IsType() && len(e.Args) == 1 {
			return l.length(e.Args[0], depth+1)
		} else if tv.IsBuiltin() {
			id, _ := fun.(*ast.Ident)
			switch {
			case id == nil:
			case id.Name == "len", id.Name == "cap":
				return !isBoundless(l.info.TypeOf(e.Args[0]))
			case id.Name == "min", id.Name == "max":
				return !slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !l.length(a, depth+1) })
			}
			return false
		}
		return l.g.accessor(l.callee(fun)).length
	case *ast.Ident:
		return l.fixed(l.variable(e), depth)
	}
	return false
}

// callee returns the function or method that is called by its name, or nil.
func (l counted) callee(fun ast.Expr) *types.Func {
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	f, _ := l.info.Uses[id].(*types.Func)
	if f == nil {
		return nil
	}
	return f.Origin()
}

// fixed reports whether a variable of the function is assigned nothing but lengths. What is not
// declared in its body comes with a value.
func (l counted) fixed(v *types.Var, depth int) bool {
	return l.assignedOnly(v, depth, func(ast.Stmt) bool { return false })
}

// assignedOnly reports the same but for some statements.
func (l counted) assignedOnly(v *types.Var, depth int, but func(ast.Stmt) bool) bool {
	if !l.local(v) {
		return false
	}
	const most = 4 // so that it is found out soon
	h := l.history(v)
	times, values := 0, 0
	for _, s := range h.settings {
		if s.s != nil && but(s.s) {
			continue
		}
		times++
		if r, ok := s.s.(*ast.RangeStmt); ok && l.indexes(r, v) {
			continue
		}
		if values++; s.value == nil || values > most || !l.length(s.value, depth+1) {
			return false
		}
	}
	return times > 0 && !h.addressed
}

// local reports whether a variable is declared in the function, or in a literal there, and is no
// parameter or result.
func (l counted) local(v *types.Var) bool {
	return v != nil && v.Kind() == types.LocalVar && within(v, BodyOf(l.fn))
}

// within reports whether a variable is declared in a block.
func within(v *types.Var, b *ast.BlockStmt) bool {
	return b != nil && b.Pos() <= v.Pos() && v.Pos() < b.End()
}

// infoAt returns what is known of the types in the rewritten file at a position, or nil.
func (g *graph) infoAt(pos token.Pos) *types.Info {
	if g.infos == nil {
		g.infos = make(map[*token.File]*types.Info)
		for _, pkg := range g.prog.Rewritable() {
			for _, file := range pkg.Syntax {
				g.infos[g.fset.File(file.Package)] = pkg.TypesInfo
			}
		}
	}
	return g.infos[g.fset.File(pos)]
}
