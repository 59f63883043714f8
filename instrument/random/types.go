package random

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

type kind int

const (
	intKind kind = iota
	floatKind
	stringKind
	boolKind
	anyKind
	opaqueKind // a type parameter of which nothing is known
	sliceKind
	arrayKind
	mapKind
	pointerKind
	structKind
	interfaceKind
	funcKind
	chanKind
)

// A typ is a type of the program. Identical types are the same typ.
type typ struct {
	text      string // as the program writes it
	kind      kind
	parameter bool // a type parameter
	named     bool
	key, elem *typ
	size      int // of an array
	params    []*typ
	results   []*typ
	variadic  bool
	fields    []field   // see fieldsOf
	methods   []*method // of a named type or interface; see methodsOf
	origin    *typ      // the generic type that this is an instance of
	args      []*typ    // its type arguments, or the parameters of a generic type
	values    []*typ    // types that implement an interface
}

type field struct {
	name     string
	typ      *typ
	embedded bool
}

type method struct {
	name    string
	pointer bool // has a pointer receiver
	sig     *typ
	passes  *method // what it calls, and does nothing else
}

// intern returns the one typ with the text of t.
func (g *generator) intern(t *typ) *typ {
	if old := g.types[t.text]; old != nil {
		return old
	}
	g.types[t.text] = t
	return t
}

func (g *generator) basic(name string, k kind) *typ { return g.intern(&typ{text: name, kind: k}) }

func (g *generator) int() *typ    { return g.basic("int", intKind) }
func (g *generator) string() *typ { return g.basic("string", stringKind) }
func (g *generator) bool() *typ   { return g.basic("bool", boolKind) }
func (g *generator) any() *typ    { return g.basic("any", anyKind) }

func (g *generator) slice(elem *typ) *typ {
	return g.intern(&typ{text: "[]" + elem.text, kind: sliceKind, elem: elem})
}

func (g *generator) array(n int, elem *typ) *typ {
	return g.intern(&typ{text: "[" + strconv.Itoa(n) + "]" + elem.text, kind: arrayKind, elem: elem, size: n})
}

func (g *generator) mapOf(key, elem *typ) *typ {
	return g.intern(&typ{text: "map[" + key.text + "]" + elem.text, kind: mapKind, key: key, elem: elem})
}

func (g *generator) pointer(elem *typ) *typ {
	return g.intern(&typ{text: "*" + elem.text, kind: pointerKind, elem: elem})
}

func (g *generator) channel(elem *typ) *typ {
	text := "chan " + elem.text
	if elem.kind == chanKind {
		text = "chan (" + elem.text + ")"
	}
	return g.intern(&typ{text: text, kind: chanKind, elem: elem})
}

func (g *generator) fun(params, results []*typ, variadic bool) *typ {
	return g.intern(&typ{text: "func" + signature(nil, params, nil, results, variadic), kind: funcKind, params: params, results: results, variadic: variadic})
}

