package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// What is walked by one field here and by another there is a tree mostly, in which something is
// looked for:
//
//	for n != nil { if key < n.key { n = n.left } else { n = n.right } }
//
// But it may be a machine whose states are structs, and which comes to the same ones again and
// again:
//
//	for s != nil { if tape[at] == 0 { tape[at] = s.write0; at += s.move0; s = s.next0 } else { ...; s = s.next1 } }
//
// The difference is that the loop of a machine changes what its conditions depend on. So a walk
// that turns polls if that may be: if they, or the values of variables that begin anew in each
// iteration, have a variable, a field or elements in them that the loop changes, or a call that
// changes anything, or if it changes something in memory of which it is not known what it is, while
// they depend on memory. A variable that is halved in each iteration, as the rest of a key is, does
// not count, nor does the condition to leave the loop.

// A turning is what is known of the loop of a walk.
type turning struct {
	l       counted
	at      *types.Var            // where the walk is
	changed map[types.Object]bool // variables, fields, and those with elements that are changed
	read    map[types.Object]bool // what the way depends on
	anyRead bool                  // something in memory of which it is not known what
	unknown bool                  // something is changed of which it is not known what
	memory  bool                  // some of what is changed is in memory, so a function may read it
	calls   bool                  // the way depends on what functions return
	leads   bool                  // the way depends on what can be another each time
}

// turnsByItself reports whether what the loop does decides which way a walk takes that goes on by
// several fields.
func (l counted) turnsByItself(at *types.Var) bool {
	t := &turning{l: l, at: at, changed: make(map[types.Object]bool), read: make(map[types.Object]bool)}
	ast.Inspect(l.loop.Body, t.visit)
	if l.loop.Post != nil {
		ast.Inspect(l.loop.Post, t.visit)
	}
	if t.leads || t.unknown && (t.anyRead || t.calls) || t.memory && t.calls {
		return true
	}
	for o := range t.changed {
		if !t.read[o] {
			continue
		}
		if v, ok := o.(*types.Var); ok && l.only(v, l.halves) {
			continue
		}
		return true
	}
	return false
}

func (t *turning) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if n.Else == nil && t.l.ends(n.Body.List) && t.l.goesThrough(n.Body) {
			return true
		}
		t.dependsOn(n.Cond)
	case *ast.SwitchStmt:
		t.dependsOn(n.Tag)
	case *ast.TypeSwitchStmt:
		ast.Inspect(n.Assign, func(n ast.Node) bool {
			if a, ok := n.(*ast.TypeAssertExpr); ok {
				t.dependsOn(a.X)
			}
			return true
		})
	case *ast.CaseClause:
		for _, e := range n.List {
			t.dependsOn(e)
		}
	case *ast.ForStmt:
		t.dependsOn(n.Cond)
	case *ast.SelectStmt, *ast.GoStmt, *ast.FuncLit:
		t.leads = true
	case *ast.SendStmt:
		t.unknown, t.memory = true, true
	case *ast.RangeStmt:
		t.dependsOn(n.X)
		for _, e := range operands(n) {
			t.changes(e)
		}
	case *ast.ValueSpec:
		for _, e := range n.Values {
			t.dependsOn(e)
		}
	case *ast.IncDecStmt:
		t.changes(n.X)
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			v := t.l.ownVariable(e)
			if v == t.at && v != nil {
				continue
			}
			if v == nil || !t.beginsAnew(v, n) {
				t.changes(e)
				continue
			}
			if len(n.Lhs) == len(n.Rhs) {
				t.dependsOn(n.Rhs[i])
			} else {
				t.dependsOn(n.Rhs[0])
			}
		}
	case *ast.CallExpr:
		if t.callChanges(n) {
			t.unknown, t.memory = true, true
		}
	}
	return true
}

// beginsAnew reports whether a variable that a statement assigns has no value of the iteration
// before.
func (t *turning) beginsAnew(v *types.Var, s *ast.AssignStmt) bool {
	body := t.l.loop.Body
	if within(v, body) {
		return true
	}
	if s.Tok != token.ASSIGN || t.l.assignedByOthers(v) || t.l.loop.Cond != nil && t.l.mentions(t.l.loop.Cond, v) {
		return false
	}
	for _, first := range body.List {
		if first == s {
			return true
		}
		if t.l.mentions(first, v) {
			return false
		}
	}
	return false
}

