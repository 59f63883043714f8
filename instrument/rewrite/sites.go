package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A function that executes each of its defer statements at most once can defer all the calls when it begins, in the order in
// which it may come to the statements. A statement says then that its call is to be made, and with what:
//
//	func f(x int, c *conn) (err error) {
//		defer c.unlock(x, y())
//		if x > 0 {
//			defer func() { err = errors.Join(err, c.Close()) }()
//		}
//		...
//	}
//
// becomes
//
//	func f(x int, c *conn) (err error) {
//		var calls f_calls
//		defers := f_defers{calls: &calls, err: &err}
//		defer func() {
//			if calls.pending&1 != 0 && (shadow.Busy.Load() == 0 || !defers.skips(1)) { calls.recv_1.unlock(calls.a0_1, calls.a1_1) }
//		}()
//		defer defers.call2()
//		...
//		{ calls.recv_1, calls.a0_1, calls.a1_1 = c, x, y(); calls.pending |= 1 }
//		if x > 0 {
//			{ calls.c = c; calls.pending |= 2 }
//		}
//
//	func (env *f_defers) call2() {
//		if env.calls.pending&2 == 0 || shadow.Busy.Load() != 0 && env.skips(3) { return }
//		...
//
// The variable calls is part of every frame; to restore it is to defer the calls again. Nothing
// is allocated, as neither it nor the function's variables that a literal shares leave the stack: the frames have copies, and
// pointers to them are nowhere but in defers. (Two variables, since for the compiler what a
// frame has of a struct comes from all of it.) And the compiler makes the calls part of the function, at each of its ends. It does so for up to eight
// calls that are deferred in no loop, which to it all is that stands behind a label that is jumped back to, and if not too many return
// statements follow: hence the beginning of the function, and what planReturns does. Statements of which only one is executed share a call.
//
// What a deferred call does first is to ask whether it is to be made: its bit is set, and the goroutine is not saving (skips).
// If a checkpoint is taken inside of it, it pushes its own frame and then that of the function (leave), in which the
// bits of those before it and its own are set: calls are made from the last to the first. By recover, which a deferred call may call, it knows whether
// the function panics. So does the method that makes the call of a function which reaches a checkpoint; a call that reaches none needs but skips.
// After runtime.Goexit the function can't push its frame, so the first call that is skipped does. If there is none, nobody needs it.
//
// Not of this form are functions with a defer statement in a loop, or that a goto leads back to; with one of a
// function which recovers, because that must be called by the statement itself, with its operands; with one of a literal that is at a checkpoint in
// deferred calls of its own, after which nobody is there to push the frame of the function around it; and those that would defer several calls
// under conditions and have so many ends that the compiler made records of them, for each a price that the condition spares.

// A site is a defer statement that a call of its function executes at most once.
type site struct {
	stmt    *ast.DeferStmt
	number  int
	literal *ast.FuncLit // whose call is deferred, or nil
	reaches bool         // a checkpoint can be taken in the call
	sure    bool         // the function executes it, if nothing comes between
	follows []extent     // what can be executed after it

	text       string   // of the statement as it is written
	invocation string   // the call, siteMark being what comes before what was evaluated
	fields     []string // with what was evaluated for it, and for none before it
	params     []string // those of them that are arguments
	method     string   // of the deferred literal
	child      *function
}

// bit is what stands for the site among the calls that are to come, and until for it and those before it.
func (s *site) bit() string   { return fmt.Sprintf("%#x", uint32(1)<<s.number) }
func (s *site) until() string { return fmt.Sprintf("%#x", uint32(1)<<(s.number+1)-1) }

// run is the name of the method that makes the calls of a group which the site is the first of.
func (s *site) run() string { return fmt.Sprint("run", s.number+1) }

// An extent is a piece of source.
type extent struct{ from, to token.Pos }

