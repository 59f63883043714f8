package rewrite

import (
	"go/ast"
	"go/types"
)

// An unsafe.Pointer does not tell what it leads to, but a package that keeps one often does, as
// each use of it is a conversion to one and the same type:
//
//	type DB struct { root unsafe.Pointer } // *tree
//
//	(*tree)(atomic.LoadPointer(&db.root))    atomic.StorePointer(&db.root, unsafe.Pointer(t))
//
// Such fields, fields with many such pointers (many.go), and types declared as unsafe.Pointer that
// are used so, are registered with that type, so that what they lead to can be saved. The package
// must have all uses of the field or type, so no other package may use a field that is exported;
// every use must be one of those known here, also by way of a local variable that is declared with
// the value; and where it leads to a struct, no pointer to that may be converted to another type.

// A pointee is the type of what an unsafe pointer leads to.
type pointee struct {
	of    types.Type // a struct, or a type declared as unsafe.Pointer
	frame string     // instead: the type of a function's frames
	field string     // of the struct
	to    types.Type // nil: the fields typ and count tell

	params []*types.TypeParam // if the struct is generic: what to is in terms of

	several bool // what it leads to is the first of several, see several.go

	typ, count string // see told.go

	among  []string          // names of types, of which it leads to one, see among.go
	owners []*types.TypeName // generic structs that tell which, see owners.go
	owned  string            // the name of it, in terms of their type parameters
}

// A target is what is known of a field or a type.
type target struct {
	of    []types.Type // a type can be declared as another one, whose fields are its own
	field string
	to    types.Type
	lost  bool // it is used otherwise

	place  bool               // it is what a parameter points to
	params []*types.TypeParam // of a generic struct or function; what it leads to is in terms of these
	among  []types.Type       // it leads to one of these, in terms of the type parameters of any functions, see among.go
	local  bool               // it is a variable of a function, and what it leads to can be in terms of the type parameters of that

	typ, count string // fields that tell what it leads to
	bytes      bool   // it can be the bytes of a string or slice
	many       bool   // it is a field with a list of them
	several    bool   // what it leads to is the first of several values

	empty []types.Type // of maps without entries that it is set to, see empty.go
}

func (t *target) leadsTo(to types.Type) {
	if to != nil && t.params == nil && !t.local && isOpen(to) {
		t.leadsToOneOf(to)
		return
	}
	if len(t.among) > 0 && !t.local || to == nil || !canBePointee(to, t.local || t.params != nil) || t.to != nil && !types.Identical(t.to, to) {
		t.lost = true
		return
	}
	t.to = to
}

