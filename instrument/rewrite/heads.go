package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// heads returns the names of the package's struct types to which pointers are made unsafe pointers
// that are kept, or added to, or of which slices are made: the struct may be the beginning of a
// larger one, which the program converts the pointer to elsewhere, or of an array. (A name stands
// for all instances of a generic type, and for all types that functions declare by it.) What is
// done with the unsafe pointer at once tells if it is none: a conversion to a pointer to something
// that is not larger, or to a number. wide are those of the larger structs to which pointers are
// converted at once.
//
// parts are those of the heads of which pointers are certainly converted to such: to a struct that
// begins with one, or that has one as a later field (holders.go); and those that are certainly
// taken for elements of an array, of which the pointer need not be to the first.
func (p *pkg) heads() (heads, parts, wide []string) {
	found, certain, larger := p.findHeads()
	unnamed := p.unnamedHeads()
	if p.Root || p.Tests {
		maps.Copy(found, p.Heads)
		maps.Copy(certain, p.Heads)
	} else {
		unnamed = slices.DeleteFunc(unnamed, func(t types.Type) bool { return slices.Contains(p.Unnamed, t) })
	}
	var texts []string
	for _, t := range unnamed {
		if text := p.plainText(t); text != "" {
			texts = append(texts, text)
		}
	}
	with := func(found map[*types.TypeName]bool) []string {
		names := append(p.headNames(found), texts...)
		slices.Sort(names)
		return slices.Compact(names)
	}
	return with(found), with(certain), p.headNames(larger)
}

// findHeads returns what heads has the names of: the declarations of the types.
func (p *pkg) findHeads() (found, certain, larger map[*types.TypeName]bool) {
	found, certain, larger = make(map[*types.TypeName]bool), make(map[*types.TypeName]bool), make(map[*types.TypeName]bool)
	p.eachCall(func(call *ast.CallExpr, above []ast.Node) {
		for _, t := range p.beginningsReflected(call) {
			found[t], certain[t] = true, true
		}
		if t, holders := p.heldOf(call, above); t != nil {
			found[t], certain[t] = true, true
			for _, holder := range holders {
				if t := p.ownStruct(holder); t != nil {
					larger[t] = true
				}
			}
		} else if t := p.headOf(call, above); t != nil && !p.within(call, above, larger) {
			found[t] = true
			if to := p.madeAtOnce(above); to != nil && beginsWith(to, p.pointed(call)) || mayRefer(p.pointed(call)) && p.walks(p.pointed(call), call, above) {
				certain[t] = true
			}
		} else if t := headType(p.firstOf(call)); t != nil {
			found[t] = true
			certain[t] = certain[t] || mayRefer(p.firstOf(call)) // others are saved with what follows them
		} else if t := headType(p.walkedOf(call, above)); t != nil {
			found[t], certain[t] = true, true
		} else if t := p.numberOf(call, above); t != nil {
			found[t] = true
			if t.Pkg() != nil && beginsWith(p.madeAtOnce(above), p.pointed(call)) {
				certain[t] = true
			}
		}
	})
	return found, certain, larger
}

// beginningsReflected returns the structs that T begins with if a call converts an address that
// package reflect tells to a *T, and T is one of the package's structs: nothing tells what the
// address was of.
func (p *pkg) beginningsReflected(call *ast.CallExpr) (list []*types.TypeName) {
	if !p.info.Types[call.Fun].IsType() || len(call.Args) != 1 {
		return nil
	}
	to, ok := p.typeOf(call).Underlying().(*types.Pointer)
	if !ok || p.ownStruct(to.Elem()) == nil {
		return nil
	}
	arg := ast.Unparen(call.Args[0])
	if inner, ok := arg.(*ast.CallExpr); ok && len(inner.Args) == 1 && p.info.Types[inner.Fun].IsType() && isUnsafePointer(p.typeOf(inner)) {
		arg = ast.Unparen(inner.Args[0])
	}
	tells, ok := arg.(*ast.CallExpr)
	if !ok {
		return nil
	}
	f := calledFunction(p.info, tells)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "reflect" || f.Name() != "UnsafePointer" && f.Name() != "Pointer" && f.Name() != "UnsafeAddr" {
		return nil
	}
	for t := to.Elem(); isStruct(t); {
		s := t.Underlying().(*types.Struct)
		t = nil
		for i := 0; i < s.NumFields() && isFirst(s, i); i++ {
			if t = s.Field(i).Type(); isStruct(t) {
				if own := p.ownStruct(t); own != nil {
					list = append(list, own)
				}
				break
			}
		}
		if t == nil {
			break
		}
	}
	return list
}

