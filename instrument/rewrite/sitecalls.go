package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// How the sites of a function are written, and their calls: see sites.go.

// prepareSites makes the variable that the sites are in.
func (c *function) prepareSites() {
	f := c.sites
	f.variable = c.localName("defers")
	f.typ = c.p.packageName(c.base + "_defers")
	f.calls = c.p.packageName(c.base + "_calls")
	f.taken = map[string]bool{"pending": true}
	c.defers = &variable{name: c.localName("calls"), text: f.calls + c.p.typeArguments(c.typeParams), kept: true}
	c.defers.carrier, c.defers.access = c.defers, c.defers.name
	c.all = append(c.all, c.defers)
}

// sharedFields are the fields of a function's deferred calls that lead to its variables, with
// these.
func (c *function) sharedFields() (names []string, list []*variable) {
	list = slices.Clone(c.sites.sharing)
	if c.sites.reaches {
		list = withAll(list, c.results)
	}
	taken := map[string]bool{"calls": true, "left": true, "skips": true, "leave": true, "push": true}
	for _, s := range c.sites.list {
		taken[s.method], taken[s.run()] = true, true
	}
	for _, v := range list {
		name := v.name
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		names = append(names, name)
	}
	return names, list
}

// siteStatement returns the text of a defer statement that is a site.
func (c *function) siteStatement(s *site) string {
	calls := c.defers.name + "."
	c.use(c.defers)
	if s.text != "" {
		return s.text
	}
	l, ok := c.laterOf(s.stmt, s.stmt.Call, s)
	if !ok {
		return c.source(s.stmt.Pos(), s.stmt.End())
	}
	s.invocation, s.beneath = l.invocation, l.beneath
	s.fields = l.fields
	c.sites.fields = append(c.sites.fields, l.fields...)
	text := "{ " + l.before
	if len(l.values) > 0 {
		var left, right []string
		for _, v := range l.values {
			field, value, _ := strings.Cut(v, ": ")
			left = append(left, calls+field)
			right = append(right, value)
		}
		text += strings.Join(left, ", ") + " = " + strings.Join(right, ", ") + "; "
	}
	s.text = text + calls + "pending |= " + s.bit() + " }"
	return s.text
}

// siteLiteral makes a method of the type of the function's deferred calls of a literal that one of
// its sites defers. It returns the fields of what the literal has copies of, with their values.
func (c *function) siteLiteral(s *site) (fields, values []string, ok bool) {
	f := c.sites
	lit := s.literal
	captured := c.p.facts.captures(lit, c.p.types)
	child := newFunction(c.file, lit, c.literalName("deferred"))
	child.closure = c.p.Closure.Func(lit)
	child.moves = c.moves
	child.typeParams = c.typeParams
	child.deferredBy, child.site = c, s
	self := f.typ + c.p.typeArguments(c.typeParams)
	child.env = &variable{name: child.localName("env"), text: "*" + self, param: true}
	child.env.carrier, child.env.access = child.env, child.env.name // which no frame has
	env := child.env.name

	for _, v := range captured {
		t, err := c.typeText(v.Type())
		if err != nil {
			c.p.refuse(lit, fmt.Sprintf("the captured variable %s has a type that can't be written here: %s", v.Name(), err),
				"pass it as a parameter of a type with a name")
			return nil, nil, false
		}
		w := &variable{typ: v.Type(), text: t, carrier: child.env}
		child.variables[v] = w
		own := c.variables[v]
		if c.isShared(v) {
			w.cell = true
			w.shares = own
			continue
		}
		byReference := c.p.facts.byReference(v)
		field, have := f.captured[v]
		if !have {
			field = f.fieldName(v.Name())
			f.captured[v] = field
			fields = append(fields, field+" "+strings.Repeat("*", map[bool]int{true: 1}[byReference])+t)
		}
		w.access = env + ".calls." + field
		if byReference {
			w.cell, w.address = true, w.access
			w.access = "(*" + w.access + ")"
		}
		text := v.Name()
		switch {
		case own != nil && byReference:
			text = own.address
		case own != nil:
			text = own.access
		case byReference:
			text = "&" + text
		}
		if own != nil {
			c.use(own.carrier)
		}
		values = append(values, field+": "+text)
	}
	s.method = fmt.Sprint("call", s.number+1)
	s.child = child
	return fields, values, true
}

