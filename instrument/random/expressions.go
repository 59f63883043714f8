package random

import (
	"fmt"
	"strconv"
	"strings"
)

// A freedom is what an operand may do; see "Order of evaluation" in the package
// documentation.
type freedom struct {
	calls    bool // call functions that have effects
	unstable bool // read what such calls may change, and panic
	depth    int
}

func (f freedom) deeper() freedom { f.depth--; return f }

// stable takes the freedom to do anything but compute.
func (f freedom) stable() freedom { f.calls, f.unstable = false, false; return f.deeper() }

// ordered is the freedom of one of several operands that all may call.
func (f freedom) ordered() freedom { f.unstable = false; return f.deeper() }

// free is the freedom of an expression that is evaluated by itself.
func (g *generator) free(depth int) freedom {
	return freedom{calls: !g.quiet, unstable: !g.quiet, depth: depth}
}

// readable reports whether an operand may read v.
func (f freedom) readable(v *variable) bool { return v.private || v.constant || f.unstable }

// split divides a freedom among n operands which the language evaluates in an order that
// only calls have: one may do everything and the others compute, or all may call, or all
// may read.
func (g *generator) split(f freedom, n int) []freedom {
	list := make([]freedom, n)
	switch {
	case !f.calls:
		for i := range list {
			list[i] = f.deeper()
		}
	case n > 0 && g.chance(40):
		for i := range list {
			list[i] = f.stable()
		}
		list[g.n(n)] = f.deeper()
	case f.unstable && g.chance(30):
		for i := range list {
			list[i] = freedom{unstable: true, depth: f.depth - 1}
		}
	default:
		for i := range list {
			list[i] = f.ordered()
		}
	}
	return list
}

// operands draws an expression for each type.
func (g *generator) operands(ts []*typ, f freedom) []string {
	freedoms := g.split(f, len(ts))
	var list []string
	for i, t := range ts {
		list = append(list, g.expr(t, freedoms[i]))
	}
	return list
}

// expr draws an expression of type t.
func (g *generator) expr(t *typ, f freedom) string {
	text, _ := g.value(t, f)
	return text
}

// variant draws an expression of type t that is not constant, since constant ones have
// rules of their own.
func (g *generator) variant(t *typ, f freedom) string {
	text, constant := g.value(t, f)
	if constant {
		return "pt(" + text + ")"
	}
	return text
}

// value draws an expression of type t, and whether it is constant.
func (g *generator) value(t *typ, f freedom) (text string, constant bool) {
	switch {
	case t.kind == chanKind && g.chance(30):
		return "pt(" + g.expr(t, f.deeper()) + ")", false
	case t.kind == chanKind: // none that is nil, which would block for ever
		return g.leaf(t, f)
	case f.depth <= 0 || g.chance(25):
		return g.leaf(t, f)
	}
	text = g.choose(
		alternative{3, func() string { text, constant = g.leaf(t, f); return text }},
		alternative{6, func() string { constant = false; return g.operation(t, f) }},
		alternative{3, func() string { return "pt(" + g.expr(t, f.deeper()) + ")" }},
		alternative{6, func() string { return g.callFor(t, f) }},
		alternative{4, func() string { return g.access(t, f) }},
		alternative{1, func() string { return g.immediate(t, f) }},
		alternative{1, func() string { text, constant = g.leaf(t, f); return text }},
	)
	return text, constant
}

// leaf draws a variable or a literal of type t.
func (g *generator) leaf(t *typ, f freedom) (text string, constant bool) {
	if g.chance(70) {
		if v := g.variable(func(v *variable) bool { return v.typ == t && f.readable(v) }); v != nil {
			return v.name, v.constant
		}
	}
	return g.literal(t, f)
}

var letters = []string{`""`, `"a"`, `"bc"`, `"äöü"`, `"x\x00y"`, `"世界"`, `"\xffz"`}

