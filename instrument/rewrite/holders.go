package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// A struct can be found by a pointer to one of its later fields, as in lists whose links are fields
// of what is in the list:
//
//	(*entry)(unsafe.Add(unsafe.Pointer(l), -int(unsafe.Offsetof(entry{}.link))))
//	(*entry)(unsafe.Pointer(uintptr(unsafe.Pointer(l)) - unsafe.Offsetof(entry{}.link)))
//
// The link is a head (heads.go) that is not at the beginning: nothing that a checkpoint has may
// lead to the rest of the entry. Package heap finds it by the allocation, if it can be one of these
// structs only, and refuses the checkpoint if not. (A field that is a number is found so as well;
// but not refused, since nearly all pointers to numbers are to something else.) The unsafe pointer
// may have a name first, as that of a variable or of a parameter of a function of the package.

// holders returns those of the package's structs that are found so. Generic ones and those that
// functions declare are left out: what leads to a field of them only is refused.
func (p *pkg) holders() (list []types.Type) {
	for _, t := range p.heldStructs() {
		if p.ownStruct(t).Parent() == p.types.Scope() && types.Unalias(t).(*types.Named).TypeArgs() == nil {
			list = append(list, t)
		}
	}
	return list
}

// isHeld reports whether a struct of the package is found so.
func (p *pkg) isHeld(of types.Type) bool {
	own := p.ownStruct(of)
	return own != nil && slices.ContainsFunc(p.heldStructs(), func(t types.Type) bool { return p.ownStruct(t) == own })
}

// heldStructs returns the package's structs that are found so, one of the instances of each.
func (p *pkg) heldStructs() []types.Type {
	if p.held == nil {
		p.held, p.heldIn = []types.Type{}, make(map[*types.TypeName]bool)
		seen := make(map[*types.TypeName]bool)
		p.eachCall(func(call *ast.CallExpr, above []ast.Node) {
			part, holders := p.heldOf(call, above)
			for _, t := range holders {
				own := p.ownStruct(t)
				switch {
				case own == nil:
					p.heldIn[part] = true
				case !seen[own]:
					seen[own] = true
					p.held = append(p.held, t)
				}
			}
		})
	}
	return p.held
}

// isHeldAnywhere reports whether a type is that of fields by which structs are found that may be
// any, as in a generic function which returns a pointer to what its type parameter stands for.
func (p *pkg) isHeldAnywhere(t types.Type) bool {
	p.heldStructs()
	return p.heldIn[headType(t)]
}

// heldOf returns T if a call is the conversion of a *T to an unsafe pointer from which something is
// subtracted, T being a struct with a name. holders are what the results become pointers to at
// once, or nil. T may be a type of numbers if the results become pointers to structs with
// references.
func (p *pkg) heldOf(call *ast.CallExpr, above []ast.Node) (t *types.TypeName, holders []types.Type) {
	tv := p.info.Types[call.Fun]
	if !tv.IsType() || len(call.Args) != 1 || !isUnsafePointer(tv.Type) {
		return nil, nil
	}
	if u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return nil, nil // of a field, the struct of which is known where it is
	}
	pointer, ok := p.typeOf(call.Args[0]).Underlying().(*types.Pointer)
	if !ok || isTypeParam(pointer.Elem()) || !isStruct(pointer.Elem()) && !isPlainNumber(pointer.Elem()) {
		return nil, nil
	}
	i := inParens(above)
	if i < 0 {
		return nil, nil
	}
	if v := p.variableGiven(above[i], call); v != nil {
		holders, ok = p.loweredTo(v)
	} else if user, is := above[i].(*ast.CallExpr); is {
		var holder types.Type
		holder, ok = p.subtracted(user, above[:i])
		holders = []types.Type{holder}
	} else {
		ok = false
	}
	if isPlainNumber(pointer.Elem()) { // it may be an element of an array
		holders = slices.DeleteFunc(slices.Clone(holders), func(t types.Type) bool { return t == nil || !isStruct(t) || !mayRefer(t) })
		ok = ok && len(holders) > 0
	}
	if !ok {
		return nil, nil
	}
	return headType(pointer.Elem()), holders
}