// headNames returns the names of types as package heap has them.
func (p *pkg) headNames(list map[*types.TypeName]bool) []string {
	names := make(map[string]bool)
	for t := range list {
		name := t.Name()
		switch {
		case t.Pkg() == nil:
		case t.Pkg() != p.types:
			name = t.Pkg().Path() + "." + name
		case p.moved[t] != "":
			name = p.reflectPath() + "." + p.moved[t]
		default:
			name = p.reflectPath() + "." + name
		}
		names[name] = true
	}
	return sortedKeys(names)
}

// allocatesWide reports whether T{...} or new(T) in a generic function, of which the first is
// preceded by &, allocates such a larger struct, declared at package level, with the function's
// type parameters. The compiler allocates a type there that stands for several, and which doesn't
// tell package heap which pointers are in it.
func (p *pkg) allocatesWide(of types.Type) bool {
	if p.InLibrary {
		return false
	}
	named, ok := types.Unalias(of).(*types.Named)
	if !ok || !hasTypeParam(named, nil) || named.Obj().Parent() != p.types.Scope() {
		return false
	}
	if p.wide == nil {
		_, _, p.wide = p.findHeads()
	}
	own := p.ownStruct(named)
	return own != nil && (p.wide[own] || p.wholes()[own])
}

// headOf returns T if a call is the conversion of a *T to an unsafe pointer, and T one of the
// package's structs, or another package's if the unsafe pointer at once becomes one to a struct
// that begins with a T.
func (p *pkg) headOf(call *ast.CallExpr, above []ast.Node) *types.TypeName {
	from := p.hiddenBy(call)
	if from == nil {
		return nil
	}
	if t := p.ownStruct(from); t != nil {
		return t
	}
	named, ok := types.Unalias(from).(*types.Named)
	if to := p.madeAtOnce(above); ok && to != nil && isStruct(named) && isStruct(to) && beginsWith(to, named) {
		return named.Origin().Obj()
	}
	return nil
}

// madeAtOnce returns what the pointer leads to that an unsafe pointer becomes at once, or nil.
func (p *pkg) madeAtOnce(above []ast.Node) types.Type {
	i := inParens(above)
	if i < 0 {
		return nil
	}
	user, ok := above[i].(*ast.CallExpr)
	if !ok || !p.info.Types[user.Fun].IsType() {
		return nil
	}
	if to, ok := p.typeOf(user).Underlying().(*types.Pointer); ok {
		return to.Elem()
	}
	return nil
}

// firstOf returns T if a call makes a slice of a *T that is not made there, and T is one of the
// package's structs, or has references: these are found one by one, or refused. (Those without are
// told of by package closure, too.)
func (p *pkg) firstOf(call *ast.CallExpr) types.Type {
	if len(call.Args) != 2 || !p.isUnsafe(call, "Slice") {
		return nil
	}
	first := p.unnamed(call.Args[0])
	if load.Counted(p.typeOf(first)) {
		return nil
	}
	switch x := first.(type) {
	case *ast.UnaryExpr:
		return nil
	case *ast.CallExpr:
		if p.info.Types[x.Fun].IsType() || p.isUnsafe(x, "SliceData") {
			return nil
		}
	}
	pointer, ok := p.typeOf(call.Args[0]).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if isTypeParam(pointer.Elem()) || !mayRefer(pointer.Elem()) {
		if p.ownStruct(pointer.Elem()) == nil {
			return nil
		}
	}
	return pointer.Elem()
}