// literal draws a literal of type t.
func (g *generator) literal(t *typ, f freedom) (text string, constant bool) {
	in := f.stable()
	conversion := func(s string) string {
		if t.text == "int" {
			return s
		}
		return t.text + "(" + s + ")"
	}
	switch t.kind {
	case intKind:
		n := []int{0, 1, 2, 3, 7, 100, 127, g.n(100)}[g.n(8)]
		return conversion(strconv.Itoa(n)), !t.parameter
	case floatKind:
		return conversion(fmt.Sprintf("%d.%d", g.n(20), g.n(100))), true
	case stringKind:
		s := pick(g, letters)
		if t.named {
			return conversion(s), true
		}
		return s, true
	case boolKind:
		s := []string{"true", "false"}[g.n(2)]
		if t.named {
			return conversion(s), true
		}
		return s, true
	case anyKind:
		if g.chance(10) {
			return "any(nil)", false
		}
		inner := g.simple()
		if in.depth > 0 {
			inner = g.typ(1)
		}
		if inner.kind == anyKind || !g.printable(inner) {
			inner = g.int()
		}
		return "any(" + g.expr(inner, in) + ")", false
	case opaqueKind:
		return "*new(" + t.text + ")", false
	case sliceKind:
		if g.chance(5) {
			return "(" + t.text + ")(nil)", false
		}
		return t.text + "{" + g.elements(t.elem, 1+g.n(3), f) + "}", false
	case arrayKind:
		return t.text + "{" + g.elements(t.elem, g.n(t.size+1), f) + "}", false
	case mapKind:
		var parts []string
		for i := range g.n(3) {
			key, isConstant := g.literal(t.key, in)
			switch {
			case t.key.kind == intKind:
				key = conversionTo(t.key, strconv.Itoa(i*3))
			case t.key.kind == stringKind:
				key = fmt.Sprintf("%s(%q)", t.key.text, "k"+strconv.Itoa(i))
			case isConstant:
				key = "pt(" + key + ")"
			}
			parts = append(parts, key+": "+g.expr(t.elem, in))
		}
		return t.text + "{" + strings.Join(parts, ", ") + "}", false
	case pointerKind:
		switch {
		case t.elem.kind == structKind && t.elem.named && g.chance(70):
			lit, _ := g.literal(t.elem, f)
			return "&" + lit, false
		case g.chance(4):
			return "(" + t.text + ")(nil)", false
		case f.depth > 0 && g.chance(50):
			return "ref(" + g.expr(t.elem, f.deeper()) + ")", false
		}
		return "new(" + t.elem.text + ")", false
	case structKind:
		fields := g.fieldsOf(t)
		if f.depth <= 0 || g.chance(30) {
			return t.text + "{}", false
		}
		if g.chance(50) { // in another order than they were declared, and not all
			i := g.n(len(fields))
			fields = append(fields[i:len(fields):len(fields)], fields[:i]...)
			fields = fields[:1+g.n(len(fields))]
		}
		var ts []*typ
		for _, fd := range fields {
			ts = append(ts, fd.typ)
		}
		var parts []string
		for i, s := range g.operands(ts, f) {
			parts = append(parts, fields[i].name+": "+s)
		}
		return t.text + "{" + strings.Join(parts, ", ") + "}", false
	case interfaceKind:
		if len(t.values) == 0 || g.chance(5) {
			return t.text + "(nil)", false
		}
		return t.text + "(" + g.expr(pick(g, t.values), f.stable()) + ")", false
	case funcKind:
		return g.funcLiteral(t, f.depth), false
	case chanKind:
		return "full[" + t.elem.text + "](" + g.elements(t.elem, 1+g.n(3), f) + ")", false
	}
	panic("no literal for " + t.text)
}

func conversionTo(t *typ, s string) string { return "(" + t.text + ")(" + s + ")" }

func (g *generator) elements(t *typ, n int, f freedom) string {
	ts := make([]*typ, n)
	for i := range ts {
		ts[i] = t
	}
	return strings.Join(g.operands(ts, f), ", ")
}

// operation draws an operator for type t, or returns the empty string.
func (g *generator) operation(t *typ, f freedom) string {
	switch t.kind {
	case intKind:
		return g.arithmetic(t, f)
	case floatKind:
		both := g.split(f, 2)
		return "(" + g.variant(t, both[0]) + " " + pick(g, []string{"+", "-", "*"}) + " " + g.expr(t, both[1]) + ")"
	case stringKind:
		return g.text(t, f)
	case boolKind:
		return g.condition(t, f)
	case anyKind:
		inner := g.typ(1)
		if !g.printable(inner) || inner.kind == anyKind {
			inner = g.number()
		}
		return "any(" + g.expr(inner, f.deeper()) + ")"
	case sliceKind:
		return g.sliceOperation(t, f)
	case interfaceKind:
		if len(t.values) > 0 {
			return t.text + "(" + g.expr(pick(g, t.values), f.deeper()) + ")"
		}
	case pointerKind:
		if v := g.variable(func(v *variable) bool { return v.typ == t.elem && !v.private && !v.constant }); v != nil {
			return "&" + v.name
		}
		if t.elem.kind == structKind {
			return "ref(" + g.expr(t.elem, f.deeper()) + ")"
		}
	case opaqueKind, structKind, arrayKind, mapKind, funcKind, chanKind:
		if t.kind == arrayKind && f.unstable && g.chance(20) {
			return "(" + t.text + ")(" + g.expr(g.slice(t.elem), f.deeper()) + ")"
		}
		lit, _ := g.literal(t, f)
		return lit
	}
	return ""
}