// sites are the defer statements of a function that has none but such.
type sites struct {
	list    []*site
	of      map[*ast.DeferStmt]*site
	groups  [][]*site             // of a group no more than one is executed
	shared  map[types.Object]bool // variables of the function that nothing but deferred literals captures
	sharing []*variable
	reaches bool // a checkpoint can be taken in one of the calls

	variable string   // that has them
	typ      string   // its type
	calls    string   // the type of what is in frames
	fields   []string // of that
	taken    map[string]bool
	captured map[types.Object]string // fields with copies of variables

	returns map[*ast.ReturnStmt]string // labels of those that are a jump
	end     string                     // the label of the others, and of what leaves the function for a checkpoint
	ended   bool                       // it is used
}

// most is how many deferred calls the compiler makes part of a function's code, and mostExits
// how many copies of them.
const (
	most      = 8
	mostExits = 15
)

// findSites finds out whether no defer statement of a function is executed twice in one of its calls, and if so what is to be known of them.
func (c *function) findSites(body *ast.BlockStmt) {
	if !hasDefer(body) {
		return
	}
	f := &sites{of: make(map[*ast.DeferStmt]*site), shared: make(map[types.Object]bool), captured: make(map[types.Object]string), returns: make(map[*ast.ReturnStmt]string)}
	jumps := c.p.jumps(body)
	once := true
	var returns []*ast.ReturnStmt
	var visit func(n ast.Node, loop bool)
	visit = func(root ast.Node, loop bool) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				if n != root {
					visit(n, true)
					return false
				}
			case *ast.ReturnStmt:
				returns = append(returns, n)
			case *ast.DeferStmt:
				if c.p.isRecover(n.Call) {
					return true // has no effect
				}
				s := &site{stmt: n, number: len(f.list), reaches: c.p.reachesPoint(n.Call)}
				if s.literal, _ = ast.Unparen(n.Call.Fun).(*ast.FuncLit); s.literal != nil {
					s.reaches = c.p.Closure.Func(s.literal)
				}
				once = once && !loop && !jumps.repeats(n) && c.canBeSite(s)
				f.list = append(f.list, s)
				f.of[n] = s
			}
			return true
		})
	}
	visit(body, false)
	if !once || len(f.list) == 0 || len(f.list) > 31 {
		return
	}
	for _, s := range f.list {
		s.follows, s.sure = following(body, s.stmt, jumps)
		f.reaches = f.reaches || s.reaches
		f.group(s)
	}
	unsure := 0
	for _, g := range f.groups {
		if !g[0].sure {
			unsure++
		}
	}
	if !c.planReturns(f, returns) && unsure > 1 {
		return // the calls would be deferred one by one, at the cost of each
	}
	c.sites = f
	c.findShared(body)
}

// canBeSite reports whether the call is one that can be deferred before its operands are known. A function that
// recovers has to be called with them. A literal saves the frame of the function around it, together with its own, unless
// it has deferred calls, in which a checkpoint may find it.
func (c *function) canBeSite(s *site) bool {
	if s.literal == nil {
		return !c.p.Closure.Recovers(s.stmt.Call)
	}
	return !c.p.Closure.Func(s.literal) || !hasDefer(s.literal.Body)
}

// group puts a site into a group.
func (f *sites) group(s *site) {
	if s.literal == nil {
		for i, g := range f.groups {
			if !slices.ContainsFunc(g, func(t *site) bool { return t.literal != nil || t.leadsTo(s.stmt) }) {
				f.groups[i] = append(g, s)
				return
			}
		}
	}
	f.groups = append(f.groups, []*site{s})
}

// leadsTo reports whether a statement can be executed after a site.
func (s *site) leadsTo(n ast.Node) bool {
	return slices.ContainsFunc(s.follows, func(e extent) bool { return e.from <= n.Pos() && n.Pos() < e.to })
}

