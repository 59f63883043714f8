package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/standard"
)

// Most loops over functions range over what a function has just made:
//
//	func (t *tree) All() iter.Seq[int] { return func(yield func(int) bool) { … t.left … } }
//
//	for x := range t.All() { body }
//
// The compiler inlines All, sees which literal the loop calls, and leaves both this literal and the
// body's on the stack. In a func value made from an environment it can't see that. So the
// environment is made by a function of its own, and the loop calls the method of it:
//
//	func CkpgenIterate_tree_All(t *tree) *CkpgenIterator_tree_All { return &CkpgenIterator_tree_All{t: t} }
//
//	iterator1 = CkpgenIterate_tree_All(t)
//	iterator1.Call(loop1.value())
//
// That is done for functions of all packages that are rewritten, so type, function and method are
// exported. A call F(x)(yield) is written so, too.
//
// What is allocated in a loop and kept in a variable that is declared outside of it, as those of a
// flattened function are, is on the heap. So in a loop both environments are variables, and
// iterator1 and loop1 lead to them. They are used again in the next round, which can be seen only
// if someone keeps the function that the body is, and calls it when it must not be called any more.

// An Iterator is a function whose calls are replaced so. It does nothing but to return a literal,
// which captures something, after statements that make no difference to who calls it, and no
// checkpoint can be reached from it.
type Iterator struct {
	Func *types.Func
	// Lends is set if the literal does nothing with the function that it is given but to call it.
	Lends bool
}

// Iterators returns those of a package.
func Iterators(pkg *packages.Package, closure Closure, inLibrary bool) []Iterator {
	for _, name := range types.Universe.Names() {
		if _, ok := types.Universe.Lookup(name).(*types.TypeName); ok && pkg.Types.Scope().Lookup(name) != nil {
			return nil // types that are written elsewhere may need the name
		}
	}
	var list []Iterator
	bases := make(map[string]int)
	eachDeclared(pkg, inLibrary, func(d *ast.FuncDecl, f *types.Func) {
		if closure.Func(d) {
			return
		}
		lit := returnedIterator(pkg.TypesInfo, d)
		if lit == nil || !capturesNameable(pkg, d, lit) {
			return
		}
		bases[iteratorBase(f)]++
		list = append(list, Iterator{f, lendsYield(pkg.TypesInfo, lit)})
	})
	scope := pkg.Types.Scope()
	return slices.DeleteFunc(list, func(it Iterator) bool {
		return bases[iteratorBase(it.Func)] > 1 || scope.Lookup(iteratorType(it.Func)) != nil || scope.Lookup(iteratorFunc(it.Func)) != nil
	})
}

// eachDeclared calls a function with the declared functions of a package, other than those that are
// not rewritten.
func eachDeclared(pkg *packages.Package, inLibrary bool, f func(*ast.FuncDecl, *types.Func)) {
	for _, file := range pkg.Syntax {
		name := pkg.Fset.File(file.FileStart).Name()
		if inLibrary && !standard.HasFile(pkg.PkgPath, filepath.Base(name)) || load.GeneratedByCgo(pkg, name) {
			continue
		}
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil || inLibrary && (hasDirective(d.Doc, standard.AsIs) || hasDirective(d.Doc, standard.Off)) {
				continue
			}
			if fn, _ := pkg.TypesInfo.Defs[d.Name].(*types.Func); fn != nil {
				f(d, fn)
			}
		}
	}
}

// returnedIterator returns the literal that a function returns at its end, and only there, if a
// loop can range over it; or nil.
func returnedIterator(info *types.Info, d *ast.FuncDecl) *ast.FuncLit {
	results := d.Type.Results
	if d.Name.Name == "_" || results.NumFields() != 1 || len(results.List[0].Names) > 0 || len(d.Body.List) == 0 {
		return nil
	}
	if _, ok := info.TypeOf(results.List[0].Type).Underlying().(*types.Signature); !ok {
		return nil
	}
	last := len(d.Body.List) - 1
	ret, ok := d.Body.List[last].(*ast.ReturnStmt)
	if !ok {
		return nil
	}
	lit, ok := ast.Unparen(ret.Results[0]).(*ast.FuncLit)
	if !ok || !isIterator(info.TypeOf(lit)) {
		return nil
	}
	for _, s := range d.Body.List[:last] {
		if !isIndifferent(info, s) {
			return nil
		}
	}
	return lit
}

