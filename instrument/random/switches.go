package random

import (
	"fmt"
	"slices"
	"strings"
)

// switchStatement emits a switch with or without a value to compare.
func (g *generator) switchStatement(n int) {
	g.scope(func() {
		value, init := "", ""
		var v *variable
		if g.chance(25) {
			t := g.typ(1)
			v = &variable{name: fmt.Sprint("v", g.fresh()), typ: t, private: g.chance(60)}
			init = v.name + " := " + header("("+t.text+")("+g.expr(t, g.free(3))+")") + "; "
			g.declare(v)
		}
		var tag *typ
		if g.chance(65) {
			tag = g.number()
			if g.chance(30) {
				tag = pick(g, []*typ{g.string(), g.any()})
			}
			value = header(g.variant(tag, g.free(3)))
		}
		g.enclosed(false, func() {
			g.late(func() string {
				switch {
				case v == nil:
					return "switch " + value + " {"
				case v.used:
				case value == "":
					value = "use(" + v.name + ")"
				default:
					value = "with(" + value + ", " + v.name + ")"
				}
				return "switch " + init + value + " {"
			})
			g.cases(tag, n)
		})
	})
}

// cases emits what follows the header of a switch.
func (g *generator) cases(tag *typ, n int) {
	count := 1 + g.n(4)
	def := -1
	if g.chance(60) {
		def = g.n(count)
	}
	for i := range count {
		switch {
		case i == def:
			g.emit("default:")
		case tag == nil:
			// Conditions are evaluated one after another.
			var list []string
			for range 1 + g.n(2) {
				list = append(list, g.variant(g.bool(), g.free(3)))
			}
			g.emit("case %s:", strings.Join(list, ", "))
		default:
			var list []string
			for range 1 + g.n(2) {
				t := tag
				if tag.kind == anyKind && g.chance(60) {
					t = g.number()
				}
				if t.kind == intKind && g.chance(60) {
					list = append(list, "pt(("+t.text+")("+fmt.Sprint(g.n(8))+"))")
				} else {
					f := g.free(3)
					f.unstable = f.unstable && tag.kind != anyKind
					list = append(list, g.variant(t, f))
				}
			}
			g.emit("case %s:", strings.Join(list, ", "))
		}
		g.scope(func() { g.statements(n) })
		if i < count-1 && g.chance(15) && !g.quiet {
			g.emit("fallthrough")
		}
	}
	g.emit("}")
}

// typeSwitch emits a type switch.
func (g *generator) typeSwitch(n int) {
	of := g.any()
	if len(g.interfaces) > 0 && g.chance(35) {
		of = pick(g, g.interfaces)
	}
	operand := g.expr(of, g.free(3))
	name := fmt.Sprint("v", g.fresh())
	bound := g.chance(70)
	var vs []*variable
	g.enclosed(false, func() {
		body := g.capture(func() {
			var taken []string
			for range 1 + g.n(4) {
				var list []string
				var t *typ
				for range 1 + g.n(2) {
					u := g.typ(1)
					if of.kind == interfaceKind {
						if len(of.values) == 0 {
							continue
						}
						u = pick(g, of.values)
					}
					text := u.text
					if g.chance(10) {
						text, u = "nil", of
					}
					// Type parameters may be instantiated with a type of another case.
					if slices.Contains(taken, text) {
						continue
					}
					taken = append(taken, text)
					list = append(list, text)
					t = u
				}
				if len(list) == 0 {
					continue
				}
				if len(list) > 1 {
					t = of
				}
				g.emit("case %s:", strings.Join(list, ", "))
				g.scope(func() {
					if bound {
						v := &variable{name: name, typ: t, private: g.chance(60)}
						g.unused(g.declare(v))
						vs = append(vs, v)
					}
					g.statements(n)
				})
			}
			if g.chance(50) {
				g.emit("default:")
				g.scope(func() { g.statements(n) })
			}
		})
		if len(vs) > 0 {
			g.emit("switch %s := (%s).(type) {", name, operand)
		} else {
			g.emit("switch (%s).(type) {", operand)
		}
		g.emit("%s}", body)
	})
}
