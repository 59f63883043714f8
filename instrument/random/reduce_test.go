package random

import (
	"cmp"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A reducer makes a program smaller that shows a difference, as long as it shows it. It
// cuts at the syntax tree and lets the type checker say which cuts leave a program. Many cuts are
// tried in one build; those that leave the difference are then made together.
type reducer struct {
	*workshop
	t       *testing.T
	imports types.Importer
}

func (w *workshop) reducer(t *testing.T) *reducer {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}", "context", "fmt", "iter", "math", "os", "sync", "github.com/ckpgen/ckpgen/runtime/ckp")
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.Output()
	require.NoError(t, err)
	files := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 2 {
			files[f[0]] = f[1]
		}
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	return &reducer{w, t, importer.ForCompiler(token.NewFileSet(), "gc", open)}
}

// A cut replaces a part of the text.
type cut struct {
	from, to int
	with     string
}

func (c cut) gain() int { return c.to - c.from - len(c.with) }

// apply makes disjoint cuts.
func apply(text string, cuts []cut) string {
	cuts = slices.Clone(cuts)
	slices.SortFunc(cuts, func(a, b cut) int { return b.from - a.from })
	for _, c := range cuts {
		text = text[:c.from] + c.with + text[c.to:]
	}
	return text
}

// cuts returns what may be tried, the largest first.
func cuts(text string) []cut {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		return nil
	}
	var list []cut
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	src := func(n ast.Node) string { return text[at(n.Pos()):at(n.End())] }
	replace := func(n ast.Node, with string) { list = append(list, cut{at(n.Pos()), at(n.End()), with}) }
	statements := func(ss []ast.Stmt) {
		for n := len(ss); n > 0; n /= 2 {
			for i := 0; i+n <= len(ss); i += n {
				list = append(list, cut{at(ss[i].Pos()), at(ss[i+n-1].End()), ""})
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name != "main" {
				replace(n, "")
			}
		case *ast.GenDecl:
			if n.Tok != token.IMPORT {
				replace(n, "")
			}
		case *ast.BlockStmt:
			statements(n.List)
		case *ast.CaseClause:
			statements(n.Body)
			if len(n.List) > 1 {
				replace(n.List[0], "")
			}
		case *ast.CommClause:
			statements(n.Body)
		case *ast.LabeledStmt:
			replace(n, src(n.Stmt))
		case *ast.IfStmt:
			replace(n, src(n.Body))
			if n.Else != nil {
				replace(n, src(n.Else))
				list = append(list, cut{at(n.Body.End()), at(n.Else.End()), ""})
			}
			if n.Init != nil {
				list = append(list, cut{at(n.Init.Pos()), at(n.Cond.Pos()), ""})
			}
		case *ast.ForStmt:
			replace(n, src(n.Body))
		case *ast.RangeStmt:
			replace(n, src(n.Body))
			if n.Key != nil {
				list = append(list, cut{at(n.Key.Pos()), at(n.TokPos) + len(n.Tok.String()), ""})
			}
		case *ast.ParenExpr:
			replace(n, src(n.X))
		case *ast.StarExpr:
		case *ast.UnaryExpr:
			replace(n, src(n.X))
		case *ast.BinaryExpr:
			replace(n, src(n.X))
			replace(n, src(n.Y))
		case *ast.CallExpr:
			for _, a := range n.Args {
				replace(n, src(a))
			}
			if f, ok := n.Fun.(*ast.FuncLit); ok && len(n.Args) == 0 {
				replace(n, src(f.Body))
			}
			for _, s := range []string{"0", `""`, "false", "nil"} {
				replace(n, s)
			}
		case *ast.FuncLit:
			replace(n, "nil")
		case *ast.CompositeLit:
			for i, e := range n.Elts {
				end := at(e.End())
				if i+1 < len(n.Elts) {
					end = at(n.Elts[i+1].Pos())
				}
				list = append(list, cut{at(e.Pos()), end, ""})
			}
			replace(n, "nil")
		case *ast.StructType, *ast.InterfaceType:
			fields := (*ast.FieldList)(nil)
			if s, ok := n.(*ast.StructType); ok {
				fields = s.Fields
			} else {
				fields = n.(*ast.InterfaceType).Methods
			}
			for _, f := range fields.List {
				replace(f, "")
			}
		case *ast.IndexExpr:
			replace(n, src(n.X))
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				replace(n, "return")
			}
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b cut) int { return cmp.Compare(b.gain(), a.gain()) })
	return slices.DeleteFunc(list, func(c cut) bool { return c.gain() <= 0 })
}

