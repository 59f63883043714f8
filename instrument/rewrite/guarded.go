package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/standard"
)

// A small function that does something in a rare case only is inlined by the compiler, so that all
// that most of its calls cost is a test. With a resume point it is too large for that. And the
// recursion over a tree makes half of its calls for nothing but to find that there is no tree. So
// where such a function of the package is called, the test stands before the call:
//
//	func (l *State) check(n int) { if l.last-l.top <= n { l.grow(n) } }
//	func (t *tree) sum() int { if t == nil { return 0 }; ... }
//
//	l.check(2)            if l != nil && !(l.last-l.top <= 2) { goto skipped1 }
//	                      l.check(2)
//	                      skipped1:
//
//	s = t.left.sum()      if !(arg1 == nil) { goto calls1 }
//	                      s = 0
//	                      goto skipped1
//	                      calls1:
//	                      s = arg1.sum()
//	                      skipped1:
//
// The test comes before the resume point, and the call is the caller's as it was, for whoever looks
// at the stack, as what panics does so in the function. The operands are those that the call has,
// which stand still; one that is more than a variable gets one. A function that polls on entry is
// called while something is wanted. Where the test is one of fields, and what holds seldom, as that
// a writer has failed before, it would cost more than it saves: it stands before the call only if
// nothing else is in the function.

// A guard is the test of a call, and what the results are if the call is skipped.
type guard struct {
	skip   string // a condition
	values []string
}

// mostGuarded is the number of resume points of a function behind which no more calls have a guard:
// it is large, and the compiler inlines less in one that is very large.
const mostGuarded = 150

// guard returns the guard of a call whose results go to the given variables, or nil. fun and args
// are the text of the function and of the arguments, some of which become that of variables.
func (c *function) guard(call *ast.CallExpr, fun string, args []string, results []*variable) *guard {
	f := calledFunction(c.p.info, call)
	d := c.p.declared(f)
	if d == nil || len(c.points) > mostGuarded || !c.p.Closure.Func(d) || hasDirective(d.Doc, "go:noinline") ||
		c.p.InLibrary && (hasDirective(d.Doc, standard.AsIs) || hasDirective(d.Doc, standard.Off)) || c.p.callsRecover(d.Body) {
		return nil
	}
	test, returned := guardOf(d)
	if test == nil || !types.Identical(types.Default(c.p.typeOf(test.Cond)), types.Typ[types.Bool]) {
		return nil
	}
	for i, t := range resultTypes(c.p.typeOf(call)) {
		if i < len(results) && results[i] != nil && !types.Identical(results[i].typ, t) {
			return nil // an interface, which would have the value as something else
		}
	}
	g := guarding{c: c, call: call, operands: make(map[types.Object]operand), mentioned: make(map[types.Object]bool)}
	ast.Inspect(test.Cond, g.mention)
	if returned != nil {
		ast.Inspect(returned, g.mention)
	}
	if !g.find(d, f, fun, args) {
		return nil
	}
	condition, ok := g.text(test.Cond)
	if !ok || g.size > 12 {
		return nil
	}
	skip := &guard{skip: condition}
	if returned == nil {
		skip.skip = "!(" + condition + ")"
	} else {
		if g.fields {
			return nil
		}
		if len(returned.Results) != f.Signature().Results().Len() {
			return nil // named, or those of a call
		}
		for i, e := range returned.Results {
			value, ok := g.direct(e)
			if t := f.Signature().Results().At(i).Type(); !ok || g.isConstant(e) && types.IsInterface(t) && !isTypeParam(t) {
				return nil // the text of a constant does not tell its type
			}
			skip.values = append(skip.values, value)
		}
	}
	for _, pointer := range g.pointers {
		none, ok := g.predeclared("nil")
		if !ok {
			return nil
		}
		skip.skip = pointer + " != " + none + " && " + skip.skip
	}
	if c.p.Closure.Polls(d) {
		skip.skip = c.shadow() + ".Quiet() && (" + skip.skip + ")"
	}
	return skip
}