// planReturns decides which return statements are jumps: the compiler writes the deferred calls at each, and not at all
// if that is too much. Those that no site leads to become one, and so do those with which the function is left
// for a checkpoint: nothing is called there. The others stay returns, so that stack traces show their lines; but
// not in each of the three copies that there can be, if these are too many. It reports whether the compiler can do so then.
func (c *function) planReturns(f *sites, returns []*ast.ReturnStmt) bool {
	f.end = c.localName("leave")
	var own []*ast.ReturnStmt
	for _, r := range returns {
		if slices.ContainsFunc(f.list, func(s *site) bool { return s.leadsTo(r) }) {
			own = append(own, r)
		} else {
			f.returns[r] = f.end
		}
	}
	one := min(c.functionType().Results.NumFields(), 1) // a function without results has an end
	copies := func(exits int) int { return (exits + one) * len(f.groups) }
	if len(f.groups) > most || copies(len(own)) > mostExits {
		return false
	}
	if copies(3*len(own)) > mostExits {
		for i, r := range own {
			f.returns[r] = c.localName(fmt.Sprint("return", i+1))
		}
	}
	return true
}

// jumps are the gotos and the like of a function.
type jumps struct {
	back  []extent // from a label to the goto that jumps back to it
	falls bool     // there are fallthrough statements
}

func (p *pkg) jumps(body *ast.BlockStmt) *jumps {
	j := &jumps{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			switch n.Tok {
			case token.GOTO:
				if to := p.info.Uses[n.Label]; to != nil && to.Pos() < n.Pos() {
					j.back = append(j.back, extent{to.Pos(), n.End()})
				}
			case token.FALLTHROUGH:
				j.falls = true
			}
		}
		return true
	})
	return j
}

// repeats reports whether a statement can be executed again by way of a goto.
func (j *jumps) repeats(n ast.Node) bool {
	return slices.ContainsFunc(j.back, func(e extent) bool { return e.from <= n.Pos() && n.Pos() < e.to })
}

// following returns what can be executed after a statement that is in no loop, and whether it is one of the body itself. A goto
// can't jump into a block, so that it leads to what follows in any case.
func following(body *ast.BlockStmt, s ast.Stmt, j *jumps) (list []extent, sure bool) {
	if j.falls {
		return []extent{{s.End(), body.End()}}, slices.Contains(body.List, s)
	}
	// The lists of statements that it is in, the outermost first.
	var lists [][]ast.Stmt
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || n.Pos() > s.Pos() || n.End() < s.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			lists = append(lists, n.List)
		case *ast.CaseClause:
			lists = append(lists, n.Body)
		case *ast.CommClause:
			lists = append(lists, n.Body)
		}
		return true
	})
	for _, l := range slices.Backward(lists) {
		i := slices.IndexFunc(l, func(t ast.Stmt) bool { return t.Pos() <= s.Pos() && s.End() <= t.End() })
		if i < 0 {
			continue // the clauses of a switch
		}
		end := l[len(l)-1].End()
		list = append(list, extent{l[i].End(), end})
		if ends(l[i:]) {
			break
		}
	}
	return list, slices.Contains(body.List, s)
}

// ends reports whether nothing is executed after a list of statements.
func ends(list []ast.Stmt) bool {
	if _, ok := list[len(list)-1].(*ast.ReturnStmt); !ok {
		return false
	}
	leaves := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			if _, ok := n.(*ast.BranchStmt); ok {
				leaves = true
			}
			return !leaves
		})
	}
	return !leaves
}

