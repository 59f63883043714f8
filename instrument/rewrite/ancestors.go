package rewrite

import "go/ast"

// Ancestors are the nodes that the node at hand is in, the outermost first.
type ancestors []ast.Node

// parent returns the i-th of them that is no parenthesis, from the innermost on; nil if there are
// not as many.
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

// eachCall calls a function with the calls and conversions of the package, each with the nodes that
// it is in, which change afterwards.
func (p *pkg) eachCall(f func(call *ast.CallExpr, above []ast.Node)) {
	for _, file := range p.Pkg.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, above []ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				f(call, above)
			}
			return true
		})
	}
}
