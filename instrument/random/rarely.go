package random

import (
	"fmt"
	"strings"
)

// rarely declares a function that does nothing, or returns at once, in most cases, perhaps a method
// or a generic one, and perhaps others that pass it on, and emits calls of them in all places.
func (g *generator) rarely() string {
	id := g.fresh()
	types := []*typ{g.number(), g.number(), g.int(), g.string(), g.bool(), g.any(), g.slice(g.int()), g.pointer(g.basic("tally", structKind))}
	var params, results []*typ
	for range 1 + g.n(3) {
		params = append(params, pick(g, types))
	}
	for range g.n(4) {
		results = append(results, pick(g, append(params[:len(params):len(params)], types...)))
	}
	for _, t := range append(append([]*typ(nil), params...), results...) {
		if t.parameter || len(g.local) > 0 && t.kind == intKind && t.named { // a local type has no name there
			return ""
		}
	}
	f := g.declareRare(id, params, results)
	args := func() string {
		var list []string
		for _, p := range params {
			list = append(list, g.argument(p))
		}
		return strings.Join(list, ", ")
	}
	call := func() string { return f + "(" + args() + ")" }
	for range 2 + g.n(3) {
		switch k := g.n(8); {
		case k == 0:
			g.emit("defer %s", call())
		case k == 1:
			g.emit("h%d := %s\nh%d(%s)", g.count, f, g.count, args())
			g.fresh()
		case len(results) == 0 || k == 2:
			g.emit("%s", call())
		case k == 3:
			var names []string
			for range results {
				names = append(names, pick(g, []string{"_", "x"}))
			}
			i := g.n(len(names))
			names[i] = "y"
			for j := range names {
				if names[j] == "x" && j != i {
					names[j] = fmt.Sprint("x", j)
				}
			}
			g.emit("{\nvar x0, x1, x2, y any")
			g.emit("%s = %s", strings.Join(names, ", "), call())
			g.emit("fmt.Println(\"rarely %d\", kinds(x0, x1, x2, y))\n}", id)
		case len(results) == 1 && results[0].kind == intKind && k > 4:
			g.emit("if %s %s %s {", call(), pick(g, []string{"<", "==", "!="}), call())
			g.scope(func() { g.statements(1) })
			g.emit("}")
		case len(results) == 1 && results[0].kind == boolKind:
			g.emit("for i := 0; i < 2 %s %s; i++ {\nstep()", pick(g, []string{"&&", "&& !"}), call())
			g.scope(func() { g.statements(1) })
			g.emit("}")
		default:
			g.emit("fmt.Println(\"rarely %d\", kinds(%s))", id, call())
		}
	}
	return "x"
}

// argument draws what is passed for a parameter: often a constant, or a variable.
func (g *generator) argument(t *typ) string {
	if t.elem != nil && t.elem.text == "tally" {
		return pick(g, []string{"nil", "&tally{n: 3}", "new(tally)"})
	}
	if g.chance(50) {
		switch t.kind {
		case intKind:
			return pick(g, []string{"0", "1", "3", "100", g.constantOf(t)})
		case stringKind:
			return pick(g, letters)
		case boolKind:
			return pick(g, []string{"true", "false"})
		case anyKind:
			return g.given(t, nil)
		}
	}
	return g.expr(t, g.free(2).ordered())
}

// declareRare declares the function, and returns how it is called.
func (g *generator) declareRare(id int, params, results []*typ) string {
	outer, current, begin := g.variables, g.function, g.begin
	g.variables, g.function, g.begin = nil, nil, 0
	defer func() { g.variables, g.function, g.begin = outer, current, begin }()
	fn := fmt.Sprint("rare", id)
	var vs []*variable
	var names, resultNames []string
	for i, p := range params {
		names = append(names, fmt.Sprint("p", i))
		vs = append(vs, &variable{name: names[i], typ: p})
	}
	of := &function{results: results}
	if g.chance(30) && len(results) > 0 {
		for i, r := range results {
			resultNames = append(resultNames, fmt.Sprint("r", i))
			of.named = append(of.named, &variable{name: resultNames[i], typ: r})
		}
	}
	head, self, called := "func "+fn, fn, fn
	switch g.n(4) {
	case 0:
		head, self, called = "func (t *tally) "+fn, "t."+fn, pick(g, []string{"new(tally)", "(&tally{n: 2})", "(*tally)(nil)"})+"."+fn
	case 1:
		head, self, called = "func (t tally) "+fn, "t."+fn, "tally{n: 1}."+fn
	case 2:
		head, called = head+"[T any]", fn+"[string]"
		self = fn + "[T]"
	}
	values := func() string {
		var list []string
		for _, r := range results {
			list = append(list, g.given(r, vs))
		}
		return strings.Join(list, ", ")
	}
	body := g.capture(func() {
		if !g.beginning(of, vs, 0) {
			g.emit("step()\npoint()\nfmt.Println(\"rare %d\", kinds(%s))", id, strings.Join(names, ", "))
			if g.chance(40) { // again, with something else
				var args []string
				for _, v := range vs {
					if v.typ.kind == intKind {
						args = append(args, v.name+pick(g, []string{"-1", "+1", ""}))
					} else {
						args = append(args, pick(g, []string{v.name, g.given(v.typ, nil)}))
					}
				}
				ret := "return "
				if len(results) == 0 {
					ret = ""
				}
				g.emit("%s%s(%s)", ret, self, strings.Join(args, ", "))
			} else {
				g.emit("return %s", values())
			}
		}
	})
	g.declarations = append(g.declarations, head+signature(names, params, resultNames, results, false)+" {\n"+body+"}")
	if g.chance(40) && !strings.HasSuffix(called, "]") && self == fn {
		pass := fmt.Sprint("passes", id)
		c := callee{text: fn, sig: g.fun(params, results, false)}
		text := g.capture(func() { g.passes(of, c, vs) })
		g.declarations = append(g.declarations, "func "+pass+signature(names, params, resultNames, results, false)+" {\n"+text+"}")
		called = pass
	}
	return called
}
