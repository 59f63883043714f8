package rewrite

import "go/ast"

// Ancestors are the nodes that the node at hand is in, the outermost first.
type ancestors []ast.Node

func (a *ancestors) push(n ast.Node) { *a = append(*a, n) }

func (a *ancestors) pop() { *a = (*a)[:len(*a)-1] }

// parent returns the i-th of them that is no parenthesis, from the innermost on; nil if there are not as many.
func (a ancestors) parent(i int) ast.Node {
	for k := len(a) - 1; k >= 0; k-- {
		if _, ok := a[k].(*ast.ParenExpr); ok {
			continue
		}
		if i == 0 {
			return a[k]
		}
		i--
	}
	return nil
}

// eachCall calls a function with the calls and conversions of the package, each with the nodes that it is in, which change afterwards.
func (p *pkg) eachCall(f func(call *ast.CallExpr, above []ast.Node)) {
	for _, file := range p.Pkg.Syntax {
		var above []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				above = above[:len(above)-1]
				return true
			}
			if call, ok := n.(*ast.CallExpr); ok {
				f(call, above)
			}
			above = append(above, n)
			return true
		})
	}
}
