package directive

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// check parses a file and checks its types.
func check(t *testing.T, text string) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", text, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err, text)
	conf := types.Config{Importer: importer.Default()}
	_, err = conf.Check("x", fset, []*ast.File{file}, nil)
	require.NoError(t, err, text)
	return fset, file
}

// lines returns where everything that a file declares and calls stands.
func lines(fset *token.FileSet, file *ast.File) (list []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if fn, ok := n.(*ast.FuncDecl); ok && Standing(fn) != "" {
			return false
		}
		if id, ok := n.(*ast.Ident); ok && !standing.MatchString(id.Name) {
			list = append(list, fmt.Sprint(id.Name, fset.Position(id.Pos()).Line, ":", fset.Position(id.Pos()).Column))
		}
		return true
	})
	return list
}

// places has a directive wherever there is a line, each of which is legal or not: what is said to
// be legal compiles, and everything else stands where it stood.
const places = `package x
@
func f(n int) (r int) {
@
	for i := range n {
@
		if i == 3 {
@
			continue
@
		} else if i == 4 {
@
			return 1
@
		}
@
		switch i {
@
		case 1,
@
			2:
@
			fallthrough
@
		case 3:
@
		default:
@
			panic(n)
@
		}
@
		switch {
@
		}
@
		select {
@
		default:
@
		}
@
	}
@
	func() {
@
		defer f(
@
			1)
@
	}()
@
outer:
@
	for {
@
		for {
@
			if n > 1 {
@
				break outer
@
			}
@
			break
@
		}
@
	}
@
	{
@
		r = f(n -
@
			1)
@
	}
@
	for {
@
		select {}
@
	}
@
}
@
type s struct {
@
	a int
@
}
@
var _ = func() {
@
}
@
const c = 1
@
`

func TestPlaces(t *testing.T) {
	parts := strings.Split(places, "@\n")
	was, file := check(t, strings.Join(parts, "\n"))
	want := lines(was, file)
	legal := 0
	for i := 1; i < len(parts); i++ {
		for _, word := range []string{"//ckp:save a.b-c_1", "\t\t//ckp:start\t", "//ckp:stop\r"} {
			text := strings.Join(parts[:i], "\n") + word + "\n" + strings.Join(parts[i:], "\n")
			e := Expand("x.go", []byte(text))
			require.NotNil(t, e)
			if len(e.Problems) > 0 {
				require.Nil(t, e.Text)
				require.Equal(t, strings.Count(text[:strings.Index(text, "//ckp")], "\n")+1, e.Problems[0].Pos.Line)
				continue
			}
			legal++
			fset, file := check(t, string(e.Text))
			require.Equal(t, want, lines(fset, file))
			require.NotContains(t, string(e.Text), Prefix+"st")
			require.Len(t, e.Statements, 1)
		}
	}
	require.Equal(t, 3*27, legal)
}

// A statement that is refused because nothing reaches it would in fact be the end of a function
// that has none.
func TestEnds(t *testing.T) {
	for text, want := range map[string]bool{
		"return":                             true,
		"panic(1)":                           true,
		"for {}":                             true,
		"for { break }":                      false,
		"for { for { break } }":              true,
		"l: for { for { break l } }":         false,
		"l: for { for { continue l } }":      true,
		"for { func() { for { break } }() }": true,
		"for true {}":                        false,
		"if x { return } else { panic(1) }":  true,
		"if x { return }":                    false,
		"{ x = true; return }":               true,
		"{}":                                 false,
		"switch { case x: return }":          false,
		"switch { default: return }":         true,
		"switch { default: if x { break }; return }":                  false,
		"switch { case x: fallthrough; default: return }":             true,
		"switch any(x).(type) { case bool: return; default: return }": true,
		"select { default: return }":                                  true,
		"select { default: break }":                                   false,
		"select { default: for { break }; return }":                   true,
		"for { select { default: break } }":                           true,
		"goto l; l: return":                                           true,
		"x = true":                                                    false,
		"f()":                                                         false,
	} {
		source := "package p\nvar x bool\nfunc f() {\n" + text + "\n}"
		file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
		require.NoError(t, err, text)
		body := file.Decls[1].(*ast.FuncDecl).Body
		require.Equal(t, want, endsList(body.List), text)
		// The compiler's judgment of the same.
		source = strings.Replace(source, "f() {", "f() (r int) {", 1)
		fset := token.NewFileSet()
		file, err = parser.ParseFile(fset, "", source, 0)
		require.NoError(t, err)
		_, err = new(types.Config).Check("p", fset, []*ast.File{file}, nil)
		require.Equal(t, want, err == nil || !strings.Contains(err.Error(), "missing return"), "%s: %v", text, err)
	}
}

// Whatever a file is, it has an expansion that is Go, or none.
func FuzzExpand(f *testing.F) {
	f.Add("package x\nfunc f() {\n//ckp:save a\n}")
	f.Add("package x\nfunc f() {\nswitch {\n//ckp:start\ncase true:\n//ckp:stop\n}\n}")
	f.Add("package x\n//line a:1:1\nfunc f() { //ckp:save b\n/*ckp:save*/ }")
	f.Fuzz(func(t *testing.T, text string) {
		e := Expand("x.go", []byte(text))
		if e == nil || e.Text == nil {
			return
		}
		_, err := parser.ParseFile(token.NewFileSet(), "x.go", e.Text, parser.SkipObjectResolution)
		require.NoError(t, err)
		again := Expand("x.go", e.Text)
		require.True(t, again == nil || len(again.Statements) == 0)
	})
}
