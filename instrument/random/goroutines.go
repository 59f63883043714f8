package random

import "fmt"

// goroutine emits goroutines whose effects do not depend on how they are scheduled.
func (g *generator) goroutine(n int) {
	id := g.fresh()
	name := func(s string) string { return fmt.Sprint(s, id) }
	done := name("done")
	switch g.n(6) {
	case 0: // one does something while this one waits for it
		t := g.typ(1)
		fn := &function{}
		g.emit("%s := make(chan %s%s)", done, t.text, pick(g, []string{"", ", 1"}))
		body := g.capture(func() {
			outer := g.function
			g.function = fn
			g.scope(func() {
				g.emit("var result %s", t.text)
				g.emit("defer func() {\nif r := recover(); r != nil {\nfmt.Println(\"recovered %d\", r)\n}\npoint()\n%s <- result\n}()", id, done)
				g.statements(n)
				g.emit("result = %s", g.expr(t, g.free(3)))
			})
			g.function = outer
		})
		g.emit("go func() {\n%s}()", body)
		v := &variable{name: name("v"), typ: t, private: g.chance(60)}
		g.emit("%s := <-%s", v.name, done)
		g.unused(g.declare(v))
	case 1: // each has an element of its own
		k := 1 + g.n(3)
		slots, wg := name("slots"), name("wg")
		g.emit("var %s sync.WaitGroup", wg)
		g.emit("var %s [%d]int", slots, k)
		g.emit("for i := range %s {", slots)
		by := "go func() {\ndefer " + wg + ".Done()"
		if g.chance(30) {
			by = wg + ".Go(func() {"
		} else {
			g.emit("%s.Add(1)", wg)
		}
		g.emit("%s", by)
		g.emit("for j := range %d {", 1+g.n(3))
		g.emit("_ = j")
		g.alone(func() { g.emit("%s[i] += %s", slots, g.variant(g.int(), freedom{depth: 4})) }, "i", "j")
		g.emit("}")
		if by[0] == 'g' {
			g.emit("}()")
		} else {
			g.emit("})")
		}
		g.emit("}")
		g.emit("%s.Wait()", wg)
		g.emit("fmt.Println(\"slots\", %s)", slots)
	case 2: // a stream of values
		t := g.typ(1)
		ch := name("ch")
		g.emit("%s := make(chan %s, %d)", ch, t.text, g.n(3))
		g.emit("go func() {")
		g.emit("defer close(%s)", ch)
		g.emit("for i := range %d {", 1+g.n(3))
		g.emit("_ = i")
		g.alone(func() { g.emit("%s <- %s", ch, g.expr(t, freedom{depth: 3})) }, "i")
		g.emit("}\n}()")
		v := &variable{name: name("v"), typ: t, private: g.chance(60)}
		g.emit("for %s := range %s {", v.name, ch) // whatever happens, the other one must not be left waiting
		g.scope(func() {
			g.unused(g.declare(v))
			if g.printable(t) {
				v.used = true
				g.emit("fmt.Println(\"received\", %s)", v.name)
			}
			quiet := g.quiet
			g.quiet = true
			g.statements(1)
			g.quiet = quiet
		})
		g.emit("}")
	case 3: // a sum under a lock
		mu, sum, wg := name("mu"), name("sum"), name("wg")
		g.emit("var %s sync.%s", mu, pick(g, []string{"Mutex", "RWMutex"}))
		g.emit("var %s sync.WaitGroup", wg)
		g.emit("%s := 0", sum)
		g.emit("for i := range %d {", 2+g.n(2))
		g.emit("_ = i")
		g.emit("%s.Add(1)", wg)
		g.emit("go func() {")
		g.emit("defer %s.Done()", wg)
		g.emit("%s.Lock()", mu)
		g.emit("defer %s.Unlock()", mu)
		g.alone(func() { g.emit("%s += %s", sum, g.variant(g.int(), freedom{depth: 4})) }, "i")
		g.emit("point()")
		g.emit("}()")
		g.emit("}")
		g.emit("%s.Wait()", wg)
		g.emit("fmt.Println(\"sum\", %s)", sum)
	case 4: // questions and answers
		t := g.number()
		ask, answer := name("ask"), name("answer")
		g.emit("%s, %s := make(chan %s), make(chan %s)", ask, answer, t.text, t.text)
		g.emit("go func() {")
		g.emit("defer close(%s)", answer)
		g.emit("for q := range %s {", ask)
		g.alone(func() { g.emit("%s <- q + %s", answer, g.expr(t, freedom{depth: 3})) })
		g.emit("}\n}()")
		g.emit("for i := range %d {", 1+g.n(3))
		g.emit("%s <- %s(i)", ask, t.text)
		g.emit("fmt.Println(\"answer\", <-%s)", answer)
		g.emit("point()")
		g.emit("}")
		g.emit("close(%s)", ask)
		g.emit("_, ok%d := <-%s\nfmt.Println(ok%d)", id, answer, id)
	default: // several streams merged, in an order that does not matter
		a, b, quit, sum := name("a"), name("b"), name("quit"), name("sum")
		g.emit("%s, %s, %s := make(chan int), make(chan int, 1), make(chan bool)", a, b, quit)
		g.emit("go func() {\ndefer close(%s)", quit)
		g.emit("for i := range %d {", 2+g.n(3))
		g.emit("select {")
		g.alone(func() {
			g.emit("case %s <- %s:\npoint()", a, g.variant(g.int(), freedom{depth: 2}))
			g.emit("case %s <- i:", b)
		}, "i")
		g.emit("}\n}\n}()")
		g.emit("%s := 0", sum)
		g.emit("for open := true; open; {")
		g.emit("select {")
		g.emit("case <-%s:\n%s++\ncase <-%s:\n%s++\npoint()", a, sum, b, sum)
		g.emit("case <-%s:\nopen = false\n}\n}", quit)
		g.emit("fmt.Println(\"merged\", %s+len(%s))", sum, b)
	}
}

// alone runs f, which sees the given variables only, and emits what computes, so
// that it can happen at any time.
func (g *generator) alone(f func(), names ...string) {
	variables, begin, quiet := g.variables, g.begin, g.quiet
	g.variables, g.begin, g.quiet = nil, 0, true
	for _, name := range names {
		g.declare(&variable{name: name, typ: g.int(), constant: true, used: true})
	}
	f()
	g.variables, g.begin, g.quiet = variables, begin, quiet
}
