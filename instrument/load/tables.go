package load

import (
	"go/ast"
	"go/token"
	"strconv"
)

// Half of what the analysis of a program with package net/http would walk through is tables:
// Unicode's, those of elliptic curves, of ciphers and codecs. What consists of literals alone calls
// nothing and leads to no function, so the elements of large ones in the standard library are left
// out. Their types stay as they are.

// largeTable is the number of elements from which on they are left out.
const largeTable = 16

// withoutTables leaves out the elements of large tables in declarations of a package.
func withoutTables(file *ast.File) {
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			ast.Inspect(d, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok {
					empty(lit)
				}
				_, inside := n.(*ast.FuncLit)
				return !inside
			})
		}
	}
}

// empty removes the elements of a large array, slice or map of nothing but literals.
func empty(table *ast.CompositeLit) {
	if len(table.Elts) < largeTable || !isData(table) {
		return
	}
	switch t := table.Type.(type) {
	case *ast.MapType:
		table.Elts = nil
	case *ast.ArrayType:
		if _, counted := t.Len.(*ast.Ellipsis); !counted {
			table.Elts = nil
			return
		}
		for _, e := range table.Elts {
			if _, keyed := e.(*ast.KeyValueExpr); keyed {
				return // its length is not the number of elements
			}
		}
		last := len(table.Elts) - 1
		e := table.Elts[last]
		index := &ast.BasicLit{ValuePos: e.Pos(), Kind: token.INT, Value: strconv.Itoa(last)}
		table.Elts = []ast.Expr{&ast.KeyValueExpr{Key: index, Colon: e.Pos(), Value: e}}
	}
}

// isData reports whether an expression consists of literals of basic types. The names in it are
// those of types and fields.
func isData(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return isData(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && isData(e.X)
	case *ast.BinaryExpr:
		return isData(e.X) && isData(e.Y)
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if kv, ok := element.(*ast.KeyValueExpr); ok {
				if _, field := kv.Key.(*ast.Ident); !field && !isData(kv.Key) {
					return false
				}
				element = kv.Value
			}
			if !isData(element) {
				return false
			}
		}
		return true
	}
	return false
}