// unnamed returns what a pointer is before conversions that give its type a name, or take it, as of
// p in (*T)(p).
func (p *pkg) unnamed(e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || !p.info.Types[call.Fun].IsType() || !isPointer(p.typeOf(call.Args[0]).Underlying()) {
			return e
		}
		e = call.Args[0]
	}
}

// walkedOf returns T if a call is the conversion of a *T to an unsafe pointer that leads to others
// behind it: it becomes one to a larger array, or something is added to it, at once or where it is
// the value of a variable, or of a parameter of one of the package's functions. T has references,
// and is none of the package's structs, of which headOf tells.
func (p *pkg) walkedOf(call *ast.CallExpr, above []ast.Node) types.Type {
	from := p.hiddenBy(call)
	if from == nil || isTypeParam(from) || !mayRefer(from) || !p.walks(from, call, above) {
		return nil
	}
	return from
}

// hiddenBy returns T if a call is the conversion of a *T to an unsafe pointer, but not of the
// address of a variable or field, the type of which is known where it is.
func (p *pkg) hiddenBy(call *ast.CallExpr) types.Type {
	tv := p.info.Types[call.Fun]
	if !tv.IsType() || len(call.Args) != 1 || !isUnsafePointer(tv.Type) {
		return nil
	}
	if u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return nil
	}
	pointer, ok := p.typeOf(call.Args[0]).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	return pointer.Elem()
}

// walks reports whether what is done with an unsafe pointer to a value leads to what is behind
// that.
func (p *pkg) walks(from types.Type, pointer *ast.CallExpr, above []ast.Node) bool {
	i := inParens(above)
	if i < 0 || hasTypeParam(from, nil) {
		return false
	}
	size := types.SizesFor("gc", "amd64").Sizeof
	switch n := above[i].(type) {
	case *ast.AssignStmt, *ast.ValueSpec:
		return p.isAddedTo(p.variableGiven(n, pointer))
	case *ast.CallExpr:
		if p.isUnsafe(n, "Add") {
			by := p.info.Types[n.Args[1]].Value
			if by == nil {
				return true
			}
			number, exact := constant.Int64Val(constant.ToInt(by))
			return !exact || number < 0 || number >= size(from)
		}
		if !p.info.Types[n.Fun].IsType() {
			return p.isAddedTo(p.variableGiven(n, pointer))
		}
		switch to := p.typeOf(n).Underlying().(type) {
		case *types.Basic:
			return to.Kind() == types.Uintptr && p.leads(from, n, above[:i])
		case *types.Pointer:
			array, ok := to.Elem().Underlying().(*types.Array)
			return ok && !hasTypeParam(array, nil) && size(array) > size(from) || p.manyMade(n, from, to.Elem(), above[:i])
		}
	}
	return false
}

// isAddedTo reports whether something is added to the unsafe pointer that a variable is, or one of
// the package's functions is handed it and does so.
func (p *pkg) isAddedTo(v types.Object) bool {
	if p.addedTo == nil {
		p.addedTo = make(map[types.Object]bool)
		note := func(e ast.Expr) {
			if id, ok := ast.Unparen(e).(*ast.Ident); ok && p.info.Uses[id] != nil {
				p.addedTo[p.info.Uses[id]] = true
			}
		}
		var handed []*ast.CallExpr
		for _, file := range p.Pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if p.isUnsafe(n, "Add") {
						note(n.Args[0])
					} else if slices.ContainsFunc(n.Args, func(e ast.Expr) bool { return isUnsafePointer(p.typeOf(e)) }) {
						handed = append(handed, n)
					}
				case *ast.BinaryExpr:
					for _, e := range []ast.Expr{n.X, n.Y} {
						if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && n.Op == token.ADD && len(call.Args) == 1 && p.info.Types[call.Fun].IsType() {
							note(call.Args[0])
						}
					}
				}
				return true
			})
		}
		for known := -1; known < len(p.addedTo); {
			known = len(p.addedTo)
			for _, call := range handed {
				for _, arg := range call.Args {
					if p.addedTo[p.variableGiven(call, ast.Unparen(arg))] {
						note(arg)
					}
				}
			}
		}
	}
	v, ok := v.(*types.Var)
	return ok && isUnsafePointer(v.Type()) && p.addedTo[v]
}