// valid returns the text with what is no longer used taken out, if it is a program.
func (r *reducer) valid(text string) (string, bool) {
	for range 10 {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", text, 0)
		if err != nil {
			return "", false
		}
		var unused []token.Pos
		bad := false
		info := &types.Info{Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object)}
		config := types.Config{Importer: r.imports, Error: func(err error) {
			e := err.(types.Error)
			if strings.Contains(e.Msg, "declared and not used") || strings.Contains(e.Msg, "imported and not used") ||
				strings.HasPrefix(e.Msg, "label ") && strings.HasSuffix(e.Msg, "not used") {
				unused = append(unused, e.Pos)
			} else {
				bad = true
			}
		}}
		config.Check("main", fset, []*ast.File{file}, info)
		if bad {
			return "", false
		}
		if len(unused) == 0 {
			out, err := format.Source([]byte(text))
			return string(out), err == nil
		}
		text = withoutUnused(fset, file, info, text, unused)
	}
	return "", false
}

// withoutUnused makes blank, or removes, what is declared at the given positions.
func withoutUnused(fset *token.FileSet, file *ast.File, info *types.Info, text string, unused []token.Pos) string {
	var list []cut
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	gone := make(map[types.Object]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			if slices.Contains(unused, n.Pos()) {
				list = append(list, cut{at(n.Pos()), at(n.End()), ""})
			}
		case *ast.LabeledStmt:
			if slices.Contains(unused, n.Label.Pos()) {
				list = append(list, cut{at(n.Pos()), at(n.Colon) + 1, ""})
			}
		case *ast.TypeSwitchStmt:
			if a, ok := n.Assign.(*ast.AssignStmt); ok && slices.Contains(unused, a.Lhs[0].Pos()) {
				list = append(list, cut{at(a.Pos()), at(a.Rhs[0].Pos()), ""})
				return true
			}
		case *ast.Ident:
			if obj := info.Defs[n]; obj != nil && slices.Contains(unused, n.Pos()) {
				if _, ok := obj.(*types.Var); ok {
					gone[obj] = true
				}
			}
		}
		return true
	})
	blank := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && (id.Name == "_" || gone[info.Defs[id]] || gone[info.Uses[id]])
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool {
				id, ok := e.(*ast.Ident)
				return ok && !blank(e) && info.Defs[id] != nil
			}) && slices.ContainsFunc(n.Lhs, blank) {
				list = append(list, cut{at(n.TokPos), at(n.TokPos) + 2, "="})
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE && blank(n.Key) && (n.Value == nil || blank(n.Value)) {
				list = append(list, cut{at(n.TokPos), at(n.TokPos) + 2, "="})
			}
		case *ast.Ident:
			if gone[info.Defs[n]] || gone[info.Uses[n]] {
				list = append(list, cut{at(n.Pos()), at(n.End()), "_"})
			}
		}
		return true
	})
	return apply(text, list)
}

// reduce makes a program smaller that differs as told.
func (r *reducer) reduce(text string, d *difference, deadline time.Time) string {
	if clean, ok := r.valid(text); ok {
		text = clean
	}
	tried := make(map[string]bool)
	for time.Now().Before(deadline) {
		var chosen []cut
		candidates := make(map[int]string)
		for _, c := range cuts(text) {
			if slices.ContainsFunc(chosen, func(o cut) bool { return c.from < o.to && o.from < c.to }) {
				continue
			}
			s, ok := r.valid(apply(text, []cut{c}))
			if !ok || tried[s] || len(s) >= len(text) {
				continue
			}
			tried[s] = true
			candidates[len(chosen)] = s
			chosen = append(chosen, c)
			if len(chosen) == 40 {
				break
			}
		}
		if len(chosen) == 0 {
			break
		}
		failing := r.failing(candidates, d)
		if len(failing) == 0 {
			continue
		}
		// All of them together, or as many as go together.
		best := candidates[slices.MinFunc(failing, func(a, b int) int { return len(candidates[a]) - len(candidates[b]) })]
		together := make(map[int]string)
		for n := len(failing); n > 1; n = n * 2 / 3 {
			var list []cut
			for _, i := range failing[:n] {
				list = append(list, chosen[i])
			}
			if s, ok := r.valid(apply(text, list)); ok {
				together[n] = s
			}
		}
		if len(together) > 0 {
			for _, n := range r.failing(together, d) {
				if len(together[n]) < len(best) {
					best = together[n]
				}
			}
		}
		text = best
	}
	return text
}

// failing returns which of the programs differ like d, in order.
func (r *reducer) failing(programs map[int]string, d *difference) []int {
	b := r.batch(programs)
	ways := []way{plain}
	if d.way.name != plain.name {
		ways = append(ways, d.way)
	}
	b.build(r.t, ways...)
	var list []int
	for i := range programs {
		e := b.wrong[i]
		if e == nil {
			e = b.again(r.t, i, d)
		}
		if e != nil && e.kind == d.kind && e.way.name == d.way.name {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return list
}
