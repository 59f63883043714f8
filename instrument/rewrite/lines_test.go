package rewrite_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// numbered is a program in which each call of at is to be given the line that it stands on.
const numbered = `package main

import "fmt"

func at(line int) int {
	fmt.Println(line)
	for line > 100000 {
		line--
	}
	return line
}

func main() {
	at(0)
	x := at(0) +
		at(0) +

		at(0)


	for i := at(0); i < x; i++ {

		if at(0) > 3 && at(0) > 4 {
			at(0)
		} else if at(0) > 5 {
			at(0); at(0)
			continue
		}
		switch y := at(0); {
		case at(0) == 0:
			at(0)

			fallthrough
		case y > 2,
			at(0) > 1:
			at(0)
		default:
			defer at(0)
		}









		at(0)
		for range x {
			x /= at(0) + /* a comment
			of two lines */ at(0)
			fmt.Println(
				at(0),
				func() int {
					return at(0)
				}(),
				at(0))
			at(0)
		}
		at(0)
	}
	func() {
		at(0)
	}()
	small(at(0))
}

func small(n int) int {
	if n > at(0) {
		return at(0)
	}
	n = at(0)

	return at(0) + n
}
`

// TestLines makes sure that what only the compiler reads has the user's line numbers, too, with few
// directives.
func TestLines(t *testing.T) {
	dir := t.TempDir()
	lines := strings.Split(numbered, "\n")
	for i := range lines {
		if !strings.HasPrefix(lines[i], "func at(") {
			lines[i] = strings.ReplaceAll(lines[i], "at(0)", fmt.Sprintf("at(%d)", i+1))
		}
	}
	main := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/lines\n\ngo 1.24\n"), 0o666))
	require.NoError(t, os.WriteFile(main, []byte(strings.Join(lines, "\n")), 0o666))
	rewritten := func(unread bool) []byte {
		a, err := instrument.Analyze(context.Background(), load.Config{Dir: dir, Auto: true}, ".")
		require.NoError(t, err)
		a.Unread = unread
		sources, err := a.Rewrite()
		require.NoError(t, err)
		return sources.Files[main]
	}
	text := rewritten(true)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "generated.go", text, parser.SkipObjectResolution)
	require.NoError(t, err, "%s", text)
	calls := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "at" && len(call.Args) == 1 {
				if lit, ok := call.Args[0].(*ast.BasicLit); ok {
					line, err := strconv.Atoi(lit.Value)
					require.NoError(t, err)
					require.Equal(t, fmt.Sprint("main.go:", line), fmt.Sprint(filepath.Base(fset.Position(call.Pos()).Filename), ":", fset.Position(call.Pos()).Line), "%s", text)
					calls++
				}
			}
		}
		return true
	})
	require.Greater(t, calls, 30)
	few, many := strings.Count(string(text), "//line"), strings.Count(string(rewritten(false)), "//line")
	require.Less(t, few, many*2/3)
}
