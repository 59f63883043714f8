package random

import (
	"fmt"
	"slices"
	"strings"
)

// A variable of the program, or a constant.
type variable struct {
	name     string
	typ      *typ
	private  bool // no call can change it: see the package documentation
	constant bool
	owner    *function // nil: a package variable
	used     bool
}

// A function is one that is being written: a declared one or a literal.
type function struct {
	results   []*typ
	named     []*variable // its results, if they have names
	enclosing []*target   // what can be left or continued, from the outside
	iterating int         // bodies of loops over functions that the current position is in
	declared  bool        // not a literal
	receiver  *variable   // of a method
	passes    *callee     // what it calls, and does nothing else
}

// A target is a statement that break or continue can be about.
type target struct {
	label string
	loop  bool
	again bool // it is a label before statements, which are executed again
	used  bool // the label is
}

func (g *generator) fresh() int {
	g.count++
	return g.count
}

// scope runs f, and forgets the variables and types it has declared.
func (g *generator) scope(f func()) {
	vars, local, begin := len(g.variables), len(g.local), g.begin
	g.begin = vars
	f()
	g.variables, g.local, g.begin = g.variables[:vars], g.local[:local], begin
}

// name draws a name for a new variable: one of its own, or that of a variable of an outer
// block which it hides.
func (g *generator) name() string {
	if name := g.hideable(g.variables[:g.begin]); name != "" && g.chance(12) {
		hides := func(v *variable) bool { return v.name == name }
		if !slices.ContainsFunc(g.variables[g.begin:], hides) {
			return name
		}
	}
	return fmt.Sprint("v", g.fresh())
}

// hideable draws the name of one of the variables that may be hidden: those that
// nothing but drawn expressions refers to.
func (g *generator) hideable(list []*variable) string {
	if len(list) == 0 {
		return ""
	}
	name := pick(g, list).name
	if !strings.ContainsAny(name[:1], "vepg") {
		return ""
	}
	return name
}

// declare makes a variable known that was just declared.
func (g *generator) declare(v *variable) *variable {
	v.owner = g.function
	g.variables = append(g.variables, v)
	return v
}

// unused emits the statement that keeps the compiler from complaining about v. It is there even if
// v turns out to be used: what uses it may be dropped.
func (g *generator) unused(v *variable) { g.emit("_ = %s", v.name) }

// visible returns the variables that can be named here and pass the test.
func (g *generator) visible(want func(*variable) bool) []*variable {
	var list []*variable
	hidden := make(map[string]bool)
	for _, v := range slices.Backward(g.variables) {
		if !hidden[v.name] && want(v) {
			list = append(list, v)
		}
		hidden[v.name] = true
	}
	return list
}

// variable draws one that passes the test, or returns nil. The inner ones come up more often.
func (g *generator) variable(want func(*variable) bool) *variable {
	list := g.visible(want)
	if len(list) == 0 {
		return nil
	}
	v := list[min(g.n(len(list)), g.n(len(list)))]
	v.used = true
	return v
}

// uses returns a function that forgets which variables were used since.
func (g *generator) uses() (forget func()) {
	used := make([]bool, len(g.variables))
	for i, v := range g.variables {
		used[i] = v.used
	}
	return func() {
		for i := range used {
			g.variables[i].used = used[i]
		}
	}
}

// assignable reports whether a statement here may assign to v.
func (g *generator) assignable(v *variable) bool {
	return !v.constant && v.typ.kind != chanKind && (!v.private || v.owner == g.function) && !g.quiet
}

// Statements are collected line by line; some lines are decided on later.
type line func() string

func (g *generator) emit(format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	*g.lines = append(*g.lines, func() string { return text })
}

func (g *generator) late(f line) { *g.lines = append(*g.lines, f) }

// capture returns what f emits.
func (g *generator) capture(f func()) string {
	outer := g.lines
	var lines []line
	g.lines = &lines
	f()
	g.lines = outer
	var b strings.Builder
	for _, l := range lines {
		if s := l(); s != "" {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
