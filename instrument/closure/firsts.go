package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Firsts returns the names of the types without references of which the program may keep the first
// of several values, as a pointer to it: in a package of the user or of another module, rewritten
// or not, something uses
//
//	unsafe.SliceData(s)   unsafe.StringData(s)   for something else than the next two, or if their other operand may call something
//	unsafe.Slice(p, n)    unsafe.String(p, n)    with a pointer that is not made there, or of an unsafe one that is not
//	unsafe.Pointer(p)                            to add to it, to keep it, or to convert it to a pointer to something larger, or to several of something smaller
//	h.Data = uintptr(unsafe.Pointer(p))          h being a reflect.SliceHeader or a reflect.StringHeader
//	(*string)(unsafe.Pointer(&x))                or (*[]T), x being a struct that begins with a pointer p
//
// A struct can also be the beginning of a larger one: if pointers to it are kept as unsafe ones or
// as numbers, or converted to that, package rewrite tells (heads). Types that functions declare are
// not looked at; of what a type parameter stands for, only slices, strings and what is added to
// are. tests tells that the packages are linked to their tests only. Only packages of whose paths
// linked is true count.
func (c *Closure) Firsts(linked func(path string) bool, tests bool) []string {
	names := make(map[string]bool)
	for _, pkg := range c.graph.prog.All {
		if !load.Own(pkg) && !load.Dependency(pkg) || load.System(pkg) || pkg.Imports["unsafe"] == nil || !linked(pkg.Types.Path()) {
			continue
		}
		for _, file := range pkg.Syntax {
			if !importsUnsafe(file) {
				continue
			}
			ast.PreorderStack(file, nil, func(n ast.Node, above []ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if name := nameOfFirst(pkg, call, above, c.graph.user[pkg.PkgPath], tests); name != "" {
						names[name] = true
					}
				}
				return true
			})
		}
	}
	c.addFirstsOfInstances(names, linked, tests)
	return slices.Sorted(maps.Keys(names))
}

// addFirstsOfInstances adds the types that type parameters stand for where a generic function does
// so.
func (c *Closure) addFirstsOfInstances(names map[string]bool, linked func(path string) bool, tests bool) {
	for fn := range c.graph.nodes {
		path := packagePath(fn)
		if origin := fn.Origin(); origin == nil || origin == fn || load.Runtime(path) || c.graph.std[path] || !linked(path) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if first := firstMade(in); first != nil {
					if name := elementName(first, tests); name != "" {
						names[name] = true
					}
				}
			}
		}
	}
}

// firstMade returns T if an instruction makes several values of a *T that is not made at once, or a
// *T of several, or adds to one.
func firstMade(in ssa.Instruction) types.Type {
	switch in := in.(type) {
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		switch {
		case !ok:
		case isFirst(in):
			return pointee(in.Type())
		case (b.Name() == "Slice" || b.Name() == "String") && (isKept(in.Call.Args[0]) || isKeptUnsafe(in.Call.Args[0])):
			return pointee(in.Call.Args[0].Type())
		}
	case *ssa.Convert:
		if of := pointee(in.X.Type()); of != nil && isKind(in.Type(), types.UnsafePointer) && isKept(in.X) && slices.ContainsFunc(*in.Referrers(), addsTo) {
			return of
		}
	}
	return nil
}

// isKept reports whether a pointer may have been kept before it is used: it is not made there.
func isKept(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Convert:
		return false
	}
	return true
}

// isKeptUnsafe reports whether a pointer is made of an unsafe one that may have been kept before,
// as in a field: it can lead to the first of several.
func isKeptUnsafe(v ssa.Value) bool {
	c, ok := renamed(v).(*ssa.Convert)
	if !ok || !isKind(c.X.Type(), types.UnsafePointer) {
		return false
	}
	switch x := c.X.(type) {
	case *ssa.Convert:
		return false
	case *ssa.Call:
		_, ok := x.Call.Value.(*ssa.Builtin)
		return !ok // something is added to it
	}
	return true
}

