package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Functions of the standard library that go over all of what they are given are quick, but no
// quicker than a loop of the program's that does: a loop is long that calls one, as in
//
//	for _, w := range words { if !slices.Contains(list, w) { list = append(list, w) } }
//
// So it polls (nests.go), and is not run in strips. The same goes for what moves the elements of a
// slice, or makes a string longer.
//
// A loop that copies, clears, allocates or converts what may be large is not run in strips, either,
// as a million iterations without a poll would take minutes. It need not poll for that if it ends
// soon, unless it is the same that each iteration copies, clears or converts:
//
//	for i := range list { clear(grid); ... }

// over are such functions of a package: those with names that begin so, but for others.
var over = map[string]struct{ names, but []string }{
	"slices":  {[]string{""}, []string{"All", "Backward", "BinarySearch", "Chunk", "Clip", "Grow", "Values"}},
	"sort":    {[]string{""}, []string{"Find", "Search"}},
	"strings": {searching, nil},
	"bytes":   {searching, nil},
}

var searching = []string{"Contains", "Count", "Cut", "Fields", "Index", "Join", "LastIndex", "Map", "Repeat", "Replace", "Split"}

// goesOver reports whether a call goes over all of what it is given, which may be much.
func (l counted) goesOver(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	if l.info.Types[ast.Unparen(call.Fun)].IsBuiltin() {
		return l.moves(call)
	}
	f := l.calledByName(call)
	if f == nil || f.Signature().Recv() != nil || l.isSmall(call.Args[0]) {
		return false
	}
	begins := func(list []string) bool {
		for _, name := range list {
			if strings.HasPrefix(f.Name(), name) {
				return true
			}
		}
		return false
	}
	of := over[f.Pkg().Path()]
	return begins(of.names) && !begins(of.but)
}

// isSmall reports whether an expression is a constant, or has the elements that are written there,
// or that a small array has.
func (l counted) isSmall(e ast.Expr) bool {
	if l.info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.SliceExpr:
		return l.few(e.X)
	}
	return false
}

// moves reports whether the call of a builtin function moves elements of a slice to other places in
// it: copy(s[i+1:], s[i:]) or append(s[:i], s[i+1:]...).
func (l counted) moves(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || len(call.Args) != 2 || id.Name != "copy" && !(id.Name == "append" && call.Ellipsis.IsValid()) {
		return false
	}
	sliced := false
	base := func(e ast.Expr) types.Object {
		if s, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
			sliced = true
			e = s.X
		}
		return l.named(e)
	}
	to, from := base(call.Args[0]), base(call.Args[1])
	return sliced && to != nil && to == from
}

// handling are functions of the standard library that go over all of what they are given, which
// mostly is not much.
var handling = map[string][]string{
	"strings":      handlingText,
	"bytes":        handlingText,
	"unicode/utf8": {"RuneCount", "Valid"},
}

var handlingText = []string{"Clone", "Compare", "Equal", "Runes", "Title", "To", "Trim"}

// handlesMuch reports whether the iterations of a loop may each copy, clear, allocate or convert
// much, and whether all of them the same.
func (l counted) handlesMuch(loop ast.Stmt) (much, same bool) {
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			return !l.leaves(n.List)
		case *ast.CaseClause:
			return !l.leaves(n.Body)
		case *ast.CallExpr:
			if l.handles(n) {
				much = true
				same = same || l.isOutside(n.Args[len(n.Args)-1], loop)
			}
		}
		return !same
	}
	for _, s := range BodyOf(loop).List {
		ast.Inspect(s, visit)
	}
	return much, same
}

// isOutside reports whether an expression names a slice or a string, or a field, of a variable that
// is declared outside of a loop.
func (l counted) isOutside(e ast.Expr, loop ast.Stmt) bool {
	if !isSequence(l.info.TypeOf(e)) {
		return false
	}
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
			continue
		case *ast.Ident:
			v, ok := l.info.Uses[x].(*types.Var)
			return ok && (v.Pos() < loop.Pos() || loop.End() <= v.Pos())
		}
		return false
	}
}

func (l counted) handles(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	last := call.Args[len(call.Args)-1]
	switch fun := ast.Unparen(call.Fun); {
	case l.info.Types[fun].IsType():
		to, from := l.info.TypeOf(call), l.info.TypeOf(call.Args[0])
		return isText(to) != isText(from) && isSequence(to) && isSequence(from) && !l.isPart(last)
	case l.info.Types[fun].IsBuiltin():
		id, _ := fun.(*ast.Ident)
		switch {
		case id == nil:
		case id.Name == "copy", id.Name == "append" && call.Ellipsis.IsValid():
			return !l.isPart(last)
		case id.Name == "clear":
			return !l.isPart(last)
		case id.Name == "make":
			return len(call.Args) > 1 && l.info.Types[last].Value == nil
		}
		return false
	}
	f := l.calledByName(call)
	return f != nil && f.Signature().Recv() == nil && !l.isPart(call.Args[0]) && slices.ContainsFunc(handling[f.Pkg().Path()], func(name string) bool { return strings.HasPrefix(f.Name(), name) })
}

// isPart reports whether an expression is small, or from one index to another.
func (l counted) isPart(e ast.Expr) bool {
	if l.isSmall(e) {
		return true
	}
	part, ok := ast.Unparen(e).(*ast.SliceExpr)
	return ok && part.Low != nil && part.High != nil
}

// isText reports whether a type is one of strings; that of the blank identifier is nil.
func isText(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isSequence(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok || isText(t)
}

// grows reports whether a loop adds to a string from outside of it, of which each time a copy is
// made.
func (l counted) grows(loop ast.Stmt) bool {
	found := false
	ast.Inspect(BodyOf(loop), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || !isText(l.info.TypeOf(n.Lhs[0])) {
				break
			}
			v := l.variable(n.Lhs[0])
			if n.Tok == token.ADD_ASSIGN || n.Tok == token.ASSIGN && v != nil && l.addedTo(n.Rhs[0], v) {
				found = found || v == nil || !within(v, BodyOf(loop))
			}
		}
		return !found
	})
	return found
}

// addedTo reports whether an expression is a sum with a variable.
func (l counted) addedTo(e ast.Expr, v *types.Var) bool {
	sum, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD {
		return false
	}
	return l.variable(sum.X) == v || l.variable(sum.Y) == v || l.addedTo(sum.X, v) || l.addedTo(sum.Y, v)
}
