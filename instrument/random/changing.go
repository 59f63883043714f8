package random

import "fmt"

// changing emits a loop over something that its body changes, and maps with keys of all kinds.
func (g *generator) changing() {
	id := g.fresh()
	m := fmt.Sprint("m", id)
	t := g.typ(1)
	for !g.printable(t) {
		t = g.simple()
	}
	elements := func(n int) string { return g.elements(t, n, g.free(3)) }
	switch g.n(6) {
	case 0, 1, 2: // an array is copied before, and what a slice or pointer leads to is not
		x := pick(g, []string{"[3]" + t.text + "{" + elements(3) + "}", "&[3]" + t.text + "{" + elements(3) + "}", "append(make([]" + t.text + ", 0, 5), " + elements(3) + ")"})
		g.emit("%s := %s", m, x)
		g.enclosed(true, func() {
			g.emit("for i, e := range %s {\nstep()", m)
			g.scope(func() {
				g.declare(&variable{name: "i", typ: g.int(), constant: true, used: true})
				g.declare(&variable{name: "e", typ: t, private: true, used: true})
				if x[0] == 'a' && g.chance(60) {
					g.emit("%s = append(%s%s, %s)", m, m, pick(g, []string{"[:1]", "", "[:2:2]"}), g.expr(t, g.free(3)))
					g.emit("%s[0] = %s", m, g.expr(t, g.free(3).ordered()))
				} else {
					g.emit("%s[2-i] = %s", m, g.expr(t, g.free(3)))
				}
				g.statements(1)
				g.emit("fmt.Println(\"changing %d\", i, e)", id)
			})
			g.emit("}")
		})
		g.emit("fmt.Println(\"changed %d\", %s)", id, m)
	case 3: // keys that are unequal to themselves
		g.emit("%s := map[float64]int{math.NaN(): 1, 1: 2}\n%s[math.NaN()] = 4", m, m)
		g.emit("{\nsum := 0\nfor k, v := range %s {\nif k != k {\nsum += pt(v)\n} else {\ndelete(%s, pt(k))\n}\n%s[2]++\n}", m, m, m)
		g.emit("_, ok := %s[math.NaN()]\nfmt.Println(\"changed %d\", sum, len(%s), ok)\n}", m, id, m)
		if g.chance(50) {
			g.emit("for range %s {\npoint()\nclear(%s)\n}\nfmt.Println(len(%s))", m, m, m)
		}
	case 4:
		key := g.typ(1)
		for range 5 {
			if g.comparable(key) && g.printable(key) {
				break
			}
			key = g.typ(2)
		}
		if !g.comparable(key) || !g.printable(key) {
			key = g.array(2, g.string())
		}
		g.emit("%s := map[%s]int{}", m, key.text)
		for range 2 + g.n(3) {
			g.emit("%s[%s] += pt(%d)", m, g.expr(key, g.free(3)), g.n(9))
		}
		g.emit("{\nsum := 0\nfor k, v := range %s {\nsum += pt(v)*len(%s)\nif v&1 == 0 {\ndelete(%s, pt(k))\n}\n}", m, m, m)
		g.emit("fmt.Println(\"changed %d\", sum != 0, len(%s), %s[%s])\n}", id, m, m, g.expr(key, g.free(3)))
	default: // keys of several types
		g.emit("%s := map[any]%s{1: %s, \"a\": *new(%s), [2]any{1, \"x\"}: *new(%s), nil: *new(%s), tally{n: 1}: *new(%s), 2.5: *new(%s)}", m, t.text, g.expr(t, g.free(3)), t.text, t.text, t.text, t.text, t.text)
		g.emit("%s[[2]any{pt(1), \"x\"}] = %s", m, g.expr(t, g.free(3)))
		g.emit("%s[%s] = %s", m, pick(g, []string{"pt(1)", "tally{n: pt(1)}", "any(pt(2.5))", "struct{ a any }{pt(1)}"}), g.expr(t, g.free(3).ordered()))
		g.emit("for k := range %s {\nif k != nil && k != 1 && len(%s) < 20 {\n%s[struct{ k any }{pt(k)}] = *new(%s)\ndelete(%s, k)\n}\n}", m, m, m, t.text, m)
		g.emit("fmt.Println(\"changed %d\", %s[1], %s[nil], len(%s) > 1)", id, m, m, m)
	}
}
