package random

import "fmt"

// bisecting emits a search in what is ordered, in one of the forms that end soon, or one that looks
// like it and does not but for its fuel.
func (g *generator) bisecting(n int) {
	id := g.fresh()
	i, j, h, s := fmt.Sprint("lo", id), fmt.Sprint("hi", id), fmt.Sprint("mid", id), fmt.Sprint("in", id)
	t := pick(g, []string{"int", "int", "uint", "int16", "uint8"})
	g.scope(func() {
		g.emit("%s := []%s{1, 3, 4, 7, 9, 12, 15}[:pt(%d)]", s, t, 1+g.n(7))
		g.emit("%s, %s := %s(0), %s(len(%s))", i, j, t, t, s)
		before := g.chance(50) // the middle is declared before the loop
		op := ":="
		if before {
			g.emit("var %s %s", h, t)
			op = "="
		}
		half := pick(g, []string{"(%[1]s + %[2]s) / 2", "(%[1]s + %[2]s) >> 1", "%[1]s + (%[2]s-%[1]s)/2", "(%[1]s + %[2]s) &^ 1 / 2"})
		wanted := fmt.Sprintf("%s(%s)&15", t, g.expr(g.int(), g.free(2).ordered()))
		g.emit("x%d := %s", id, wanted)
		g.enclosed(true, func() {
			g.emit("for %s < %s {", i, j)
			g.emit("%s %s %s", h, op, fmt.Sprintf(half, i, j))
			g.scope(func() {
				for _, name := range []string{i, j, h} {
					g.declare(&variable{name: name, typ: g.basic(t, intKind), private: true, constant: true, used: true})
				}
				if g.chance(60) { // what takes longer than a step of the search
					g.emit("step()")
					g.statements(n)
				}
			})
			less := fmt.Sprintf("%s[%s] < x%d", s, h, id)
			if g.chance(30) {
				less = "pt(" + less + ")"
			}
			up := h + " + 1"
			if g.chance(15) { // does not end in all cases
				up = h
				g.emit("step()")
			}
			g.emit("if %s {\n%s = %s\n} else {\n%s = %s\n}", less, i, up, j, h)
			g.emit("}")
		})
		g.emit("fmt.Println(\"found %d\", %s, %s)", id, i, j)
	})
}
