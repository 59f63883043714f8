package random

import (
	"fmt"
	"strings"
)

// passedOn draws how a function is called that another one does nothing but pass on, with the
// parameters of that: some as they are, some changed.
func (g *generator) passedOn(c callee, params []*variable) string {
	var args []string
	for i, t := range c.sig.params {
		var list []string
		for _, p := range params {
			if p.typ == t {
				list = append(list, p.name, p.name)
				if t.kind == intKind {
					list = append(list, p.name+" + 1", "-"+p.name, p.name+"*2")
				}
			} else if t.kind == intKind && p.typ.kind == intKind && !t.parameter && !p.typ.parameter {
				list = append(list, t.text+"("+p.name+")")
			}
			switch {
			case t.kind == intKind && !t.parameter && (p.typ.kind == sliceKind || p.typ.kind == stringKind):
				list = append(list, t.text+"(len("+p.name+"))")
			case t.kind == anyKind && g.printable(p.typ):
				list = append(list, p.name)
			case t.text == "bool" && g.comparable(p.typ):
				list = append(list, p.name+" == "+p.name)
			}
		}
		if t.kind == sliceKind {
			list = append(list, "make("+t.text+", 1, 4)")
		}
		arg := ""
		if len(list) > 0 && g.chance(90) {
			arg = pick(g, list)
		} else {
			arg = g.given(t, nil)
		}
		if c.sig.variadic && i == len(c.sig.params)-1 {
			if g.chance(50) {
				break
			}
			arg += "..."
		}
		args = append(args, arg)
	}
	return c.text + "(" + strings.Join(args, ", ") + ")"
}

// passes emits the body of a function that has the results of another one.
func (g *generator) passes(fn *function, c callee, params []*variable) {
	var names []string
	for i := range fn.results {
		names = append(names, fmt.Sprint("x", i))
	}
	list := strings.Join(names, ", ")
	if g.chance(10) { // which is no mere call any more
		for _, p := range params {
			if p.typ.kind == intKind {
				g.emit("%s++", p.name)
			}
		}
	}
	call := g.passedOn(c, params)
	switch n := len(fn.results); {
	case n == 0:
		g.emit("%s", call)
	case fn.named != nil && fn.results[0] == c.sig.results[0] && g.chance(60):
		names = nil
		for _, v := range fn.named {
			names = append(names, v.name)
		}
		g.emit("%s = %s\nreturn", strings.Join(names, ", "), call)
	case n == 1 && fn.results[0] != c.sig.results[0]:
		g.emit("return %s(%s)", fn.results[0].text, call)
	case g.chance(50):
		g.emit("return %s", call)
	default:
		g.emit("%s := %s\nreturn %s", list, call, list)
	}
}

// passer draws the signature of a function that passes on what another one does.
func (g *generator) passer(c callee) *typ {
	params := append([]*typ(nil), c.sig.params...)
	if c.sig.variadic {
		params = params[:len(params)-1]
	}
	switch g.n(4) {
	case 0:
		params = append(params, g.typ(1))
	case 1:
		params = append([]*typ{g.number()}, params...)
	}
	results := c.sig.results
	if len(results) == 1 && results[0].kind == intKind && !results[0].parameter && g.chance(30) {
		results = []*typ{g.number()}
	}
	return g.fun(params, results, false)
}