func (g *generator) arithmetic(t *typ, f freedom) string {
	both := g.split(f, 2)
	binary := func(op string) string {
		return "(" + g.variant(t, both[0]) + " " + op + " " + g.expr(t, both[1]) + ")"
	}
	switch g.n(16) {
	case 0:
		return "(-" + g.variant(t, f.deeper()) + ")"
	case 1:
		return "(^" + g.variant(t, f.deeper()) + ")"
	case 2:
		return "(" + g.variant(t, both[0]) + " " + pick(g, []string{"<<", ">>"}) + " (" + g.variant(g.basic("uint8", intKind), both[1]) + " & 7))"
	case 3:
		if !f.unstable { // it panics
			return "(" + g.variant(t, f.deeper()) + pick(g, []string{" / 3", " % 5"}) + ")"
		}
		return "(" + g.variant(t, both[0]) + " " + pick(g, []string{"/", "%"}) + " " + g.variant(t, both[1]) + ")"
	case 4:
		from := g.number()
		return t.text + "(" + g.variant(from, f.deeper()) + ")"
	case 5:
		return pick(g, []string{"min", "max"}) + "(" + g.variant(t, both[0]) + ", " + g.expr(t, both[1]) + ")"
	case 6:
		of := g.string()
		if g.chance(70) {
			of = g.slice(g.simple())
			if g.chance(30) {
				of = g.mapOf(g.int(), g.simple())
			}
		}
		s := "len(" + g.variant(of, f.deeper()) + ")"
		if t.text != "int" {
			s = t.text + "(" + s + ")"
		}
		return s
	case 7:
		if f.unstable {
			s := "(" + g.variant(g.string(), f.deeper()) + ")"
			if t.text == "uint8" {
				return s + "[" + g.index(f.stable(), 2) + "]"
			}
			return t.text + "(" + s + "[" + g.index(f.stable(), 2) + "])"
		}
	}
	return binary(pick(g, []string{"+", "-", "*", "&", "|", "^", "&^", "+", "-"}))
}

// index draws an index that is mostly below n.
func (g *generator) index(f freedom, n int) string {
	if g.chance(60) {
		return strconv.Itoa(g.n(n))
	}
	s := g.variant(g.int(), f)
	if g.chance(5) {
		return s
	}
	return "uint(" + s + ")%" + strconv.Itoa(n)
}

func (g *generator) text(t *typ, f freedom) string {
	both := g.split(f, 2)
	convert := func(s string) string {
		if t.named {
			return t.text + "(" + s + ")"
		}
		return s
	}
	switch g.n(6) {
	case 0:
		if f.unstable {
			return "(" + g.variant(t, f.deeper()) + ")[" + []string{"1:", ":1", "0:1", ":"}[g.n(4)] + "]"
		}
	case 1:
		return t.text + "(rune(" + g.variant(g.number(), f.deeper()) + "))"
	case 2:
		inner := g.typ(1)
		if g.printable(inner) {
			return convert("fmt.Sprint(" + g.expr(inner, f.deeper()) + ")")
		}
	case 3:
		return t.text + "(" + pick(g, []string{"[]byte", "[]rune"}) + "(" + g.variant(t, f.deeper()) + "))"
	}
	return "clip(" + g.variant(t, both[0]) + " + " + g.expr(t, both[1]) + ")"
}

func (g *generator) condition(t *typ, f freedom) string {
	convert := func(s string) string {
		if t.named {
			return t.text + "(" + s + ")"
		}
		return "(" + s + ")"
	}
	both := g.split(f, 2)
	switch g.n(10) {
	case 0:
		return "!" + g.variant(t, f.deeper())
	case 1, 2, 3: // the left operand is evaluated before the right one begins
		return "(" + g.expr(t, f.deeper()) + " " + pick(g, []string{"&&", "||"}) + " " + g.expr(t, f.deeper()) + ")"
	case 4:
		s := pick(g, []*typ{g.string(), g.basic("float64", floatKind)})
		return convert(g.variant(s, both[0]) + " " + pick(g, []string{"<", "==", ">="}) + " " + g.expr(s, both[1]))
	case 5:
		s := g.typ(2)
		switch {
		case g.comparable(s):
			return convert(g.variant(s, both[0]) + pick(g, []string{" == ", " != "}) + g.variantNoLiteral(s, both[1]))
		case s.kind == anyKind && f.unstable, s.kind == interfaceKind && f.unstable:
			return convert(g.variant(s, both[0]) + " == " + g.variant(s, both[1]))
		case s.kind == sliceKind, s.kind == mapKind, s.kind == funcKind:
			return convert(g.variantNoLiteral(s, f.deeper()) + " == nil")
		}
	case 6:
		if f.unstable {
			to := g.simple()
			if to.kind != opaqueKind && to.kind != anyKind {
				return convert("is[" + to.text + "](" + g.expr(g.any(), f.deeper()) + ")")
			}
		}
	}
	n := g.number()
	return convert(g.variant(n, both[0]) + " " + pick(g, []string{"<", "==", "!=", ">=", ">"}) + " " + g.expr(n, both[1]))
}

