package rewrite

import (
	"fmt"
	"go/types"
)

// A package variable that is an unsafe pointer, or a list of them, is registered as what each of
// its uses says that it is, found as for fields (pointees.go):
//
//	var current unsafe.Pointer // *config
//
//	(*config)(atomic.LoadPointer(&current))    atomic.StorePointer(&current, unsafe.Pointer(c))
//
//	{Name: "example.org/app.current", Ptr: (**config)(unsafe.Pointer(&current))}

// addVariables adds the variables of the package that only it uses.
func (u *pointerUses) addVariables() {
	scope := u.p.types.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && !u.p.usedElsewhere(v) {
			u.addVariable(v, false)
		}
	}
}

// addVariable adds one, of the package or of a function, and returns its target; nil if it has no
// unsafe pointers.
func (u *pointerUses) addVariable(v *types.Var, local bool) *target {
	t := &target{local: local, many: isManyPointers(v.Type())}
	switch {
	case t.many:
		u.lists[v] = t
	case types.Identical(v.Type(), types.Typ[types.UnsafePointer]):
		u.locals[v] = t
	default:
		return nil
	}
	return t
}

// variable returns the target of a variable, or nil.
func (u *pointerUses) variable(v types.Object) *target {
	if t := u.locals[v]; t != nil {
		return t
	}
	return u.lists[v]
}

// noteVariables notes what the variables lead to of which that is known.
func (u *pointerUses) noteVariables() {
	scope := u.p.types.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok {
			if t := u.variable(v); t != nil && u.isOne(t) && !t.several {
				u.p.reg.kept[v] = t.to
			}
		}
	}
}

// address returns the address of a variable as it is registered.
func (p *pkg) address(f *file, v *types.Var) string {
	to := p.reg.kept[v]
	if to == nil {
		return "&" + v.Name()
	}
	to = types.NewPointer(to)
	switch list := types.Unalias(v.Type()).(type) {
	case *types.Slice:
		to = types.NewSlice(to)
	case *types.Array:
		to = types.NewArray(to, list.Len())
	}
	text, err := f.typeText(to)
	if err != nil {
		return "&" + v.Name()
	}
	return fmt.Sprintf("(*%s)(%s.Pointer(&%s))", text, f.importName("unsafe", "unsafe"), v.Name())
}
