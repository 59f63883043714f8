package random

import (
	"fmt"
	"slices"
	"strings"
)

// A callee is something that can be called.
type callee struct {
	text       string
	sig        *typ
	parameters []*typ    // of a generic function
	variable   *variable // that is read to call it, or nil
}

// callees returns what can be called here and pass the test. With f not unstable, no
// variable is read for it that calls may change.
func (g *generator) callees(f freedom, want func(sig *typ) bool) []callee {
	var list []callee
	for _, fn := range g.functions {
		if fn.parameters != nil || want(fn.sig) {
			list = append(list, *fn)
		}
	}
	for _, v := range g.visible(f.readable) {
		switch {
		case v.typ.kind == funcKind && want(v.typ):
			c := callee{text: v.name, sig: v.typ, variable: v}
			list = append(list, c, c)
		case v.typ.named || v.typ.kind == pointerKind && v.typ.elem.named:
			t := v.typ
			isPointer := t.kind == pointerKind
			if isPointer {
				t = t.elem
			}
			if isPointer && t.kind == interfaceKind || isPointer && !f.unstable || v.constant {
				continue
			}
			for _, m := range g.methodsOf(t) {
				// A call with the address of a variable makes it one that calls change.
				if want(m.sig) && (isPointer || !m.pointer || !v.private) {
					c := callee{text: v.name + "." + m.name, sig: m.sig, variable: v}
					list = append(list, c, c)
				}
			}
			if g.chance(15) {
				for _, m := range g.methodsOf(t) {
					if !m.pointer || t.kind == interfaceKind {
						sig := g.fun(append([]*typ{t}, m.sig.params...), m.sig.results, m.sig.variadic)
						if want(sig) {
							list = append(list, callee{text: "(" + t.text + ")." + m.name, sig: sig})
						}
					}
				}
			}
		}
	}
	return list
}

// call writes a call of c.
func (g *generator) call(c callee, f freedom) string {
	text, sig := c.text, c.sig
	if c.variable != nil {
		c.variable.used = true
	}
	if c.parameters != nil {
		return ""
	}
	params := sig.params
	spread := false
	if sig.variadic {
		last := params[len(params)-1]
		params = params[: len(params)-1 : len(params)-1]
		if g.chance(30) {
			params, spread = append(params, last), true
		} else {
			for range g.n(3) {
				params = append(params, last.elem)
			}
		}
	}
	if g.chance(4) {
		text = "made(" + text + ")"
	}
	args := strings.Join(g.operands(params, f), ", ")
	if spread {
		args += "..."
	}
	return text + "(" + args + ")"
}

// instantiate gives a generic function type arguments; bound ones first.
func (g *generator) instantiate(c callee, bound map[*typ]*typ) (callee, bool) {
	var args []*typ
	var texts []string
	for _, p := range c.parameters {
		a := bound[p]
		if a == nil {
			a = g.arguments([]*typ{p})[0]
		}
		if !g.satisfies(a, p) {
			return c, false
		}
		args = append(args, a)
		texts = append(texts, a.text)
	}
	c.sig = g.substitute(c.sig, binding(c.parameters, args))
	c.text += "[" + strings.Join(texts, ", ") + "]"
	c.parameters = nil
	return c, true
}

