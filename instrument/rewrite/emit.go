package rewrite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/standard"
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
		header += "(" + c.parameterList(t.Params) + ") " + c.resultList(t.Results)
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
	text := fmt.Sprintf("%s(%s)%s ", header, c.parameterList(t.Params), results)
	lines := "//line " + c.lineAt(body.Lbrace) + "\n"
	text = c.before + lines + text + c.entry(body, t) + c.render(body)[1:] + "\n" + c.after + "\n"
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
	c.keepBearers()
	alive := liveness(c.code, c.all)
	again.alive = alive
	if c.defers != nil {
		for _, p := range c.points {
			p.live = withAll(p.live, c.leavingVariables())
		}
		c.leavingPoints(body)
	}
	fields := c.frameFields()

	frame := c.p.packageName(c.base + "_frame")
	code := c.p.packageName(c.base + "_code")
	targs := c.p.typeArguments(c.typeParams)
	shadow := c.shadow()
	top := c.planBlocks(again, alive)
	again.foldClauses(top)
	again.foldPoints(top)
	again.findFailing(top)
	w := &writing{function: c, top: top, alive: alive, again: again, fields: fields, shadow: shadow, frame: frame + targs, tells: code}
	if len(c.points) > 0 {
		w.fr = c.localName("fr")
	}
	c.planSaving(again, top, fields)

	var b strings.Builder
	b.WriteString(c.before)
	if lit, ok := c.node.(*ast.FuncLit); ok { // the line that runtime.FuncForPC tells of a func value
		b.WriteString("//line " + c.lineAt(lit.Pos()) + "\n")
	}
	b.WriteString(header + " {\n")
	b.WriteString("//line <ckpgen>:1:1\n" + c.first + c.leads)
	c.writeVariables(&b, top)
	if len(top.inner) > 0 && len(c.points) > 0 && again.outlined == nil {
		w.entered, w.place = c.localName("entered"), c.localName("place")
		fmt.Fprintf(&b, "var %s *%s\n", w.fr, w.frame)
	}
	if again.outlined != nil {
		var outlined strings.Builder
		w.restored = w.writeOutlined(&outlined, c.resultList(c.functionType().Results))
		c.file.append(outlined.String())
		b.WriteString(w.declared)
	}
	start := b.Len()
	if again.at != "" && (again.outlined == nil || !again.outlined.alone && len(again.second.headers) > 0) {
		b.WriteString("var " + again.at + " int\n")
	}
	if c.sites != nil {
		c.writeSiteLiterals()
		c.writeSites(&b, shadow, suppressed)
		c.writeSiteRuns()
	} else {
		b.WriteString(suppressed)
		if c.defers != nil {
			c.writeLast(&b, shadow, w.frame)
		}
	}
	if again.whole {
		b.WriteString(again.way(again.entryTest(shadow), func() string { return "goto " + again.start }) + "\n")
	} else {
		w.writeRestore(&b)
	}
	b.WriteString(c.opening)
	w.writeBlock(&b, top)
	c.writeEnd(&b, b.String())
	if c.sites != nil {
		fmt.Fprintf(&b, "//line %s\n", c.lineAt(body.Rbrace))
	}
	b.WriteString(c.last + "}\n" + c.after + "\n")
	if c.saved != "" {
		text := b.String()
		b.Reset()
		b.WriteString(text[:start] + "var " + c.saved + " int\n" + text[start:])
	}
	c.writeFrame(&b, shadow, frame, code, targs, fields)
	c.noteFramed(frame, fields)
	if c.defers != nil {
		c.writeAgain(&b, frame, targs, c.functionType())
	}
	if c.sites != nil {
		c.writeSiteTypes(frame)
	}

	first, end := c.node.Pos(), c.node.End()
	var layout []string
	for _, v := range fields {
		layout = append(layout, v.name+" "+v.goType())
	}
	if c.sites != nil {
		layout = append(layout, c.sites.fields...)
	}
	at := c.p.fset.PositionFor(first, false)
	c.p.reg.functions = append(c.p.reg.functions, registered{
		variable:    code,
		name:        runtimeName,
		rest:        w.rest,
		file:        c.p.File(c.file.name),
		line:        at.Line,
		fingerprint: fingerprint(c.source(first, end), strings.Join(layout, "; ")),
		defers:      c.defers != nil,
		points:      c.points,
		reflected:   c.isReflected(),
		title:       c.title(),
		renamed:     c.renamedFields(fields),
	})
	return b.String()
}

