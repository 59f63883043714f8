package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// moveDeclarations moves the constants and types declared inside a function to
// package level, where generated types and lifted literals can name them.
func (c *function) moveDeclarations(root ast.Node) {
	var decls []*ast.GenDecl
	ast.Inspect(root, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			c.moveSizeless(s)
		}
		if s, ok := n.(*ast.DeclStmt); ok {
			if g := s.Decl.(*ast.GenDecl); g.Tok == token.CONST || g.Tok == token.TYPE {
				decls = append(decls, g)
			}
		}
		return true
	})
	for _, g := range decls {
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				c.move(spec.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					c.move(id)
				}
			}
		}
	}
	c.moving = true
	defer func() { c.moving = false }()
	for _, g := range decls {
		if g.Tok == token.CONST {
			text, ok := c.repeated(g)
			if !ok {
				text = c.render(g)
			}
			c.file.append(text + "\n\n")
			continue
		}
		for _, spec := range g.Specs {
			spec := spec.(*ast.TypeSpec)
			if c.p.standsFor[c.p.info.Defs[spec.Name]] {
				continue
			}
			params, err := c.typeParameters(append(slices.Clone(c.typeParams), c.ownTypeParams(spec)...))
			if err != nil {
				c.p.refuse(spec, "a local type in code whose type parameters can't be written here: "+err.Error(), "declare it at package level")
			}
			assign := " "
			if spec.Assign.IsValid() {
				assign = " = "
			}
			name := c.p.moved[c.p.info.Defs[spec.Name]]
			if name == "" {
				name = "_"
			}
			c.file.append("type " + name + params + assign + c.render(spec.Type) + "\n\n")
		}
	}
	c.takeUses()
}

// repeated returns the text of a group of constants of which some repeat the expression before
// them. A name in such an expression can denote different things each time (a constant that the
// group itself declares), so the values are written down. So they are if the type of one has type
// parameters of the function, which a constant can't have: it gets its type where it is used. It
// returns false if the group has no such names or types, or values that can't be written.
func (c *function) repeated(g *ast.GenDecl) (string, bool) {
	if !changesMeaning(g) && !c.p.dependent(g) {
		return "", false
	}
	var b strings.Builder
	b.WriteString("const (\n")
	for _, spec := range g.Specs {
		spec := spec.(*ast.ValueSpec)
		for _, id := range spec.Names {
			obj, ok := c.p.info.Defs[id].(*types.Const)
			if !ok || id.Name == "_" {
				continue
			}
			value, ok := constantText(obj)
			if !ok {
				return "", false
			}
			if basic, ok := obj.Type().(*types.Basic); (!ok || basic.Info()&types.IsUntyped == 0) && !c.p.isDependent(obj.Type()) {
				t, err := c.typeText(obj.Type())
				if err != nil {
					return "", false
				}
				value = t + "(" + value + ")"
			}
			b.WriteString(c.p.moved[obj] + " = " + value + "\n")
		}
	}
	b.WriteString(")")
	return b.String(), true
}

// isDependent reports whether the type of a constant was moved out of a generic function, whose
// type parameters it has.
func (p *pkg) isDependent(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && len(p.movedBy[named.Obj()]) > 0
}

// dependent reports whether the type of a constant that the group declares is such a one.
func (p *pkg) dependent(g *ast.GenDecl) bool {
	for _, spec := range g.Specs {
		for _, id := range spec.(*ast.ValueSpec).Names {
			if obj := p.info.Defs[id]; obj != nil && p.isDependent(obj.Type()) {
				return true
			}
		}
	}
	return false
}

// changesMeaning reports whether an expression of the group that is repeated has a name that
// the group declares in the same place or later.
func changesMeaning(g *ast.GenDecl) bool {
	declared := make(map[string]bool)
	repeated := false
	for i := len(g.Specs) - 1; i >= 0; i-- {
		spec := g.Specs[i].(*ast.ValueSpec)
		for _, id := range spec.Names {
			declared[id.Name] = true
		}
		if len(spec.Values) == 0 {
			repeated = true
			continue
		}
		found := false
		for _, e := range spec.Values {
			ast.Inspect(e, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && declared[id.Name]
				return true
			})
		}
		if found && repeated {
			return true
		}
		repeated = false
	}
	return false
}

