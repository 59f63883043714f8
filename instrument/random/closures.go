package random

import "fmt"

// closures emits closures that share variables, have one of their own for each
// iteration, or call themselves.
func (g *generator) closures() {
	id := g.fresh()
	f, x := fmt.Sprint("f", id), fmt.Sprint("x", id)
	switch g.n(8) {
	case 7: // one that returns what it has captured to who has called it, where it outlives the function
		t := g.typ(1)
		for !g.printable(t) {
			t = g.number()
		}
		p := g.pointer(t)
		body := g.capture(func() {
			outer := g.function
			g.function = &function{results: []*typ{p}}
			g.scope(func() {
				g.emit("%s := (%s)(%s)", x, t.text, g.expr(t, g.free(3)))
				g.declare(&variable{name: x, typ: t, private: true, used: true})
				how := g.n(3)
				if how > 0 {
					g.emit("q := &%s", x)
				}
				g.emit("return %s(func() %s {", pick(g, []string{"handed", "handed[" + p.text + "]", "handedOn"}), p.text)
				g.emit("step()")
				g.scope(func() { g.statements(1) })
				switch how {
				case 0:
					g.emit("return &%s", x)
				case 1:
					g.emit("return q")
				default:
					g.emit("return pt(q)")
				}
				g.emit("})")
			})
			g.function = outer
		})
		g.emit("%s := func() %s {\nstep()\n%s}()", f, p.text, body)
		g.declare(&variable{name: f, typ: p, private: true, used: true})
		g.emit("overwrite(20)")
		g.emit("fmt.Println(\"returned %d\", *%s)", id, f)
	case 6: // addresses of the variables of a loop
		t := g.int()
		list := g.slice(g.pointer(t))
		g.emit("var %s %s", f, list.text)
		g.emit("%s {", pick(g, []string{
			fmt.Sprintf("for %s := 0; %s < %d; %s++", x, x, 2+g.n(3), x),
			fmt.Sprintf("for %s := range %d", x, 1+g.n(3)),
			fmt.Sprintf("for _, %s := range []int{%d, %d, %d}", x, g.n(9), g.n(9), g.n(9)),
			fmt.Sprintf("for %s := range full(%d, %d)", x, g.n(9), g.n(9)),
		}))
		g.emit("step()")
		g.scope(func() {
			g.declare(&variable{name: x, typ: t, used: true})
			g.emit("%s = append(%s, &%s)", f, f, x)
			g.statements(1)
			if g.chance(50) {
				g.emit("%s += pt(%d)", x, g.n(2))
			}
			g.emit("*%s[%d%%len(%s)] += %d", f, g.n(3), f, g.n(2))
			g.emit("fmt.Println(\"address %d\", %s, *%s[0])", id, x, f)
		})
		g.emit("}")
		g.emit("for _, p := range %s {\nfmt.Println(\"address %d\", *p)\n}", f, id)
		g.declare(&variable{name: f, typ: list, private: true, used: true})
	case 4: // one that shares a variable with the function, or a pointer to it
		t := g.typ(1)
		for !g.printable(t) {
			t = g.number()
		}
		g.emit("%s := (%s)(%s)", x, t.text, g.expr(t, g.free(3)))
		v := g.declare(&variable{name: x, typ: t, used: true})
		if g.chance(40) {
			p := g.pointer(t)
			g.emit("%s := &%s", f, x)
			g.declare(&variable{name: f, typ: p, private: true, used: true})
			g.statements(1)
			g.emit("*%s = %s", f, g.expr(t, g.free(3)))
			g.emit("fmt.Println(\"shared %d\", %s)", id, x)
			g.statements(1)
			g.emit("%s = %s", x, g.expr(t, g.free(3)))
			g.emit("fmt.Println(\"shared %d\", *%s)", id, f)
			return
		}
		fun := g.fun(nil, nil, false)
		body := g.capture(func() {
			outer := g.function
			g.function = &function{}
			g.scope(func() {
				g.statements(1)
				g.emit("%s = %s", x, g.expr(t, g.free(3)))
			})
			g.function = outer
		})
		g.emit("%s := func() {\nstep()\n%s}", f, body)
		g.declare(&variable{name: f, typ: fun, private: true, used: true})
		for range 1 + g.n(2) {
			g.statements(1)
			g.emit("%s()", f)
			g.emit("fmt.Println(\"shared %d\", %s)", id, v.name)
			g.emit("%s = %s", x, g.expr(t, g.free(2)))
		}
	case 5: // one that shares the variable of a loop with its body
		fun := g.fun(nil, []*typ{g.int()}, false)
		list := g.slice(fun)
		g.emit("var %s %s", f, list.text)
		g.emit("for %s := 0; %s < %d; %s++ {", x, x, 2+g.n(3), x)
		g.emit("step()")
		g.scope(func() {
			g.declare(&variable{name: x, typ: g.int(), used: true})
			g.emit("%s = append(%s, func() int {\n%s += %d\nreturn pt(%s)\n})", f, f, x, g.n(2), x)
			g.statements(1)
			if g.chance(50) {
				g.emit("%s += pt(%d)", x, g.n(2))
			}
			g.emit("fmt.Println(\"loop %d\", %s[0]())", id, f)
			g.emit("fmt.Println(%s)", x)
		})
		g.emit("}")
		g.emit("for _, g := range %s {\nfmt.Println(\"loop %d\", g(), g())\n}", f, id)
		g.declare(&variable{name: f, typ: list, private: true, used: true})
	case 0: // recursion through a variable
		t := g.fun([]*typ{g.int()}, []*typ{g.int()}, false)
		g.emit("var %s %s", f, t.text)
		p := fmt.Sprint("p", id)
		body := g.capture(func() {
			outer := g.function
			g.function = &function{results: t.results}
			g.scope(func() {
				g.declare(&variable{name: p, typ: g.int(), private: true, used: true})
				g.statements(1)
				g.emit("if %s <= 0 || %s > 5 {\n%s\n}", p, p, g.returnStatement(g.function))
				g.emit("return %s + pt(%s(%s-1))", p, f, p)
			})
			g.function = outer
		})
		g.emit("%s = func(%s int) int {\nstep()\n%s}", f, p, body)
		g.declare(&variable{name: f, typ: t, private: true, used: true})
	case 1: // a variable for each iteration
		t := g.typ(1)
		fun := g.fun(nil, []*typ{t}, false)
		list := g.slice(fun)
		g.emit("var %s %s", f, list.text)
		g.emit("for i := 0; i < %d; i++ {", 1+g.n(3))
		g.emit("step()")
		g.scope(func() {
			g.declare(&variable{name: "i", typ: g.int(), used: true})
			g.emit("%s := (%s)(%s)", x, t.text, g.expr(t, g.free(3)))
			g.unused(g.declare(&variable{name: x, typ: t}))
			g.emit("%s = append(%s, %s)", f, f, g.literalWith(fun, 2))
			g.statements(1)
		})
		g.emit("}")
		g.emit("for _, g := range %s {", f)
		g.emit("step()")
		if g.printable(t) {
			g.emit("fmt.Println(\"each %d\", g())", id)
		} else {
			g.emit("g()")
		}
		g.emit("}")
		g.declare(&variable{name: f, typ: list, private: true, used: true})
	case 2: // two that share a variable
		t := g.number()
		set, get := g.fun([]*typ{t}, nil, false), g.fun(nil, []*typ{t}, false)
		g.emit("%s := (%s)(%s)", x, t.text, g.expr(t, g.free(3)))
		g.declare(&variable{name: x, typ: t, used: true})
		g.emit("%sset, %sget := func(p %s) { point(); %s += p }, func() %s { return pt(%s) }", f, f, t.text, x, t.text, x)
		g.declare(&variable{name: f + "set", typ: set, private: true})
		g.unused(g.variables[len(g.variables)-1])
		g.declare(&variable{name: f + "get", typ: get, private: true})
		g.unused(g.variables[len(g.variables)-1])
	default: // in a map
		fun := g.knownFunc()
		t := g.mapOf(g.int(), fun)
		g.emit("%s := %s{1: %s, 2: %s}", f, t.text, g.funcLiteral(fun, 2), g.funcLiteral(fun, 2))
		g.unused(g.declare(&variable{name: f, typ: t, private: true}))
	}
}

// knownFunc draws a func type, one that there are functions of if possible.
func (g *generator) knownFunc() *typ {
	if len(g.functions) > 0 && g.chance(50) {
		if c := pick(g, g.functions); c.parameters == nil {
			return c.sig
		}
	}
	return g.funcType(1)
}