// writeSiteLiterals writes the methods of deferred literals.
func (c *function) writeSiteLiterals() {
	f := c.sites
	names, list := c.sharedFields()
	self := f.typ + c.p.typeArguments(c.typeParams)
	for _, s := range f.list {
		child := s.child
		if child == nil {
			continue
		}
		lit := s.literal
		for _, w := range child.variables {
			if w.shares != nil {
				w.address = child.env.name + "." + names[slices.Index(list, w.shares)]
				w.access = "(*" + w.address + ")"
			}
		}
		t := *lit.Type
		child.declareParameters(s)
		t.Params = &ast.FieldList{}
		child.declareSignature(&t, nil)
		header := fmt.Sprintf("func (%s *%s) %s", child.env.name, self, s.method)
		name := f.typ
		if len(c.typeParams) > 0 {
			name += "[...]"
		}
		c.file.append(child.write(header, c.p.runtimePath()+".(*"+name+")."+s.method, &t, lit.Body))
	}
}

// declareParameters makes the parameters of a deferred literal its variables, which begin as what
// was evaluated for them.
func (c *function) declareParameters(s *site) {
	params := c.functionType().Params
	if params == nil {
		return
	}
	var names, values []string
	i := 0
	for _, field := range params.List {
		for _, id := range max1(field.Names) {
			value := c.env.name + ".calls."
			if _, variadic := field.Type.(*ast.Ellipsis); variadic && !s.stmt.Call.Ellipsis.IsValid() {
				text := "[]" + c.textOf(c.p.typeOf(field.Type.(*ast.Ellipsis).Elt), field)
				var rest []string
				for _, p := range s.params[i:] {
					rest = append(rest, value+p)
				}
				value = text + "{" + strings.Join(rest, ", ") + "}"
				if len(rest) == 0 {
					value = text + "(nil)"
				}
			} else {
				value += s.params[i]
			}
			i++
			if id == nil || id.Name == "_" {
				continue
			}
			if !c.closure {
				names, values = append(names, id.Name), append(values, value)
				continue
			}
			v := c.declare(c.p.info.Defs[id], id)
			c.fresh(v, id)
			in := c.emit(token.NoPos, v.access+" = "+value+"\n_ = "+v.access) // a parameter need not be read
			if v.plain() {
				in.defines = []*variable{v}
			} else {
				in.uses = []*variable{v}
			}
		}
	}
	if len(names) > 0 { // in one statement: a name may be that of the type of another
		c.entering = fmt.Sprintf("%[1]s := %[2]s\n%[3]s_ = %[1]s\n", strings.Join(names, ", "), strings.Join(values, ", "), strings.Repeat("_, ", len(names)-1))
	}
}

// max1 is a list of names, or one that is nil for a parameter without.
func max1(names []*ast.Ident) []*ast.Ident {
	if len(names) == 0 {
		return []*ast.Ident{nil}
	}
	return names
}

// fieldName returns a new name for a field with what is evaluated for a call.
func (f *sites) fieldName(base string) string {
	name := numberedUntil(base, func(name string) bool { return !f.taken[name] })
	f.taken[name] = true
	return name
}

// keepsPanic reports whether a frame can be one of a function that panics.
func (c *function) keepsPanic() bool { return c.defers != nil && (c.sites == nil || c.sites.reaches) }

// writeSites writes the beginning of a function with sites: the calls are deferred, before any is
// known to be made.
func (c *function) writeSites(b *strings.Builder, shadow, suppressed string) {
	f := c.sites
	names, list := c.sharedFields()
	pointers := []string{"calls: &" + c.defers.name}
	for i, v := range list {
		pointers = append(pointers, names[i]+": &"+v.name)
	}
	fmt.Fprintf(b, "%s := %s%s{%s}\n", f.variable, f.typ, c.p.typeArguments(c.typeParams), strings.Join(pointers, ", "))
	b.WriteString(suppressed)
	if c.resultCells {
		b.WriteString("defer func() {\n")
		c.writeFromCells(b, shadow)
		b.WriteString("}()\n")
	}
	for _, g := range f.groups {
		switch {
		case g[0].literal != nil:
			fmt.Fprintf(b, "defer %s.%s()\n", f.variable, g[0].method)
		case slices.ContainsFunc(g, func(s *site) bool { return s.reaches }):
			fmt.Fprintf(b, "defer %s.%s()\n", f.variable, g[0].run())
		default:
			b.WriteString("defer func() {\n")
			c.writeGroup(b, g, f.variable, c.defers.name, shadow, nil)
			b.WriteString("}()\n")
		}
	}
}

// writeSiteRuns writes the methods that make calls in which a checkpoint can be taken.
func (c *function) writeSiteRuns() {
	for _, g := range c.sites.groups {
		if g[0].literal == nil && slices.ContainsFunc(g, func(s *site) bool { return s.reaches }) {
			c.writeRun(g, g[0].run())
		}
	}
}