// constantText returns an expression for the value of a constant, of the same kind if
// it is untyped.
func constantText(obj *types.Const) (string, bool) {
	kind := types.UntypedNil
	if basic, ok := obj.Type().Underlying().(*types.Basic); ok {
		kind = basic.Kind()
	}
	switch v := obj.Val(); v.Kind() {
	case constant.Bool, constant.String:
		return v.ExactString(), true
	case constant.Int:
		text := v.ExactString()
		switch kind {
		case types.UntypedRune:
			return "'\\x00' + " + text, true
		case types.UntypedFloat:
			return text + ".0", true
		case types.UntypedComplex:
			return text + " + 0i", true
		}
		return text, true
	case constant.Float:
		// A quotient of integers, or an integer, unless it is very large or small.
		text := v.ExactString()
		top, bottom, quotient := strings.Cut(text, "/")
		if kind == types.UntypedComplex || len(text) > 1000 || strings.Trim(top+bottom, "-0123456789") != "" {
			break
		}
		if quotient {
			return top + ".0/" + bottom, true
		}
		return top + ".0", true
	}
	return "", false
}

// ownTypeParams returns the type parameters that a type declaration has itself.
func (c *function) ownTypeParams(spec *ast.TypeSpec) []*types.TypeParam {
	var list []*types.TypeParam
	if spec.TypeParams == nil {
		return nil
	}
	for _, field := range spec.TypeParams.List {
		for _, id := range field.Names {
			if id.Name == "_" {
				c.p.blank[id.Pos()] = c.p.packageName("blank")
			} else if slices.ContainsFunc(c.typeParams, func(t *types.TypeParam) bool { return t.Obj().Name() == id.Name }) {
				c.p.blank[id.Pos()] = c.p.newName(id.Name) // both stand in one list now
			}
			list = append(list, c.p.info.Defs[id].Type().(*types.TypeParam))
		}
	}
	return list
}

// movedInstance returns the text of an instance of a generic type that was moved: the type
// parameters of the function come before its own.
func (c *function) movedInstance(x ast.Expr, indices ...ast.Expr) (string, bool) {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return "", false
	}
	t, ok := c.p.info.Uses[id].(*types.TypeName)
	if !ok {
		return "", false
	}
	name, moved := c.p.moved[t]
	if !moved {
		return "", false
	}
	var args []string
	for _, p := range c.p.movedBy[t] {
		args = append(args, c.p.typeParamName(p))
	}
	for _, e := range indices {
		args = append(args, c.render(e))
	}
	return name + "[" + strings.Join(args, ", ") + "]", true
}

// constantOfLocal returns the value of a constant like len(a) or unsafe.Sizeof(x)
// whose operand is a local variable, which has no name where the declaration is
// moved to.
func (c *function) constantOfLocal(call *ast.CallExpr) (string, bool) {
	tv := c.p.info.Types[call]
	if tv.Value == nil || tv.Value.Kind() != constant.Int || len(c.p.facts.captures(call, c.p.types)) == 0 {
		return "", false
	}
	text, err := c.typeText(tv.Type)
	if err != nil {
		return "", false
	}
	return text + "(" + tv.Value.ExactString() + ")", true
}

// typeMark is a letter in the names of types that can't keep theirs, which the program takes out
// again with what stands behind it (package heap, Unmark). Such a name reads as if the type were a
// part of the function.
const typeMark = "\ua4f8"