// isIterator reports whether a loop can range over a function of type t.
func isIterator(t types.Type) bool {
	sig, ok := t.(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Params().Len() > 2 || yield.Variadic() || yield.Results().Len() != 1 {
		return false
	}
	result, ok := yield.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && result.Info()&types.IsBoolean != 0
}

// lendsYield reports whether a literal does nothing with its parameter but to call it.
func lendsYield(info *types.Info, lit *ast.FuncLit) bool {
	names := lit.Type.Params.List[0].Names
	if len(names) == 0 || names[0].Name == "_" {
		return true
	}
	yield := info.Defs[names[0]]
	called := make(map[*ast.Ident]bool)
	lends := true
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt: // may call it later
			lends = lends && !mentions(info, n, yield)
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				called[id] = true
			}
		case *ast.Ident:
			lends = lends && (info.Uses[n] != yield || called[n])
		}
		return true
	})
	return lends
}

func mentions(info *types.Info, n ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && info.Uses[id] == obj
		return !found
	})
	return found
}

// isIndifferent reports whether a statement can be one of another function, too: it neither leaves
// the function nor declares a type, holds a literal or asks who has called.
func isIndifferent(info *types.Info, s ast.Stmt) bool {
	ok := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ReturnStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt, *ast.LabeledStmt:
			ok = false
		case *ast.GenDecl:
			ok = ok && n.Tok == token.VAR
		case *ast.CallExpr:
			ok = ok && !(info.Types[n.Fun].IsBuiltin() && builtinName(n.Fun) == "recover")
		}
		return ok
	})
	return ok
}

// capturesNameable reports whether the literal that a function returns captures variables, or is
// type-parameterised, and the types of all can be written at package level: those that the user has
// written in a signature can.
func capturesNameable(pkg *packages.Package, d *ast.FuncDecl, lit *ast.FuncLit) bool {
	sig := pkg.TypesInfo.Defs[d.Name].Type().(*types.Signature)
	environment := sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0
	ok := true
	ast.Inspect(lit, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent {
			return ok
		}
		v, isVar := pkg.TypesInfo.Uses[id].(*types.Var)
		if !isVar || v.IsField() || v.Pos() < d.Pos() || v.Pos() >= d.End() || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
			return true
		}
		environment = true
		if v.Pos() >= d.Body.Pos() {
			ok = ok && isNameable(pkg.Types, v.Type())
		}
		return ok
	})
	return ok && environment
}

// isNameable reports whether it is plain that a type can be written at package level.
func isNameable(pkg *types.Package, t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return isNameable(pkg, t.Elem())
	case *types.Slice:
		return isNameable(pkg, t.Elem())
	case *types.Map:
		return isNameable(pkg, t.Key()) && isNameable(pkg, t.Elem())
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if !isNameable(pkg, t.TypeArgs().At(i)) {
				return false
			}
		}
		return t.Obj().Pkg() == nil || t.Obj().Pkg() == pkg && t.Obj().Parent() == pkg.Scope()
	}
	return false
}

// iteratorBase is the name of a function, with that of the receiver's type.
func iteratorBase(f *types.Func) string {
	if recv := f.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			return named.Obj().Name() + "_" + f.Name()
		}
	}
	return f.Name()
}

func iteratorType(f *types.Func) string { return "CkpgenIterator_" + iteratorBase(f) }
func iteratorFunc(f *types.Func) string { return "CkpgenIterate_" + iteratorBase(f) }

// setIterator notes whether the declared function c is one of Iterators.
func (c *function) setIterator(d *ast.FuncDecl) {
	if f, _ := c.p.info.Defs[d.Name].(*types.Func); f != nil && c.p.iterator(f) != nil {
		c.iterator, c.iteratorOf = returnedIterator(c.p.info, d), f
	}
}