// writeGroup writes the call of that site of a group which has been executed.
func (c *function) writeGroup(b *strings.Builder, g []*site, d, calls, shadow string, point func(s *site, call string) string) {
	for i, s := range g {
		if i > 0 {
			b.WriteString("} else ")
		}
		call := strings.ReplaceAll(s.invocation, siteMark, calls+".")
		line := "//line " + c.lineAt(s.stmt.Call.Pos()) + "\n"
		fmt.Fprintf(b, "if %s.pending&%s != 0 {\n", calls, s.bit())
		if s.reaches {
			b.WriteString(point(s, line+call+"\n//line <ckpgen>:1:1\n"))
		} else {
			fmt.Fprintf(b, "switch {\ncase %s.Busy == 0, !%s.skips(%s):\n%s%s\n//line <ckpgen>:1:1\n}\n", shadow, d, s.until(), line, call)
		}
	}
	b.WriteString("}\n")
}

// writeRun writes the method that makes the calls of a group, in one of which a checkpoint can be
// taken at least.
func (c *function) writeRun(g []*site, method string) {
	f := c.sites
	shadow, rec := c.shadow(), c.p.record()
	targs := c.p.typeArguments(c.typeParams)
	base := c.p.packageName(fmt.Sprintf("%s_%s", f.typ, method))
	frame, code := c.p.packageName(base+"_frame"), c.p.packageName(base+"_code")
	at := c.p.fset.PositionFor(g[0].stmt.Call.Pos(), false)
	var points []*resumePoint
	var source, b strings.Builder
	fmt.Fprintf(&b, "func (%s *%s%s) %s() {\n//line <ckpgen>:1:1\n", rec, f.typ, targs, method)
	c.writeGroup(&b, g, rec, rec+".calls", shadow, func(s *site, call string) string {
		p := &resumePoint{number: len(points) + 1, line: c.p.fset.PositionFor(s.stmt.Call.Pos(), false),
			first: c.p.fset.Position(s.stmt.Call.Pos()).Line, last: c.p.fset.Position(s.stmt.Call.End()).Line,
			text: oneLine(c.source(s.stmt.Call.Fun.Pos(), s.stmt.Call.Fun.End()))}
		points = append(points, p)
		source.WriteString(c.source(s.stmt.Pos(), s.stmt.End()) + "\n")
		return fmt.Sprintf("if %[1]s.Busy != 0 {\nif %[2]s.skips(%[3]s) {\nreturn\n}\n%[1]s.Enter(&%[4]s)\n%[8]s}\n%[5]sif %[1]s.Busy != 0 {\nif %[1]s.Unwinding() {\n%[1]s.Push(&%[6]s{At: %[7]d})\n%[2]s.leave(%[3]s, recover())\n}\n}\n",
			shadow, rec, s.until(), code, call, frame, p.number, strings.ReplaceAll(s.beneath, siteMark, rec+".calls."))
	})
	b.WriteString("}\n\n")
	fmt.Fprintf(&b, "type %s struct{ At int }\n\n", frame)
	b.WriteString(c.resumePointMethod(frame, code))
	c.file.append(b.String())
	name := f.typ
	if targs != "" {
		name += "[...]"
	}
	c.p.reg.functions = append(c.p.reg.functions, registered{
		variable:    code,
		name:        c.p.runtimePath() + ".(*" + name + ")." + method,
		file:        c.p.File(c.file.name),
		line:        at.Line,
		fingerprint: fingerprint(source.String(), ""),
		points:      points,
	})
}

