package callback

import (
	"go/ast"
	"go/parser"
	"math/rand/v2"
	"regexp"
	"strings"
)

// matching calls functions of packages that are rewritten on demand.
func matching() {
	n := 0
	words := regexp.MustCompile(`[a-z]+`)
	show("regexp", words.ReplaceAllStringFunc("some words, 3 of them", func(s string) string {
		at(&n)
		return strings.ToUpper(s)
	}), n)
	list := []int{1, 2, 3, 4, 5, 6}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, j int) {
		at(&n)
		list[i], list[j] = list[j], list[i]
	})
	show("rand.Shuffle", list, n)
	expr, err := parser.ParseExpr("f(a+b, -c) * 2")
	if err != nil {
		panic(err)
	}
	ast.Inspect(expr, func(node ast.Node) bool {
		at(&n)
		if id, ok := node.(*ast.Ident); ok {
			show("ast.Inspect", id.Name, n)
		}
		return true
	})
}