// writeIterate writes the function that makes the environment of the literal which c returns. It is
// c with another result.
func (c *function) writeIterate(d *ast.FuncDecl) {
	l := c.file.lifted[c.iterator]
	params, err := c.typeParameters(c.typeParams)
	if l == nil || err != nil {
		c.p.refuse(d.Name, "internal error: an iterator that is called elsewhere can't be written", "please report it with the source")
		return
	}
	name := iteratorFunc(c.iteratorOf)
	delete(c.subst, d.Body)
	c.subst[c.iterator] = substitution{text: "&" + c.environment(l)}
	body := c.render(d.Body)
	if c.leads != "" {
		body = "{\n" + c.leads + "//line " + c.lineAt(d.Body.Lbrace+1) + "\n" + body[1:]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s makes what %s returns, for a loop that ranges over it.\n", name, c.base)
	fmt.Fprintf(&b, "//line %s\nfunc %s%s(%s) *%s%s %s\n\n", c.lineAt(d.Body.Lbrace), name, params, strings.Join(c.parameters(d), ", "),
		l.name, c.p.typeArguments(l.typeParams), body)
	delete(c.subst, c.iterator)
	c.takeUses()
	c.file.append(b.String())
}

// parameters returns the receiver and the parameters of a function as those of one without a
// receiver.
func (c *function) parameters(d *ast.FuncDecl) (list []string) {
	for _, fields := range []*ast.FieldList{d.Recv, d.Type.Params} {
		if fields == nil {
			continue
		}
		for _, field := range fields.List {
			t := c.render(field.Type)
			for _, id := range field.Names {
				list = append(list, id.Name+" "+t)
			}
			if len(field.Names) == 0 {
				list = append(list, "_ "+t)
			}
		}
	}
	return list
}

func (p *pkg) iterator(f *types.Func) *Iterator {
	if f == nil || p.Iterators == nil {
		return nil
	}
	return p.Iterators(f.Origin())
}

// iterate returns the call that makes the environment of the literal which a call returns, and the
// type of that environment; or nothing if another call must be made. Where a statement stays as the
// user wrote it (asWritten), a variable of the user's may have the name of a package or type.
func (c *function) iterate(call *ast.CallExpr, asWritten bool) (text, typ string) {
	f := calledFunction(c.p.info, call)
	if c.p.iterator(f) == nil || c.p.Closure.Call(call) || c.p.Closure.Operation(call).Function != nil {
		return "", ""
	}
	replaced, ok := c.replace(call, f, asWritten)
	if !ok {
		return "", ""
	}
	return replaced.call(iteratorFunc(f)), replaced.qualifier + iteratorType(f) + replaced.typeArguments
}

// A replacedCall is one of a function at package level that takes the place of a declared one, with
// the receiver as its first argument.
type replacedCall struct{ qualifier, typeArguments, arguments string }

func (r replacedCall) call(name string) string {
	return r.qualifier + name + r.typeArguments + "(" + r.arguments + ")"
}

// replace returns what a call of a function that stands in the package of f in its place needs, if
// it can be written here.
func (c *function) replace(call *ast.CallExpr, f *types.Func, asWritten bool) (r replacedCall, ok bool) {
	pkg := f.Pkg()
	if pkg != c.p.types && (pkg.Name() == "main" || !c.p.importable(pkg.Path())) {
		return r, false
	}
	var targs []types.Type
	var recv *ast.SelectorExpr
	if r := f.Signature().Recv(); r != nil {
		recv, _ = calledWithout(call).(*ast.SelectorExpr)
		s := c.p.info.Selections[recv]
		if s == nil || s.Kind() != types.MethodVal || !c.reachesReceiver(recv, s) || len(call.Args) == 1 && isTuple(c.p.typeOf(call.Args[0])) {
			return replacedCall{}, false
		}
		targs = slices.Collect(types.Unalias(deref(r.Type())).(*types.Named).TypeArgs().Types())
	}
	if id := instanceIdent(instantiated(call.Fun)); id != nil {
		targs = slices.AppendSeq(targs, c.p.info.Instances[id].TypeArgs.Types())
	}
	var list []string
	before := maps.Clone(c.added)
	for _, arg := range targs {
		t, err := c.typeText(arg)
		if err != nil {
			c.forget(before)
			return r, false
		}
		list = append(list, t)
	}
	if pkg != c.p.types {
		r.qualifier = c.importName(pkg.Path(), pkg.Name()) + "."
	}
	if len(list) > 0 {
		r.typeArguments = "[" + strings.Join(list, ", ") + "]"
	}
	if asWritten && c.hidden(r.qualifier+iteratorFunc(f)+r.typeArguments, call.Pos()) {
		c.forget(before)
		return r, false
	}
	var args []string
	if recv != nil {
		x, _ := c.receiver(recv, c.p.info.Selections[recv])
		args = append(args, x)
	}
	for _, a := range call.Args {
		args = append(args, c.render(a))
	}
	r.arguments = strings.Join(args, ", ")
	if call.Ellipsis.IsValid() {
		r.arguments += "..."
	}
	return r, true
}

var identifier = regexp.MustCompile(`(^|[^.\pL\pN_])([\pL_][\pL\pN_]*)`)

// hidden reports whether a name in the text of a type may denote something else at a position.
func (c *function) hidden(text string, at token.Pos) bool {
	scope := c.p.types.Scope().Innermost(at)
	for _, m := range identifier.FindAllStringSubmatch(text, -1) {
		_, obj := scope.LookupParent(m[2], at)
		switch obj := obj.(type) {
		case nil, *types.PkgName:
		case *types.TypeName:
			if _, moved := c.p.moved[obj]; moved || isTypeParam(obj.Type()) || obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope() {
				continue
			}
			return true
		default:
			return true
		}
	}
	return false
}

// instantiated returns the function without type arguments.
func instantiated(fun ast.Expr) ast.Expr {
	switch x := ast.Unparen(fun).(type) {
	case *ast.IndexExpr:
		return x.X
	case *ast.IndexListExpr:
		return x.X
	}
	return fun
}

// reachesReceiver reports whether the embedded fields that lead to a method can be written here.
func (c *function) reachesReceiver(sel *ast.SelectorExpr, s *types.Selection) bool {
	t := c.p.typeOf(sel.X)
	for _, i := range s.Index()[:len(s.Index())-1] {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok || !st.Field(i).Exported() && st.Field(i).Pkg() != c.p.types {
			return false
		}
		t = st.Field(i).Type()
	}
	return true
}

// callsAtOnce notes that the value of an expression is called at once, where it stands.
func (c *function) callsAtOnce(e ast.Expr) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		c.atOnce[call] = true
	}
}

