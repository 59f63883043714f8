package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A variable whose address is taken lives in a cell, since a frame, or what a frame leads to, can
// hold the address. But most addresses are those of receivers and buffers, which are passed to a
// function that does not keep them:
//
//	var scratch [10]byte
//	out = append(out, scratch[:binary.PutUvarint(scratch[:], n)]...)
//
// If no checkpoint can be taken in the call, the address is nowhere at any resume point, and the
// variable is one as others: a frame holds its value. That is so if the call is no resume point,
// the function borrows the address (Closure.Borrows), and no operand of the call is a resume point,
// which might be evaluated when the address has been. It is still one that a call can change,
// without an assignment that can be seen: what goes on with the value that it had before, as a loop
// over it does, has a copy of that.
//
// Otherwise it is in the frames of the functions that are called, but not any more when the call
// has returned. So where the variable is declared in a loop, it need not have a new cell in each
// iteration:
//
//	for _, d := range data {            if d == nil { d = new([3]float64) }
//		train(layers, d[:2], d[2:])     *d = data[index1]
//	}                                   train(layers, (*d)[:2], (*d)[2:])
//
// The cell of the last iteration is no part of frames; a process that begins with one makes
// another. What is made in a loop for a variable that stands outside of it is on the heap to the
// compiler. So a cell that takes little is there from the beginning, on the stack.

// lend finds the operands of a call whose addresses are lent.
func (f *facts) lend(call *ast.CallExpr) {
	if f.goOrDefer[call] {
		return
	}
	note := func(e ast.Expr, param int) {
		f.borrowed[e] = f.lends(call, param)
		f.passed[e] = f.borrowed[e] || f.borrows(call, param)
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := f.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			note(sel, -1)
		}
	}
	for i, a := range call.Args {
		a = ast.Unparen(a)
		switch x := a.(type) {
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				note(a, i)
			}
		case *ast.SliceExpr:
			note(a, i)
		}
	}
}

// lends reports whether an address that is an operand of a call is only lent: an argument, or the
// receiver, which is -1.
func (p *pkg) lends(call *ast.CallExpr, param int) bool {
	return !p.reachesPoint(call) && p.Closure.Operation(call).Function == nil && !p.pointBetween(call, true) && p.borrows(call, param)
}

// borrows reports whether what is called makes no use of an address that is an operand of the call
// when that is over.
func (p *pkg) borrows(call *ast.CallExpr, param int) bool {
	switch tv := p.info.Types[call.Fun]; {
	case tv.IsType(): // a string has bytes of its own
		to, basic := tv.Type.Underlying().(*types.Basic)
		return basic && to.Info()&types.IsString != 0
	case tv.IsBuiltin():
		switch builtinName(call.Fun) {
		case "len", "cap", "copy", "clear":
			return true
		case "append":
			return param == 1 && call.Ellipsis.IsValid()
		}
		return false
	case call.Ellipsis.IsValid():
		return false
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := p.info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr {
			return false // its first argument is the receiver
		}
	}
	callee := calledFunction(p.info, call)
	return callee != nil && p.Closure.Borrows(callee, param)
}

// onlyPassed reports whether the address of a variable is nowhere when the calls are over that it
// is an operand of, and those of literals that capture it.
func (f *facts) onlyPassed(v types.Object) bool {
	return (f.addressed[v] || f.captured[v]) && !f.kept[v] && (!f.captured[v] || f.capturedHere(v))
}

// capturedHere reports whether all that captures a variable is called where it stands, or deferred
// by such a literal.
func (f *facts) capturedHere(v types.Object) bool {
	return !f.inBody[v] && !slices.ContainsFunc(f.capturedBy[v], func(lit *ast.FuncLit) bool {
		around := slices.ContainsFunc(f.capturedBy[v], func(by *ast.FuncLit) bool {
			return by != lit && by.Pos() < lit.Pos() && lit.End() <= by.End()
		})
		return !f.isCalledHere(lit) && !(f.deferred[lit] && around)
	})
}

// What is small enough, in bytes, to be part of each frame, and to be cleared in each call.
const (
	mostFramed = 512
	mostReady  = 64
)

// takesLittle reports whether a variable has a size, and at most so many bytes.
func takesLittle(t types.Type, most int64) bool {
	return !hasTypeParam(t, nil) && types.SizesFor("gc", "amd64").Sizeof(t) <= most
}