// changes notes what an assignment changes.
func (t *turning) changes(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o := t.l.info.ObjectOf(e); o != nil && e.Name != "_" {
			t.changed[o] = true
		}
	case *ast.SelectorExpr:
		t.changed[declared(t.l.info.Uses[e.Sel])], t.memory = true, true
	case *ast.IndexExpr:
		t.memory = true
		if o := t.l.named(e.X); o != nil {
			t.changed[declared(o)] = true
			return
		}
		t.unknown = true
	default:
		t.unknown, t.memory = true, true
	}
}

// dependsOn notes what a value depends on that the way depends on.
func (t *turning) dependsOn(e ast.Expr) {
	if e == nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := t.l.info.ObjectOf(n).(*types.Var); ok && v != t.at {
				t.read[declared(v)] = true
				t.anyRead = t.anyRead || v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
			}
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			t.anyRead = true
		case *ast.UnaryExpr:
			t.leads = t.leads || n.Op == token.ARROW
		case *ast.CallExpr:
			t.leads = t.leads || t.callChanges(n)
			t.calls = t.calls || !t.l.isQuick(n)
		}
		return true
	})
}

// declared returns what a variable or field of an instance is declared as.
func declared(o types.Object) types.Object {
	if v, ok := o.(*types.Var); ok {
		return v.Origin()
	}
	return o
}

// callChanges reports whether a call may change something, if it is only a generator of numbers.
func (t *turning) callChanges(call *ast.CallExpr) bool {
	if tv := t.l.info.Types[ast.Unparen(call.Fun)]; tv.IsBuiltin() {
		id, _ := ast.Unparen(call.Fun).(*ast.Ident)
		return id == nil || id.Name == "copy" || id.Name == "delete" || id.Name == "clear"
	} else if tv.IsType() {
		return false
	}
	if f := t.l.calledByName(call); f != nil && isQuick(f) {
		return !isPure(f)
	}
	return t.l.g.callChanges(call.Lparen)
}

// isPure reports whether a function of the standard library that is quick changes nothing.
func isPure(f *types.Func) bool {
	if r := f.Signature().Recv(); r != nil {
		if _, ok := r.Type().(*types.Pointer); ok {
			return strings.HasPrefix(f.Name(), "Load") // of sync/atomic
		}
	}
	switch f.Pkg().Path() {
	case "math/rand", "math/rand/v2", "slices", "sort", "sync":
		return strings.HasPrefix(f.Name(), "BinarySearch") || strings.HasPrefix(f.Name(), "Search")
	case "sync/atomic":
		return strings.HasPrefix(f.Name(), "Load")
	}
	return true
}

// callChanges reports whether a call in rewritten code may lead to a change of what the function
// called has not made itself.
func (g *graph) callChanges(at token.Pos) bool {
	if g.changing == nil {
		g.changing, g.changes = make(map[*callgraph.Node]bool), make(map[token.Pos]bool)
		for fn, n := range g.nodes {
			if g.changesByItself(fn) {
				g.changing[n] = true
			}
		}
		g.addCallers(g.changing)
		for n := range g.changing {
			for _, e := range n.In {
				if pos := sitePos(e); pos.IsValid() {
					g.changes[pos] = true
				}
			}
		}
	}
	return g.changes[at]
}

// changesByItself reports whether a function changes something that it has not made itself, but for
// what it calls.
func (g *graph) changesByItself(fn *ssa.Function) bool {
	switch g.kind(fn) {
	case user, synthetic:
	default:
		f, ok := fn.Object().(*types.Func)
		return !ok || f.Pkg() == nil || !isQuick(f) || !isPure(f)
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if !isMade(in.Addr) {
					return true
				}
			case *ssa.MapUpdate, *ssa.Send, *ssa.Select, *ssa.Go:
				return true
			case *ssa.UnOp:
				if in.Op == token.ARROW {
					return true
				}
			case *ssa.Call:
				if b, ok := in.Call.Value.(*ssa.Builtin); ok {
					switch b.Name() {
					case "copy", "delete", "clear":
						return true
					}
				}
			}
		}
	}
	return false
}

// isMade reports whether an address is that of something that the function has made, or of a part
// of it.
func isMade(addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.Alloc:
			return true
		default:
			return false
		}
	}
}