// move gives a local constant or type its name at package level: its own, if
// nothing else in the package bears it.
func (c *function) move(id *ast.Ident) {
	obj := c.p.info.Defs[id]
	if obj == nil || id.Name == "_" {
		return
	}
	if c.mustStandFor(obj) {
		c.p.standsFor[obj] = true
		return
	}
	name := id.Name
	if c.p.denotesOther(obj) {
		mark := "_"
		if t, ok := obj.(*types.TypeName); ok && !t.IsAlias() && c.p.Unmarks {
			mark, c.p.marked = typeMark, true
		}
		name = c.p.newName(id.Name + mark + c.base) // exported if it was, as fields that embed it are
	}
	c.p.moved[obj] = name
	c.p.movedNames[name] = true
	if _, ok := obj.(*types.TypeName); ok {
		c.p.movedBy[obj] = c.typeParams
	}
}

// mustStandFor reports whether an object is an alias in a generic function that can't be a generic
// one at package level: it is one for a type parameter, or the language has none yet. What it is an
// alias of is written in its place.
func (c *function) mustStandFor(obj types.Object) bool {
	t, ok := obj.(*types.TypeName)
	if !ok || !t.IsAlias() || len(c.typeParams) == 0 {
		return false
	}
	return isTypeParam(types.Unalias(t.Type())) || !hasLanguage(c.p.Pkg, c.syntax, "go1.23")
}

// aliased returns the text of the type that such an alias stands for, as an operand.
func (c *function) aliased(t *types.TypeName, id *ast.Ident) string {
	text := c.textOf(types.Unalias(t.Type()), id)
	switch types.Unalias(t.Type()).(type) {
	case *types.Pointer, *types.Chan, *types.Signature:
		return "(" + text + ")"
	}
	return text
}

// fieldName returns the name of a field: that of an embedded type changes with the
// type's.
func (p *pkg) fieldName(v *types.Var) string {
	if !v.Embedded() {
		return v.Name()
	}
	t := v.Type()
	if ptr, ok := t.(*types.Pointer); ok { // an embedded pointer is written *T
		t = ptr.Elem()
	}
	var obj *types.TypeName
	switch t := t.(type) {
	case *types.Named:
		obj = t.Obj()
	case *types.Alias:
		obj = t.Obj()
	}
	if name, ok := p.moved[obj]; ok && obj != nil {
		return name
	}
	return v.Name()
}

// renamed tells of the embedded fields whose names have changed with those of their types, and do
// not become what they were when the program begins. Nothing but reflection sees that, and so what
// encodes structs or prints them.
func (p *pkg) renamed() (list []Refusal) {
	for _, file := range p.Pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range s.Fields.List {
				if len(field.Names) > 0 {
					continue
				}
				t := ast.Unparen(field.Type)
				if ptr, ok := t.(*ast.StarExpr); ok {
					t = ast.Unparen(ptr.X)
				}
				id, ok := t.(*ast.Ident)
				if !ok {
					continue
				}
				if name := p.moved[p.info.Uses[id]]; name != "" && name != id.Name && !strings.Contains(name, typeMark) {
					list = append(list, Refusal{p.fset.Position(id.Pos()),
						"the embedded field " + id.Name + " is " + name + " to reflection, and so to what encodes or prints the struct: another type of the package is called " + id.Name,
						"give one of the types another name"})
				}
			}
			return true
		})
	}
	return list
}

// denotesOther reports whether the name of obj denotes something else at
// package level or in a file. Other local objects of that name do no harm: where
// they hide the moved one, they hid the original.
func (p *pkg) denotesOther(obj types.Object) bool {
	name := obj.Name()
	return p.denotes(name) || p.movedNames[name]
}

// denotes reports whether a name denotes something at package level or in a file, or can't: only
// functions are called init there.
func (p *pkg) denotes(name string) bool {
	if name == "init" || types.Universe.Lookup(name) != nil || p.types.Scope().Lookup(name) != nil {
		return true
	}
	for _, f := range p.Pkg.Syntax {
		for _, im := range f.Imports {
			n := p.info.PkgNameOf(im)
			if n != nil && (n.Name() == name || n.Name() == "." && n.Imported().Scope().Lookup(name) != nil) {
				return true
			}
		}
	}
	return slices.Contains(p.Taken, name)
}
