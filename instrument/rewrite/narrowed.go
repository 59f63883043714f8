package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Of a struct a program can keep a pointer to the first part only, and make one to the whole of it
// again (heads.go). On the heap, package heap looks at the allocation. On the stack there is
// nothing to tell what the part is in, and what is moved from there would be the part alone. So the
// compiler is told that such a pointer is kept, where it is made of one to more:
//
//	return &b.number             return shadow.Kept(&b.number)
//	(*node)(unsafe.Pointer(b))   shadow.Kept((*node)(unsafe.Pointer(b)))    node being the first field of b, or smaller than that, or without references
//	(**int)(unsafe.Pointer(&b))  shadow.Kept((**int)(unsafe.Pointer(&b)))
//	b.visit()                    shadow.Kept(b).visit()    visit being a method of the part
//
// That is done in all functions, as one in which no checkpoint can be taken may be inlined.

// keptPart returns the text of an expression, if its value is a pointer to such a part.
func (c *function) keptPart(e ast.Expr) (string, bool) {
	if c.parts[e] || c.p.InLibrary || !c.makesPart(e) {
		return "", false
	}
	if c.parts == nil {
		c.parts = make(map[ast.Expr]bool)
	}
	c.parts[e] = true
	text := c.shadow() + ".Kept(" + c.render(e) + ")"
	delete(c.parts, e) // it may be written again
	return text, true
}

// makesPart reports whether an expression makes a pointer to such a part.
func (c *function) makesPart(e ast.Expr) bool {
	if _, ok := c.node.(*ast.GenDecl); ok {
		return false // nothing of it is on a stack
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return e.Op == token.AND && !c.p.facts.borrowed[e] && c.p.isPart(e.X)
	case *ast.CallExpr:
		if len(e.Args) != 1 {
			return false
		}
		part, ok := c.p.typeOf(e).(*types.Pointer)
		if !ok {
			return false
		}
		if c.p.isUnsafe(e, "SliceData") {
			return c.p.isElement(part.Elem()) || c.p.types.Path() == load.Slog // a group of attributes, see load.Counted
		}
		inner, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr)
		if !ok || !c.p.info.Types[e.Fun].IsType() || !c.p.info.Types[inner.Fun].IsType() || !isUnsafePointer(c.p.typeOf(inner)) {
			return false
		}
		whole, ok := c.p.typeOf(inner.Args[0]).Underlying().(*types.Pointer)
		return ok && (isNarrower(part.Elem(), whole.Elem()) && c.p.isHead(part.Elem(), whole.Elem()) || c.p.isTurned(part.Elem(), whole.Elem()) || c.p.isTurned(whole.Elem(), part.Elem()))
	}
	return false
}

// isTurned reports whether one type is that of pointers to such parts, and another one that of
// references for which they are kept (package closure, turned.go), or both begin with such. Then
// the variable that has one is kept off the stack, and so is what it leads to.
func (p *pkg) isTurned(t, whole types.Type) bool {
	if hasTypeParam(t, nil) || hasTypeParam(whole, nil) {
		return false
	}
	pointer, ok := beginning(t).(*types.Pointer)
	if !ok || !p.isHead(pointer.Elem(), nil) {
		return false
	}
	switch w := beginning(whole).(type) {
	case *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Pointer:
		return isNarrower(pointer.Elem(), w.Elem())
	}
	return false
}

// beginning returns what a type begins with that is no struct and no array.
func beginning(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if isFirst(u, i) && types.SizesFor("gc", "amd64").Sizeof(u.Field(i).Type()) > 0 {
				return beginning(u.Field(i).Type())
			}
		}
	case *types.Array:
		return beginning(u.Elem())
	}
	return t.Underlying()
}

// isNarrower reports whether a type is that of the beginning of another one, or has not the size or
// the references of that.
func isNarrower(part, whole types.Type) bool {
	if types.Identical(whole, part) {
		return false
	}
	sizes := types.SizesFor("gc", "amd64")
	return beginsWith(whole, part) || !hasTypeParam(part, nil) && !hasTypeParam(whole, nil) &&
		(sizes.Sizeof(part) < sizes.Sizeof(whole) || !mayRefer(part) && mayRefer(whole))
}

// keptReceiver returns the text of x.M, M being a method of such a part.
func (c *function) keptReceiver(f *ast.SelectorExpr, s *types.Selection) (string, bool) {
	if c.p.InLibrary || c.p.facts.borrowed[f] || !c.p.narrows(f, s) {
		return "", false
	}
	text := c.operand(f.X)
	if !isPointer(c.p.typeOf(f.X)) {
		text = "&" + text
	}
	return c.shadow() + ".Kept(" + text + ")" + c.source(f.X.End(), f.Sel.Pos()) + f.Sel.Name, true
}

