package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// What becomes of a field with an unsafe pointer is found by looking at each place where its name
// stands, and at what is around it there: the nodes above. A conversion tells what it leads to;
// what it is set to, or what is set to it, leads to the same; and a use of any other kind loses it.

// pointerUses finds the uses of the targets.
type pointerUses struct {
	p       *pkg
	targets map[types.Object]*target
	locals  map[types.Object]*target // variables that are declared with the value of a field, or as unsafe pointers
	lists   map[types.Object]*target // and those that are declared with a list of them
	places  map[types.Object]*target // parameters that are addresses of unsafe pointers
	joined  []junction
	words   [][2]*target // and those of which the other one may be the data word of an interface
	above   ancestors
	known   map[*ast.CallExpr]*target // conversions unsafe.Pointer(t) whose result goes to a target

	parameters map[*types.Func][]*target // see handed.go; nil for those that are no unsafe pointers
	results    map[*types.Func][]*target // see results.go; the same

	arguments map[*target][]types.Type      // of the generic structs of targets, in the declaration at hand; see instances.go
	instances map[types.Object][]types.Type // the same for locals and lists, in theirs

	casts []*ast.CallExpr // all conversions unsafe.Pointer(t)
}

// recast reports whether a pointer to a struct is converted for something else than to be kept.
func (u *pointerUses) recast(to types.Type) bool {
	if !isStruct(to) {
		return false
	}
	for _, call := range u.casts {
		if p, ok := u.p.typeOf(call.Args[0]).Underlying().(*types.Pointer); ok && !u.isKept(call) && isInstanceLike(p.Elem(), to) {
			return true
		}
	}
	return false
}

// isInstanceLike reports whether two types are the same, or instances of the same.
func isInstanceLike(t, u types.Type) bool {
	a, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return types.Identical(t, u)
	}
	b, ok := types.Unalias(u).(*types.Named)
	return ok && a.Origin() == b.Origin()
}

// isKept reports whether what a conversion gives goes to a target, and from there to nothing else.
func (u *pointerUses) isKept(call *ast.CallExpr) bool {
	t := u.known[call]
	return t != nil && (t.of != nil || !t.lost)
}

func (u *pointerUses) visit(n ast.Node, above []ast.Node) bool {
	u.above = above
	switch n := n.(type) {
	case *ast.BlockStmt:
		return !u.isDead(n)
	case *ast.Ident:
		if t := u.fieldTarget(u.p.info.Uses[n]); t != nil {
			u.field(t, n)
		}
		if t := u.locals[u.p.info.Uses[n]]; t != nil {
			u.place(t, n, 0)
		}
		if t := u.lists[u.p.info.Uses[n]]; t != nil {
			u.list(t, n, 0)
		}
		if t := u.places[u.p.info.Uses[n]]; t != nil {
			u.address(t, n)
		}
		if f, ok := u.p.info.Uses[n].(*types.Func); ok {
			u.called(f, n)
		}
	case *ast.CallExpr:
		u.conversion(n)
	case *ast.AssignStmt:
		u.declares(n)
	case *ast.ValueSpec:
		u.declaresVariables(n)
	case *ast.ReturnStmt:
		u.returns(n)
	case *ast.CompositeLit:
		for i, e := range n.Elts {
			if field := u.fieldAt(n, i); field != nil {
				u.written(field, e)
			}
		}
	}
	return true
}

// isDead reports whether a block is not compiled, as where a package checks itself in builds with a
// tag.
func (u *pointerUses) isDead(block *ast.BlockStmt) bool {
	s, ok := u.parent(0).(*ast.IfStmt)
	return ok && s.Body == block && blocking.Never(u.p.info, s.Cond)
}

