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