// iteratorCall makes the environment of the literal that e, a call, returns. It returns the method
// that the literal has become, and the variable that leads to the environment; nil if e is
// something else.
func (c *function) iteratorCall(e ast.Expr) (string, *variable) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || c.subst[call].text != "" {
		return "", nil
	}
	text, typ := c.iterate(call, false)
	if text == "" {
		return "", nil
	}
	v := c.pointer("iterator", typ)
	if c.inLoop(call) {
		c.stored(v, call, "*"+text)
	} else {
		c.emit(call.Pos(), v.name+" = "+text).defines = []*variable{v}
	}
	return v.name + ".Call", v
}

// pointer makes a variable that leads to an environment.
func (c *function) pointer(base, typ string) *variable {
	v := &variable{name: c.numbered(base), text: "*" + typ}
	v.settle()
	c.all = append(c.all, v)
	return v
}

// stored makes the variable that an environment is, to which v leads, and sets it. It makes v lead
// there.
func (c *function) stored(v *variable, at ast.Node, environment string) {
	env := &variable{name: c.localName(v.name + "_env"), text: strings.TrimPrefix(v.text, "*")}
	env.settle()
	c.all = append(c.all, env)
	c.emit(at.Pos(), env.name+" = "+environment).defines = []*variable{env}
	c.use(env)
	c.emit(at.Pos(), v.name+" = &"+env.name).defines = []*variable{v}
}

// inLoop reports whether a node that is part of the function may be come to more than once.
func (c *function) inLoop(n ast.Node) bool {
	var body *ast.BlockStmt
	if c.loop != nil {
		body = c.loop.Body
	} else {
		body = c.body()
	}
	found := false
	ast.Inspect(body, func(m ast.Node) bool {
		if m == nil || n.Pos() < m.Pos() || m.End() < n.End() {
			return false
		}
		switch m := m.(type) {
		case *ast.ForStmt:
			found = true
		case *ast.RangeStmt:
			found = found || m.Body.Pos() <= n.Pos() || n == m.Key || n == m.Value
		}
		return true
	})
	return found || len(c.p.jumps(body).back) > 0
}
