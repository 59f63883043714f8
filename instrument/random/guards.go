package random

import (
	"fmt"
	"strings"
)

// beginning emits what a declared function may begin with: a test of its parameters, and a return
// statement that gives constants and parameters back. It reports whether that is all of the
// function, as it does something in a rare case only.
func (g *generator) beginning(fn *function, params []*variable, size int) (whole bool) {
	cond := g.test(params)
	if cond == "" {
		return false
	}
	if len(fn.results) == 0 && g.chance(50) {
		g.emit("if %s {", cond)
		g.emit("step()\npoint()")
		g.scope(func() { g.statements(size) })
		g.emit("}")
		return true
	}
	var values []string
	for _, r := range fn.results {
		values = append(values, g.given(r, params))
	}
	if fn.named != nil && g.chance(30) {
		values = nil
	}
	g.emit("if %s {\nreturn %s\n}", cond, strings.Join(values, ", "))
	return false
}

// test draws a condition about parameters, or returns the empty string.
func (g *generator) test(params []*variable) string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	var of func(name string, t *typ, depth int)
	of = func(name string, t *typ, depth int) {
		switch t.kind {
		case intKind:
			n := pick(g, []int{0, 1, 2, 3, 7, 100, 127})
			add("%s %s %d", name, pick(g, []string{"<", "==", "!=", ">=", ">"}), n)
			add("%s&%d == %d", name, 1+g.n(3), g.n(2))
			add("%s%s%d %s %d", name, pick(g, []string{"+", "-"}), pick(g, []int{1, 5, 100}), pick(g, []string{"<", ">"}), n)
			add("-%s > %d", name, n)
			for _, p := range params {
				if p.typ == t && p.name != name {
					add("%s %s %s", name, pick(g, []string{"<", "==", ">="}), p.name)
					add("%s-%s < %d", name, p.name, n)
				}
			}
		case floatKind:
			if t.text != "complex128" {
				add("%s < %d", name, g.n(9))
			}
			add("%s == 0", name)
		case stringKind:
			add("%s %s %s", name, pick(g, []string{"==", "!=", "<"}), pick(g, letters))
			add("len(%s) %s %d", name, pick(g, []string{"==", "<", ">"}), g.n(3))
		case boolKind:
			add("%s%s", pick(g, []string{"", "!", "true == "}), name)
		case sliceKind:
			add("len(%s) %s %d", name, pick(g, []string{"==", "<", ">"}), g.n(3))
			add("%s == nil", name)
		case mapKind, funcKind, anyKind, interfaceKind, pointerKind:
			add("%s %s nil", name, pick(g, []string{"==", "=="}))
		}
		if t.kind == pointerKind && depth > 0 {
			t = t.elem
		}
		if t.kind == structKind && depth > 0 {
			for _, f := range g.fieldsOf(t) {
				of(name+"."+f.name, f.typ, depth-1)
			}
		}
	}
	for _, p := range params {
		of(p.name, p.typ, 1)
	}
	if len(list) == 0 {
		return ""
	}
	cond := pick(g, list)
	switch g.n(6) {
	case 0:
		cond += " && " + pick(g, list)
	case 1:
		cond += " || " + pick(g, list)
	case 2:
		cond = "!(" + cond + ")"
	}
	return cond
}

// given draws what a function returns at once: a parameter, or a constant where there is one.
func (g *generator) given(t *typ, params []*variable) string {
	var list []string
	for _, p := range params {
		if p.typ == t || t.kind == anyKind && g.printable(p.typ) {
			list = append(list, p.name)
		}
	}
	switch t.kind {
	case anyKind:
		list = append(list, "nil", "'a'", "1.0", "true", `"x"`, "int8(3)", g.constantOf(g.number()))
	case intKind:
		list = append(list, fmt.Sprint(g.n(100)), "'b'")
	case floatKind:
		list = append(list, "0", "2", "0.5", "'c'")
	case pointerKind, sliceKind, mapKind, funcKind, interfaceKind:
		list = append(list, "nil")
	}
	if len(list) > 0 && g.chance(90) {
		return pick(g, list)
	}
	quiet := g.quiet
	g.quiet = true
	defer func() { g.quiet = quiet }()
	text, _ := g.literal(t, freedom{})
	return text
}

// constantOf draws a constant of a type of numbers.
func (g *generator) constantOf(t *typ) string { return fmt.Sprintf("%s(%d)", t.text, g.n(100)) }
