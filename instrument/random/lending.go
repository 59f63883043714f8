package random

import "fmt"

// lending emits calls that are passed the addresses of variables. Most of the functions only use
// them; if some keep them, what is changed by the one way is seen by the other. What a variable was
// before it has been lent is what a loop ranges over, a call before has been given, and a select
// statement sends.
func (g *generator) lending() {
	id := g.fresh()
	names := []string{fmt.Sprint("x", id), fmt.Sprint("y", id)}
	buf, kept := fmt.Sprint("b", id), fmt.Sprint("k", id)
	g.emit("var %s, %s tally", names[0], names[1])
	g.emit("var %s [6]int", buf)
	g.emit("var %s *tally", kept)
	keeps := g.chance(50)
	number := func() string { return g.expr(g.int(), g.free(2)) }
	for range 2 + g.n(4) {
		i := g.n(2)
		v, w := names[i], names[1-i]
		switch g.n(12) {
		case 0:
			g.emit("%s.add(%s)", v, number())
		case 1:
			g.emit("fmt.Println(\"tally %d\", %s.add(pt(%d)), %s.add(%d)+%s.total())", id, v, g.n(9), w, g.n(9), v)
		case 2:
			g.emit("exchange(&%s, &%s)", v, w)
		case 3:
			g.emit("%s.n += spread(%s[%d:], %s)", v, buf, g.n(3), number())
		case 4:
			g.emit("copy(%s.log[:], %s[:])", v, buf)
			g.emit("%s[%d] += spread(%s.log[:2], pt(%d))", buf, g.n(6), w, g.n(9))
		case 5:
			g.emit("fmt.Println(\"tally %d\", %s.deep(%d, %s))", id, v, g.n(4), number())
		case 6:
			if keeps {
				g.emit("%s = %s.itself()", kept, v)
			}
		case 7:
			if keeps {
				g.emit("%s.lead(&%s)\n%s = %s.next", w, v, kept, w)
			}
		case 8:
			g.emit("for i, c := 0, %d; i < c; i++ {\n%s.n += pt(i) + raise(&i, %d)\n}", 2+g.n(4), v, g.n(2))
			g.emit("for i := range %d {\n%s.n += pt(i) + raise(&i, %d)\n}", 1+g.n(3), v, 1+g.n(9))
		case 9:
			g.emit("{\nend := %d\nfor i := range end {\n%s.n += pt(i) + raise(&end, %d)\n}\n%s.n += end\n}", 1+g.n(3), v, 1+g.n(9), w)
			g.emit("{\nlist := %s.log[:%d]\nfor i, e := range list {\n%s.n += pt(e) * i + cut(&list)\n}\n}", w, 1+g.n(3), v)
		case 10:
			g.emit("{\nx := %s\nfmt.Println(\"tally %d\", twice(x), raise(&x, %d), pt(%d), twice(twice(x))+raise(&x, 1))\n}", number(), id, 1+g.n(9), g.n(9))
		case 11:
			g.emit("{\nx, in, out := %d, make(chan int, 1), make(chan int)\nselect {\ncase in <- x:\ncase out <- raise(&x, %d):\n%s.n += pt(1)\n}\nfmt.Println(\"tally %d\", <-in, x)\n}", g.n(9), 1+g.n(9), v, id)
		}
		g.statements(1)
		g.emit("if %s != nil {\n%s.n += %d\n%s.log[1]--\n}", kept, kept, 1+g.n(9), kept)
		g.emit("fmt.Println(\"tally %d\", %s.n, %s.log, %s.n, %s.log, %s)", id, v, v, w, w, buf)
	}
}