// renamed returns what a value is before conversions that give its type a name, or take it.
func renamed(v ssa.Value) ssa.Value {
	for {
		named, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = named.X
	}
}

// addsTo reports whether an instruction adds to the unsafe pointer that it has, or makes it a
// number for that.
func addsTo(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "Add"
	case *ssa.Convert:
		return isKind(in.Type(), types.Uintptr) && slices.ContainsFunc(*in.Referrers(), func(in ssa.Instruction) bool {
			sum, ok := in.(*ssa.BinOp)
			return ok && sum.Op == token.ADD
		})
	}
	return false
}

func importsUnsafe(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"unsafe"` })
}

// nameOfFirst returns the name of T if a call makes several values of a *T, or a *T of several, as
// Firsts has it. above are the nodes that the call is in. heads tells that package rewrite looks at
// what becomes of pointers to the package's own structs.
func nameOfFirst(pkg *packages.Package, call *ast.CallExpr, above []ast.Node, heads, tests bool) string {
	if len(call.Args) == 0 {
		return ""
	}
	arg := ast.Unparen(call.Args[0])
	fn := unsafeFunction(pkg, call)
	if fn == "SliceData" || fn == "StringData" {
		if user, ok := outer(&above).(*ast.CallExpr); ok {
			if unsafeFunction(pkg, user) != "" && !outlasts(pkg, user) || isConversion(pkg.TypesInfo, user, types.UnsafePointer) {
				return ""
			}
		}
		return elementName(elementOf(pkg, call), tests)
	}
	toPointer := len(call.Args) == 1 && pkg.TypesInfo.Types[call.Fun].IsType() && isKind(pkg.TypesInfo.Types[call].Type, types.UnsafePointer)
	if toPointer {
		if first := firstOfWords(pkg, elementOf(pkg, arg), above); first != nil {
			return elementName(first, tests)
		}
	}
	switch x := unnamed(pkg, arg).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return "" // of a variable
		}
	case *ast.CallExpr:
		if pkg.TypesInfo.Types[x.Fun].IsType() && !((fn == "Slice" || fn == "String") && keepsUnsafe(pkg, x.Args[0])) || unsafeFunction(pkg, x) != "" {
			return ""
		}
	}
	element := elementOf(pkg, arg)
	switch {
	case element == nil:
		return ""
	case fn == "Slice" || fn == "String":
		return elementName(element, tests)
	case !toPointer:
		return ""
	case intoHeader(pkg, above):
		return elementName(element, tests)
	}
	switch element.Underlying().(type) {
	case *types.Basic, *types.Array:
		if leavesOne(pkg, element, above) {
			return ""
		}
	case *types.Struct:
		if !goesOn(pkg, element, above) && (heads && isOwn(pkg, element) || leavesOne(pkg, element, above)) {
			return ""
		}
	default:
		return ""
	}
	return elementName(element, tests)
}

// keepsUnsafe reports whether an expression is an unsafe pointer that may have been kept before:
// nothing makes it there.
func keepsUnsafe(pkg *packages.Package, e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && (pkg.TypesInfo.Types[call.Fun].IsType() || unsafeFunction(pkg, call) != "") {
		return false
	}
	return isKind(pkg.TypesInfo.Types[e].Type, types.UnsafePointer)
}

// unnamed returns what a pointer is before conversions that give its type a name, or take it, as of
// p in (*T)(p).
func unnamed(pkg *packages.Package, e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || !pkg.TypesInfo.Types[call.Fun].IsType() || elementOf(pkg, call.Args[0]) == nil {
			return e
		}
		e = call.Args[0]
	}
}

// isOwn reports whether a type is declared in a package.
func isOwn(pkg *packages.Package, t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() == pkg.Types
}

// outlasts reports whether the first operand of a call is kept while the others are evaluated, in
// which a checkpoint can be taken.
func outlasts(pkg *packages.Package, call *ast.CallExpr) bool {
	found := false
	for _, arg := range call.Args[1:] {
		ast.Inspect(arg, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				tv := pkg.TypesInfo.Types[n.Fun]
				found = found || !tv.IsType() && !tv.IsBuiltin()
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			}
			return true
		})
	}
	return found
}

// elementOf returns what an expression is a pointer to, nil if it is none.
func elementOf(pkg *packages.Package, e ast.Expr) types.Type {
	if t := pkg.TypesInfo.Types[e].Type; t != nil {
		return pointee(t)
	}
	return nil
}

// outer takes the innermost node that is no parenthesis from the end of a list of nodes, each in
// the one before.
func outer(above *[]ast.Node) ast.Node {
	for len(*above) > 0 {
		n := (*above)[len(*above)-1]
		*above = (*above)[:len(*above)-1]
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
	return nil
}

// leavesOne reports whether what is done at once with the unsafe pointer that is made of a pointer
// to an element regards no other.
func leavesOne(pkg *packages.Package, element types.Type, above []ast.Node) bool {
	switch n := outer(&above).(type) {
	case *ast.BinaryExpr:
		return true // it is compared
	case *ast.CallExpr:
		if !pkg.TypesInfo.Types[n.Fun].IsType() {
			return false
		}
		switch to := pkg.TypesInfo.Types[n].Type.Underlying().(type) {
		case *types.Basic: // a number
			sum, ok := outer(&above).(*ast.BinaryExpr)
			return ok && sum.Op != token.ADD && sum.Op != token.OR
		case *types.Pointer:
			if _, ok := to.Elem().Underlying().(*types.Struct); ok && hasAddresses(to.Elem()) {
				return true // it is the beginning of that, see package rewrite (heads)
			}
			size, whole := sizeIfKnown(to.Elem()), sizeIfKnown(element)
			return size >= 0 && size <= whole && size*countMade(pkg, n, above) <= whole
		}
	}
	return false
}

// goesOn reports whether what is done at once with the unsafe pointer that is made of a pointer to
// a struct or an array goes on to what follows it: something is added to it that leads there, or
// several of something smaller are made of it.
func goesOn(pkg *packages.Package, element types.Type, above []ast.Node) bool {
	call, ok := outer(&above).(*ast.CallExpr)
	if !ok {
		return false
	}
	whole := sizeIfKnown(element)
	if whole < 0 {
		return false // elementName has no name for it
	}
	leads := func(by ast.Expr) bool {
		if n := pkg.TypesInfo.Types[by].Value; n != nil {
			number, exact := constant.Int64Val(constant.ToInt(n))
			return !exact || number >= whole
		}
		return true
	}
	if unsafeFunction(pkg, call) == "Add" {
		return leads(call.Args[1])
	}
	if !pkg.TypesInfo.Types[call.Fun].IsType() {
		return false
	}
	switch to := pkg.TypesInfo.Types[call].Type.Underlying().(type) {
	case *types.Basic:
		var before ast.Expr = call
		for {
			sum, ok := outer(&above).(*ast.BinaryExpr)
			if !ok || sum.Op != token.ADD {
				return false
			}
			by := sum.Y
			if ast.Unparen(by) == before {
				by = sum.X
			}
			if leads(by) {
				return true
			}
			before = sum
		}
	case *types.Pointer:
		size := sizeIfKnown(to.Elem())
		return size >= 0 && size <= whole && size*countMade(pkg, call, above) > whole
	}
	return false
}

// sizeIfKnown returns the size of a type, or -1 if that depends on a type parameter.
func sizeIfKnown(t types.Type) int64 {
	if dependsOnParameter(t) {
		return -1
	}
	return types.SizesFor("gc", "amd64").Sizeof(t)
}

// dependsOnParameter reports whether a type parameter is a part of the values of a type.
func dependsOnParameter(t types.Type) bool {
	if isTypeParam(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return dependsOnParameter(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if dependsOnParameter(f.Type()) {
				return true
			}
		}
	}
	return false
}

// countMade returns how many values are made of a pointer: one, or as many as a slice or string
// that is made of it at once has.
func countMade(pkg *packages.Package, pointer ast.Expr, above []ast.Node) int64 {
	call, ok := outer(&above).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || ast.Unparen(call.Args[0]) != pointer {
		return 1
	}
	switch unsafeFunction(pkg, call) {
	case "Slice", "String":
		const many = 1 << 31
		if n := pkg.TypesInfo.Types[call.Args[1]].Value; n != nil {
			if n, exact := constant.Int64Val(constant.ToInt(n)); exact {
				return min(n, many)
			}
		}
		return many
	}
	return 1
}

// intoHeader reports whether the number of an unsafe pointer is stored as that of the first element
// of a slice or string.
func intoHeader(pkg *packages.Package, above []ast.Node) bool {
	number, ok := outer(&above).(*ast.CallExpr)
	if !ok || !isConversion(pkg.TypesInfo, number, types.Uintptr) {
		return false
	}
	isHeader := func(e ast.Expr) bool {
		t := pkg.TypesInfo.Types[e].Type
		if t == nil {
			return false // e is a package
		}
		if to := pointee(t); to != nil {
			t = to
		}
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "reflect" {
			return false
		}
		return named.Obj().Name() == "SliceHeader" || named.Obj().Name() == "StringHeader"
	}
	switch n := outer(&above).(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool {
			s, ok := ast.Unparen(e).(*ast.SelectorExpr)
			return ok && isHeader(s.X)
		})
	case *ast.CompositeLit:
		return isHeader(n)
	case *ast.KeyValueExpr:
		lit, ok := outer(&above).(*ast.CompositeLit)
		return ok && isHeader(lit)
	}
	return false
}

// firstOfWords returns the type of the first element, if an unsafe pointer to a struct that begins
// with a pointer is converted to one to a slice or a string.
func firstOfWords(pkg *packages.Package, words types.Type, above []ast.Node) types.Type {
	if words == nil {
		return nil
	}
	s, ok := words.Underlying().(*types.Struct)
	if !ok || s.NumFields() < 2 {
		return nil
	}
	first := pointee(s.Field(0).Type())
	to, ok := outer(&above).(*ast.CallExpr)
	if first == nil || !ok || !pkg.TypesInfo.Types[to.Fun].IsType() {
		return nil
	}
	whole := pointee(pkg.TypesInfo.Types[to].Type)
	if whole == nil {
		return nil
	}
	switch u := whole.Underlying().(type) {
	case *types.Slice:
		return first
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return first
		}
	}
	return nil
}

// unsafeFunction returns the name of the function of package unsafe that is called, "" if it is
// another one.
func unsafeFunction(pkg *packages.Package, call *ast.CallExpr) string {
	fun := ast.Unparen(call.Fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		fun = sel.Sel
	}
	if id, ok := fun.(*ast.Ident); ok {
		if b, ok := pkg.TypesInfo.Uses[id].(*types.Builtin); ok && b.Pkg() == types.Unsafe {
			return b.Name()
		}
	}
	return ""
}

// elementName returns the name of a type as package heap has it, "" if it has none, or has
// references. tests is as for [Closure.Firsts].
func elementName(t types.Type, tests bool) string {
	if t == nil || hasAddresses(t) {
		return ""
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name()
	case *types.Array:
		if of := elementName(t.Elem(), tests); of != "" {
			return "[" + strconv.FormatInt(t.Len(), 10) + "]" + of
		}
	case *types.Named:
		obj := t.Obj()
		if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
			return ""
		}
		path := obj.Pkg().Path()
		if obj.Pkg().Name() == "main" && !tests {
			path = "main"
		}
		return path + "." + obj.Name()
	}
	return ""
}
