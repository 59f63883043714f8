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
		switch g.n(4) {
		case 0:
			g.emit("%s := make([]int, %s)\n%s := len(%s)", s, length, l, s)
		case 1:
			g.emit("%s := %s\n%s := make([]int, %s, %s+1)", l, length, s, l, l)
		case 2:
			g.emit("%s := make([]int, %s)\n%s := len(%s) %s %d", s, length, l, s, pick(g, []string{"+", "-"}), g.n(3))
		default:
			g.emit("%s := %s\n%s := make([]int, %s%s)", l, length, s, l, pick(g, []string{" + 1", " - 1", " + 2 - 1", "*2"}))
		}
		// What nothing assigns is what the compiler is told of.
		g.unused(g.declare(&variable{name: l, typ: g.int(), private: g.chance(50), constant: g.chance(60), used: true}))
		switch g.n(4) {
		case 0:
			g.emit("%s = append(%s, %d)", s, s, g.n(9))
		case 1:
			g.emit("func() { %s = %s[:len(%s):len(%s)] }()", s, s, s, s)
		}
		limit := pick(g, []string{l, l, l + " - 1", l + " + 1", "len(" + s + ") - 1", "len(" + s + ") - 2 + 1"})
		head := fmt.Sprintf("for %s := %d; %s < %s; %s++", i, max(0, g.n(6)-3), i, limit, i)
		constant := g.chance(60)
		switch g.n(7) {
		case 0:
			head = fmt.Sprintf("for %s := %s - 1; %s >= 0; %s--", i, l, i, i)
		case 1:
			head, constant = fmt.Sprintf("for %s := range len(%s)", i, s), true
		case 2:
			head, constant = fmt.Sprintf("for %s := range %s", i, s), true
		case 3:
			head = fmt.Sprintf("for %s := %s; %s > 0; %s -= %d", i, limit, i, i, 1+g.n(2))
		case 4:
			head = fmt.Sprintf("for %s := -1; %s <= %s; %s += %d", i, i, limit, i, 1+g.n(2))
		}
		g.declare(&variable{name: i, typ: g.int(), private: g.chance(50), constant: constant, used: true})
		g.enclosed(true, func() {
			g.emit("%s {", head)
			g.emit("step()")
			g.scope(func() { g.statements(n) })
			at, test := i, "if 0 <= %[1]s && %[1]s < len(%[2]s) {\n"
			if g.chance(40) {
				at = i + pick(g, []string{" + 1", " - 1"})
			}
			if g.chance(20) {
				test = "{\n" // it may panic
			}
			g.emit(test+"%[2]s[%[1]s] += %[3]s\nfmt.Println(\"indexed\", %[1]s, %[2]s[%[1]s])\n}", at, s, l)
			g.emit("}")
		})
	})
}