// callFor draws a call with a single result of type t, or returns the empty string.
func (g *generator) callFor(t *typ, f freedom) string {
	if !f.calls {
		return ""
	}
	var list []callee
	for _, c := range g.callees(f, func(sig *typ) bool { return len(sig.results) == 1 && sig.results[0] == t }) {
		if c.parameters != nil {
			if len(c.sig.results) != 1 {
				continue
			}
			r := c.sig.results[0]
			bound := map[*typ]*typ{}
			if r.parameter && grounded(t) {
				bound[r] = t
			}
			var ok bool
			if c, ok = g.instantiate(c, bound); !ok || c.sig.results[0] != t {
				continue
			}
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return ""
	}
	return g.call(pick(g, list), f.deeper())
}

// anyCall draws a call of anything with so many results at least.
func (g *generator) anyCall(f freedom, least int) (text string, results []*typ) {
	list := g.callees(f, func(sig *typ) bool { return len(sig.results) >= least })
	list = slices.DeleteFunc(list, func(c callee) bool { return len(c.sig.results) < least })
	if len(list) == 0 {
		return "", nil
	}
	c := pick(g, list)
	if c.parameters != nil {
		c, _ = g.instantiate(c, nil)
	}
	return g.call(c, f.deeper()), c.sig.results
}

// immediate draws a function literal that is called where it stands.
func (g *generator) immediate(t *typ, f freedom) string {
	if !f.calls || f.depth < 2 || t.kind == chanKind {
		return ""
	}
	var params []*typ
	for range g.n(3) {
		params = append(params, g.typ(1))
	}
	sig := g.fun(params, []*typ{t}, false)
	return g.funcLiteral(sig, f.depth-1) + "(" + strings.Join(g.operands(params, f.ordered()), ", ") + ")"
}

// funcLiteral draws a function literal; the depth tells how large it may be.
func (g *generator) funcLiteral(sig *typ, depth int) string {
	if depth <= 1 && !g.quiet && g.chance(40) {
		if s := g.methodValue(sig); s != "" {
			return s
		}
	}
	return g.literalWith(sig, max(0, depth-1))
}

// methodValue draws an existing function or method of that type as a value.
func (g *generator) methodValue(sig *typ) string {
	var list []callee
	for _, c := range g.callees(freedom{calls: true}, func(s *typ) bool { return s == sig }) {
		if c.parameters == nil {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return ""
	}
	c := pick(g, list)
	if c.variable != nil {
		c.variable.used = true
	}
	return c.text
}

// literalWith writes a function literal with a body of so many statements.
func (g *generator) literalWith(sig *typ, size int) string {
	fn := &function{results: sig.results}
	var head string
	body := g.capture(func() {
		head = "func" + g.functionBody(fn, sig, size)
	})
	return head + " {\n" + body + "}"
}

// lengthen makes some functions too long to be written twice as a whole, see package rewrite.
func (g *generator) lengthen(percent int) {
	if g.chance(percent) {
		g.emit("_ = %q", longText)
	}
}

var longText = strings.Repeat("This function is long. ", 180)

// functionBody emits the body of a function and returns its signature with names.
func (g *generator) functionBody(fn *function, sig *typ, size int) (head string) {
	outer, quiet := g.function, g.quiet
	g.function, g.quiet = fn, false
	defer func() { g.function, g.quiet = outer, quiet }()
	g.scope(func() {
		var names, resultNames []string
		var params []*variable
		if fn.receiver != nil {
			params = append(params, fn.receiver)
		}
		for _, p := range sig.params {
			name := fmt.Sprint("p", g.fresh())
			if hides := g.hideable(g.variables); hides != "" && g.chance(10) {
				fresh := true
				for _, n := range names {
					fresh = fresh && n != hides
				}
				if fresh {
					name = hides
				}
			}
			names = append(names, name)
			params = append(params, g.declare(&variable{name: name, typ: p, private: g.chance(60), used: true}))
		}
		if len(sig.results) > 0 && g.chance(40) {
			for _, r := range sig.results {
				name := fmt.Sprint("r", g.fresh())
				resultNames = append(resultNames, name)
				fn.named = append(fn.named, g.declare(&variable{name: name, typ: r, used: true}))
			}
		}
		head = signature(names, sig.params, resultNames, sig.results, sig.variadic)
		if names == nil {
			head = signature([]string{}, nil, resultNames, sig.results, false)
		}
		if fn.passes != nil {
			g.passes(fn, *fn.passes, params)
			return
		}
		if fn.declared && g.chance(40) && g.beginning(fn, params, size) {
			return
		}
		g.emit("step()")
		g.lengthen(5)
		g.statements(size)
		if len(sig.results) > 0 {
			g.emit("%s", g.returnStatement(fn))
		}
	})
	return head
}

// returnStatement writes a return statement of fn.
func (g *generator) returnStatement(fn *function) string {
	if len(fn.results) == 0 || fn.named != nil && g.chance(40) {
		for _, v := range fn.named { // a hidden result can't be returned bare
			for _, w := range g.variables {
				if w.name == v.name && w != v {
					return "return " + strings.Join(g.operands(fn.results, g.free(2)), ", ")
				}
			}
		}
		return "return"
	}
	if len(fn.results) > 1 && g.chance(30) && !g.quiet {
		same := func(sig *typ) bool {
			if len(sig.results) != len(fn.results) {
				return false
			}
			for i, r := range sig.results {
				if r != fn.results[i] {
					return false
				}
			}
			return true
		}
		var list []callee
		for _, c := range g.callees(g.free(2), same) {
			if c.parameters == nil {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			return "return " + g.call(pick(g, list), g.free(2))
		}
	}
	return "return " + strings.Join(g.operands(fn.results, g.free(2)), ", ")
}
