package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A function whose last result is an error returns one when it returns because its goroutine is
// saving: shadow.Unwound, which nobody sees, as each activation saves its frame and returns. So
// where an error is tested right behind the call that returned it, as most are,
//
//	v, err := parse(s)
//	if err != nil {
//		return nil, err
//	}
//
// the test whether there is a checkpoint stands where there is an error, and as long as there is
// none, it costs nothing:
//
//	v, err = parse(s)
//	if err != nil {
//		if shadow.Busy != 0 { if shadow.Unwinding() { saved = 1; goto save1 } }
//		return nil, err
//	}
//
// The interpreter of Starlark took 1.26 times as long as the plain program with a test behind each
// call, and takes 1.11 times with these: it has hardly more instructions in the one case than in
// the other, but half as many branches behind calls.
//
// A function does not know who calls it, nor a call what it calls, so all functions of the closure
// with such a result keep to that, however they are left:
//   - At a resume point of its own, the error is assigned when the frame has been saved.
//   - In a deferred call, which sees to it that the frame is saved, the error is assigned there (deferred.go, sitecalls.go).
//   - Where others share the result, it is copied from a cell when all deferred calls are done; an error is assigned after that.
//   - The type of a result may be a type parameter, which is error in some instances. shadow.UnwoundAs returns what is right for its type argument.
//
// What has no function of its own in the new text, and is made by the compiler or package reflect
// (promoted methods, method values), hands results on.
//
// The error has no place in a frame: a result that others may read at any time is assigned to from
// a temporary behind the test, and has no such test (see point).

// failure is where the test whether there is a checkpoint stands in the text of an instruction that
// tests an error. A Go file can't contain it.
const failure = "\x01"

// failureMark returns that mark, if there is to be one.
func failureMark(here bool) string {
	if here {
		return failure
	}
	return ""
}

// errorOf returns the variable that a call with the given results assigns its error to, or nil.
func (c *function) errorOf(call *ast.CallExpr, results []*variable) *variable {
	f, ok := core(c.p.typeOf(call.Fun)).(*types.Signature)
	if n := len(results); ok && n > 0 && n == f.Results().Len() && isError(f.Results().At(n-1).Type()) {
		return results[n-1]
	}
	return nil
}

// failsBy returns the resume point that is the last instruction, if a condition tells whether that
// has returned an error: because it compares the error with nil, or does so before anything else
// and holds then. equal tells that the condition does not hold if there is an error.
func (c *function) failsBy(cond ast.Expr) (p *resumePoint, equal bool) {
	if len(c.code) == 0 {
		return nil, false
	}
	p = c.code[len(c.code)-1].resume
	if p == nil || p.err == nil || p.test != nil {
		return nil, false
	}
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	for ok && e.Op == token.LOR {
		if e, ok = ast.Unparen(e.X).(*ast.BinaryExpr); ok && e.Op == token.EQL {
			return nil, false
		}
	}
	if !ok || e.Op != token.NEQ && e.Op != token.EQL || !c.p.info.Types[e.Y].IsNil() {
		return nil, false
	}
	id, ok := ast.Unparen(e.X).(*ast.Ident)
	if !ok || c.variables[c.p.info.Uses[id]] != p.err || !p.err.plain() {
		return nil, false
	}
	return p, e.Op == token.EQL
}

// findFailing finds the calls whose test is that of their error. It has to be written together with
// the call.
func (a *again) findFailing(top *block) {
	a.fails = make(map[int]bool)
	code := a.c.code
	for i := range code[:max(len(code)-1, 0)] {
		p := code[i].resume
		a.fails[i] = p != nil && code[i+1].fails == p && code[i].falls && a.twice(i) == a.twice(i+1) && a.loopAround(i) == a.loopAround(i+1) &&
			a.within[i] == a.within[i+1] && top.innermost(i) == top.innermost(i+1)
	}
}

// testing returns an instruction with a test in its place.
func (in *instruction) testing(test string) *instruction {
	written := *in
	before, after, _ := strings.Cut(in.text, failure)
	if after == "" { // it stands behind the statement
		before += ";"
	} else {
		after = "; " + after
	}
	written.text = before + " " + test + after
	return &written
}

// failing returns what the first copy does at a resume point where there is an error.
func (a *again) failing(p *resumePoint, shadow, frame string) string {
	if a.stays(p.index) {
		return a.c.testAndSave(p, shadow, frame)
	}
	cold := a.c.numbered("cold")
	a.ways = append(a.ways, way{cold, a.forget(p) + a.called[p]})
	return fmt.Sprintf("if %s.Busy != 0 { goto %s }", shadow, cold)
}

// failed returns the result that is an error if the function returns because of a checkpoint, or
// nil.
func (c *function) failed() *variable {
	if n := len(c.results); n > 0 {
		if r := c.results[n-1]; isError(r.typ) || isTypeParam(r.typ) {
			return r
		}
	}
	return nil
}

// fails reports whether the function returns an error, by any type arguments.
func (c *function) fails() bool {
	r := c.failed()
	return r != nil && isError(r.typ)
}

// unwinds returns the statements that make a call which saves the frame, and have the function
// return an error.
func (c *function) unwinds(call string) string {
	switch r := c.failed(); {
	case r == nil:
		return call
	case r.cell:
		return c.unwindsTo(r.raw, call)
	default:
		return c.unwindsTo(r.name, call)
	}
}

// unwindsTo is unwinds for a function that has such a result, which the variable to is. The frame
// may have been saved, and call be "".
func (c *function) unwindsTo(to, call string) string {
	switch r := c.failed(); {
	case isTypeParam(r.typ):
		return strings.TrimPrefix(fmt.Sprintf("%s; %s = %s.UnwoundAs[%s]()", call, to, c.shadow(), r.text), "; ")
	case call == "":
		return to + " = " + c.shadow() + ".Unwound"
	default:
		return to + " = " + call
	}
}