// isReflected reports whether a function may be the one that reflect.MakeFunc has taken: it is of
// the type, and a func value.
func (c *function) isReflected() bool {
	var t types.Type
	switch n := c.node.(type) {
	case *ast.FuncLit:
		t = c.p.typeOf(n)
	case *ast.FuncDecl:
		t = c.p.info.Defs[n.Name].Type()
	default: // the body of a loop over a function
		return false
	}
	sig, ok := t.Underlying().(*types.Signature)
	return ok && standard.TakesValues(sig) && c.p.Closure.Value(c.node)
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
	text := c.leads
	if c.asksSuppressed(body, t) {
		text += c.suppressed(t) + c.entering
	}
	if text == "" {
		return "{"
	}
	return "{\n//line <ckpgen>:1:1\n" + text + "//line " + c.lineAt(body.Lbrace+1) + "\n"
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

// writeVariables declares the variables of a block, those of one type on one line.
func (c *function) writeVariables(b *strings.Builder, k *block) {
	byType := make(map[string][]string)
	var order []string
	used := make(map[*variable]bool)
	for _, in := range c.code[k.from : k.to+1] {
		for _, v := range in.uses {
			used[v] = true
		}
	}
	var unread, fixed []string
	for _, v := range k.variables {
		if !used[v] {
			unread = append(unread, v.name)
		}
		t := v.goType()
		if v.fixed != "" {
			fixed = append(fixed, v.name+" "+t+" = "+v.fixed+"\n")
			continue
		}
		if v.again && takesLittle(v.typ, mostReady) {
			fixed = append(fixed, v.name+" = new("+v.text+")\n")
			continue
		}
		if byType[t] == nil {
			order = append(order, t)
		}
		byType[t] = append(byType[t], v.name)
	}
	if len(k.variables) == 0 {
		return
	}
	b.WriteString("var (\n" + strings.Join(fixed, ""))
	for _, t := range order {
		b.WriteString(strings.Join(byType[t], ", ") + " " + t + "\n")
	}
	b.WriteString(")\n")
	if len(unread) > 0 {
		b.WriteString(strings.Repeat("_, ", len(unread)-1) + "_ = " + strings.Join(unread, ", ") + "\n")
	}
}

// A writing is a function of the closure that is being written.
type writing struct {
	*function
	top      *block
	alive    [][]uint64 // before each instruction
	again    *again
	fields   []*variable // of its frames
	shadow   string
	frame    string // the type of its frames
	tells    string // the variable that tells of it
	fr       string // the frame that it takes up
	entered  string // if blocks have variables, that as what it is given, and the number of the resume point
	place    string
	rest     string // the runtime's name of the function that is the rest of an iteration
	restored string // what is done with a frame if the third copy is a function of its own
	declared string // the variable for that
}

// writeRestore writes the test on entry.
func (w *writing) writeRestore(b *strings.Builder) {
	if len(w.points) == 0 {
		return
	}
	fmt.Fprintf(b, "if %s.Busy != 0 {\n", w.shadow)
	if w.again.outlined != nil {
		fmt.Fprintf(b, "if %[2]s := %[1]s.Enter(&%[3]s); %[2]s != nil {\n%[4]s", w.shadow, w.fr, w.tells, w.restored)
		w.writeArrival(b, w.top)
		b.WriteString("}\n}\n")
		return
	}
	if w.place == "" {
		b.WriteString(entering(w.shadow, w.fr, w.tells, w.frame))
	} else {
		fmt.Fprintf(b, "if %[2]s := %[1]s.Enter(&%[3]s); %[2]s != nil {\n%[5]s = %[2]s.(*%[4]s)\n", w.shadow, w.entered, w.tells, w.frame, w.fr)
	}
	w.writeTakeUp(b, w.top)
	b.WriteString("}\n}\n")
}

// entering is the beginning of the block that a function with that code takes its frame up in.
func entering(shadow, fr, code, frame string) string {
	return fmt.Sprintf("if %[2]s := %[1]s.Enter(&%[3]s); %[2]s != nil {\n%[2]s := %[2]s.(*%[4]s)\n", shadow, fr, code, frame)
}

// writeTakeUp writes what is done with the frame at the beginning of the function, or of a block
// that has variables of its own: these are what they were, and it goes on at the resume point, or
// at the block inside that has it.
func (w *writing) writeTakeUp(b *strings.Builder, k *block) {
	wanted := w.wanted(k)
	for _, v := range w.fields { // one assignment of them all would have a temporary for each
		if wanted[v] {
			fmt.Fprintf(b, "%[1]s = %[2]s.%[1]s\n", v.name, w.fr)
			if v == w.env {
				b.WriteString(w.takeCopies(w.fr))
			}
		}
	}
	if w.defers != nil && w.sites == nil {
		w.writeDefersAgain(b)
	}
	at, taken, scope := w.fr+".At", "", ""
	if w.place != "" {
		at, taken, scope = w.place, w.fr+" = nil\n", fmt.Sprintf("%s := %s.At; ", w.place, w.fr)
	}
	var steps []step
	for _, p := range w.points {
		if p.label == "" {
			if k != w.top {
				continue
			}
			steps = append(steps, w.leftStep(p))
			continue
		}
		if !k.contains(p.index) {
			continue
		}
		text := taken + w.again.entry[p].text(at)
		if in := k.around(p.index); in != nil {
			text = "goto " + in.label
		}
		steps = append(steps, step{p.number, text})
	}
	fmt.Fprintf(b, "switch %s%s {\n", scope, at)
	writeCases(b, steps)
	// If the variables of the frame could come to where the function begins, they would be others
	// there than before.
	fmt.Fprintf(b, "}\n%s.Nowhere(%s)\nselect {}\n", w.shadow, w.fr)
}

// leftStep returns what is done with the frame of a function that was left while its deferred calls
// ran.
func (w *writing) leftStep(p *resumePoint) step {
	list := w.leavings()
	var left strings.Builder
	w.writeLeft(&left, list[p.number-1-(len(w.points)-len(list))], w.shadow, w.frame, w.fr)
	return step{p.number, left.String()}
}

// wanted returns the variables that are taken from the frame at the beginning of a block: those
// that are alive at its resume points, or where blocks in it begin that have some, but for those
// that are alive where it begins itself. (If these were all taken at the beginning of the function,
// the compiler, which does not know that there is no frame on the other ways to a block, would have
// them alive on all of these.)
func (w *writing) wanted(k *block) map[*variable]bool {
	set := make(map[*variable]bool)
	for _, p := range w.points {
		if p.label != "" && k.contains(p.index) && k.around(p.index) == nil || p.label == "" && k == w.top {
			for _, v := range p.live {
				set[v] = true
			}
		}
	}
	for _, v := range w.fields {
		switch {
		case v.kept:
			set[v] = k == w.top
		case k != w.top && v.isIn(w.alive[k.from]):
			set[v] = false
		case slices.ContainsFunc(k.inner, func(in *block) bool { return in.label != "" && v.isIn(w.alive[in.from]) }):
			set[v] = true
		}
	}
	return set
}

// writeInstruction writes an instruction. Its labels are renamed, if rename is not nil.
func (c *function) writeInstruction(b *strings.Builder, in *instruction, rename func(string) string, shadow, frame string) {
	switch {
	case in.label != nil:
		if in.label.used {
			b.WriteString(in.label.name + ":\n")
		}
	case in.resume != nil: // written once
		b.WriteString(in.resume.label + ":\n")
		c.writeText(b, in, rename)
		c.writeSaving(b, in, rename, "", !in.resume.poll, shadow, frame)
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
	b.WriteString(c.resumePointMethod(frame+targs, code))
	c.writeSettle(b, frame+targs, fields)
	c.writeReceiver(b, frame+targs)
}

// writeSettle writes the method of a frame in which maps are walked.
func (c *function) writeSettle(b *strings.Builder, frame string, fields []*variable) {
	fr, walks := c.p.freeName("fr"), ""
	for _, v := range fields {
		if v.walks {
			walks += fmt.Sprintf("%s.%s.Settle(stack)\n", fr, v.name)
		}
	}
	if walks != "" {
		fmt.Fprintf(b, "func (%s *%s) Settle(stack func() (low, high uintptr)) {\n%s}\n\n", fr, frame, walks)
	}
}

// resumePointMethod returns the method by which the runtime knows an activation record.
func (c *function) resumePointMethod(frame, code string) string {
	return fmt.Sprintf("func (%[1]s *%[2]s) ResumePoint() (*%[3]s.Function, int) { return &%[4]s, %[1]s.At }\n\n", c.p.freeName("fr"), frame, c.shadow(), code)
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