// skip writes the guard of a call, if it has one, and returns the label to be placed behind the
// call. fun and args are the text of the operands, and uses the variables in them. It may change
// the last two.
func (c *function) skip(call *ast.CallExpr, fun string, args []string, uses, results []*variable) (*label, []*variable) {
	g := c.guard(call, fun, args, results)
	for _, a := range call.Args {
		uses = withAll(uses, c.subst[a].uses)
	}
	c.takeUses()
	if g == nil {
		return nil, uses
	}
	done := c.newLabel("skipped")
	var assigned []*variable
	var values []string
	for i, r := range results {
		if r != nil { // nil has no type in an assignment to the blank identifier
			assigned, values = append(assigned, r), append(values, g.values[i])
		}
	}
	if len(assigned) == 0 {
		c.emit(call.Lparen, "if "+g.skip+" { "+c.jump(done)+" }").uses = uses
		return done, uses
	}
	calls := c.newLabel("calls")
	c.emit(call.Lparen, "if !("+g.skip+") { "+c.jump(calls)+" }").uses = uses
	in := c.emit(call.Lparen, names(assigned)+" = "+strings.Join(values, ", "))
	in.uses, in.defines = uses, assigned
	c.emitGoto(done)
	c.place(calls)
	return done, uses
}

// guardOf returns the statement that a function begins with, if it does nothing where the condition
// does not hold, or returns at once where it does: with the second result then.
func guardOf(d *ast.FuncDecl) (*ast.IfStmt, *ast.ReturnStmt) {
	if len(d.Body.List) == 0 {
		return nil, nil
	}
	s, ok := d.Body.List[0].(*ast.IfStmt)
	if !ok || s.Init != nil || s.Else != nil {
		return nil, nil
	}
	if len(s.Body.List) == 1 {
		if r, ok := s.Body.List[0].(*ast.ReturnStmt); ok {
			return s, r
		}
	}
	if len(d.Body.List) == 1 && d.Type.Results == nil {
		return s, nil
	}
	return nil, nil
}

// An operand is what a parameter of the function that is called stands for.
type operand struct {
	text     string
	base     bool // a variable in place of a pointer to it
	pointer  bool
	constant bool
}

// String returns the text as an operand of something else.
func (o operand) String() string {
	if token.IsIdentifier(o.text) {
		return o.text
	}
	return "(" + o.text + ")"
}

// A guarding writes an expression of a function for one of its calls.
type guarding struct {
	c         *function
	call      *ast.CallExpr
	operands  map[types.Object]operand
	mentioned map[types.Object]bool // variables in what is written
	pointers  []string              // operands that fields are reached by
	size      int
	fields    bool // there are fields in it
}

// mention notes a variable.
func (g *guarding) mention(n ast.Node) bool {
	if id, ok := n.(*ast.Ident); ok {
		g.mentioned[g.c.p.info.Uses[id]] = true
	}
	return true
}

