package closure

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/directive"
)

// name returns the name of a function for people: the package by its last element, the
// receiver as the language writes it, literals numbered as in traces.
func (g *graph) name(fn *ssa.Function) string {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Parent() != nil {
		if _, loop := fn.Syntax().(*ast.RangeStmt); loop {
			return g.name(fn.Parent())
		}
		parent := fn.Parent()
		number := 0
		for _, anon := range parent.AnonFuncs {
			number++
			if anon == fn {
				break
			}
		}
		base := g.name(parent)
		if fn.Parent().Parent() == nil {
			return fmt.Sprintf("%s.func%d", base, number)
		}
		return fmt.Sprintf("%s.%d", base, number)
	}
	if decl, ok := fn.Syntax().(*ast.FuncDecl); ok {
		if name := directive.Standing(decl); name != "" {
			return "ckp." + name
		}
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return objectName(obj)
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Name() + "." + fn.Name()
	}
	return fn.String()
}

// objectName returns the name of a declared function or method: main.f, list.New,
// main.(*T).M, main.T.M.
func objectName(obj *types.Func) string {
	pkg := ""
	if obj.Pkg() != nil {
		pkg = obj.Pkg().Name() + "."
	}
	recv := obj.Signature().Recv()
	if recv == nil {
		return pkg + obj.Name()
	}
	t, pointer := recv.Type(), false
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, pointer = p.Elem(), true
	}
	name := "?"
	if named, ok := types.Unalias(t).(*types.Named); ok {
		name = named.Obj().Name()
	} else if _, ok := t.Underlying().(*types.Interface); ok {
		name = "interface"
	}
	if pointer {
		return fmt.Sprintf("%s(*%s).%s", pkg, name, obj.Name())
	}
	return fmt.Sprintf("%s%s.%s", pkg, name, obj.Name())
}

// starts maps the position by which a call is known to that at which its expression
// begins, which is what people look for.
func (g *graph) starts() map[token.Pos]token.Pos {
	if g.start == nil {
		g.start = make(map[token.Pos]token.Pos)
		for _, pkg := range g.prog.All {
			for _, file := range pkg.Syntax {
				ast.Inspect(file, func(n ast.Node) bool {
					if call, ok := n.(*ast.CallExpr); ok {
						g.start[call.Lparen] = callee(call)
					}
					return true
				})
			}
		}
	}
	return g.start
}

// callee returns the position of the name of what is called: that of M in x.f().M().
func callee(call *ast.CallExpr) token.Pos {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			return x.Pos()
		}
		return fun.Sel.Pos()
	case *ast.FuncLit:
		return call.Lparen
	}
	return call.Pos()
}

// A symbol is a function of the program, for looking it up by name.
type symbol struct {
	name string // as objectName and graph.name make it
	path string // import path
	pos  token.Pos
}

// symbols lists the functions that the program declares, imports before importers.
// Literals are listed if they can run.
func (g *graph) symbols() []symbol {
	var list []symbol
	seen := make(map[token.Pos]bool)
	add := func(s symbol) {
		if !seen[s.pos] {
			seen[s.pos] = true
			list = append(list, s)
		}
	}
	for _, pkg := range g.prog.All {
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok {
					if obj, ok := pkg.TypesInfo.Defs[fn.Name].(*types.Func); ok {
						add(symbol{objectName(obj), pkg.PkgPath, fn.Name.Pos()})
					}
				}
			}
		}
	}
	var literals []symbol
	for fn := range g.nodes {
		if _, ok := fn.Syntax().(*ast.FuncLit); ok {
			literals = append(literals, symbol{g.name(fn), packagePath(fn), fn.Pos()})
		}
	}
	slices.SortFunc(literals, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.name, b.name))
	})
	for _, s := range literals {
		add(s)
	}
	return list
}

var undecorated = strings.NewReplacer("(*", "", ")", "", "*", "")

// means reports whether a query is a name of the symbol: in full, without the package,
// with the import path, and with or without the decoration of a pointer receiver.
func (s symbol) means(query string) bool {
	query = undecorated.Replace(query)
	name := undecorated.Replace(s.name)
	_, rest, _ := strings.Cut(name, ".")
	return query == name || query == rest || query == s.path+"."+rest
}
