package random

import (
	"fmt"
	"strconv"
	"strings"
)

// statements emits about so many.
func (g *generator) statements(n int) {
	for range n {
		if g.budget <= 0 {
			return
		}
		g.budget--
		g.statement(n)
	}
}

// block emits statements in braces after a header.
func (g *generator) block(header string, n int) {
	g.emit("%s {", header)
	g.scope(func() { g.statements(n) })
	g.emit("}")
}

func (g *generator) statement(size int) {
	inner := max(1, size-1)
	emitted := func(f func()) func() string {
		return func() string { f(); return "x" }
	}
	weight := func(w int, possible bool) int {
		if possible {
			return w
		}
		return 0
	}
	loud := !g.quiet
	nest := size > 1
	g.choose(
		alternative{10, emitted(g.declaration)},
		alternative{10, g.assignment},
		alternative{weight(8, loud), emitted(g.print)},
		alternative{6, emitted(func() { g.emit("%s", pick(g, []string{"point()", "point()", "ckp.Checkpoint()"})) })},
		alternative{weight(6, loud), g.callStatement},
		alternative{weight(7, nest), emitted(func() { g.ifStatement(inner) })},
		alternative{weight(10, nest), emitted(func() { g.loop(inner) })},
		alternative{weight(6, nest), emitted(func() { g.switchStatement(inner) })},
		alternative{weight(2, nest), emitted(func() { g.typeSwitch(inner) })},
		alternative{weight(3, nest && loud), emitted(func() { g.selectStatement(inner) })},
		alternative{weight(5, loud), emitted(func() { g.deferStatement(inner) })},
		alternative{weight(4, nest && loud), emitted(func() { g.guarded(inner) })},
		alternative{weight(3, nest && loud), emitted(g.branching)},
		alternative{weight(3, nest && loud), emitted(g.nest)},
		alternative{weight(1, nest && loud), emitted(g.pulling)},
		alternative{weight(4, loud), g.jump},
		alternative{weight(2, nest), emitted(func() { g.gotoStatement(inner) })},
		alternative{weight(7, loud), emitted(g.closures)},
		alternative{weight(3, nest), emitted(func() { g.block("", inner) })},
		alternative{weight(3, loud), g.sharing},
		alternative{weight(3, nest && loud), emitted(g.lending)},
		alternative{weight(3, nest && loud), emitted(g.parts)},
		alternative{weight(2, loud && g.function != nil), emitted(g.localDeclaration)},
		alternative{weight(4, g.goroutines && nest && loud), emitted(func() { g.goroutine(inner) })},
		alternative{weight(3, loud), g.tuples},
		alternative{weight(3, nest && loud), emitted(g.unwinding)},
		alternative{weight(4, nest && loud), g.failing},
		alternative{weight(3, nest && loud), emitted(g.changing)},
		alternative{weight(9, loud && g.function != nil), g.rarely},
		alternative{weight(3, nest && loud && g.function != nil), emitted(func() { g.bisecting(inner) })},
		alternative{weight(3, nest && loud && g.function != nil), emitted(func() { g.large(inner) })},
		alternative{weight(1, nest && loud && g.function != nil), emitted(g.once)},
		alternative{weight(4, g.goroutines && nest && loud && g.function != nil), emitted(func() { g.timer(inner) })},
		alternative{weight(40, g.locks && nest && loud), emitted(g.locking)},
		alternative{1, emitted(g.declaration)},
	)
}

