package random

import (
	"fmt"
)

// deferStatement emits a deferred call.
func (g *generator) deferStatement(n int) {
	fn := g.function
	if fn == nil {
		g.print()
		return
	}
	switch g.n(6) {
	case 0:
		if s, _ := g.anyCall(g.free(3), 0); s != "" {
			g.emit("defer %s", s)
			return
		}
	case 1:
		g.emit("defer rescue(%q)", fmt.Sprint("rescued ", g.fresh()))
		return
	case 2:
		g.emit("defer fmt.Println(\"deferred %d\", %s)", g.fresh(), g.expr(g.simple(), g.free(3)))
		return
	}
	var params []*typ
	for range g.n(3) {
		params = append(params, g.typ(1))
	}
	text := g.deferred(g.fun(params, nil, false), n, fn)
	args := ""
	for i, a := range g.operands(params, g.free(3)) {
		if i > 0 {
			args += ", "
		}
		args += a
	}
	g.emit("defer %s(%s)", text, args)
}

// deferred writes a literal that is to be deferred by outer, whose results it may change.
func (g *generator) deferred(sig *typ, n int, outer *function) string {
	fn := &function{}
	var head string
	id := g.fresh()
	body := g.capture(func() {
		if g.chance(50) {
			g.emit("if r := recover(); r != nil {\nfmt.Println(\"recovered %d\", r)\n}", id)
		} else {
			g.emit("fmt.Println(\"deferred %d\")", id)
		}
		head = "func" + g.functionBody(fn, sig, max(1, n))
		if len(outer.named) > 0 && g.chance(60) {
			v := pick(g, outer.named)
			hidden := true
			for _, w := range g.visible(func(*variable) bool { return true }) {
				hidden = hidden && w != v
			}
			if !hidden && v.typ.kind == intKind {
				g.emit("%s += 3", v.name)
			}
		}
	})
	return head + " {\n" + body + "}"
}

// branching emits a call of a literal that defers in branches of which one is taken, and that is
// left in several ways.
func (g *generator) branching() {
	outer := g.function
	result := &variable{name: fmt.Sprint("r", g.fresh()), typ: g.int(), used: true}
	fn := &function{results: []*typ{g.int()}, named: []*variable{result}}
	id := g.fresh()
	branch := func() {
		g.scope(func() {
			for range 1 + g.n(3) {
				g.deferStatement(1)
			}
			if g.chance(30) {
				g.emit("%s", g.returnStatement(fn))
			}
		})
	}
	body := g.capture(func() {
		g.function = fn
		g.scope(func() {
			g.declare(result)
			if g.chance(70) {
				g.emit("defer rescue(%q)", fmt.Sprint("branch ", id))
			}
			for range 1 + g.n(2) {
				g.statements(1)
				condition := func() string { return header(g.expr(g.bool(), g.free(3))) }
				switch g.n(3) {
				case 0:
					g.emit("if %s {", condition())
					branch()
					if g.chance(50) {
						g.emit("} else if %s {", condition())
						branch()
					}
					g.emit("} else {")
					branch()
				case 1:
					g.emit("switch {")
					for range 1 + g.n(3) {
						g.emit("case %s:", condition())
						branch()
					}
					g.emit("default:")
					branch()
				default:
					g.emit("{")
					branch()
				}
				g.emit("}")
			}
			g.statements(1)
			g.emit("return %s", g.expr(g.int(), g.free(3)))
		})
		g.function = outer
	})
	g.emit("fmt.Println(\"branched %d\", func() (%s int) {\nstep()\n%s}())", id, result.name, body)
}

// guarded emits a call of a literal that recovers.
func (g *generator) guarded(n int) {
	fn := &function{}
	id := g.fresh()
	outer := g.function
	body := g.capture(func() {
		g.function = fn
		g.scope(func() {
			if g.chance(50) {
				g.emit("defer rescue(%q)", fmt.Sprint("guard ", id))
			} else {
				g.emit("defer %s()", g.deferred(g.fun(nil, nil, false), n, fn))
			}
			g.statements(n)
		})
		g.function = outer
	})
	g.emit("func() {\n%s}()", body)
}