// canBePointee reports whether a pointer of a type leads to a variable of it. Pointers to numbers
// and arrays lead to all kinds of memory. (What has the type of a type parameter is nothing else,
// as it is not known which one that will be.)
func canBePointee(t types.Type, generic bool) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.TypeArgs().Len() > 0 && !generic {
			return false
		}
	case *types.TypeParam:
		return generic
	case *types.Struct:
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Map, *types.Interface, *types.Slice, *types.Pointer:
		return true
	case *types.Basic:
		return u.Kind() == types.String
	}
	return false
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// pointees returns those of the package, ordered.
func (p *pkg) pointees() []pointee {
	targets := make(map[types.Object]*target)
	var order []*target
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok {
			continue
		}
		add := func(key types.Object, field string) {
			if targets[key] == nil {
				targets[key] = &target{field: field}
				order = append(order, targets[key])
			}
			t := targets[key]
			t.of = append(t.of, named)
			for p := range named.TypeParams().TypeParams() {
				t.params = append(t.params, p)
			}
			t.lost = t.lost || t.params != nil && len(t.of) > 1 // each has type parameters of its own
		}
		switch u := named.Underlying().(type) {
		case *types.Basic:
			if u.Kind() == types.UnsafePointer && !obj.Exported() && named.TypeParams().Len() == 0 {
				add(obj, "")
			}
		case *types.Struct:
			for i := range u.NumFields() {
				f := u.Field(i).Origin()
				if many := isManyPointers(f.Type()); (many || types.Identical(f.Type(), types.Typ[types.UnsafePointer])) && !p.usedElsewhere(f) {
					add(f, f.Name())
					targets[f].many = many
				}
			}
		}
	}
	u := &pointerUses{p: p, targets: targets, locals: make(map[types.Object]*target), lists: make(map[types.Object]*target), places: make(map[types.Object]*target), instances: make(map[types.Object][]types.Type), known: make(map[*ast.CallExpr]*target)}
	u.addVariables()
	if len(targets)+len(u.locals)+len(u.lists) == 0 {
		return nil
	}
	u.findParameters()
	for _, file := range p.Pkg.Syntax {
		for _, decl := range file.Decls {
			u.enters(decl)
			ast.PreorderStack(decl, nil, u.visit)
		}
	}
	u.merge()
	u.noteVariables()
	var list []pointee
	for _, t := range order {
		if u.isOneOf(t) {
			if names := u.names(t); names != nil {
				x := pointee{field: t.field, among: names}
				if len(names) > 1 {
					x.owners, x.owned = u.owners(t)
				}
				for _, of := range t.of {
					x.of = of
					list = append(list, x)
				}
			}
			continue
		}
		if !u.isOne(t) && (!t.told() || u.viewed(t) || t.params != nil) {
			continue
		}
		for _, of := range t.of {
			list = append(list, pointee{of: of, field: t.field, to: t.to, typ: t.typ, count: t.count, params: t.params, several: t.several})
		}
	}
	return append(list, u.inFrames()...)
}

// A framed variable is one of a frame's fields that is an unsafe pointer or a list of them.
type framed struct {
	frame, field string
	params       []*types.TypeParam
	objects      []types.Object // the variables of the user that it stands for
}

// noteFramed notes the unsafe pointers of a function's frames.
func (c *function) noteFramed(frame string, fields []*variable) {
	for _, v := range fields {
		if v.typ == nil || v.cell || !isManyPointers(v.typ) && !types.Identical(v.typ, types.Typ[types.UnsafePointer]) {
			continue
		}
		f := framed{frame: frame, field: v.name, params: c.typeParams}
		for obj, w := range c.variables {
			if w == v {
				f.objects = append(f.objects, obj)
			}
		}
		c.p.reg.framed = append(c.p.reg.framed, f)
	}
}

// inFrames returns the pointees of those fields of frames that are declared with what a target
// holds.
func (u *pointerUses) inFrames() (list []pointee) {
	for _, f := range u.p.reg.framed {
		var to types.Type
		several := false
		for i, obj := range f.objects {
			t := u.variable(obj)
			var leads types.Type
			if t != nil && u.isOne(t) {
				leads, several = particular(t.to, t.params, u.instances[obj]), several || t.several
			}
			if leads == nil || i > 0 && !types.Identical(to, leads) {
				to = nil
				break
			}
			to = leads
		}
		if to != nil {
			list = append(list, pointee{frame: f.frame, field: f.field, to: to, params: f.params, several: several})
		}
	}
	return list
}

// isOne reports whether a target leads to one type, and nothing else tells what it leads to.
func (u *pointerUses) isOne(t *target) bool {
	return t.to != nil && t.among == nil && t.typ == "" && !t.bytes && !t.lost && !u.recast(t.to)
}

// usedElsewhere reports whether a package uses a field or variable that another one declares.
func (p *pkg) usedElsewhere(f *types.Var) bool {
	return f.Exported() && (p.Elsewhere == nil || p.Elsewhere(f))
}

// name returns the name of the struct.
func (x *pointee) name(p *pkg) string {
	if x.of == nil {
		return x.frame
	}
	return types.Unalias(x.of).(*types.Named).Obj().Name()
}
