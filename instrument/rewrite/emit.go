package rewrite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"sort"
	"strings"
)

// declareSignature makes the variables of the parameters and results of a signature.
// Only a function of the closure needs them; in others they stay as they are.
func (c *function) declareSignature(t *ast.FuncType, recv *ast.FieldList) {
	if !c.closure {
		return
	}
	c.findSites(c.body())
	for _, list := range []*ast.FieldList{recv, t.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, id := range f.Names {
				if obj := c.p.info.Defs[id]; obj != nil && id.Name != "_" {
					c.params = append(c.params, c.parameter(id))
				}
			}
		}
	}
	if t.Results == nil {
		return
	}
	for _, f := range t.Results.List {
		if len(f.Names) == 0 {
			c.results = append(c.results, c.unnamedResult(f, f.Type))
		}
		for _, id := range f.Names {
			if id.Name == "_" {
				c.results = append(c.results, c.unnamedResult(id, f.Type))
				continue
			}
			c.results = append(c.results, c.parameter(id))
		}
	}
	for _, r := range c.results {
		c.resultCells = c.resultCells || r.cell
	}
}

func (c *function) unnamedResult(at ast.Node, t ast.Expr) *variable {
	v := c.temporary("result", c.p.typeOf(t), t)
	v.param = true
	if obj := c.p.facts.unnamed[at]; obj != nil {
		return c.inCell(v, obj)
	}
	return v
}

// parameter makes the variable of a parameter or named result. One that needs a
// heap cell is copied into it on entry.
func (c *function) parameter(id *ast.Ident) *variable {
	obj := c.p.info.Defs[id]
	raw := &variable{name: c.variableName(obj), typ: obj.Type(), param: true}
	raw.text = c.textOf(raw.typ, id)
	raw.settle()
	c.all = append(c.all, raw)
	c.rawNames[id] = raw.name
	c.variables[obj] = raw
	if c.isShared(obj) {
		c.share(raw)
	}
	if !c.needsCell(obj) {
		return raw
	}
	return c.inCell(raw, obj)
}

// inCell makes the heap cell of a parameter or result.
func (c *function) inCell(raw *variable, obj types.Object) *variable {
	cell := &variable{name: c.localName(raw.name + "_cell"), typ: obj.Type(), cell: true, raw: raw.name}
	cell.text = raw.text
	cell.settle()
	c.all = append(c.all, cell)
	c.variables[obj] = cell
	c.emit(token.NoPos, cell.name+" = new("+cell.text+")").defines = []*variable{cell}
	c.use(cell, raw)
	c.emit(token.NoPos, "*"+cell.name+" = "+raw.name)
	return cell
}