// find finds the operands of the call. One that is more than a variable gets one.
func (g *guarding) find(d *ast.FuncDecl, f *types.Func, fun string, args []string) bool {
	c := g.c
	if sel, ok := calledWithout(g.call).(*ast.SelectorExpr); ok && d.Recv != nil {
		s := c.p.info.Selections[sel]
		end := strings.LastIndex(fun, "."+f.Name())
		if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 || end < 0 || strings.ContainsAny(fun, "\n/") {
			return false
		}
		// What is made there would be made for each time that it is mentioned.
		simple := token.IsIdentifier(fun[:end]) || isSimple(sel.X)
		if names := d.Recv.List[0].Names; len(names) == 1 && simple {
			pointer := isPointer(recvType(f))
			base := pointer && !isPointer(s.Recv())
			g.operands[c.p.info.Defs[names[0]]] = operand{text: fun[:end], base: base, pointer: pointer && !base}
		}
	}
	sig := c.p.typeOf(g.call.Fun).(*types.Signature)
	n := sig.Params().Len()
	if sig.Variadic() {
		n--
	}
	if len(args) < n || len(args) != len(g.call.Args) {
		return false
	}
	i := 0
	for _, field := range d.Type.Params.List {
		for _, name := range field.Names {
			if i < n && types.Identical(c.p.typeOf(g.call.Args[i]), sig.Params().At(i).Type()) {
				param, a := c.p.info.Defs[name], g.call.Args[i]
				constant := c.p.info.Types[a].Value != nil
				simple := token.IsIdentifier(args[i]) || isSimple(a)
				if constant {
					simple = isExact(param.Type())
				}
				if !simple && g.mentioned[param] && c.writable(c.p.typeOf(a)) {
					args[i], simple = c.argument(a).name, true
				}
				if simple {
					g.operands[param] = operand{text: args[i], pointer: isPointer(param.Type()), constant: constant}
				}
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	return true
}

// isExact reports whether a constant is the same number in a type as without one.
func isExact(t types.Type) bool {
	b, ok := core(t).(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
}

// isSimple reports whether an expression is a variable, or a field of one.
func isSimple(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isSimple(e.X)
	}
	return false
}

// isConstant reports whether an expression is written as a constant.
func (g *guarding) isConstant(e ast.Expr) bool {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return g.c.p.info.Types[e].Value != nil || g.operands[g.c.p.info.Uses[id]].constant
}

// predeclared returns a predeclared name, if that is what it means where the call stands.
func (g *guarding) predeclared(name string) (string, bool) {
	pos := g.call.Pos()
	scope := g.c.p.types.Scope().Innermost(pos)
	if scope == nil {
		return "", false
	}
	_, obj := scope.LookupParent(name, pos)
	return name, obj == types.Universe.Lookup(name)
}

// text returns the text of an expression, if it is one that can be written where the call stands:
// of parameters and their fields, numbers and strings.
func (g *guarding) text(e ast.Expr) (string, bool) {
	info := g.c.p.info
	g.size++
	if tv := info.Types[e]; tv.Value != nil {
		switch tv.Value.Kind() {
		case constant.Int:
			return "(" + tv.Value.ExactString() + ")", true
		case constant.String:
			return strconv.Quote(constant.StringVal(tv.Value)), true
		case constant.Bool:
			return g.predeclared(strconv.FormatBool(constant.BoolVal(tv.Value)))
		}
		return "", false
	} else if tv.IsNil() {
		return g.predeclared("nil")
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return g.text(e.X)
	case *ast.Ident:
		if o, ok := g.operands[info.Uses[e]]; ok && !o.base && !o.constant {
			return o.String(), true
		}
	case *ast.SelectorExpr:
		s := info.Selections[e]
		if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 || s.Obj().(*types.Var).Embedded() || e.Sel.Name == "_" {
			return "", false
		}
		g.fields = true
		if id, ok := ast.Unparen(e.X).(*ast.Ident); ok {
			o, ok := g.operands[info.Uses[id]]
			if o.pointer && !slices.Contains(g.pointers, o.String()) {
				g.pointers = append(g.pointers, o.String())
			}
			return o.String() + "." + e.Sel.Name, ok
		}
		if isPointer(g.c.p.typeOf(e.X)) {
			return "", false // it may be nil
		}
		text, ok := g.text(e.X)
		return text + "." + e.Sel.Name, ok
	case *ast.UnaryExpr:
		if e.Op == token.NOT || e.Op == token.SUB {
			text, ok := g.text(e.X)
			return e.Op.String() + "(" + text + ")", ok
		}
	case *ast.BinaryExpr:
		return g.binary(e)
	case *ast.CallExpr:
		if !info.Types[e.Fun].IsBuiltin() || builtinName(e.Fun) != "len" {
			return "", false
		}
		name, ok := g.predeclared("len")
		text, other := g.text(e.Args[0])
		return name + "(" + text + ")", ok && other
	}
	return "", false
}

// direct is text for what is compared or returned, which may be a constant operand: the compiler
// calculates with these as they are, and not in the parameter's type.
func (g *guarding) direct(e ast.Expr) (string, bool) {
	id, _ := ast.Unparen(e).(*ast.Ident)
	if o := g.operands[g.c.p.info.Uses[id]]; o.constant {
		return o.String(), true
	}
	return g.text(e)
}

func (g *guarding) binary(e *ast.BinaryExpr) (string, bool) {
	of := g.direct
	switch e.Op {
	case token.LAND, token.LOR, token.ADD, token.SUB, token.AND, token.OR:
		of = g.text
	}
	switch e.Op {
	case token.LAND, token.LOR:
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.ADD, token.SUB, token.AND, token.OR:
		for _, x := range []ast.Expr{e.X, e.Y} {
			switch core(g.c.p.typeOf(x)).(type) {
			case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
			default:
				if !g.c.p.info.Types[e.Y].IsNil() {
					return "", false // the comparison may panic, or be long
				}
			}
		}
	default:
		return "", false
	}
	x, ok := of(e.X)
	y, other := of(e.Y)
	return "(" + x + " " + e.Op.String() + " " + y + ")", ok && other
}
