package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Functions of the standard library that go over all of what they are given are quick, but no quicker than a loop of the program's that does: a loop is long that
// calls one, as in
//
//	for _, w := range words { if !slices.Contains(list, w) { list = append(list, w) } }
//
// So it polls (nests.go), and is not run in strips. The same goes for what moves the elements of a slice, or makes a string longer.

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

// isSmall reports whether an expression is a constant, or has the elements that are written there, or that a small array has.
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

// moves reports whether the call of a builtin function moves elements of a slice to other places in it: copy(s[i+1:], s[i:]) or append(s[:i], s[i+1:]...).
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

// grows reports whether a loop adds to a string from outside of it, of which each time a copy is made.
func (l counted) grows(loop ast.Stmt) bool {
	found := false
	ast.Inspect(BodyOf(loop), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if n.Tok != token.ADD_ASSIGN {
				break
			}
			if b, ok := l.info.TypeOf(n.Lhs[0]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
				v := l.variable(n.Lhs[0])
				found = found || v == nil || !within(v, BodyOf(loop))
			}
		}
		return !found
	})
	return found
}