// numberOf returns T if a call is the conversion of a *T to an unsafe pointer that at once becomes
// one to a struct with references, and T a type of numbers. If the struct does not begin with one,
// the pointer may be to nothing but its address, such as a *byte that tells it from others.
func (p *pkg) numberOf(call *ast.CallExpr, above []ast.Node) *types.TypeName {
	from, to := p.hiddenBy(call), p.madeAtOnce(above)
	if from == nil || to == nil || !isStruct(to) {
		return nil
	}
	b, ok := from.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsNumeric == 0 && b.Info()&types.IsBoolean == 0 || !mayRefer(to) {
		return nil
	}
	return headType(from)
}

// headType returns the declaration of a type that is no type literal, of a basic one by the name
// that reflection has.
func headType(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		name, _ := types.Universe.Lookup(types.Typ[t.Kind()].Name()).(*types.TypeName)
		return name
	case *types.Named:
		return t.Origin().Obj()
	}
	return nil
}

// mayRefer reports whether values of a type have, or may have, references.
func mayRefer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return mayRefer(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if mayRefer(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// ownStruct returns the declaration of a type if it is one of the package's structs.
func (p *pkg) ownStruct(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !isStruct(named) || named.Obj().Pkg() != p.types {
		return nil
	}
	return named.Origin().Obj()
}

// beginsWith reports whether a type is another one, or the first of its fields is, or begins with
// it.
func beginsWith(t, first types.Type) bool {
	if types.Identical(t, first) {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := 0; i < s.NumFields() && isFirst(s, i); i++ {
		if beginsWith(s.Field(i).Type(), first) {
			return true
		}
	}
	return false
}

// isFirst reports whether a field is where the struct begins: those before it have no size, as a
// field of type [0]func(), for which the struct can't be compared.
func isFirst(s *types.Struct, field int) bool {
	for i := range field {
		if t := s.Field(i).Type(); hasTypeParam(t, nil) || types.SizesFor("gc", "amd64").Sizeof(t) > 0 {
			return false
		}
	}
	return true
}

// pointed returns the struct to which a pointer is made an unsafe pointer.
func (p *pkg) pointed(call *ast.CallExpr) types.Type {
	return p.typeOf(call.Args[0]).Underlying().(*types.Pointer).Elem()
}

// leads reports whether to the address of a struct, as a number, is added what leads out of it.
func (p *pkg) leads(from types.Type, address ast.Expr, above []ast.Node) bool {
	for i := inParens(above); i >= 0; i = inParens(above[:i]) {
		sum, ok := above[i].(*ast.BinaryExpr)
		if !ok || sum.Op != token.ADD {
			return false
		}
		by := sum.Y
		if ast.Unparen(by) == address {
			by = sum.X
		}
		n := p.info.Types[by].Value
		switch call, ok := ast.Unparen(by).(*ast.CallExpr); {
		case n != nil && !hasTypeParam(from, nil):
			if n, exact := constant.Int64Val(constant.ToInt(n)); !exact || n >= types.SizesFor("gc", "amd64").Sizeof(from) {
				return true
			}
		case n != nil, ok && isSize(p.info, call) && builtinName(call.Fun) == "Offsetof":
		default:
			return true
		}
		address = sum
	}
	return false
}

// manyMade reports whether a slice or string with more than the struct has is made at once of what
// a pointer to the struct is converted to.
func (p *pkg) manyMade(pointer ast.Expr, from, to types.Type, above []ast.Node) bool {
	i := inParens(above)
	if i < 0 {
		return false
	}
	call, ok := above[i].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || ast.Unparen(call.Args[0]) != pointer || !p.isUnsafe(call, "Slice", "String") {
		return false
	}
	n := p.info.Types[call.Args[1]].Value
	if n == nil || hasTypeParam(from, nil) || hasTypeParam(to, nil) {
		return true
	}
	number, exact := constant.Int64Val(constant.ToInt(n))
	sizes := types.SizesFor("gc", "amd64")
	return !exact || number > sizes.Sizeof(from)/max(sizes.Sizeof(to), 1)
}

// keepsNumber reports whether a number, or what a sum or the like makes of it, is kept in a package
// that makes pointers of numbers that it has kept, or is handed to a function of the package.
func (p *pkg) keepsNumber(above []ast.Node) bool {
	if !p.makesOfNumbers() {
		return false
	}
	i := inParens(above)
	for ; i >= 0; i = inParens(above[:i]) {
		b, ok := above[i].(*ast.BinaryExpr)
		if !ok {
			break
		}
		switch b.Op {
		case token.ADD, token.SUB, token.OR, token.XOR, token.AND, token.AND_NOT:
		default:
			return false
		}
	}
	if i < 0 {
		return false
	}
	switch n := above[i].(type) {
	case *ast.AssignStmt, *ast.ValueSpec, *ast.CompositeLit, *ast.KeyValueExpr, *ast.ReturnStmt, *ast.SendStmt:
		return true
	case *ast.CallExpr:
		if tv := p.info.Types[n.Fun]; tv.IsType() || tv.IsBuiltin() {
			return tv.IsBuiltin() && builtinName(n.Fun) == "append"
		}
		f := calledFunction(p.info, n)
		return f == nil || f.Pkg() == p.types
	}
	return false
}

// makesOfNumbers reports whether the package makes pointers of numbers that it has kept.
func (p *pkg) makesOfNumbers() bool {
	path := p.types.Path()
	if p.types.Name() == "main" && !p.Tested {
		path = "main"
	}
	return slices.Contains(p.Backs, path)
}

// inParens returns the index of the last of some nodes that is no parenthesis, or -1.
func inParens(above []ast.Node) int {
	i := len(above) - 1
	for i >= 0 {
		if _, ok := above[i].(*ast.ParenExpr); !ok {
			break
		}
		i--
	}
	return i
}

// within reports whether what a conversion to an unsafe pointer gives is used for nothing outside
// of the struct: compared, made a number to which nothing is added that leads out of it, or
// converted to a pointer to something that is not larger, and not to several of that. What is
// larger is noted.
func (p *pkg) within(call *ast.CallExpr, above []ast.Node, larger map[*types.TypeName]bool) bool {
	i := inParens(above)
	if i < 0 {
		return false
	}
	switch n := above[i].(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		if tv := p.info.Types[n.Fun]; !tv.IsType() {
			return false
		}
		switch to := p.typeOf(n).Underlying().(type) {
		case *types.Basic:
			return to.Kind() == types.Uintptr && !p.leads(p.pointed(call), n, above[:i]) && !p.keepsNumber(above[:i])
		case *types.Pointer:
			from := p.pointed(call)
			if p.manyMade(n, from, to.Elem(), above[:i]) {
				return false
			}
			sizes := types.SizesFor("gc", "amd64")
			if beginsWith(from, to.Elem()) || !hasTypeParam(to.Elem(), nil) && !hasTypeParam(from, nil) && sizes.Sizeof(to.Elem()) <= sizes.Sizeof(from) {
				return true
			}
			if t := p.ownStruct(to.Elem()); t != nil {
				larger[t] = true
			}
			return false
		}
	}
	return false
}