// declaration emits a declaration of variables.
func (g *generator) declaration() {
	if g.chance(20) && !g.quiet { // from a call of several results
		if s, results := g.anyCall(g.free(2), 2); s != "" {
			var names []string
			var vs []*variable
			for _, r := range results {
				if g.chance(15) {
					names = append(names, "_")
					continue
				}
				v := &variable{name: fmt.Sprint("v", g.fresh()), typ: r, private: g.chance(60)}
				names, vs = append(names, v.name), append(vs, v)
			}
			op := " := "
			if len(vs) == 0 {
				op = " = "
			}
			g.emit("%s%s%s", strings.Join(names, ", "), op, s)
			for _, v := range vs {
				g.unused(g.declare(v))
			}
			return
		}
	}
	if g.chance(12) && !g.quiet { // with ok
		t := g.typ(1)
		var source string
		switch g.n(3) {
		case 0:
			both := g.split(g.free(3), 2)
			source = "(" + g.variant(g.mapOf(g.int(), t), both[0]) + ")[" + g.expr(g.int(), both[1]) + "]"
		case 1:
			if t.kind == opaqueKind || !g.printable(t) || t.kind == anyKind {
				t = g.int()
			}
			source = "(" + g.expr(g.any(), g.free(3)) + ").(" + t.text + ")"
		default:
			source = "<-" + g.expr(g.channel(t), g.free(3))
		}
		v := &variable{name: fmt.Sprint("v", g.fresh()), typ: t, private: g.chance(60)}
		ok := &variable{name: fmt.Sprint("ok", g.fresh()), typ: g.bool(), private: g.chance(60)}
		g.emit("%s, %s := %s", v.name, ok.name, source)
		g.unused(g.declare(v))
		g.unused(g.declare(ok))
		return
	}
	t := g.typ(2)
	if g.chance(6) && !g.quiet {
		t = g.channel(g.simple())
	}
	v := &variable{typ: t, private: g.chance(60)}
	var value string
	var constant bool
	if t.kind == chanKind || !g.chance(20) {
		value, constant = g.value(t, g.free(4))
	}
	v.name = g.name()
	switch {
	case value == "":
		g.emit("var %s %s", v.name, t.text)
	case g.chance(30):
		g.emit("var %s %s = %s", v.name, t.text, value)
	case constant && g.chance(30) && !strings.ContainsAny(value[:1], "ikgx"): // a variable of a loop is taken for a constant
		g.emit("const %s %s = %s", v.name, t.text, value)
		v.constant, v.used = true, true
	default:
		// A literal of another type than its own default type.
		switch t.text {
		case "int", "string", "bool":
			g.emit("%s := %s", v.name, value)
		default:
			g.emit("%s := (%s)(%s)", v.name, t.text, value)
		}
	}
	g.unused(g.declare(v))
}

// A place is something that can be assigned to. An operation such as += reads it as well.
func (g *generator) place(f freedom) (text string, t *typ) {
	list := g.visible(g.assignable)
	if len(list) == 0 {
		return "", nil
	}
	v := pick(g, list)
	text, t = v.name, v.typ
	defer func() { v.used = v.used || text != v.name }() // an assignment is no use
	for range 2 {
		if g.chance(40) {
			break
		}
		switch t.kind {
		case structKind:
			fields := g.fieldsOf(t)
			if len(fields) == 0 {
				return text, t
			}
			fd := pick(g, fields)
			text, t = text+"."+fd.name, fd.typ
		case arrayKind:
			text, t = text+"["+strconv.Itoa(g.n(t.size))+"]", t.elem
		case sliceKind:
			text, t = text+"["+g.index(f.stable(), 2)+"]", t.elem
		case mapKind:
			key := g.expr(t.key, f)
			return text + "[" + key + "]", t.elem // no further: parts of it can't be assigned
		case pointerKind:
			if t.elem.kind == structKind {
				if fields := g.fieldsOf(t.elem); len(fields) > 0 {
					fd := pick(g, fields)
					text, t = text+"."+fd.name, fd.typ
					continue
				}
			}
			return "*" + text, t.elem
		default:
			return text, t
		}
	}
	return text, t
}

// assignment emits one, or returns the empty string.
func (g *generator) assignment() string {
	switch g.n(10) {
	case 0, 1: // several at once
		if g.quiet {
			return ""
		}
		var places []string
		var ts []*typ
		for range 2 {
			p, t := g.place(freedom{depth: 1})
			if p == "" {
				return ""
			}
			places, ts = append(places, p), append(ts, t)
		}
		g.emit("%s = %s", strings.Join(places, ", "), strings.Join(g.operands(ts, freedom{unstable: g.chance(50), depth: 3}), ", "))
		return "x"
	case 2, 3: // an operation, which reads the place
		place, t := g.place(freedom{depth: 1})
		if place == "" {
			return ""
		}
		switch t.kind {
		case intKind:
			if g.chance(30) {
				g.emit("%s%s", place, pick(g, []string{"++", "--"}))
				return "x"
			}
			g.emit("%s %s= %s", place, pick(g, []string{"+", "-", "*", "^", "&", "|"}), g.expr(t, freedom{unstable: !g.quiet, depth: 3}))
			return "x"
		case floatKind:
			g.emit("%s += %s", place, g.expr(t, freedom{unstable: !g.quiet, depth: 3}))
			return "x"
		}
		return ""
	case 4: // with calls on both sides
		if g.quiet {
			return ""
		}
		v := g.variable(func(v *variable) bool {
			return v.typ.kind == arrayKind && v.typ.elem.kind == intKind && v.private && g.assignable(v)
		})
		if v == nil {
			return ""
		}
		index := "uint(" + g.variant(g.int(), g.free(3).ordered()) + ")%" + strconv.Itoa(v.typ.size)
		g.emit("%s[%s] %s= %s", v.name, index, pick(g, []string{"+", "-", "^", ""}), g.expr(v.typ.elem, g.free(3).ordered()))
		return "x"
	case 5: // to what a call returns
		if g.quiet {
			return ""
		}
		t := g.typ(1)
		both := g.split(g.free(3), 2)
		if g.chance(50) {
			g.emit("*(%s) = %s", g.expr(g.pointer(t), both[0]), g.expr(t, both[1]))
		} else {
			g.emit("(%s)[%s] = %s", g.variant(g.slice(t), both[0]), g.index(freedom{}, 2), g.expr(t, both[1]))
		}
		return "x"
	case 6: // to a map
		v := g.variable(func(v *variable) bool { return v.typ.kind == mapKind && g.assignable(v) })
		if v == nil || g.quiet {
			return ""
		}
		if g.chance(20) {
			g.emit("delete(%s, %s)", v.name, g.expr(v.typ.key, g.free(2).ordered()))
			return "x"
		}
		if g.chance(5) {
			g.emit("clear(%s)", v.name)
			return "x"
		}
		both := g.split(g.free(3).ordered(), 2)
		g.emit("%s[%s] = %s", v.name, g.expr(v.typ.key, both[0]), g.expr(v.typ.elem, both[1]))
		return "x"
	}
	place, t := g.place(freedom{depth: 1})
	if place == "" {
		return ""
	}
	g.emit("%s = %s", place, g.expr(t, g.free(4)))
	return "x"
}

