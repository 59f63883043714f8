package random

import (
	"fmt"
	"strconv"
	"strings"
)

// loop emits a loop of some kind. All end: they are short or use up fuel.
func (g *generator) loop(n int) {
	if g.quiet {
		g.enclosed(true, func() { g.counting(n) })
		return
	}
	kind := g.n(14)
	if kind > 11 {
		g.indexing(n)
		return
	}
	g.enclosed(true, func() {
		switch kind {
		case 0, 1, 2:
			g.counting(n)
		case 3:
			g.conditional(n)
		case 4, 5, 6:
			g.ranging(n)
		case 7:
			g.overMap(n)
		case 8, 9, 10:
			g.overFunction(n)
		default:
			g.overArray(n)
		}
	})
}

// body emits the statements of a loop after its header.
func (g *generator) body(header string, n int) {
	g.emit("%s {", header)
	if !g.quiet {
		g.emit("step()")
	}
	g.scope(func() { g.statements(n) })
	g.emit("}")
}

// counting emits a loop of three clauses.
func (g *generator) counting(n int) {
	i := fmt.Sprint("i", g.fresh())
	limit := strconv.Itoa(1 + g.n(4))
	post := i + "++"
	if !g.quiet && g.chance(30) {
		limit = g.expr(g.int(), g.free(2).ordered()) + "&3"
	}
	if !g.quiet && g.chance(20) {
		post = i + " += 1 + " + g.expr(g.int(), g.free(2).ordered()) + "&1"
	}
	g.scope(func() {
		v := g.declare(&variable{name: i, typ: g.int(), private: g.chance(50) || g.quiet, used: true})
		v.constant = g.quiet
		g.body(fmt.Sprintf("for %s := 0; %s < (%s); %s", i, i, limit, post), n)
	})
}

// conditional emits a loop with a condition or none.
func (g *generator) conditional(n int) {
	i := fmt.Sprint("i", g.fresh())
	g.scope(func() {
		head := fmt.Sprintf("for %s := 0; ; %s++", i, i)
		if g.chance(50) {
			head = fmt.Sprintf("for %s := 0; %s; ", i, header(g.expr(g.bool(), g.free(3))))
		}
		g.declare(&variable{name: i, typ: g.int(), used: true})
		g.emit("%s {", head)
		g.emit("step()")
		g.emit("if %s > %d {\nbreak\n}", i, g.n(4))
		if strings.HasSuffix(head, "; ") {
			g.emit("%s++", i)
		}
		g.scope(func() { g.statements(n) })
		g.emit("}")
	})
}

// clause draws the variables of a range clause.
func (g *generator) clause(ts ...*typ) (text string, vs []*variable) {
	if len(ts) == 0 || g.chance(10) {
		return "", nil
	}
	var names []string
	for _, t := range ts {
		if g.chance(20) {
			names = append(names, "_")
			continue
		}
		v := &variable{name: fmt.Sprint("e", g.fresh()), typ: t, private: g.chance(50)}
		vs = append(vs, v)
		names = append(names, v.name)
		if g.chance(25) {
			break
		}
	}
	if len(vs) == 0 {
		return "", nil
	}
	return strings.Join(names, ", ") + " := ", vs
}

// over emits a loop with a range clause.
func (g *generator) over(x string, n int, ts ...*typ) {
	clause, vs := g.clause(ts...)
	if vs == nil && len(ts) > 0 && g.chance(50) { // assigns to what there is
		for _, t := range ts {
			list := g.visible(func(v *variable) bool { return v.typ == t && g.assignable(v) })
			if len(list) == 0 {
				break
			}
			if clause != "" {
				clause += ", "
			}
			clause += pick(g, list).name
		}
		if clause != "" {
			clause += " = "
		}
	}
	g.emit("for %srange %s {", clause, header(x))
	g.scope(func() {
		for _, v := range vs {
			g.unused(g.declare(v))
		}
		if !g.quiet {
			g.emit("step()")
		}
		g.scope(func() { g.statements(n) })
	})
	g.emit("}")
}