// fieldList renders parameters with the names they have got.
func (c *function) fieldList(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var parts []string
	for _, f := range list.List {
		var names []string
		for _, id := range f.Names {
			name := id.Name
			if raw, ok := c.rawNames[id]; ok {
				name = raw
			} else if blank, ok := c.p.blank[id.Pos()]; ok {
				name = blank
			}
			names = append(names, name)
		}
		text := c.render(f.Type)
		if len(names) > 0 {
			text = strings.Join(names, ", ") + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// resultList renders the results, all of them named.
func (c *function) resultList(list *ast.FieldList) string {
	if list == nil || len(list.List) == 0 {
		return ""
	}
	var parts []string
	i := 0
	for _, f := range list.List {
		n := max(len(f.Names), 1)
		for range n {
			name := c.results[i].name
			if c.results[i].cell {
				name = c.results[i].raw
			}
			parts = append(parts, name+" "+c.render(f.Type))
			i++
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// write returns the function as source text. header ends before the parameters.
func (c *function) write(header, runtimeName string, t *ast.FuncType, body *ast.BlockStmt) string {
	if c.closure {
		header += "(" + c.fieldList(t.Params) + ") " + c.resultList(t.Results)
		suppressed := ""
		if c.asksSuppressed(body, t) {
			suppressed = c.suppressed(t)
		}
		return c.writeBody(header, runtimeName, body, suppressed)
	}
	results := ""
	if t.Results != nil {
		results = c.render(t.Results)
		if !strings.HasPrefix(results, "(") {
			results = " " + results
		}
	}
	text := fmt.Sprintf("%s(%s)%s ", header, c.fieldList(t.Params), results)
	lines := "//line " + c.lineAt(body.Lbrace) + "\n"
	text = lines + text + c.entry(body, t) + c.render(body)[1:] + "\n\n"
	c.takeUses()
	c.takeJumps()
	return text
}

// writeBody returns a function of the closure as source text. header is all that
// comes before its body; suppressed is what it does first if it can be a deferred call that
// must not happen.
func (c *function) writeBody(header, runtimeName string, body *ast.BlockStmt, suppressed string) string {
	if c.loop == nil && hasDefer(body) {
		c.prepareDefers()
	}
	c.flattenBody(body)
	if n := len(c.code); len(c.results) > 0 && (n == 0 || c.code[n-1].falls || c.code[n-1].label != nil) {
		c.emit(token.NoPos, c.atEnd()).falls = false
	}
	again := c.planAgain()
	liveness(c.code, c.all)
	if c.defers != nil {
		for _, p := range c.points {
			p.live = withAll(p.live, c.leavingVariables())
		}
		c.leavingPoints(body)
	}
	fields := c.frameFields()
	c.planSaving(again)

	frame := c.p.packageName(c.base + "_frame")
	code := c.p.packageName(c.base + "_code")
	targs := c.p.typeArguments(c.typeParams)
	shadow := c.shadow()

	var b strings.Builder
	b.WriteString(header + " {\n")
	b.WriteString("//line <ckpgen>:1:1\n" + c.first)
	c.writeVariables(&b)
	top := b.Len()
	if again.at != "" {
		b.WriteString("var " + again.at + " int\n")
	}
	if c.sites != nil {
		c.writeSiteLiterals()
		c.writeSites(&b, shadow, suppressed)
	} else {
		b.WriteString(suppressed)
		if c.defers != nil {
			c.writeLast(&b, shadow, frame+targs)
		}
	}
	if again.whole {
		b.WriteString(again.way(shadow+".Busy", "goto "+again.start) + "\n")
	} else {
		c.writeRestore(&b, shadow, code, frame+targs, fields, again.entry)
	}
	b.WriteString(c.opening)
	for i := range c.code {
		again.writeFirst(&b, i, shadow, frame+targs)
	}
	if again.whole || len(again.outer) > 0 {
		if c.code[len(c.code)-1].falls {
			b.WriteString(c.leave() + "\n")
		}
		again.writeWays(&b, shadow)
		if again.whole {
			b.WriteString(again.start + ":\n")
			c.writeRestore(&b, shadow, code, frame+targs, fields, again.entry)
			b.WriteString(c.opening)
		}
		again.writeSecond(&b, shadow, frame+targs)
	} else if c.savings.used() && c.code[len(c.code)-1].falls {
		b.WriteString(c.leave() + "\n")
	}
	c.writeSavings(&b)
	c.writeEnd(&b, body)
	b.WriteString(c.last + "}\n\n")
	if c.savings.used() {
		text := b.String()
		b.Reset()
		b.WriteString(text[:top] + "var " + c.savings.at + " int\n" + text[top:])
	}
	c.writeFrame(&b, shadow, frame, code, targs, fields)
	if c.defers != nil {
		c.writeAgain(&b, frame, targs, c.functionType())
	}
	if c.sites != nil {
		c.writeSiteTypes(frame)
	}

	start, end := c.node.Pos(), c.node.End()
	var layout []string
	for _, v := range fields {
		layout = append(layout, v.name+" "+v.goType())
	}
	if c.sites != nil {
		layout = append(layout, c.sites.fields...)
	}
	at := c.p.fset.PositionFor(start, false)
	c.p.reg.functions = append(c.p.reg.functions, registered{
		variable:    code,
		name:        runtimeName,
		file:        c.p.File(c.file.name),
		line:        at.Line,
		fingerprint: fingerprint(c.source(start, end), strings.Join(layout, "; ")),
		defers:      c.defers != nil,
		points:      c.points,
		reflected:   c.isReflected(),
		title:       c.title(),
		renamed:     c.renamedFields(fields),
	})
	return b.String()
}

// isReflected reports whether a function is of the type that reflect.MakeFunc takes.
func (c *function) isReflected() bool {
	if _, ok := c.node.(*ast.RangeStmt); ok { // the body of a loop over a function
		return false
	}
	f := c.functionType()
	if f.Params.NumFields() != 1 || f.Results.NumFields() != 1 {
		return false
	}
	return isValues(c.p.typeOf(f.Params.List[0].Type)) && isValues(c.p.typeOf(f.Results.List[0].Type))
}

func isValues(t types.Type) bool {
	s, ok := t.(*types.Slice)
	return ok && s.Elem().String() == "reflect.Value"
}

// body is the body of a declaration or literal.
func (c *function) body() *ast.BlockStmt {
	if lit, ok := c.node.(*ast.FuncLit); ok {
		return lit.Body
	}
	return c.node.(*ast.FuncDecl).Body
}

// functionType is the signature as the user wrote it.
func (c *function) functionType() *ast.FuncType {
	if lit, ok := c.node.(*ast.FuncLit); ok {
		return lit.Type
	}
	return c.node.(*ast.FuncDecl).Type
}

// atEnd is what stands at the end of a function with results.
func (c *function) atEnd() string {
	if c.loop != nil {
		return c.endOfBody()
	}
	return `panic("unreachable")`
}

// entry returns the opening of the body of a function outside of the closure.
func (c *function) entry(body *ast.BlockStmt, t *ast.FuncType) string {
	if c.first != "" {
		return "{\n//line <ckpgen>:1:1\n" + c.first + "//line " + c.lineAt(body.Lbrace+1) + "\n"
	}
	if !c.asksSuppressed(body, t) {
		return "{"
	}
	return "{\n//line <ckpgen>:1:1\n" + c.suppressed(t) + c.entering + "//line " + c.lineAt(body.Lbrace+1) + "\n"
}

// frameFields returns the variables that are live at some resume point.
func (c *function) frameFields() []*variable {
	live := make(map[*variable]bool)
	for _, p := range c.points {
		for _, v := range p.live {
			live[v] = true
		}
	}
	var list []*variable
	for _, v := range c.all {
		if live[v] {
			list = append(list, v)
		}
	}
	return list
}

// writeVariables declares the variables, those of one type on one line.
func (c *function) writeVariables(b *strings.Builder) {
	byType := make(map[string][]string)
	var order []string
	used := make(map[*variable]bool)
	for _, in := range c.code {
		for _, v := range in.uses {
			used[v] = true
		}
	}
	var unread []string
	for _, v := range c.all {
		if v.param {
			continue
		}
		t := v.goType()
		if byType[t] == nil {
			order = append(order, t)
		}
		byType[t] = append(byType[t], v.name)
		if !used[v] {
			unread = append(unread, v.name)
		}
	}
	if len(order) == 0 {
		return
	}
	b.WriteString("var (\n")
	for _, t := range order {
		b.WriteString(strings.Join(byType[t], ", ") + " " + t + "\n")
	}
	b.WriteString(")\n")
	if len(unread) > 0 {
		b.WriteString(strings.Repeat("_, ", len(unread)-1) + "_ = " + strings.Join(unread, ", ") + "\n")
	}
}

// writeRestore writes the test on entry.
func (c *function) writeRestore(b *strings.Builder, shadow, code, frame string, fields []*variable, entry map[*resumePoint]entrance) {
	if len(c.points) == 0 {
		return
	}
	fr := c.localName("fr")
	fmt.Fprintf(b, "if %s.Busy.Load() != 0 {\n%s", shadow, entering(shadow, fr, code, frame))
	c.writeTakeUp(b, shadow, frame, fr, fields, entry)
	b.WriteString("}\n}\n")
}

// entering is the beginning of the block that a function with that code takes its frame up in.
func entering(shadow, fr, code, frame string) string {
	return fmt.Sprintf("if %[2]s := %[1]s.Enter(&%[3]s); %[2]s != nil {\n%[2]s := %[2]s.(*%[4]s)\n", shadow, fr, code, frame)
}

// writeTakeUp writes what a function does with its frame.
func (c *function) writeTakeUp(b *strings.Builder, shadow, frame, fr string, fields []*variable, entry map[*resumePoint]entrance) {
	for _, v := range fields { // one assignment of them all would have a temporary for each
		fmt.Fprintf(b, "%s = %s.%s\n", v.name, fr, v.name)
	}
	if c.defers != nil && c.sites == nil {
		c.writeDefersAgain(b)
	}
	var steps []step
	for _, p := range c.points {
		if p.label != "" {
			steps = append(steps, step{p.number, entry[p].text(fr + ".At")})
			continue
		}
		list := c.leavings()
		var left strings.Builder
		c.writeLeft(&left, list[p.number-1-(len(c.points)-len(list))], shadow, frame, fr)
		steps = append(steps, step{p.number, left.String()})
	}
	fmt.Fprintf(b, "switch %s.At {\n", fr)
	writeCases(b, steps)
	// If the variables of the frame could come to where the function begins, they would be others there than before.
	fmt.Fprintf(b, "}\n%s.Nowhere(%s)\nselect {}\n", shadow, fr)
}

// writeInstruction writes an instruction. Its labels are renamed, if rename is not nil.
func (c *function) writeInstruction(b *strings.Builder, in *instruction, rename func(string) string, shadow, frame string) {
	switch {
	case in.label != nil:
		if in.label.used {
			b.WriteString(in.label.name + ":\n")
		}
	case in.resume != nil:
		b.WriteString(in.resume.label + ":\n")
		c.writeText(b, in, rename)
		c.writeSaving(b, in, rename, "", shadow, frame)
	case in.text != "":
		c.writeText(b, in, rename)
		b.WriteString("\n")
	}
}

// writeText writes the text of an instruction.
func (c *function) writeText(b *strings.Builder, in *instruction, rename func(string) string) {
	if in.pos.IsValid() {
		c.writeLine(b, in.pos)
	}
	b.WriteString(marked(in.text, rename))
}

// writeFrame writes the frame struct of the function.
func (c *function) writeFrame(b *strings.Builder, shadow, frame, code, targs string, fields []*variable) {
	params, err := c.typeParameters(c.typeParams)
	if err != nil {
		c.p.refuse(c.node, "type parameters that can't be written here: "+err.Error(), "")
	}
	fmt.Fprintf(b, "// %s is an activation of %s at one of its resume points.\n", frame, c.base)
	fmt.Fprintf(b, "type %s%s struct {\nAt int\n", frame, params)
	if c.keepsPanic() {
		b.WriteString("Panic " + c.p.any() + "\n")
	}
	for _, v := range fields {
		fmt.Fprintf(b, "%s %s\n", v.name, v.goType())
	}
	b.WriteString("}\n\n")
	fmt.Fprintf(b, "func (fr *%s%s) ResumePoint() (*%s.Function, int) { return &%s, fr.At }\n\n", frame, targs, shadow, code)
}

// fingerprint hashes the tokens of a function, so that comments and white space
// do not matter, and the layout of its frame.
func fingerprint(source, layout string) string {
	h := sha256.New()
	var s scanner.Scanner
	src := []byte(source)
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, func(token.Position, string) {}, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON {
			lit = ";"
		}
		fmt.Fprintf(h, "%s %s\n", tok, lit)
	}
	h.Write([]byte(layout))
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// sortedKeys returns the keys of m in order, so that output is deterministic.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