// header puts an expression in parentheses, as the header of a statement needs it. The
// format of Go takes them away again, also where the literal of a generic type needs them.
func header(s string) string {
	if strings.Contains(s, "]{") {
		return "pt(" + s + ")"
	}
	return "(" + s + ")"
}

// variantNoLiteral is variant without a composite literal at its beginning.
func (g *generator) variantNoLiteral(t *typ, f freedom) string { return "pt(" + g.expr(t, f) + ")" }

func (g *generator) sliceOperation(t *typ, f freedom) string {
	both := g.split(f, 2)
	switch g.n(4) {
	case 0: // writes into an array that others may share
		if f.unstable {
			return "append(" + g.variant(t, both[0]) + "[:1], " + g.expr(t.elem, both[1]) + ")"
		}
	case 1:
		if f.unstable {
			return "(" + g.variant(t, f.deeper()) + ")[" + []string{"1:", ":1", "0:1:1", ":"}[g.n(4)] + "]"
		}
	case 2:
		return "append(" + t.text + "{" + g.elements(t.elem, 1, f.stable()) + "}, " + g.elements(t.elem, 1+g.n(2), f) + ")"
	}
	return "make(" + t.text + ", " + strconv.Itoa(1+g.n(3)) + ", 5)"
}

// access draws an element, a field, what a pointer points to or an interface holds, or what a
// channel delivers.
func (g *generator) access(t *typ, f freedom) string {
	return g.choose(
		alternative{4, func() string { return g.part(t, f) }},
		alternative{2, func() string {
			if !f.unstable {
				return ""
			}
			p := g.pointer(t)
			return "(*" + g.expr(p, f.deeper()) + ")"
		}},
		alternative{2, func() string {
			if !f.unstable {
				return ""
			}
			return "(" + g.variant(g.slice(t), f.deeper()) + ")[" + g.index(f.stable(), 1) + "]"
		}},
		alternative{1, func() string {
			if !f.unstable {
				return ""
			}
			both := g.split(f, 2)
			m := g.mapOf(g.int(), t)
			return "(" + g.variant(m, both[0]) + ")[" + g.expr(g.int(), both[1]) + "]"
		}},
		alternative{1, func() string {
			n := 1 + g.n(3)
			return "(" + g.expr(g.array(n, t), f.deeper()) + ")[" + strconv.Itoa(g.n(n)) + "]"
		}},
		alternative{1, func() string {
			if !f.unstable || t.kind == opaqueKind || t.kind == anyKind || !g.printable(t) {
				return ""
			}
			return "(" + g.expr(g.any(), f.deeper()) + ").(" + t.text + ")"
		}},
		alternative{1, func() string {
			if !f.calls || t.kind == chanKind {
				return ""
			}
			return "(<-" + g.expr(g.channel(t), f.deeper()) + ")"
		}},
		alternative{1, func() string { s, _ := g.leaf(t, f); return "pt(" + s + ")" }},
	)
}

// part draws a field of a variable, or of what it points to.
func (g *generator) part(t *typ, f freedom) string {
	type path struct {
		v    *variable
		text string
	}
	var paths []path
	for _, v := range g.visible(f.readable) {
		s, text := v.typ, v.name
		if s.kind == pointerKind && s.elem.kind == structKind && f.unstable {
			s = s.elem
		}
		if s.kind != structKind {
			continue
		}
		var walk func(s *typ, text string, depth int)
		walk = func(s *typ, text string, depth int) {
			for _, fd := range g.fieldsOf(s) {
				if fd.typ == t {
					paths = append(paths, path{v, text + "." + fd.name})
				}
				inner := fd.typ
				if inner.kind == pointerKind && f.unstable {
					inner = inner.elem
				}
				if inner.kind == structKind && depth > 0 {
					next := text + "." + fd.name
					if fd.embedded && g.chance(60) {
						next = text
					}
					walk(inner, next, depth-1)
				}
			}
		}
		walk(s, text, 1)
	}
	if len(paths) == 0 {
		return ""
	}
	p := pick(g, paths)
	p.v.used = true
	return p.text
}