// print emits a line of the trace.
func (g *generator) print() {
	var ts []*typ
	for range 1 + g.n(3) {
		t := g.typ(1)
		if list := g.visible(func(v *variable) bool { return g.printable(v.typ) }); len(list) > 0 && g.chance(70) {
			t = pick(g, list).typ
		}
		if !g.printable(t) {
			t = g.int()
		}
		ts = append(ts, t)
	}
	values := g.operands(ts, g.free(3))
	for i, t := range ts {
		if t.kind == anyKind {
			values[i] = "shown(" + values[i] + ")"
		}
	}
	g.emit("fmt.Println(\"at %d\", %s)", g.fresh(), strings.Join(values, ", "))
}

func (g *generator) callStatement() string {
	s, _ := g.anyCall(g.free(3), 0)
	if s != "" {
		g.emit("%s", s)
	}
	return s
}

func (g *generator) ifStatement(n int) {
	head := "if "
	g.scope(func() {
		if g.chance(30) {
			t := g.typ(1)
			value := g.expr(t, g.free(3))
			v := &variable{name: g.name(), typ: t, private: g.chance(60), used: true}
			head += v.name + " := " + header("("+t.text+")("+value+")") + "; "
			g.declare(v)
			if g.chance(50) && t.kind == intKind {
				head += "(" + v.name + " > " + g.expr(t, g.free(2).stable()) + ") && "
			} else {
				head += "use(" + v.name + ") && "
			}
		}
		g.block(head+header(g.expr(g.bool(), g.free(4))), n)
		for range g.n(3) {
			*g.lines = (*g.lines)[:len(*g.lines)-1] // the brace
			g.block("} else if "+header(g.expr(g.bool(), g.free(3))), n)
		}
		if g.chance(40) {
			*g.lines = (*g.lines)[:len(*g.lines)-1]
			g.block("} else", n)
		}
	})
}

// jump emits a statement that leaves the flow, mostly under a condition.
func (g *generator) jump() string {
	fn := g.function
	var s string
	switch k := g.n(6); {
	case k == 0:
		t := g.typ(1)
		if !g.printable(t) {
			t = g.string()
		}
		s = "panic(" + g.expr(t, g.free(3)) + ")"
	case k == 1 && fn != nil:
		s = g.returnStatement(fn)
	case fn == nil || len(fn.enclosing) == 0:
		return ""
	default:
		target := fn.enclosing[len(fn.enclosing)-1]
		word := "break"
		if target.loop && g.chance(50) {
			word = "continue"
		}
		s = word
		if target.again || g.chance(50) {
			target = pick(g, fn.enclosing)
			word = "break"
			if target.again {
				word = "goto"
			}
			if target.loop && g.chance(50) {
				word = "continue"
			}
			target.used = true
			s = word + " " + target.label
		}
	}
	if g.chance(85) {
		s = "if " + header(g.expr(g.bool(), g.free(3))) + " {\n" + s + "\n}"
	}
	g.emit("%s", s)
	return s
}