// isPlainNumber reports whether values of a type are numbers, or true or false.
func isPlainNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// subtracted reports whether something is at once subtracted from an unsafe pointer that a call is
// handed, and what the result becomes a pointer to at once, or nil.
func (p *pkg) subtracted(user *ast.CallExpr, above []ast.Node) (holder types.Type, ok bool) {
	i := len(above)
	switch {
	case p.isUnsafe(user, "Add"):
		if !p.isNegative(user.Args[1]) {
			return nil, false
		}
	case p.info.Types[user.Fun].IsType() && isUintptr(p.typeOf(user)):
		if i = p.lowered(user, above, i); i < 0 {
			return nil, false
		}
	default:
		return nil, false
	}
	return p.madeAtOnce(above[:i]), true
}

// variableGiven returns the variable that has the value of an expression by the node that this is
// in, or the parameter.
func (p *pkg) variableGiven(n ast.Node, value ast.Expr) types.Object {
	is := func(e ast.Expr) bool { return ast.Unparen(e) == value }
	switch n := n.(type) {
	case *ast.AssignStmt:
		if k := slices.IndexFunc(n.Rhs, is); k >= 0 && len(n.Lhs) == len(n.Rhs) {
			if id, ok := ast.Unparen(n.Lhs[k]).(*ast.Ident); ok {
				return p.info.ObjectOf(id)
			}
		}
	case *ast.ValueSpec:
		if k := slices.IndexFunc(n.Values, is); k >= 0 && len(n.Names) == len(n.Values) {
			return p.info.Defs[n.Names[k]]
		}
	case *ast.CallExpr:
		if f := calledFunction(p.info, n); f != nil && f.Pkg() == p.types {
			params := f.Origin().Signature().Params()
			if k := slices.IndexFunc(n.Args, is); k >= 0 && k < params.Len() {
				return params.At(k)
			}
		}
	}
	return nil
}

// loweredTo reports whether something is subtracted from the unsafe pointer that a variable is, and
// what the results become pointers to at once, or nil.
func (p *pkg) loweredTo(v types.Object) (holders []types.Type, ok bool) {
	if p.lowers == nil {
		p.lowers = make(map[types.Object][]types.Type)
		p.eachCall(func(call *ast.CallExpr, above []ast.Node) {
			if len(call.Args) == 0 {
				return
			}
			id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
			if !ok || p.info.Uses[id] == nil || !isUnsafePointer(p.info.Uses[id].Type()) {
				return
			}
			if holder, ok := p.subtracted(call, above); ok {
				v := p.info.Uses[id]
				p.lowers[v] = append(p.lowers[v], holder)
			}
		})
	}
	holders, ok = p.lowers[v]
	return holders, ok
}

// lowered returns where the unsafe pointer is made of which the number of an address becomes at
// once, if something is subtracted from that: its index in the nodes that are above the number at
// i, or -1.
func (p *pkg) lowered(number ast.Expr, above []ast.Node, i int) int {
	below := false
	for i = inParens(above[:i]); i >= 0; i = inParens(above[:i]) {
		switch n := above[i].(type) {
		case *ast.BinaryExpr:
			if n.Op != token.ADD && (n.Op != token.SUB || ast.Unparen(n.X) != number) {
				return -1
			}
			below = below || n.Op == token.SUB
			number = n
		case *ast.CallExpr:
			if below && p.info.Types[n.Fun].IsType() && isUnsafePointer(p.typeOf(n)) {
				return i
			}
			return -1
		default:
			return -1
		}
	}
	return -1
}

// isNegative reports whether what is added to an address is certainly negative.
func (p *pkg) isNegative(by ast.Expr) bool {
	by = ast.Unparen(by)
	if n := p.info.Types[by].Value; n != nil {
		return constant.Sign(n) < 0
	}
	switch n := by.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.SUB
	case *ast.CallExpr:
		return len(n.Args) == 1 && p.info.Types[n.Fun].IsType() && p.isNegative(n.Args[0])
	}
	return false
}

func isUintptr(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uintptr
}
