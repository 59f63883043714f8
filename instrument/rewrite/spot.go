package rewrite

import (
	"go/ast"
	"go/types"
	"strings"
)

// A literal that is called where it stands, and captures variables, becomes a function that is
// handed them:
//
//	func() {                                     each_literal1(&err, s, x)
//		defer s.mu.Unlock()
//		err = s.add(x)
//	}()
//
// An environment is not needed, as there is no func value. The compiler would take what becomes of
// one of its variables to become of all of them (captures.go).

// isCalledHere reports whether a literal is called where it stands.
func (f *facts) isCalledHere(lit *ast.FuncLit) bool {
	return f.onTheSpot[lit] != nil && f.started[lit] == nil && !f.deferred[lit]
}

// passesVariables reports whether what a literal captures is handed to it. It can't be beside a
// call of several values.
func (c *function) passesVariables(lit *ast.FuncLit, l *lifted) bool {
	if !c.p.facts.isCalledHere(lit) || len(l.captured) == 0 || len(l.typeParams) > 0 {
		return false
	}
	args := c.p.facts.onTheSpot[lit].Args
	return len(args) != 1 || !isTuple(c.p.typeOf(args[0]))
}

// pass makes the parameters by which child has the variables that its literal captures.
func (c *function) pass(child *function, l *lifted, types []string) {
	for i, v := range l.captured {
		w := &variable{name: child.localName(v.Name()), typ: v.Type(), text: types[i], param: true, cell: c.p.facts.byReference(v)}
		if own := c.variables[v]; own != nil && own.method != "" { // a local function
			w.typ, w.text, w.method = nil, own.text, own.method
		}
		w.settle()
		child.all = append(child.all, w)
		child.variables[v] = w
		child.passed = append(child.passed, w)
	}
}

// parameterList renders parameters, behind those of what a literal captures.
func (c *function) parameterList(list *ast.FieldList) string {
	if len(c.passed) == 0 {
		return c.fieldList(list)
	}
	var parts []string
	for _, v := range c.passed {
		parts = append(parts, v.name+" "+v.goType())
	}
	for _, f := range list.List {
		text := c.fieldList(&ast.FieldList{List: []*ast.Field{f}})
		if len(f.Names) == 0 {
			text = "_ " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// passedTo returns the function that a call calls, if that is one which is handed what a literal
// captures.
func (c *function) passedTo(call *ast.CallExpr) *lifted {
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	if !ok {
		return nil
	}
	if l := c.lifted(lit); l != nil && l.passed {
		return l
	}
	return nil
}

// callHere returns the text of a call of such a function that is no resume point.
func (c *function) callHere(call *ast.CallExpr) (string, bool) {
	l := c.passedTo(call)
	if l == nil {
		return "", false
	}
	var args []string
	for _, v := range l.captured {
		args = append(args, c.capture(v))
	}
	for _, a := range call.Args {
		args = append(args, c.render(a))
	}
	text := l.name + "(" + strings.Join(args, ", ")
	if call.Ellipsis.IsValid() {
		text += "..."
	}
	return text + ")", true
}

// passedVariables returns the arguments by which a resume point hands over what l captures: when
// the call is made again, nothing may be looked up in an environment.
func (c *function) passedVariables(l *lifted, call *ast.CallExpr) []string {
	if l == nil {
		return nil
	}
	var args []string
	for _, v := range l.captured {
		w := c.variables[v]
		if w == nil || w.carrier == w {
			args = append(args, c.capture(v))
			continue
		}
		text := c.capture(v)
		if w.method != "" { // a local function
			t := &variable{name: c.numbered("arg"), text: w.text}
			t.settle()
			c.all = append(c.all, t)
			c.emit(call.Pos(), t.name+" = "+text).defines = []*variable{t}
			args = append(args, t.name)
			continue
		}
		t := types.Type(v.Type())
		if c.p.facts.byReference(v) {
			t = types.NewPointer(t)
		}
		args = append(args, c.value(text, t, call).name)
	}
	return args
}
