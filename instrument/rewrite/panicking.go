package rewrite

import (
	"fmt"
	"go/ast"
	"strings"
)

// Only a function that the language calls because of a defer statement recovers a panic. Where a
// function of the rewriter stands between the statement and the function that is deferred, and that
// may call recover, it is the one which the language calls: so it recovers, and panics with the
// same value in a method of its own that has deferred the call. Before that the call is made as it
// is everywhere else.
//
//	func (d *f_defer1) run() {
//		if v := recover(); v != nil {
//			d.whilePanicking(v)
//			return
//		}
//		d.fn(d.a0)
//	}
//
//	func (d *f_defer1) whilePanicking(v any) {
//		defer d.fn(d.a0)
//		panic(v)
//	}
//
// The call begins as soon as the method panics, so it is never suppressed. If a checkpoint is taken
// in it, a literal that is deferred before pushes the frame of the method, and knows by recover
// whether the function that is called has recovered the panic: the method defers the call again and
// panics with the same value, or returns if it has. If the function that is called has exited,
// there is nothing to come back to, and no frame.
type rescue struct {
	c       *function
	rec     string // the receiver
	name    string // its type
	tparams string // as they are declared
	targs   string
	self    string   // the field of a frame for the receiver
	params  []string // of the method, behind the value
	args    []string // to pass them on
	decides string   // the type of the first argument, if it is part of a frame, as p0
	first   string   // the parameter that it is
	at      ast.Node // the call
	call    string
	resumed string // the variable of the function with recover that tells whether it continues in the method
	value   string // what is panicked with
	frame   string
	code    string
}

// newRescue returns the method of type name that makes a call while panicking.
func (c *function) newRescue(rec, name, tparams, targs, self string, at ast.Node, call string) *rescue {
	return &rescue{c: c, rec: rec, name: name, tparams: tparams, targs: targs, self: self, at: at, call: call,
		resumed: c.p.newName("resumed"), value: c.p.newName("panicked"), frame: c.p.packageName(name + "_panicking"), code: c.p.packageName(name + "_panicking_code")}
}

// methodWhilePanicking is the name of the method.
const methodWhilePanicking = "whilePanicking"

// declaration declares the variable that takeUp sets and test reads. What they return is empty if
// there is no such method.
func (w *rescue) declaration() string { return w.resumed + " := false\n" }

// takeUp is executed when the function takes up its frame fr.
func (w *rescue) takeUp(fr string) string {
	if w == nil {
		return ""
	}
	return w.resumed + " = " + fr + ".At == 2\n"
}

// test calls the method, if the function is called because of a panic; it has the second resume
// point of the function.
func (w *rescue) test(push string) string {
	if w == nil {
		return ""
	}
	return fmt.Sprintf("if %[1]s := recover(); %[1]s != nil || %[2]s {\n%[3]s.%[4]s(%[5]s)\n%[6]sreturn\n}\n",
		w.value, w.resumed, w.rec, methodWhilePanicking, strings.Join(append([]string{w.value}, w.args...), ", "), push)
}

// point is the resume point of the call of the method, or the one that the method has.
func (w *rescue) point(number int) *resumePoint {
	from, to := w.at.Pos(), w.at.End()
	if call, ok := w.at.(*ast.CallExpr); ok {
		from, to = call.Fun.Pos(), call.Fun.End()
	}
	return &resumePoint{number: number, text: oneLine(w.c.source(from, to)) + " while panicking", line: w.c.p.fset.PositionFor(w.at.Pos(), false)}
}

// write writes the method.
func (w *rescue) write(b *strings.Builder) {
	if w == nil {
		return
	}
	c, shadow := w.c, w.c.shadow()
	panicked, returns := w.value, c.p.newName("returns")
	fr := c.p.freeName("fr")
	saved, first := fmt.Sprintf("%s: %s", w.self, w.rec), ""
	if w.decides != "" {
		saved, first = saved+", p0: "+w.first, fmt.Sprintf("%s = %s.p0\n", w.first, fr)
	}
	params := strings.Join(append([]string{panicked + " " + c.p.any()}, w.params...), ", ")
	fmt.Fprintf(b, "func (%s *%s%s) %s(%s) {\n//line <ckpgen>:1:1\n%s := false\n", w.rec, w.name, w.targs, methodWhilePanicking, params, returns)
	fmt.Fprintf(b, "if %[1]s.Busy != 0 {\n%[2]s%[3]s = %[8]s.%[4]s\n%[5]s%[6]s, %[7]s = %[8]s.Panic, %[8]s.At == 2\n}\n}\n", shadow, entering(shadow, fr, w.code, w.frame+w.targs), w.rec, w.self, first, panicked, returns, fr)
	fmt.Fprintf(b, "defer func() {\nif %[1]s.Busy != 0 {\nif %[1]s.Unwinding() {\n%[4]s := &%[2]s{At: 2, %[3]s}\nif v := recover(); v != nil {\n%[4]s.At, %[4]s.Panic = 1, v\n} else if %[1]s.Exited() {\nreturn\n}\n%[1]s.Push(%[4]s)\n}\n}\n}()\n",
		shadow, w.frame+w.targs, saved, fr)
	fmt.Fprintf(b, "//line %s\ndefer %s\n//line <ckpgen>:1:1\nif !%s {\npanic(%s)\n}\n}\n\n", c.lineAt(w.at.Pos()), w.call, returns, panicked)
	fmt.Fprintf(b, "type %s%s struct {\nAt int\n%s *%s%s\n", w.frame, w.tparams, w.self, w.name, w.targs)
	if w.decides != "" {
		b.WriteString("p0 " + w.decides + "\n")
	}
	fmt.Fprintf(b, "Panic %s\n}\n\n", c.p.any())
	b.WriteString(c.resumePointMethod(w.frame+w.targs, w.code))
	name := w.name
	if w.targs != "" {
		name += "[...]"
	}
	recovered := w.point(2)
	recovered.text += ", recovered"
	c.p.reg.functions = append(c.p.reg.functions, registered{
		variable:    w.code,
		name:        c.p.runtimePath() + ".(*" + name + ")." + methodWhilePanicking,
		file:        c.p.File(c.file.name),
		line:        w.point(1).line.Line,
		fingerprint: fingerprint(c.source(w.at.Pos(), w.at.End()), w.decides),
		defers:      true,
		points:      []*resumePoint{w.point(1), recovered},
		renamed:     []renamed{{w.self, ""}, {"p0", ""}},
	})
}

// panicking returns a statement that is executed before a call in the place of the language, of a
// function that may call recover and in which no checkpoint can be taken.
func (c *function) panicking(call string) string {
	v := c.p.newName("panicked")
	return fmt.Sprintf("if %[1]s := recover(); %[1]s != nil {\nfunc() {\ndefer %[2]s\npanic(%[1]s)\n}()\nreturn\n}\n", v, call)
}
