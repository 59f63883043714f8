package random

import "fmt"

// failures are statements that panic, some in the midst of an expression.
var failures = []string{
	"fmt.Println(pt(1), []int{1}[pt(3)])",
	"fmt.Println(pt(7) / pt(0))",
	"fmt.Println(pt(1), any(pt(\"x\")).(int), pt(2))",
	"fmt.Println(any(pt(1)).(fmt.Stringer))",
	"var p *tally\np.n = pt(1)",
	"var p *tally\nfmt.Println(pt(1) + p.add(pt(2)))",
	"var m map[int]int\nm[pt(1)] = pt(2)",
	"fmt.Println([2]int(pt([]int{1})))",
	"var f func(int) int\nfmt.Println(pt(1), f(pt(1)))",
	"close((chan int)(nil))",
	"fmt.Println(any(pt([]int{})) == any([]int{}))",
	"fmt.Println(pt([]int{1, 2})[pt(2):pt(1)])",
	"var x fmt.Stringer\nfmt.Println(pt(1), x.String())",
	"fmt.Println(len(make([]int, pt(-1))))",
	"panic(nil)",
	"panic(errors.New(pt(\"an error\")))",
	"map[any]int{}[pt([]int{1})] = pt(1)",
	"fmt.Println(pt(1) << pt(-1))",
	"panic(fmt.Sprint(pt(1), recover()))",
}

// unwinding emits a call of a literal that panics, mostly, and whose deferred calls recover, panic
// again, and defer calls of their own.
func (g *generator) unwinding() {
	id := g.fresh()
	outer := g.function
	result := &variable{name: fmt.Sprint("r", id), typ: g.int(), used: true}
	fn := &function{results: []*typ{g.int()}, named: []*variable{result}}
	some := func() {
		inner := g.function
		g.function = &function{}
		g.scope(func() { g.statements(1) })
		g.function = inner
	}
	body := g.capture(func() {
		g.function = fn
		g.scope(func() {
			g.declare(result)
			g.emit("defer func() {\nfmt.Println(\"last %d\", recover(), %s)\n%s += pt(1)\n}()", id, result.name, result.name)
			for range 1 + g.n(3) {
				switch g.n(9) {
				case 0:
					g.emit("defer func() {\ndefer func() {\nfmt.Println(\"inner %d\", recover())", id)
					some()
					g.emit("}()")
					some()
					g.emit("panic(%s)\n}()", g.expr(g.string(), g.free(2)))
				case 1:
					g.emit("defer func() {\nif x := recover(); x != nil {")
					some()
					g.emit("panic(fmt.Sprint(\"again \", x))\n}\n}()")
				case 2:
					g.emit("defer func() {\nfor i := range %d {\ndefer func() {\n%s += pt(i)\n}()", 1+g.n(3), result.name)
					some()
					g.emit("}\n}()")
				case 3:
					g.emit("defer panic(%s)", g.expr(g.string(), g.free(2)))
				case 4:
					g.emit("defer func() {\nfunc() {\nfmt.Println(\"too deep %d\", pt(recover()))\n}()\n}()", id)
				case 5:
					g.emit("for i := range %d {\ndefer func() {\nif i == 1 {\nfmt.Println(\"one of %d\", recover())\n}", 1+g.n(3), id)
					some()
					g.emit("}()\n}")
				case 6:
					g.emit("defer func() {\ndefer rescue(%q)\n%s\n}()", fmt.Sprint("rescued ", id), pick(g, failures))
				case 7:
					g.emit("defer func() {\n%s = pt(len(fmt.Sprint(recover())))\n}()", result.name)
				default:
					g.deferStatement(1)
				}
			}
			g.statements(1)
			switch g.n(4) {
			case 0:
				g.emit("%s", g.returnStatement(fn))
			case 1:
				g.emit("if %s {\n%s\n}\nreturn pt(%d)", header(g.expr(g.bool(), g.free(3))), pick(g, failures), g.n(9))
			default:
				g.emit("%s\nreturn pt(%d)", pick(g, failures), g.n(9))
			}
		})
		g.function = outer
	})
	g.emit("fmt.Println(\"unwound %d\", func() (%s int) {\nstep()\n%s}())", id, result.name, body)
}