// findShared finds the variables that can stay variables of the function although deferred literals capture them: their
// addresses are in no frame, as they are known again when a function is called again. Nothing else may
// capture them, and they have to be variables of the function as a whole.
func (c *function) findShared(body *ast.BlockStmt) {
	own := make(map[types.Object]bool)
	declares := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.Ident:
				if v, ok := c.p.info.Defs[n].(*types.Var); ok && !v.IsField() {
					own[v] = true
				}
			}
			return true
		})
	}
	t := c.functionType()
	for _, l := range []*ast.FieldList{t.Params, t.Results} {
		if l != nil {
			declares(l)
		}
	}
	var results []types.Object
	if t.Results != nil {
		for _, l := range t.Results.List {
			for _, id := range l.Names {
				results = append(results, c.p.info.Defs[id])
			}
		}
	}
	if d, ok := c.node.(*ast.FuncDecl); ok && d.Recv != nil {
		declares(d.Recv)
	}
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				declares(l)
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, id := range v.Names {
						declares(id)
					}
				}
			}
		}
	}
	f := c.p.facts
	deferred := make(map[*ast.FuncLit]bool)
	for _, s := range c.sites.list {
		if s.literal != nil {
			deferred[s.literal] = true
		}
	}
	others := make(map[types.Object]bool)
	var visit func(root ast.Node, shares, hides bool)
	visit = func(root ast.Node, shares, hides bool) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				if n != root {
					visit(n, deferred[n], hides || shares || !deferred[n])
					return false
				}
			case *ast.RangeStmt:
				if n != root && c.p.overFunction(n) {
					visit(n, false, true)
					return false
				}
			case *ast.ReturnStmt:
				if _, ok := root.(*ast.RangeStmt); ok { // the body of a loop over a function assigns to the results
					for _, v := range results {
						others[v] = true
					}
				}
			case *ast.Ident:
				v, _ := c.p.info.Uses[n].(*types.Var)
				switch {
				case v == nil || !own[v]:
				case hides:
					others[v] = true
				case shares:
					c.sites.shared[v] = c.sites.shared[v] || f.byReference(v) && !f.addressed[v]
				}
			}
			return true
		})
	}
	visit(body, false, false)
	for v, ok := range c.sites.shared {
		if !ok || others[v] || f.addressed[v] {
			delete(c.sites.shared, v)
		}
	}
}

// isShared reports whether deferred literals share a variable with the function, which keeps it.
func (c *function) isShared(obj types.Object) bool { return c.sites != nil && c.sites.shared[obj] }

// share makes a variable one that the function's deferred calls know by its address.
func (c *function) share(v *variable) {
	v.kept = true
	c.sites.sharing = append(c.sites.sharing, v)
}

// prepareSites makes the variable that the sites are in.
func (c *function) prepareSites() {
	f := c.sites
	f.variable = c.localName("defers")
	f.typ = c.p.packageName(c.base + "_defers")
	f.calls = c.p.packageName(c.base + "_calls")
	f.taken = map[string]bool{"pending": true}
	c.defers = &variable{name: c.localName("calls"), text: f.calls + c.p.typeArguments(c.typeParams)}
	c.defers.carrier, c.defers.access = c.defers, c.defers.name
	c.all = append(c.all, c.defers)
}

// sharedFields are the fields of a function's deferred calls that lead to its variables, with these.
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
	s.invocation = l.invocation
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

// siteLiteral makes a method of the type of the function's deferred calls of a literal that one of its
// sites defers. It returns the fields of what the literal has copies of, with their values.
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

// declareParameters makes the parameters of a deferred literal its variables, which begin as what was evaluated for them.
func (c *function) declareParameters(s *site) {
	params := c.functionType().Params
	if params == nil {
		return
	}
	var b strings.Builder
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
				fmt.Fprintf(&b, "%[1]s := %[2]s\n_ = %[1]s\n", id.Name, value)
				continue
			}
			v := c.declare(c.p.info.Defs[id], id)
			c.fresh(v, id)
			in := c.emit(token.NoPos, v.access+" = "+value)
			if v.plain() {
				in.defines = []*variable{v}
			} else {
				in.uses = []*variable{v}
			}
		}
	}
	c.entering = b.String()
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
	name := base
	for i := 2; f.taken[name]; i++ {
		name = fmt.Sprint(base, "_", i)
	}
	f.taken[name] = true
	return name
}

// keepsPanic reports whether a frame can be one of a function that panics.
func (c *function) keepsPanic() bool { return c.defers != nil && (c.sites == nil || c.sites.reaches) }