// fieldAt returns the target of the field that is set to an element of a literal of a struct, if
// the element has no key, or nil.
func (u *pointerUses) fieldAt(lit *ast.CompositeLit, i int) *target {
	of := u.p.typeOf(lit).Underlying()
	if p, ok := of.(*types.Pointer); ok {
		of = p.Elem().Underlying() // in a list of pointers, without &
	}
	st, ok := of.(*types.Struct)
	if _, named := lit.Elts[i].(*ast.KeyValueExpr); named || !ok {
		return nil
	}
	return u.fieldTarget(st.Field(i))
}

// parent returns the i-th node above that is no parenthesis.
func (u *pointerUses) parent(i int) ast.Node { return u.above.parent(i) }

// conversion looks at a conversion from or to a type that is declared as unsafe.Pointer.
func (u *pointerUses) conversion(call *ast.CallExpr) {
	tv := u.p.info.Types[call.Fun]
	if !tv.IsType() || len(call.Args) != 1 {
		return
	}
	from := u.p.typeOf(call.Args[0])
	if types.Identical(tv.Type, types.Typ[types.UnsafePointer]) && !u.isCompared() && !u.isStepped(call) {
		u.casts = append(u.casts, call)
	}
	if t := u.declared(from); t != nil && !types.Identical(from, tv.Type) {
		u.read(t, tv.Type)
		u.stepsAsNumber(t, call, 0)
	}
	if t := u.declared(tv.Type); t != nil && !types.Identical(from, tv.Type) {
		if p, ok := from.Underlying().(*types.Pointer); ok {
			u.leadsTo(t, p.Elem())
		} else if b, ok := from.Underlying().(*types.Basic); !ok || b.Kind() != types.Uintptr {
			u.written(t, call.Args[0])
		}
	}
}

func (u *pointerUses) declared(t types.Type) *target {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return u.targets[named.Obj()]
	}
	return nil
}

// read notes that what a target holds is converted.
func (u *pointerUses) read(t *target, to types.Type) {
	switch to := to.Underlying().(type) {
	case *types.Pointer:
		u.leadsTo(t, to.Elem())
	case *types.Basic:
		t.lost = t.lost || to.Kind() != types.Uintptr
	default:
		t.lost = true
	}
}

// written notes that a target is set to a value.
func (u *pointerUses) written(t *target, value ast.Expr) {
	value = ast.Unparen(value)
	if t.many {
		u.writtenList(t, value)
		return
	}
	u.writtenOne(t, value)
}

// writtenOne notes that one of the pointers of a target is set to a value.
func (u *pointerUses) writtenOne(t *target, value ast.Expr) {
	value = ast.Unparen(value)
	if u.p.info.Types[value].IsNil() {
		return
	}
	if sel, ok := value.(*ast.SelectorExpr); ok && !t.many && u.isDataWord(sel) {
		u.words = append(u.words, [2]*target{t, u.held(sel)})
		return
	}
	if u.join(t, u.held(value)) {
		return
	}
	call, ok := value.(*ast.CallExpr)
	if ok && u.p.info.Types[call.Fun].IsType() && types.Identical(u.p.typeOf(call), types.Typ[types.UnsafePointer]) {
		if p, ok := u.p.typeOf(call.Args[0]).Underlying().(*types.Pointer); ok {
			if u.toldBytes(t, call) {
				return
			}
			u.known[call] = t
			if !u.startsEmpty(t, call.Args[0]) {
				u.leadsTo(t, p.Elem())
			}
			return
		}
	}
	t.lost = true
}

// field looks at a use of a field.
func (u *pointerUses) field(t *target, id *ast.Ident) {
	if kv, ok := u.parent(0).(*ast.KeyValueExpr); ok && kv.Key == id {
		u.written(t, kv.Value)
		return
	}
	sel, ok := u.parent(0).(*ast.SelectorExpr)
	if !ok || sel.Sel != id {
		t.lost = true
		return
	}
	if t.many {
		u.list(t, sel, 1)
		return
	}
	if u.toldWord(t, sel) {
		return
	}
	u.place(t, sel, 1)
}