// ranging emits a loop over an integer, a slice, a string or a channel.
func (g *generator) ranging(n int) {
	switch g.n(5) {
	case 0:
		t := g.number()
		g.over("("+g.variant(t, g.free(3))+")&3", n, t)
	case 1, 2:
		t := g.typ(1)
		g.over(g.variant(g.slice(t), g.free(3)), n, g.int(), t)
	case 3:
		g.over(g.variant(g.string(), g.free(3)), n, g.int(), g.basic("rune", intKind))
	default:
		t := g.typ(1)
		g.over(g.expr(g.channel(t), g.free(3)), n, t)
	}
}

// overArray emits a loop over an array, which is copied before, or over a pointer to one.
func (g *generator) overArray(n int) {
	a := g.array(1+g.n(3), g.typ(1))
	if g.chance(40) {
		g.over(g.expr(g.pointer(a), g.free(3)), n, g.int(), a.elem)
		return
	}
	g.over(g.expr(a, g.free(3)), n, g.int(), a.elem)
}

// overMap emits a loop over a map. Its order is open, so the body only computes a
// value that does not depend on it, and may delete what it was given.
func (g *generator) overMap(n int) {
	m := g.mapOf(g.number(), g.number())
	name, sum := fmt.Sprint("m", g.fresh()), fmt.Sprint("sum", g.fresh())
	g.emit("%s := (%s)(%s)", name, m.text, g.expr(m, g.free(3)))
	g.declare(&variable{name: name, typ: m, used: true})
	g.emit("for i := range %d {\n%s[%s(i*i)] += %s(i)\n}", 1+g.n(5), name, m.key.text, m.elem.text)
	g.emit("var %s int", sum)
	outer := g.function.enclosing
	g.function.enclosing = nil
	k, e := fmt.Sprint("k", g.fresh()), fmt.Sprint("x", g.fresh())
	g.emit("for %s, %s := range %s {", k, e, name)
	after := ""
	switch g.n(3) {
	case 0: // all others are deleted by the first round
		after = "\nclear(" + name + ")" // which one is left depends on the order
		g.emit("%s += pt(1)", sum)
		g.emit("for other := range %s {\nif other != %s {\npoint()\ndelete(%s, other)\n}\n}", name, k, name)
		g.emit("_ = %s", e)
	default:
		quiet := g.quiet
		g.quiet = true
		g.scope(func() {
			g.declare(&variable{name: k, typ: m.key, constant: true, used: true})
			g.declare(&variable{name: e, typ: m.elem, constant: true, used: true})
			g.emit("%s += int(%s)*3 ^ int(%s)", sum, k, e)
			g.emit("%s += int(%s)", sum, g.variant(g.int(), freedom{depth: 3}))
			g.statements(1)
			if g.chance(40) {
				g.emit("if %s&1 == 0 {\ndelete(%s, %s)\ncontinue\n}", k, name, k)
			}
			if g.chance(40) {
				g.emit("%s[%s] ^= 1", name, k)
			}
			g.emit("%s += int(pt(%s))", sum, e)
		})
		g.quiet = quiet
	}
	g.emit("}")
	g.function.enclosing = outer
	g.emit("fmt.Println(\"sum\", %s, len(%s))%s", sum, name, after)
	g.declare(&variable{name: sum, typ: g.int(), private: true, used: true})
}

// overFunction emits a loop over a function.
func (g *generator) overFunction(n int) {
	if len(g.iterators) == 0 || g.function == nil {
		g.counting(n)
		return
	}
	it := pick(g, g.iterators)
	if it.parameters != nil {
		it, _ = g.instantiate(it, nil)
	}
	g.function.iterating++
	g.over(g.call(it, g.free(3)), n, it.sig.results[0].params[0].params...)
	g.function.iterating--
}

