package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A function that calls what it is handed is rewritten if a checkpoint can be taken there, and then
// is too large for the compiler to inline. Most of its calls may be such from which no checkpoint
// can be reached, with literals that the compiler would inline, too:
//
//	func each(list []item, f func(item)) { for _, x := range list { f(x) } }
//
//	each(list, func(x item) { total += x.size })
//
// So a small one stands beside the rewritten one as it was, and these calls are calls of that:
//
//	func CkpgenOriginal_each(list []item, f func(item)) { for _, x := range list { f(x) } }
//
//	CkpgenOriginal_each(list, func(x item) { total += x.size })
//
// It is exported, as calls in other packages are replaced, too.

// Originals returns the functions of a package that stand beside what they are rewritten as: those
// that are small, do nothing that a goroutine is told of, and have nothing inside that belongs to a
// function alone.
func Originals(pkg *packages.Package, closure Closure, inLibrary bool) []*types.Func {
	var list []*types.Func
	bases := make(map[string]int)
	eachDeclared(pkg, inLibrary, func(d *ast.FuncDecl, f *types.Func) {
		if !closure.Func(d) || hasDirective(d.Doc, "go:") || d.Name.Name == "_" || !takesCode(f) ||
			isLargeBody(pkg.TypesInfo, d.Body) || !standsAlone(pkg.TypesInfo, closure, d) {
			return
		}
		bases[iteratorBase(f)]++
		list = append(list, f)
	})
	return slices.DeleteFunc(list, func(f *types.Func) bool {
		return bases[iteratorBase(f)] > 1 || pkg.Types.Scope().Lookup(originalName(f)) != nil
	})
}

// takesCode reports whether a function is handed func values, or values with methods.
func takesCode(f *types.Func) bool {
	for v := range f.Signature().Params().Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Signature, *types.Interface:
			return true
		}
	}
	return false
}

// standsAlone reports whether the body of a function can be written twice.
func standsAlone(info *types.Info, closure Closure, d *ast.FuncDecl) bool {
	ok := true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt, *ast.LabeledStmt:
			ok = false
		case *ast.GenDecl:
			ok = ok && n.Tok == token.VAR
		case *ast.RangeStmt:
			if t := info.TypeOf(n.X); t != nil {
				_, over := core(t).(*types.Signature)
				ok = ok && !over
			}
		case *ast.CallExpr:
			ok = ok && !(info.Types[n.Fun].IsBuiltin() && builtinName(n.Fun) == "recover") && !closure.Direct(n)
		}
		if op := closure.Operation(n); op != (blocking.Operation{}) {
			ok = false
		}
		return ok
	})
	return ok
}

func originalName(f *types.Func) string { return "CkpgenOriginal_" + iteratorBase(f) }

// original writes the original of a function that is rewritten, if it has one.
func (f *file) original(d *ast.FuncDecl) {
	fn, _ := f.p.info.Defs[d.Name].(*types.Func)
	if fn == nil || f.p.Originals == nil || !f.p.Originals(fn) {
		return
	}
	c := newFunction(f, d, declarationName(d))
	c.typeParams = typeParamsOf(fn.Signature())
	typeParams, err := c.typeParameters(c.typeParams)
	if err != nil {
		f.p.refuse(d.Name, "internal error: a function that is called elsewhere can't be written: "+err.Error(), "please report it with the source")
		return
	}
	results := ""
	if d.Type.Results != nil {
		results = " " + c.render(d.Type.Results)
	}
	f.append(fmt.Sprintf("// %s is %s as it was, for calls from which no checkpoint can be reached.\n//line %s\nfunc %s%s(%s)%s %s\n\n",
		originalName(fn), c.base, f.lineAt(d.Body.Lbrace), originalName(fn), typeParams, strings.Join(c.parameters(d), ", "), results, c.render(d.Body)))
}

// callOriginal returns the call of an original that takes the place of a call.
func (c *function) callOriginal(call *ast.CallExpr) (text string, ok bool) {
	f := calledFunction(c.p.info, call)
	if f == nil || c.p.Originals == nil || !c.p.Originals(f.Origin()) || c.p.facts.goOrDefer[call] || c.p.reachesPoint(call) || c.p.Closure.Operation(call).Function != nil {
		return "", false
	}
	if recv := f.Signature().Recv(); recv != nil {
		// What a pointer leads to is copied when the arguments have been evaluated, or before: that
		// is not for here.
		sel, _ := calledWithout(call).(*ast.SelectorExpr)
		if sel == nil || !isPointer(recv.Type()) && isPointer(c.p.typeOf(sel.X)) {
			return "", false
		}
	}
	replaced, ok := c.replace(call, f, true)
	return replaced.call(originalName(f)), ok
}
