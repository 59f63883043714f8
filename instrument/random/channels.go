package random

import "fmt"

// selectStatement emits a select in which one communication at most can proceed.
func (g *generator) selectStatement(n int) {
	id := g.fresh()
	full, never := fmt.Sprint("c", id), fmt.Sprint("n", id)
	t := g.typ(1)
	g.emit("%s := make(chan %s, 2)", full, g.channel(t).text[5:])
	g.emit("var %s chan %s", never, g.channel(t).text[5:])
	ready := g.n(3) // 0: nothing, 1: receive, 2: send
	if ready == 1 {
		g.emit("%s <- %s", full, g.expr(t, g.free(3)))
	}
	g.enclosed(false, func() {
		g.emit("select {")
		g.emit("case <-%s:", never)
		g.scope(func() { g.statements(1) })
		if g.chance(50) {
			g.emit("case %s <- %s:", never, g.expr(t, g.free(3).ordered()))
			g.scope(func() { g.statements(1) })
		}
		switch ready {
		case 1:
			v := &variable{name: fmt.Sprint("v", g.fresh()), typ: t, private: g.chance(60)}
			ok := &variable{name: fmt.Sprint("ok", g.fresh()), typ: g.bool(), private: g.chance(60)}
			if g.chance(50) {
				g.emit("case %s := <-pt(%s):", v.name, full)
				ok = nil
			} else {
				g.emit("case %s, %s := <-%s:", v.name, ok.name, full)
			}
			g.scope(func() {
				g.unused(g.declare(v))
				if ok != nil {
					g.unused(g.declare(ok))
				}
				g.statements(n)
			})
		case 2:
			g.emit("case %s <- %s:", full, g.expr(t, g.free(3).ordered()))
			g.scope(func() { g.statements(n) })
		}
		if ready == 0 || g.chance(30) {
			g.emit("default:")
			g.scope(func() { g.statements(n) })
		}
		g.emit("}")
	})
	g.emit("fmt.Println(\"chan\", len(%s), cap(%s))", full, full)
}