// nest emits loops within loops that are left and gone on with at any depth, also by a goto.
func (g *generator) nest() {
	label := fmt.Sprint("G", g.fresh())
	leaves := g.n(3)
	var loops func(depth int)
	loops = func(depth int) {
		g.enclosed(true, func() {
			i := fmt.Sprint("i", g.fresh())
			g.emit("%s {", pick(g, []string{
				fmt.Sprintf("for %s := 0; %s < %d; %s++", i, i, 1+g.n(3), i),
				fmt.Sprintf("for %s := %d; %s > 0; %s -= pt(1)", i, 1+g.n(3), i, i),
				fmt.Sprintf("for %s := range %d", i, 1+g.n(3)),
				fmt.Sprintf("for %s := range pt(%q)", i, "abc"[:1+g.n(3)]),
			}))
			g.emit("step()")
			g.scope(func() {
				g.declare(&variable{name: i, typ: g.int(), used: true, private: true, constant: true})
				if g.chance(50) {
					g.statements(1)
				}
				if depth == leaves {
					g.emit("if %s {\ngoto %s\n}", header(g.expr(g.bool(), g.free(3))), label)
				}
				if g.chance(50) {
					g.jump()
				}
				if depth < 2 {
					loops(depth + 1)
				}
				if g.chance(50) {
					g.jump()
				}
				g.emit("fmt.Println(\"nest\", pt(%s))", i)
				g.statements(1)
			})
			g.emit("}")
		})
	}
	g.emit("{")
	loops(0)
	g.emit("%s:", label)
	g.block("", 1)
	g.emit("}")
}

// pulling emits the use of an iterator by iter.Pull.
func (g *generator) pulling() {
	var list []callee
	for _, it := range g.iterators {
		if n := len(it.sig.results[0].params[0].params); it.parameters == nil && n > 0 {
			list = append(list, it)
		}
	}
	if len(list) == 0 || g.function == nil {
		g.print()
		return
	}
	it := pick(g, list)
	id := g.fresh()
	pull, values := "Pull", "_, "
	if len(it.sig.results[0].params[0].params) == 2 {
		pull, values = "Pull2", "_, _, "
	}
	g.emit("next%d, stop%d := iter.%s(%s)", id, id, pull, g.call(it, g.free(3)))
	if g.chance(50) {
		g.emit("defer stop%d()", id)
	}
	g.emit("for range %d {", 1+g.n(4))
	g.emit("step()")
	g.emit("%sok%d := next%d()", values, id, id)
	g.emit("fmt.Println(\"pulled %d\", ok%d)", id, id)
	g.scope(func() { g.statements(1) })
	g.emit("}")
	g.emit("stop%d()", id)
}

// iterator declares a function that returns an iterator.
func (g *generator) iterator() {
	name := fmt.Sprint("all", g.fresh())
	var parameters []*typ
	head := ""
	if g.chance(30) {
		parameters, head = g.typeParameters()
	}
	g.parameters = parameters
	var elems []*typ
	for range g.n(3) {
		elems = append(elems, g.typ(1))
	}
	seq := g.fun([]*typ{g.fun(elems, []*typ{g.bool()}, false)}, nil, false)
	sig := g.fun([]*typ{g.int()}, []*typ{seq}, false)
	text := g.capture(func() {
		g.function = &function{results: []*typ{seq}}
		g.scope(func() {
			g.declare(&variable{name: "n", typ: g.int(), private: true, used: true})
			if g.chance(50) { // otherwise no checkpoint can be taken but in what is returned
				g.statements(1)
			}
			g.emit("return func(yield %s) {", seq.params[0].text)
			g.function = &function{}
			g.scope(func() {
				if g.chance(30) {
					g.emit("defer fmt.Println(\"done %d\")", g.fresh())
				}
				g.statements(1)
				g.emit("for i := range n & 3 {")
				g.emit("step()")
				g.scope(func() {
					g.unused(g.declare(&variable{name: "i", typ: g.int(), constant: true}))
					g.statements(1)
					g.emit("if !yield(%s) {", strings.Join(g.operands(elems, g.free(3)), ", "))
					g.emit("fmt.Println(\"left %d\")", g.fresh())
					g.statements(1)
					g.emit("return\n}")
				})
				g.emit("}")
				g.statements(1)
			})
			g.emit("}")
		})
		g.function = nil
	})
	g.parameters = nil
	g.declarations = append(g.declarations, "func "+name+head+"(n int) "+seq.text+" {\nstep()\n"+text+"}")
	g.iterators = append(g.iterators, callee{text: name, sig: sig, parameters: parameters})
}