// place looks at what uses a place that holds a pointer of a target: the node above it, the i-th of
// those around.
func (u *pointerUses) place(t *target, e ast.Expr, i int) {
	switch up := u.parent(i).(type) {
	case *ast.UnaryExpr:
		call, ok := u.parent(i + 1).(*ast.CallExpr)
		switch {
		case up.Op != token.AND || !ok:
		case t.many && u.indexed(t, up, i):
			return
		case u.isAtomic(call) && ast.Unparen(call.Args[0]) == up:
			u.atomic(t, call, i+1)
			return
		case u.parameter(call, up) != nil:
			return // see called
		}
		t.lost = true
	case *ast.AssignStmt:
		for k, lhs := range up.Lhs {
			if ast.Unparen(lhs) == e && up.Tok == token.ASSIGN && len(up.Lhs) == len(up.Rhs) {
				u.writtenOne(t, up.Rhs[k])
				return
			}
		}
		u.value(t, e, i)
	default:
		u.value(t, e, i)
	}
}

// atomic looks at a call of a function of package sync/atomic with the address of a place of a
// target: the i-th of those around.
func (u *pointerUses) atomic(t *target, call *ast.CallExpr, i int) {
	for _, a := range call.Args[1:] {
		u.writtenOne(t, a)
	}
	if loads(u.p.info, call) {
		u.value(t, call, i+1)
	}
}

// isAtomic reports whether a call is one of a function of package sync/atomic.
func (u *pointerUses) isAtomic(call *ast.CallExpr) bool {
	f := calledFunction(u.p.info, call)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic"
}

// loads reports whether an atomic operation returns what its operand holds.
func loads(info *types.Info, call *ast.CallExpr) bool {
	f := calledFunction(info, call)
	return f.Name() == "LoadPointer" || f.Name() == "SwapPointer"
}

// held returns the target of which an expression is a pointer that it holds, or a variable that is
// declared with one; or nil. How the expression is used is looked at where it is met.
func (u *pointerUses) held(e ast.Expr) *target {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return u.locals[u.p.info.Uses[e]]
	case *ast.SelectorExpr:
		if t := u.fieldTarget(u.p.info.Uses[e.Sel]); t != nil && !t.many {
			return t
		}
	case *ast.IndexExpr:
		return u.listed(e.X)
	case *ast.StarExpr:
		return u.pointed(e.X)
	case *ast.CallExpr:
		if len(e.Args) > 0 && u.isAtomic(e) && loads(u.p.info, e) {
			return u.pointed(e.Args[0])
		}
		return u.result(e)
	}
	return nil
}

// pointed returns the target of which an expression is the address of a pointer, or nil.
func (u *pointerUses) pointed(e ast.Expr) *target {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return u.places[u.p.info.Uses[id]]
	}
	if of, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && of.Op == token.AND {
		return u.held(of.X)
	}
	return nil
}

// join notes that a target leads only to what another one leads to, and reports whether there is
// another one: what it is set to, or becomes.
func (u *pointerUses) join(t, with *target) bool {
	if with != nil && with != t {
		u.joined = append(u.joined, u.junction(with, t))
	}
	return with != nil
}

// handsOn notes that the value of a target becomes what another one holds. What the other one is
// used for tells what the first leads to, unless that is known and the other one leads to more than
// it.
func (u *pointerUses) handsOn(t, to *target) bool {
	n := len(u.joined)
	ok := u.join(t, to)
	for i := range u.joined[n:] {
		u.joined[n+i].out = true
	}
	return ok
}

// merge has targets that hold the same pointers lead to the same.
func (u *pointerUses) merge() {
	u.arguments = nil
	for _, pair := range u.words {
		if t := pair[0]; t.typ == "" {
			t.lost = t.lost || !u.join(t, pair[1])
		}
	}
	u.follow(false)
	u.follow(true)
	u.settleEmpty()
	u.follow(true)
}

