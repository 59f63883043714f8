package rewrite

import (
	"fmt"
	"go/ast"
	"strings"
)

// A call that is deferred in the body of a loop over a function is one of the function around the
// loop, which alone can defer it; but that waits for the iterator, which has called the body. The
// language's compiler knows how, and does it: the loop stays one over a function, namely over a
// method of the environment of its body, which calls the iterator. What the compiler's loop ranges
// over are the records of deferred calls, and all it does is to defer them.
//
//	for k := range all { defer done(k) }
//
// becomes
//
//		loop = &f_loop1{over: all}
//	resume1:
//		for d := range loop.iterate {
//			defers = shadow.Defers(d, defers)
//			switch d := d.(type) { case *f_defer1: defer d.run() }
//		}
//		(the test after every resume point)
//
//	func (env *f_loop1) iterate(each func(shadow.Deferral) bool) {
//		(as any function of the closure)
//		defer shadow.Deferring(env, each)()
//		env.over(env.value())
//	}
//
//	func (env *f_loop1) value() func(k K) bool {
//		... func(k K) bool {
//			shadow.Defer(env, &f_defer1{a0: k})
//			return true
//		}
//	}
//
// The runtime keeps each for the environment, as it belongs to an activation and can't be saved. A
// loop inside of another one defers by the environment of the outermost, which it holds as
// env.outer.

// outermostLoop returns the environment of the outermost loop over a function that c is in the
// body of.
func (c *function) outermostLoop() string {
	c.use(c.env)
	text := c.env.name
	for f := c; f.outer.loop != nil; f = f.outer {
		text += ".outer"
	}
	return text
}

// deferring makes the environment of a loop with deferred calls hold what they need. It returns
// the call of the iterator, and the variable that decides what is called, from those of
// a loop without.
func (c *function) deferring(l *lifted, loop *variable, call, fun string, decides *variable) (string, *variable) {
	if c.loop != nil {
		l.more = append(l.more, "outer: "+c.env.name)
		c.use(c.env)
		return call, decides
	}
	l.more = append(l.more, "over: "+fun)
	if decides != nil {
		c.use(decides)
	}
	rec := c.p.record()
	add := fmt.Sprintf("%[1]s = %[2]s.Defers(%[3]s, %[1]s)", c.defers.name, c.shadow(), rec)
	return "for " + rec + " := range " + loop.name + ".iterate {\n" + add + "\n" + c.deferRecord() + "}", nil
}

// writeDeferring writes the fields for that and returns the method.
func (c *function) writeDeferring(fields *strings.Builder, s *ast.RangeStmt, l *lifted, self string) (method string) {
	if c.loop != nil {
		fmt.Fprintf(fields, "outer %s\n", c.env.text)
		return ""
	}
	over, err := c.typeText(c.p.typeOf(s.X))
	params, perr := c.typeParameters(c.typeParams)
	if err != nil || perr != nil {
		c.p.refuse(s, "defer inside a loop over a function whose type can't be written here", "move the deferred call out of the loop")
		return ""
	}
	fmt.Fprintf(fields, "over %s\n", over)

	shadow, targs := c.shadow(), c.p.typeArguments(c.typeParams)
	name := c.p.packageName(l.name + "_iterate")
	frame, code := c.p.packageName(name+"_frame"), c.p.packageName(name+"_code")
	at := c.p.fset.PositionFor(s.For, false)
	var b strings.Builder
	env, fr := c.p.freeName("env"), c.p.freeName("fr")
	fmt.Fprintf(&b, "func (%s *%s) iterate(each func(%s.Deferral) bool) {\n//line <ckpgen>:1:1\n", env, self, shadow)
	fmt.Fprintf(&b, "if %s.Busy != 0 {\n%s%s = %s.env\n}\n}\n", shadow, entering(shadow, fr, code, frame+targs), env, fr)
	fmt.Fprintf(&b, "defer %s.Deferring(%s, each)()\n", shadow, env)
	fmt.Fprintf(&b, "//line %s\n%[2]s.over(%[2]s.value(%[3]s))\n//line <ckpgen>:1:1\n", c.lineAt(s.For), env, l.copiesIn(env))
	fmt.Fprintf(&b, "if %[1]s.Busy != 0 {\nif %[1]s.Unwinding() {\n%[1]s.Push(&%[2]s%[3]s{At: 1, env: %[4]s})\n}\n}\n}\n\n", shadow, frame, targs, env)
	fmt.Fprintf(&b, "type %s%s struct {\nAt int\nenv *%s\n}\n\n", frame, params, self)
	b.WriteString(c.resumePointMethod(frame+targs, code))
	c.p.reg.functions = append(c.p.reg.functions, registered{
		variable:    code,
		name:        c.p.runtimeType(l) + ".iterate",
		file:        c.p.File(c.file.name),
		line:        at.Line,
		fingerprint: fingerprint(c.source(s.Pos(), s.End()), "env"),
		points:      []*resumePoint{{number: 1, line: at, text: oneLine(c.source(s.X.Pos(), s.X.End()))}},
		renamed:     []renamed{{"env", ""}},
	})
	return b.String()
}
