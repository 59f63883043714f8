package random

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// generalized gives each function of a program but main and init a type parameter more, which
// nothing depends on. The program does the same, but what is rewritten in its functions is so as in
// type-parameterised code.
func generalized(t *testing.T, imports types.Importer, text string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	require.NoError(t, err)
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: imports}
	pkg, err := config.Check("main", fset, []*ast.File{file}, info)
	if err != nil {
		return text // the build tells it
	}
	var cuts []cut
	insert := func(pos token.Pos, with string) {
		at := fset.Position(pos).Offset
		cuts = append(cuts, cut{at, at, with})
	}
	explicit := make(map[*ast.Ident]token.Pos) // where the type arguments of a function begin
	for _, decl := range file.Decls {
		arg := "int"
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name != "main" && f.Name.Name != "init" {
			arg = "More"
			if f.Type.TypeParams != nil {
				insert(f.Type.TypeParams.Opening+1, "More any, ")
			} else {
				insert(f.Name.End(), "[More any]")
			}
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				if id, ok := n.X.(*ast.Ident); ok {
					explicit[id] = n.Lbrack + 1
				}
			case *ast.IndexListExpr:
				if id, ok := n.X.(*ast.Ident); ok {
					explicit[id] = n.Lbrack + 1
				}
			case *ast.Ident:
				if f, ok := info.Uses[n].(*types.Func); !ok || f.Pkg() != pkg || f.Parent() != pkg.Scope() {
					return true
				}
				if pos := explicit[n]; pos.IsValid() {
					insert(pos, arg+", ")
				} else {
					insert(n.End(), "["+arg+"]")
				}
			}
			return true
		})
	}
	return apply(text, cuts)
}
