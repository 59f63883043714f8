package closure

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/packages"
)

// Directive is the line in a doc comment that makes a function a checkpoint
// call.
const Directive = "//ckp:point"

// pointsIn returns the positions of the names of all functions that are
// checkpoint calls.
func pointsIn(pkgs []*packages.Package) map[token.Pos]bool {
	points := make(map[token.Pos]bool)
	for _, pkg := range pkgs {
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && isPoint(fn) {
					points[fn.Name.Pos()] = true
				}
			}
		}
	}
	return points
}

func isPoint(fn *ast.FuncDecl) bool {
	if fn.Doc == nil {
		return false
	}
	for _, line := range fn.Doc.List {
		if strings.TrimRight(line.Text, " \t\r") == Directive {
			return true
		}
	}
	return false
}

// points returns the checkpoint calls of the graph in an order that is the same
// in every run.
func (g *graph) points() []*callgraph.Node {
	var list []*callgraph.Node
	for fn, n := range g.nodes {
		if g.kind(fn) == point {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *callgraph.Node) int { return cmp.Compare(g.key(a.Func), g.key(b.Func)) })
	return list
}
