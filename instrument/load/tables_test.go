package load

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tables lose their elements, and nothing loses its type: what has a function or a name of anything
// else in it stays whole.
func TestTables(t *testing.T) {
	const text = `package p

import "unicode"

type pair struct{ a, b int }

func f() int { return 1 }

var zero int

var (
	list     = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 1 << 15}
	counted  = [...]pair{{0, 1}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {b: 14}, {15, -1}}
	sized    = [40]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"}
	mapped   = map[string]rune{"a": 'a', "b": 1, "c": 2, "d": 3, "e": 4, "f": 5, "g": 6, "h": 7, "i": 8, "j": 9, "k": 1, "l": 1, "m": 1, "n": 1, "o": 1, "p": 1}
	inside   = &struct{ r []uint8 }{r: []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}
	keyed    = [...]int{5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1, 16: 1, 17: 1, 18: 1, 19: 1, 39: 1}
	short    = []int{1, 2, 3}
	called   = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, f()}
	named    = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, zero}
	imported = []rune{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, unicode.MaxRune}
	pointers = []*int{0: nil, 1: nil, 2: nil, 3: nil, 4: nil, 5: nil, 6: nil, 7: nil, 8: nil, 9: nil, 10: nil, 11: nil, 12: nil, 13: nil, 14: nil, 15: &zero}
	funcs    = []func(){15: func() { f() }, 0: nil, 1: nil, 2: nil, 3: nil, 4: nil, 5: nil, 6: nil, 7: nil, 8: nil, 9: nil, 10: nil, 11: nil, 12: nil, 13: nil, 14: nil}
)

const length = len(counted)
`
	check := func(trim bool) (*types.Scope, map[string]int) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
		require.NoError(t, err)
		if trim {
			withoutTables(file)
		}
		pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("p", fset, []*ast.File{file}, nil)
		require.NoError(t, err)
		elements := make(map[string]int)
		for _, d := range file.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) > 0 {
					ast.Inspect(spec.Values[0], func(n ast.Node) bool {
						if lit, ok := n.(*ast.CompositeLit); ok {
							elements[spec.Names[0].Name] += len(lit.Elts)
						}
						return true
					})
				}
				return true
			})
		}
		return pkg.Scope(), elements
	}
	whole, before := check(false)
	trimmed, after := check(true)
	for _, name := range whole.Names() {
		require.Equal(t, whole.Lookup(name).String(), trimmed.Lookup(name).String())
	}
	require.Equal(t, whole.Lookup("length").(*types.Const).Val(), trimmed.Lookup("length").(*types.Const).Val())
	left := map[string]int{"list": 0, "counted": 3, "sized": 0, "mapped": 0, "inside": 1}
	for name, n := range before {
		want, fewer := left[name]
		if !fewer {
			want = n
		}
		require.Equal(t, want, after[name], name)
	}
}