// follow goes along the junctions for as long as something changes; late tells whether a target is
// to be taken for what a particular instance leads to.
func (u *pointerUses) follow(late bool) {
	for changed := true; changed; {
		changed = false
		for _, j := range u.joined {
			from, t := j.from, j.to
			switch {
			case t.lost || j.late && !late && t.to == nil:
			case from.lost || from.typ != "" || from.bytes:
				t.lost, changed = true, true
			case u.passes(j):
				changed = true
			}
		}
	}
}

// passes has the second target of a junction lead to what the first one leads to, and reports
// whether something changed.
func (u *pointerUses) passes(j junction) bool {
	from, t, n := j.from, j.to, len(j.to.among)
	for _, to := range from.among {
		if t.params != nil {
			if j.out && t.to != nil {
				break
			}
			t.lost = true
			return true
		}
		t.leadsToOneOf(to)
	}
	before, several := t.to, t.several
	from.several = from.several || several
	t.several = from.several
	if from.to != nil && !t.lost {
		if to := j.convert(from.to); to == nil || t.to == nil || !types.Identical(to, t.to) {
			t.leadsTo(to)
		}
	}
	return u.passesEmpty(from, t) || t.lost || t.to != before || t.several != several || len(t.among) > n
}

// value looks at what uses an expression that is the value of a place: the node above it, the i-th
// of those around.
func (u *pointerUses) value(t *target, e ast.Expr, i int) {
	switch in := u.parent(i).(type) {
	case *ast.CallExpr:
		if tv := u.p.info.Types[in.Fun]; tv.IsType() && ast.Unparen(in.Args[0]) == e {
			u.read(t, tv.Type)
			u.stepsAsNumber(t, in, i+1)
			return
		}
		if u.steps(t, in, e, i) || u.becomes(t, in, e) || u.p.isUnsafe(in, "Sizeof", "Alignof") {
			return
		}
		if u.isAtomic(in) && ast.Unparen(in.Args[0]) != e && u.handsOn(t, u.pointed(in.Args[0])) {
			return
		}
		if u.isBuiltin(in, "append") && ast.Unparen(in.Args[0]) != e && !in.Ellipsis.IsValid() && u.handsOn(t, u.listed(in.Args[0])) {
			return
		}
	case *ast.BinaryExpr:
		if in.Op == token.EQL || in.Op == token.NEQ {
			return
		}
	case *ast.KeyValueExpr:
		if key, ok := in.Key.(*ast.Ident); ok && ast.Unparen(in.Value) == e && u.handsOn(t, u.fieldTarget(u.p.info.Uses[key])) {
			return
		}
	case *ast.CompositeLit:
		for k, element := range in.Elts {
			if ast.Unparen(element) == e && u.handsOn(t, u.fieldAt(in, k)) {
				return
			}
		}
	case *ast.AssignStmt:
		for k, rhs := range in.Rhs {
			if ast.Unparen(rhs) != e || len(in.Lhs) != len(in.Rhs) {
				continue
			}
			if in.Tok == token.DEFINE {
				// The uses of the variable follow, and are looked at like those of the field.
				if v := u.p.info.Defs[in.Lhs[k].(*ast.Ident)]; v != nil {
					u.locals[v], u.instances[v] = t, u.arguments[t]
					return
				}
			}
			if id, ok := in.Lhs[k].(*ast.Ident); ok && id.Name == "_" {
				return
			}
			if u.handsOn(t, u.held(in.Lhs[k])) {
				return
			}
		}
	case *ast.ValueSpec:
		for k, x := range in.Values {
			if ast.Unparen(x) == e && len(in.Names) == len(in.Values) && u.handsOn(t, u.locals[u.p.info.Defs[in.Names[k]]]) {
				return
			}
		}
	case *ast.ReturnStmt:
		for k, x := range in.Results {
			if ast.Unparen(x) == e && u.handsOn(t, u.returnedAs(k, len(in.Results))) {
				return
			}
		}
	case *ast.ExprStmt:
		return
	}
	t.lost = true
}