// writeSites writes the beginning of a function with sites: the calls are deferred, before any is known to be made.
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
		c.writeFromCells(b)
		b.WriteString("}()\n")
	}
	for _, g := range f.groups {
		switch {
		case g[0].literal != nil:
			fmt.Fprintf(b, "defer %s.%s()\n", f.variable, g[0].method)
		case slices.ContainsFunc(g, func(s *site) bool { return s.reaches }):
			name := g[0].run()
			fmt.Fprintf(b, "defer %s.%s()\n", f.variable, name)
			c.writeRun(g, name)
		default:
			b.WriteString("defer func() {\n")
			c.writeGroup(b, g, f.variable, c.defers.name, shadow, nil)
			b.WriteString("}()\n")
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
			fmt.Fprintf(b, "if %s.Busy.Load() == 0 || !%s.skips(%s) {\n%s%s\n//line <ckpgen>:1:1\n}\n", shadow, d, s.until(), line, call)
		}
	}
	b.WriteString("}\n")
}

// writeRun writes the method that makes the calls of a group, in one of which a checkpoint can be taken at least.
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
		return fmt.Sprintf("if %[1]s.Busy.Load() != 0 {\nif %[2]s.skips(%[3]s) {\nreturn\n}\n%[1]s.Enter(&%[4]s)\n}\n%[5]sif %[1]s.Busy.Load() != 0 && %[1]s.Unwinding() {\n%[1]s.Push(&%[6]s{At: %[7]d})\n%[2]s.leave(%[3]s, recover())\n}\n",
			shadow, rec, s.until(), code, call, frame, p.number)
	})
	b.WriteString("}\n\n")
	fmt.Fprintf(&b, "type %s struct{ At int }\n\n", frame)
	fmt.Fprintf(&b, "func (fr *%s) ResumePoint() (*%s.Function, int) { return &%s, fr.At }\n\n", frame, shadow, code)
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
	fmt.Fprintf(&b, "%s%s.Push(fr)\n}\n\n", recovered, shadow)
	c.file.append(strings.ReplaceAll(b.String(), "v any", "v "+c.p.any()))
}

// leave returns the statement with which a function is left when no deferred call is to be made.
func (c *function) leave() string {
	if c.sites == nil {
		return "return"
	}
	c.sites.ended = true
	return "goto " + c.sites.end
}

// isJump reports whether a return statement becomes a jump.
func (c *function) isJump(s *ast.ReturnStmt) bool {
	return c.sites != nil && c.sites.returns[s] != ""
}

// returned returns the text of a return statement with the given values; if there are none, the results have theirs.
func (c *function) returned(s *ast.ReturnStmt, values string) string {
	if !c.isJump(s) {
		return strings.TrimSuffix("return "+values, " ")
	}
	label := c.sites.returns[s]
	if label == c.sites.end {
		c.sites.ended = true
	}
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

// writeEnd writes the return statements that others jump to.
func (c *function) writeEnd(b *strings.Builder, body *ast.BlockStmt) {
	if c.sites == nil {
		return
	}
	for _, r := range sortedReturns(c.sites.returns) {
		if label := c.sites.returns[r]; label != c.sites.end {
			fmt.Fprintf(b, "%s:\n//line %s\nreturn\n", label, c.lineAt(r.Pos()))
		}
	}
	switch {
	case c.sites.ended && len(c.results) > 0:
		fmt.Fprintf(b, "%s:\n//line <ckpgen>:1:1\nreturn\n", c.sites.end)
	case c.sites.ended:
		fmt.Fprintf(b, "%s:\n", c.sites.end)
	}
	fmt.Fprintf(b, "//line %s\n", c.lineAt(body.Rbrace))
}

func sortedReturns(m map[*ast.ReturnStmt]string) []*ast.ReturnStmt {
	var list []*ast.ReturnStmt
	for r := range m {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *ast.ReturnStmt) int { return int(a.Pos() - b.Pos()) })
	return list
}
