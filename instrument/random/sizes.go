package random

import (
	"fmt"
	"strings"
)

// large emits a variable of many words, which is zero whenever its declaration is executed: in a
// loop, in a branch that is left and entered again, behind a label.
func (g *generator) large(n int) {
	id := g.fresh()
	v := fmt.Sprint("wide", id)
	t, element := fmt.Sprintf("[%d]int", 10+g.n(60)), "%s[%d]"
	switch g.n(3) {
	case 0:
		t, element = fmt.Sprintf("struct {\nhead string\nrows [%d][3]int16\n}", 5+g.n(9)), "%s.rows[%d][1]"
	case 1:
		t, element = fmt.Sprintf("[%d]struct{ p *int; n int }", 9+g.n(9)), "%s[%d].n"
	}
	at := fmt.Sprintf(element, v, g.n(5))
	body := func() {
		switch g.n(4) {
		case 0:
			g.emit("%s := %s{}", v, t)
		case 1:
			g.emit("%s := *new(%s)", v, t)
		default:
			g.emit("var %s %s", v, t)
		}
		switch g.n(4) {
		case 0:
			g.emit("keep%d := func() { %s += 2 }", id, at)
			g.emit("defer keep%d()", id)
		case 1:
			g.emit("keep%d := ref(&%s)\n_ = keep%d", id, v, id)
		}
		g.scope(func() { g.statements(n) })
		g.emit("%s++\nfmt.Println(\"wide %d\", pt(%s), %s)", at, id, at, at)
		if g.chance(30) {
			g.emit("%s = %s{}", v, t)
			g.emit("fmt.Println(\"zero %d\", %s)", id, at)
		}
	}
	t = strings.TrimSpace(t)
	g.emit("{\ntype large%d %s", id, t)
	t = fmt.Sprint("large", id)
	switch g.n(4) {
	case 0:
		g.enclosed(true, func() {
			g.emit("for range %d {\nstep()", 2+g.n(2))
			g.scope(body)
			g.emit("}")
		})
	case 1:
		g.emit("if %s {", header(g.expr(g.bool(), g.free(3))))
		g.scope(body)
		g.emit("} else {")
		g.scope(body)
		g.emit("}")
	case 2:
		g.enclosed(true, func() {
			g.emit("for i%d := range %d {\nstep()\nif i%d == %d {\ncontinue\n}", id, 2+g.n(3), id, g.n(3))
			g.scope(body)
			g.emit("}")
		})
	default: // a loop that is none to the parser
		g.emit("again%d := 0\nback%d:\nstep()\nif again%d++; again%d < 4 {", id, id, id, id)
		g.scope(body)
		g.emit("goto back%d\n}", id)
	}
	g.emit("}")
}
