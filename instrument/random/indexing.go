package random

import "fmt"

// indexing emits a loop whose counter indexes a slice, which is as long as a variable says: the
// compiler knows both, or does not, as the statements of the loop may change them.
func (g *generator) indexing(n int) {
	s, l, i := fmt.Sprint("s", g.fresh()), fmt.Sprint("l", g.fresh()), fmt.Sprint("i", g.fresh())
	length := fmt.Sprint(1 + g.n(4))
	if g.chance(50) {
		length = "1 + " + g.expr(g.int(), g.free(2).ordered()) + "&3"
	}
	g.scope(func() {
		// The slice is not a variable of the generator's, as that has no use for one that gets
		// longer.
		if g.chance(50) {
			g.emit("%s := make([]int, %s)\n%s := len(%s)", s, length, l, s)
		} else {
			g.emit("%s := %s\n%s := make([]int, %s, %s+1)", l, length, s, l, l)
		}
		// What nothing assigns is what the compiler is told of.
		g.unused(g.declare(&variable{name: l, typ: g.int(), private: g.chance(50), constant: g.chance(60), used: true}))
		switch g.n(4) {
		case 0:
			g.emit("%s = append(%s, %d)", s, s, g.n(9))
		case 1:
			g.emit("func() { %s = %s[:len(%s):len(%s)] }()", s, s, s, s)
		}
		head := fmt.Sprintf("for %s := 0; %s < %s; %s++", i, i, l, i)
		constant := g.chance(60)
		switch g.n(4) {
		case 0:
			head = fmt.Sprintf("for %s := %s - 1; %s >= 0; %s--", i, l, i, i)
		case 1:
			head, constant = fmt.Sprintf("for %s := range len(%s)", i, s), true
		case 2:
			head, constant = fmt.Sprintf("for %s := range %s", i, s), true
		}
		g.declare(&variable{name: i, typ: g.int(), private: g.chance(50), constant: constant, used: true})
		g.enclosed(true, func() {
			g.emit("%s {", head)
			g.emit("step()")
			g.scope(func() { g.statements(n) })
			g.emit("if 0 <= %s && %s < len(%s) {\n%s[%s] += %s\nfmt.Println(\"indexed\", %s, %s[%s])\n}", i, i, s, s, i, l, i, s, i)
			g.emit("}")
		})
	})
}
