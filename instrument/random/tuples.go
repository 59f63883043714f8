package random

import (
	"fmt"
	"strconv"
)

// tuples emits an assignment or call of several values at once, with calls on both sides. Those
// that others could change have a place of their own here.
func (g *generator) tuples() string {
	id := g.fresh()
	a, b := fmt.Sprint("a", id), fmt.Sprint("b", id)
	call := func(t *typ) string { return g.variant(t, g.free(3).ordered()) }
	index := func(n int) string { return "uint(" + call(g.int()) + ")%" + strconv.Itoa(n) }
	t := g.number()
	switch g.n(6) {
	case 0: // all results of a call are the arguments of another
		s, results := g.anyCall(g.free(3), 2)
		if s == "" {
			return ""
		}
		f := g.literalWith(g.fun(results, nil, false), 1)
		if g.chance(50) && g.function != nil {
			g.emit("defer %s(%s)", f, s)
		} else {
			g.emit("%s(%s)", f, s)
		}
	case 1:
		g.emit("%s, %s := [3]%s{1, 2, 3}, [4]%s{4, 5, 6, 7}", a, b, t.text, t.text)
		for range 1 + g.n(2) {
			switch g.n(3) {
			case 0:
				g.emit("%s[%s], %s[%s] = %s, %s", a, index(3), b, index(4), call(t), call(t))
			case 1:
				g.emit("%s[%s], %s[%s] = %s[%s], %s[%s]", a, index(3), a, index(3), b, index(4), a, index(3))
			default:
				g.emit("%s[%s] %s= %s[%s] + %s", b, index(4), pick(g, []string{"+", "-", "*", "^", "&^", "|"}), a, index(3), call(t))
			}
		}
		g.emit("fmt.Println(\"tuple %d\", %s, %s)", id, a, b)
	case 2:
		g.emit("%s, %s := map[%s]int{1: 1, 2: 2}, make([]%s, 4, 8)", a, b, t.text, t.text)
		for range 1 + g.n(2) {
			switch g.n(4) {
			case 0:
				g.emit("%s[%s&3] %s= %s", a, call(t), pick(g, []string{"+", "-", "^"}), call(g.int()))
			case 1:
				g.emit("%s[%s&3], %s[%s] = %s, %s", a, call(t), b, index(4), call(g.int()), call(t))
			case 2:
				g.emit("%s[%s], %s = %s, append(%s, %s)", b, index(4), b, call(t), b, call(t))
			default:
				g.emit("%s[%s&3]++", a, call(t))
			}
		}
		g.emit("fmt.Println(\"tuple %d\", %s, %s)", id, a, b)
	case 3:
		g.emit("var %s, %s tally", a, b)
		for range 1 + g.n(2) {
			switch g.n(3) {
			case 0:
				g.emit("pt(&%s).n, %s.itself().log[%s] = %s, %s", a, b, index(4), call(g.int()), call(g.int()))
			case 1:
				g.emit("pt(&%s).log[%s] += %s", a, index(4), call(g.int()))
			default:
				g.emit("*pt(&%s.log[%s]), %s.n = %s.n, pt(%s.n)+1", a, index(4), b, a, b)
			}
		}
		g.emit("fmt.Println(\"tuple %d\", %s.n, %s.log, %s.n, %s.log)", id, a, a, b, b)
	case 4: // one that names what it changes
		g.emit("%s, %s := %d, []int{%d, 1, 2, 0}", a, b, g.n(4), g.n(4))
		for range 1 + g.n(2) {
			g.emit("%s", pick(g, []string{
				fmt.Sprintf("%s, %s[%s] = %s[%s], %s", a, b, a, b, a, a),
				fmt.Sprintf("%s, %s[%s&3] = pt(%s[%s&3]), pt(%s)", a, b, a, b, a, a),
				fmt.Sprintf("%s[pt(%s)&3], %s = pt(%s), pt(3)", b, a, a, a),
				fmt.Sprintf("%s[0], %s[1], %s[2] = %s[2], pt(%s[0]), %s[1]", b, b, b, b, b, b),
				fmt.Sprintf("%s, %s = pt(%s[1]), pt(append(%s[:1:1], 3, pt(2), %s[1], 0))", a, b, b, b, b),
			}))
			g.emit("%s &= 3", a)
		}
		g.emit("fmt.Println(\"tuple %d\", %s, %s)", id, a, b)
	default: // two variables change their values
		v := g.variable(g.assignable)
		if v == nil {
			return ""
		}
		w := g.variable(func(w *variable) bool { return g.assignable(w) && w != v && w.typ == v.typ })
		if w == nil {
			return ""
		}
		g.emit("%s, %s = %s", v.name, w.name, pick(g, []string{w.name + ", " + v.name, "pt(" + w.name + "), pt(" + v.name + ")", "pt(" + w.name + "), " + v.name}))
	}
	return "x"
}