// ofPart returns the text of the receiver of a call of x.M, which is kept if it is a pointer to
// such a part.
func (c *function) ofPart(text string, f *ast.SelectorExpr, s *types.Selection) string {
	if c.p.narrows(f, s) {
		return c.shadow() + ".Kept(" + text + ")"
	}
	return text
}

// narrows reports whether x.M makes a pointer to such a part, as the receiver of the method.
func (p *pkg) narrows(f *ast.SelectorExpr, s *types.Selection) bool {
	part, ok := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	if !ok || p.InLibrary || isInterface(s.Recv()) {
		return false
	}
	path := s.Index()[:len(s.Index())-1]
	if len(path) > 0 {
		return p.isFirstOf(embeds(s.Recv(), path[:len(path)-1]), path[len(path)-1], part.Elem())
	}
	return !isPointer(s.Recv()) && p.isPart(f.X)
}

// embeds returns the type at the end of a path through the fields of a type, nil if a pointer has
// no such.
func embeds(t types.Type, path []int) types.Type {
	for _, i := range path {
		s, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		t = s.Field(i).Type()
	}
	return deref(t)
}

// isPart reports whether an expression denotes the first field of a struct, or an element, and may
// be such a part.
func (p *pkg) isPart(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		s := p.info.Selections[e]
		if s == nil || s.Kind() != types.FieldVal || p.isStatic(e) {
			return false
		}
		path := s.Index()
		return p.isFirstOf(embeds(s.Recv(), path[:len(path)-1]), path[len(path)-1], p.typeOf(e))
	case *ast.IndexExpr:
		return !p.isStatic(e) && p.isElement(p.typeOf(e))
	}
	return false
}

// isFirstOf reports whether a field of a struct, which has a type, is where the struct begins, or
// by which it is found (holders.go), and may be such a part.
func (p *pkg) isFirstOf(of types.Type, field int, t types.Type) bool {
	if of == nil {
		return false
	}
	s, ok := of.Underlying().(*types.Struct)
	return ok && (isFirst(s, field) || p.isHeld(of) || p.isHeldAnywhere(t)) && !isPointer(s.Field(field).Type()) && p.isHead(t, of)
}

// isElement reports whether a type is that of such elements. Those that are numbers are found on
// the stack with what follows them (package heap, Lift).
func (p *pkg) isElement(t types.Type) bool {
	return t != nil && (isStruct(t) || mayRefer(t)) && p.isHead(t, nil)
}

// isStatic reports whether what an expression denotes is in a variable of a package.
func (p *pkg) isStatic(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := p.info.Uses[e].(*types.Var)
		return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
	case *ast.SelectorExpr:
		s := p.info.Selections[e]
		if s == nil {
			return p.isStatic(e.Sel)
		}
		return !s.Indirect() && p.isStatic(e.X)
	case *ast.IndexExpr:
		_, array := p.typeOf(e.X).Underlying().(*types.Array)
		return array && p.isStatic(e.X)
	}
	return false
}

// isHead reports whether a type is one of the heads that this package has, that of the type, or
// that of what it is a part of.
func (p *pkg) isHead(t, of types.Type) bool {
	head := headType(t)
	if head == nil {
		return slices.ContainsFunc(p.unnamedHeads(), func(u types.Type) bool { return types.Identical(t, u) })
	}
	if p.Heads[head] || p.headsIn(p.Pkg)[head] {
		return true
	}
	for _, t := range []types.Type{t, of} {
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg() != p.types {
			for _, imported := range p.Pkg.Imports {
				if imported.Types == named.Obj().Pkg() && p.headsIn(imported)[head] {
					return true
				}
			}
		}
	}
	return false
}

// headsIn returns the heads that a package has.
func (p *pkg) headsIn(of *packages.Package) map[*types.TypeName]bool {
	if found, ok := p.headsOf[of]; ok {
		return found
	}
	var found map[*types.TypeName]bool
	if of.Imports["unsafe"] != nil && (load.Own(of) || load.Dependency(of)) && !load.System(of) {
		found, _, _ = (&pkg{info: of.TypesInfo, types: of.Types, Input: Input{Pkg: of, Backs: p.Backs, Tested: p.Tested}}).findHeads()
	}
	if p.headsOf == nil {
		p.headsOf = make(map[*packages.Package]map[*types.TypeName]bool)
	}
	p.headsOf[of] = found
	return found
}
