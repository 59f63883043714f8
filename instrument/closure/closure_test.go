package closure_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/closure"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/polls"
	"github.com/ckpgen/ckpgen/instrument/standard"
)

// open unpacks an archive below testdata and loads its program.
func open(t *testing.T, archive string) *load.Program {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	require.NoError(t, err)
	dir := t.TempDir()
	for _, f := range ar.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, f.Data, 0o666))
	}
	p, err := load.Load(context.Background(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}, ".")
	require.NoError(t, err)
	return p
}

// TestMarks compares the closure of each program with the marks in its source: //func stands on the
// line on which a function of the closure begins, //call on the line of the closing parenthesis of
// a call in it, //range on that of a loop; //waits and //starts on the line on which an operation
// of package blocking begins. Archives named auto* are about polls alone: //polls stands on the
// line of a loop or function that is polled, and in autoover //slow on that of a loop that polls
// and is not run in strips. Those named polls* have all marks.
func TestMarks(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			t.Parallel()
			p := open(t, archive)
			auto := strings.HasPrefix(filepath.Base(archive), "auto")
			c := closure.Of(p, auto || strings.HasPrefix(filepath.Base(archive), "polls"))
			var got, want []string
			for _, pkg := range p.Rewritable() {
				for _, file := range pkg.Syntax {
					got = append(got, found(c, p.Fset, file)...)
					want = append(want, marks(p.Fset, file)...)
				}
			}
			if auto {
				got = slices.DeleteFunc(got, func(s string) bool { return !strings.HasSuffix(s, "//polls") && !strings.HasSuffix(s, "//slow") })
			}
			if !strings.HasSuffix(archive, "autoover.txtar") {
				got = slices.DeleteFunc(got, func(s string) bool { return strings.HasSuffix(s, "//slow") })
			}
			slices.Sort(got)
			slices.Sort(want)
			require.Equal(t, strings.Join(want, "\n"), strings.Join(slices.Compact(got), "\n"))
		})
	}
}

func found(c *closure.Closure, fset *token.FileSet, file *ast.File) (list []string) {
	add := func(pos token.Pos, what string) {
		p := fset.Position(pos)
		list = append(list, fmt.Sprintf("%s:%03d %s", filepath.Base(p.Filename), p.Line, what))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			return true
		}
		switch op := c.Operation(n); {
		case op.Waits():
			add(n.Pos(), "//waits")
		case op.Kind == blocking.Start:
			add(n.Pos(), "//starts")
		}
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if c.Func(n) {
				add(n.Pos(), "//func")
			}
			if c.Polls(n) {
				add(n.Pos(), "//polls")
			}
		case *ast.CallExpr:
			if c.Call(n) {
				add(n.Rparen, "//call")
			}
		case *ast.RangeStmt:
			if c.Range(n) {
				add(n.For, "//range")
			}
			if c.Loop(n) || c.Polls(n) {
				add(n.For, "//polls")
			}
			if c.Slow(n) {
				add(n.For, "//slow")
			}
		case *ast.ForStmt:
			if c.Loop(n) {
				add(n.For, "//polls")
			}
			if c.Slow(n) {
				add(n.For, "//slow")
			}
		case *ast.BranchStmt:
			if c.Loop(n) {
				add(n.TokPos, "//polls")
			}
		}
		return true
	})
	return list
}

func marks(fset *token.FileSet, file *ast.File) (list []string) {
	for _, group := range file.Comments {
		for _, comment := range group.List {
			for _, word := range strings.Fields(comment.Text) {
				switch word {
				case "//func", "//call", "//range", "//waits", "//starts", "//polls", "//slow":
					p := fset.Position(comment.Pos())
					list = append(list, fmt.Sprintf("%s:%03d %s", filepath.Base(p.Filename), p.Line, word))
				}
			}
		}
	}
	return list
}

// TestReflection checks that package reflect is rewritten in programs that have it call functions, and
// in no others, although all have its methods that do so.
func TestReflection(t *testing.T) {
	called := closure.Of(open(t, "testdata/reflectedcalls.txtar"), false)
	needed, demanded := called.ThroughStandard()
	require.True(t, needed)
	require.Equal(t, []string{standard.Reflection}, demanded)

	printed := closure.Of(open(t, "testdata/reflectedvalues.txtar"), false)
	require.False(t, printed.Empty())
	needed, _ = printed.ThroughStandard()
	require.False(t, needed)
}

// TestExplain asks the questions in testdata/explain*.txtar.
func TestExplain(t *testing.T) {
	for _, archive := range archives(t, "testdata/explain*.txtar") {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			p := open(t, archive)
			c := closure.Of(p, false)
			dir := p.Initial[0].Dir
			questions, err := os.ReadFile(filepath.Join(dir, "explain"))
			require.NoError(t, err)
			var got strings.Builder
			for line := range strings.Lines(string(questions)) {
				name, ok := strings.CutPrefix(strings.TrimSpace(line), "? ")
				if !ok {
					continue
				}
				text, err := c.Explain(name, dir)
				if err != nil {
					text = err.Error() + "\n"
				}
				got.WriteString("? " + name + "\n" + text)
			}
			require.Equal(t, string(questions), got.String())
		})
	}
}

// TestObstacles compares the obstacles of programs with their files obstacles.
func TestObstacles(t *testing.T) {
	for _, archive := range archives(t, "testdata/obstacles*.txtar") {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			p := open(t, archive)
			dir := p.Initial[0].Dir
			want, err := os.ReadFile(filepath.Join(dir, "obstacles"))
			require.NoError(t, err)
			var got strings.Builder
			for _, o := range closure.Of(p, false).Obstacles() {
				fmt.Fprintf(&got, "%s\n", o.Text(dir))
			}
			require.Equal(t, string(want), got.String())
		})
	}
}

func archives(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

// TestChoose compares the places that are chosen to poll with those that are right.
func TestChoose(t *testing.T) {
	for _, archive := range archives(t, "testdata/chosen/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(archive)
			require.NoError(t, err)
			file := func(name string) string {
				for _, f := range ar.Files {
					if f.Name == name {
						return string(f.Data)
					}
				}
				t.Fatalf("%s has no file %s", archive, name)
				return ""
			}
			v, err := polls.ReadVisits(strings.NewReader(file("visits")))
			require.NoError(t, err)
			var b strings.Builder
			for _, p := range closure.Of(open(t, archive), true).Choose(v, 100*time.Millisecond) {
				fmt.Fprintln(&b, p)
			}
			require.Equal(t, file("places"), b.String())
		})
	}
}