// writeSiteTypes writes the types that a function's deferred calls are in, and their methods.
func (c *function) writeSiteTypes(frame string) {
	f := c.sites
	shadow, targs := c.shadow(), c.p.typeArguments(c.typeParams)
	params, err := c.typeParameters(c.typeParams)
	if err != nil {
		c.p.refuse(c.node, "defer in code whose type parameters can't be written here: "+err.Error(), "")
	}
	names, list := c.sharedFields()
	rec := c.p.record()
	var b strings.Builder
	fmt.Fprintf(&b, "// %s tells which deferred calls of %s are to come, and with what.\n", f.calls, c.base)
	fmt.Fprintf(&b, "type %s%s struct {\npending %s.Calls\n%s\n}\n\n", f.calls, params, shadow, strings.Join(f.fields, "\n"))
	fmt.Fprintf(&b, "type %s%s struct {\ncalls *%s%s\nleft bool\n", f.typ, params, f.calls, targs)
	for i, v := range list {
		fmt.Fprintf(&b, "%s *%s\n", names[i], v.goType())
	}
	b.WriteString("}\n\n")
	self := f.typ + targs
	fmt.Fprintf(&b, "func (%[1]s *%[2]s) skips(until %[3]s.Calls) bool {\nif !%[3]s.Unwinding() {\nreturn false\n}\nif !%[1]s.left && %[3]s.Exiting() {\n%[1]s.push(%[4]d, until, nil)\n}\nreturn true\n}\n\n",
		rec, self, shadow, c.leavingPoint(beforeExiting))
	recovered := ""
	if f.reaches {
		fmt.Fprintf(&b, "func (%[1]s *%[2]s) leave(until %[3]s.Calls, v any) {\nat := %[4]d\nif v != nil {\nat = %[5]d\n} else if %[3]s.Exiting() {\nat = %[6]d\n}\n%[1]s.push(at, until, v)\n}\n\n",
			rec, self, shadow, c.leavingPoint(whileReturning), c.leavingPoint(whilePanicking), c.leavingPoint(whileExiting))
		recovered = "fr.Panic = v\n"
	}
	fmt.Fprintf(&b, "func (%[1]s *%[2]s) push(at int, until %[5]s.Calls, v any) {\n%[1]s.left = true\nfr := &%[3]s{At: at, %[4]s: *%[1]s.calls", rec, self, frame+targs, c.defers.name, shadow)
	for i, v := range list {
		fmt.Fprintf(&b, ", %s: *%s.%s", v.name, rec, names[i])
	}
	calls := "fr." + c.defers.name
	fmt.Fprintf(&b, "}\n%s.pending &= until\n", calls)
	if slices.ContainsFunc(f.list[1:], func(s *site) bool { return len(s.fields) > 0 }) {
		fmt.Fprintf(&b, "var none %s%s\n", f.calls, targs)
	}
	for _, s := range f.list[1:] { // what was evaluated for calls that have been made need not be one that can be saved
		var left, right []string
		for _, field := range s.fields {
			name, _, _ := strings.Cut(field, " ")
			left = append(left, calls+"."+name)
			right = append(right, "none."+name)
		}
		if len(left) > 0 {
			fmt.Fprintf(&b, "if until&%s == 0 {\n%s = %s\n}\n", s.bit(), strings.Join(left, ", "), strings.Join(right, ", "))
		}
	}
	push := shadow + ".Push(fr)"
	if i := slices.Index(list, c.failed()); i >= 0 && !list[i].cell { // what is in a cell is no result yet
		push = c.unwindsTo("*"+rec+"."+names[i], push)
	}
	fmt.Fprintf(&b, "%s%s\n}\n\n", recovered, push)
	c.file.append(strings.ReplaceAll(b.String(), "v any", "v "+c.p.any()))
}

// leave returns the statement with which a function is left when no deferred call is to be made.
func (c *function) leave() string {
	if c.sites == nil {
		return "return"
	}
	return "goto " + c.sites.end
}

// isJump reports whether a return statement becomes a jump.
func (c *function) isJump(s *ast.ReturnStmt) bool {
	return c.sites != nil && c.sites.returns[s] != ""
}

// returned returns the text of a return statement with the given values; if there are none, the
// results have theirs.
func (c *function) returned(s *ast.ReturnStmt, values string) string {
	if !c.isJump(s) {
		return strings.TrimSuffix("return "+values, " ")
	}
	label := c.sites.returns[s]
	if values == "" {
		return "goto " + label
	}
	var results []string
	for _, r := range c.results {
		c.use(r.carrier)
		results = append(results, r.access)
	}
	return "{ " + strings.Join(results, ", ") + " = " + values + "; goto " + label + " }"
}

// writeEnd writes the return statements that others in a text jump to.
func (c *function) writeEnd(b *strings.Builder, text string) {
	if c.sites == nil {
		return
	}
	jumped := make(map[string]bool)
	for _, m := range jumpTo.FindAllStringSubmatch(text, -1) {
		jumped[m[1]] = true
	}
	for _, r := range sortedReturns(c.sites.returns) {
		if label := c.sites.returns[r]; label != c.sites.end && jumped[label] {
			fmt.Fprintf(b, "%s:\n//line %s\nreturn\n", label, c.lineAt(r.Pos()))
		}
	}
	switch {
	case jumped[c.sites.end] && len(c.results) > 0:
		fmt.Fprintf(b, "%s:\n//line <ckpgen>:1:1\nreturn\n", c.sites.end)
	case jumped[c.sites.end]:
		fmt.Fprintf(b, "%s:\n", c.sites.end)
	}
}

var jumpTo = regexp.MustCompile(`\bgoto ([\pL\pN_]+)`)

func sortedReturns(m map[*ast.ReturnStmt]string) []*ast.ReturnStmt {
	var list []*ast.ReturnStmt
	for r := range m {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *ast.ReturnStmt) int { return int(a.Pos() - b.Pos()) })
	return list
}