// enclosed emits a statement that can be left by break, with its label if that is used.
func (g *generator) enclosed(loop bool, f func()) {
	fn := g.function
	t := &target{label: fmt.Sprint("L", g.fresh()), loop: loop}
	fn.enclosing = append(fn.enclosing, t)
	g.late(func() string {
		if t.used {
			return t.label + ":"
		}
		return ""
	})
	f()
	fn.enclosing = fn.enclosing[:len(fn.enclosing)-1]
}

// gotoStatement emits a loop, or a way past statements, made of goto.
func (g *generator) gotoStatement(n int) {
	label := fmt.Sprint("G", g.fresh())
	if g.chance(50) {
		g.emit("{")
		g.scope(func() {
			i := fmt.Sprint("i", g.fresh())
			g.emit("%s := 0", i)
			g.declare(&variable{name: i, typ: g.int(), constant: true, used: true})
			g.emit("%s:", label)
			g.emit("%s++", i)
			if !g.quiet {
				g.emit("step()")
			}
			again := &target{label: label, again: true}
			if g.function != nil && !g.quiet {
				g.function.enclosing = append(g.function.enclosing, again)
			}
			g.block("", n)
			if g.function != nil && !g.quiet {
				g.function.enclosing = g.function.enclosing[:len(g.function.enclosing)-1]
			}
			g.emit("if %s < %d {\ngoto %s\n}", i, 2+g.n(2), label)
		})
		g.emit("}")
		return
	}
	g.emit("{")
	g.emit("if %s {\ngoto %s\n}", header(g.expr(g.bool(), g.free(3))), label)
	g.block("", n)
	g.emit("%s:", label)
	g.block("", 1)
	g.emit("}")
}

// localDeclaration emits a type or a constant of the function.
func (g *generator) localDeclaration() {
	i := g.fresh()
	switch g.n(3) {
	case 0:
		t := g.number()
		for t.parameter {
			t = g.int()
		}
		v := &variable{name: fmt.Sprint("c", i), typ: t, constant: true}
		g.emit("const %s %s = %d", v.name, t.text, g.n(100))
		g.declare(v)
	case 1:
		base := g.number()
		for base.parameter {
			base = g.int()
		}
		t := g.intern(&typ{text: fmt.Sprint("local", i), kind: intKind, named: true})
		g.emit("type %s %s", t.text, base.text)
		g.local = append(g.local, t)
	default:
		t := &typ{text: fmt.Sprint("local", i), kind: structKind, named: true}
		var fields []string
		for j := range 1 + g.n(3) {
			f := field{name: fmt.Sprint("f", i, "x", j), typ: g.typ(1)}
			if g.chance(15) {
				f.typ = g.pointer(t)
			}
			t.fields = append(t.fields, f)
			fields = append(fields, f.name+" "+f.typ.text)
		}
		g.emit("type %s struct {\n%s\n}", t.text, strings.Join(fields, "\n"))
		g.local = append(g.local, g.intern(t))
	}
}

// sharing emits statements that make two variables share memory, and change one.
func (g *generator) sharing() string {
	v := g.variable(func(v *variable) bool { return v.typ.kind == sliceKind && g.assignable(v) })
	if v == nil {
		return ""
	}
	name := fmt.Sprint("m", g.fresh())
	switch g.n(4) {
	case 3:
		g.emit("%s := copy(%s, %s)", name, v.name, g.expr(v.typ, freedom{unstable: true, depth: 3}))
		g.unused(g.declare(&variable{name: name, typ: g.int(), private: true}))
	case 0:
		g.emit("%s := %s[:min(len(%s), 1)]", name, v.name, v.name)
		g.declare(&variable{name: name, typ: v.typ, used: true})
		g.emit("%s = append(%s, %s)", name, name, g.expr(v.typ.elem, freedom{unstable: true, depth: 2}))
	case 1:
		g.emit("if len(%s) > 0 {", v.name)
		g.emit("%s := &%s[len(%s)-1]", name, v.name, v.name)
		g.scope(func() {
			p := &variable{name: name, typ: g.pointer(v.typ.elem), private: true, used: true}
			g.declare(p)
			g.statements(1)
			g.emit("*%s = %s", name, g.expr(v.typ.elem, g.free(3)))
			if g.printable(v.typ) {
				g.emit("fmt.Println(%s)", v.name)
			}
		})
		g.emit("}")
	default:
		g.emit("if len(%s) < 6 {\n%s = append(%s, %s)\n}", v.name, v.name, v.name, g.expr(v.typ.elem, freedom{unstable: true, depth: 2}))
	}
	return "x"
}