// signature writes parameters and results, with names or (nil) without.
func signature(names []string, params []*typ, resultNames []string, results []*typ, variadic bool) string {
	list := func(names []string, ts []*typ, variadic bool) string {
		var parts []string
		for i, t := range ts {
			text := t.text
			if variadic && i == len(ts)-1 {
				text = "..." + t.elem.text
			}
			if names != nil {
				text = names[i] + " " + text
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ", ")
	}
	s := "(" + list(names, params, variadic) + ")"
	switch {
	case len(results) == 1 && resultNames == nil:
		s += " " + results[0].text
	case len(results) > 0:
		s += " (" + list(resultNames, results, false) + ")"
	}
	return s
}

// instance returns the generic type with type arguments.
func (g *generator) instance(origin *typ, args []*typ) *typ {
	var texts []string
	for _, a := range args {
		texts = append(texts, a.text)
	}
	return g.intern(&typ{text: origin.text + "[" + strings.Join(texts, ", ") + "]", kind: structKind, named: true, origin: origin, args: args})
}

// substitute replaces type parameters.
func (g *generator) substitute(t *typ, with map[*typ]*typ) *typ {
	if s := with[t]; s != nil {
		return s
	}
	list := func(ts []*typ) (out []*typ) {
		for _, t := range ts {
			out = append(out, g.substitute(t, with))
		}
		return out
	}
	switch {
	case t.origin != nil:
		return g.instance(t.origin, list(t.args))
	case t.named:
		return t
	}
	switch t.kind {
	case sliceKind:
		return g.slice(g.substitute(t.elem, with))
	case arrayKind:
		return g.array(t.size, g.substitute(t.elem, with))
	case mapKind:
		return g.mapOf(g.substitute(t.key, with), g.substitute(t.elem, with))
	case pointerKind:
		return g.pointer(g.substitute(t.elem, with))
	case chanKind:
		return g.channel(g.substitute(t.elem, with))
	case funcKind:
		return g.fun(list(t.params), list(t.results), t.variadic)
	}
	return t
}

func binding(params, args []*typ) map[*typ]*typ {
	m := make(map[*typ]*typ)
	for i, p := range params {
		m[p] = args[i]
	}
	return m
}

func (g *generator) fieldsOf(t *typ) []field {
	if t.origin == nil {
		return t.fields
	}
	with := binding(t.origin.args, t.args)
	var list []field
	for _, f := range t.origin.fields {
		list = append(list, field{f.name, g.substitute(f.typ, with), f.embedded})
	}
	return list
}

// methodsOf returns the methods declared for t, and those promoted from an embedded field.
func (g *generator) methodsOf(t *typ) []*method {
	if t.origin != nil {
		with := binding(t.origin.args, t.args)
		var list []*method
		for _, m := range t.origin.methods {
			list = append(list, &method{m.name, m.pointer, g.substitute(m.sig, with), nil})
		}
		return list
	}
	list := t.methods
	for _, f := range t.fields {
		if f.embedded {
			e, viaPointer := f.typ, false
			if e.kind == pointerKind {
				e, viaPointer = e.elem, true
			}
			for _, m := range g.methodsOf(e) {
				if slices.ContainsFunc(t.methods, func(own *method) bool { return own.name == m.name }) {
					continue
				}
				list = append(list[:len(list):len(list)], &method{m.name, m.pointer && !viaPointer, m.sig, nil})
			}
		}
	}
	return list
}

// comparable reports whether values of type t can be map keys, without any panic.
func (g *generator) comparable(t *typ) bool {
	switch t.kind {
	case intKind, stringKind, boolKind, pointerKind:
		return true
	case arrayKind:
		return g.comparable(t.elem)
	case structKind:
		for _, f := range g.fieldsOf(t) {
			if !g.comparable(f.typ) {
				return false
			}
		}
		return true
	case opaqueKind:
		return strings.HasPrefix(t.text, "C")
	}
	return false
}

// printable reports whether printing a value of type t shows no addresses.
func (g *generator) printable(t *typ) bool {
	switch t.kind {
	case intKind, floatKind, stringKind, boolKind, anyKind, opaqueKind:
		return true
	case sliceKind, arrayKind:
		return g.printable(t.elem)
	case mapKind:
		return g.printable(t.key) && g.printable(t.elem)
	case structKind:
		for _, f := range g.fieldsOf(t) {
			if !g.printable(f.typ) {
				return false
			}
		}
		return true
	}
	return false
}

// satisfies reports whether t is taken as argument for the type parameter p.
func (g *generator) satisfies(t, p *typ) bool {
	switch {
	case p.kind == intKind:
		return t.kind == intKind
	case g.comparable(p):
		return g.comparable(t) && g.printable(t)
	}
	return g.printable(t)
}

// number draws an integer type.
func (g *generator) number() *typ {
	list := []*typ{g.int(), g.int(), g.basic("int8", intKind), g.basic("uint8", intKind), g.basic("int64", intKind), g.basic("uint16", intKind)}
	for _, t := range append(g.named, g.local...) {
		if t.kind == intKind {
			list = append(list, t)
		}
	}
	return pick(g, list)
}

// simple draws a type without parts.
func (g *generator) simple() *typ {
	switch g.n(8) {
	case 0, 1:
		return g.int()
	case 2:
		return g.string()
	case 3:
		return g.bool()
	case 4:
		return g.basic(pick(g, []string{"float64", "float64", "float32", "complex128"}), floatKind)
	case 5:
		if len(g.parameters) > 0 {
			return pick(g, g.parameters)
		}
	case 6:
		return g.any()
	}
	return g.number()
}

// typ draws a type of at most so many levels.
func (g *generator) typ(depth int) *typ {
	if named := append(g.named[:len(g.named):len(g.named)], g.local...); len(named) > 0 && g.chance(25) {
		t := pick(g, named)
		if t.origin == nil && len(t.args) > 0 {
			if g.nested == 3 { // or there might be no end of arguments of arguments
				return g.simple()
			}
			g.nested++
			defer func() { g.nested-- }()
			return g.instance(t, g.arguments(t.args))
		}
		return t
	}
	if depth == 0 || g.chance(45) {
		return g.simple()
	}
	switch g.n(13) {
	case 12: // without a name
		t := &typ{kind: structKind}
		var texts []string
		for i := range 1 + g.n(2) {
			f := field{name: fmt.Sprint("x", i), typ: g.typ(depth - 1)}
			if mentions(f.typ) {
				f.typ = g.int()
			}
			t.fields = append(t.fields, f)
			texts = append(texts, f.name+" "+f.typ.text)
		}
		t.text = "struct { " + strings.Join(texts, "; ") + " }"
		return g.intern(t)
	case 0, 1, 2:
		return g.slice(g.typ(depth - 1))
	case 3:
		return g.array(1+g.n(3), g.typ(depth-1))
	case 4, 5:
		key := g.simple()
		if !g.comparable(key) {
			key = g.int()
		}
		return g.mapOf(key, g.typ(depth-1))
	case 6, 7, 8:
		return g.pointer(g.typ(depth - 1))
	}
	return g.funcType(depth - 1)
}

// funcType draws one.
func (g *generator) funcType(depth int) *typ {
	var params, results []*typ
	for range g.n(3) {
		params = append(params, g.typ(depth))
	}
	for range []int{0, 1, 1, 1, 2}[g.n(5)] {
		results = append(results, g.typ(depth))
	}
	variadic := g.chance(10)
	if variadic {
		params = append(params, g.slice(g.simple()))
	}
	return g.fun(params, results, variadic)
}

// arguments draws type arguments for type parameters.
func (g *generator) arguments(params []*typ) []*typ {
	var args []*typ
	for _, p := range params {
		t := g.number()
		switch {
		case len(g.parameters) > 0:
			// No type made of type parameters, or there would be no end of instances.
			t = g.int()
			if u := pick(g, g.parameters); g.satisfies(u, p) {
				t = u
			}
		case p.kind != intKind:
			for range 5 {
				if u := g.typ(1); g.satisfies(u, p) && u.kind != interfaceKind {
					t = u
					break
				}
			}
		}
		args = append(args, t)
	}
	return args
}

// grounded reports whether t has no type parameter in it, or is one.
func grounded(t *typ) bool {
	return t.parameter || !mentions(t)
}

func mentions(t *typ) bool {
	if t == nil {
		return false
	}
	if t.parameter || mentions(t.elem) || mentions(t.key) {
		return true
	}
	for _, list := range [][]*typ{t.params, t.results, t.args} {
		for _, u := range list {
			if mentions(u) {
				return true
			}
		}
	}
	return false
}

// constraint writes the declaration of a type parameter.
func (g *generator) constraint(p *typ) string {
	switch {
	case p.kind == intKind:
		return p.text + " number"
	case g.comparable(p):
		return p.text + " comparable"
	}
	return p.text + " any"
}

// typeParameters draws the type parameters of a declaration.
func (g *generator) typeParameters() (list []*typ, text string) {
	var texts []string
	for range 1 + g.n(2) {
		i := g.fresh()
		var p *typ
		switch g.n(3) {
		case 0:
			p = &typ{text: fmt.Sprint("N", i), kind: intKind}
		case 1:
			p = &typ{text: fmt.Sprint("T", i), kind: opaqueKind}
		default:
			p = &typ{text: fmt.Sprint("C", i), kind: opaqueKind}
		}
		p.parameter = true
		list = append(list, g.intern(p))
		texts = append(texts, g.constraint(p))
	}
	return list, "[" + strings.Join(texts, ", ") + "]"
}
