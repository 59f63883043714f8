package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An unsafe pointer can be all that is kept of a slice:
//
//	type list[T any] struct { first unsafe.Pointer } // *T
//
//	list[T]{unsafe.Pointer(unsafe.SliceData(s))}    (*T)(unsafe.Add(l.first, unsafe.Sizeof(t)*i))
//
// Such a field is registered as one that leads to the first of several values. How many they are,
// package heap finds by the allocation. It can also be made a number for that:
//
//	(*T)(unsafe.Pointer(uintptr(l.first) + i*unsafe.Sizeof(t)))

// steps reports whether a call adds to the value e of a place to come to another value of the type
// to which what it gives is converted at once. The call is the i-th of the nodes around.
func (u *pointerUses) steps(t *target, call *ast.CallExpr, e ast.Expr, i int) bool {
	return u.p.isUnsafe(call, "Add") && ast.Unparen(call.Args[0]) == e && u.stepsBy(t, call.Args[1], i+1)
}

// stepsBy reports whether a number is one of values of the type of which a pointer is made, the
// i-th of the nodes around, of what it has been added to.
func (u *pointerUses) stepsBy(t *target, number ast.Expr, i int) bool {
	back, ok := u.parent(i).(*ast.CallExpr)
	if !ok || !u.p.info.Types[back.Fun].IsType() {
		return false
	}
	to, ok := u.p.typeOf(back).Underlying().(*types.Pointer)
	if !ok || !u.isIndex(number, to.Elem()) {
		return false
	}
	t.several = true
	u.leadsTo(t, to.Elem())
	return true
}

// stepsAsNumber looks whether the number that a call makes of the pointer of a target is added to,
// and made a pointer again: to another value of the type, to a field, or nobody knows to what. The
// node above the call is the i-th of those around.
func (u *pointerUses) stepsAsNumber(t *target, call *ast.CallExpr, i int) {
	sum, ok := u.parent(i).(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB || !isNumber(u.p.typeOf(call)) {
		return
	}
	by := sum.Y
	if ast.Unparen(by) == call {
		by = sum.X
	}
	offset, ok := ast.Unparen(by).(*ast.CallExpr)
	isField := ok && u.p.isUnsafe(offset, "Offsetof")
	switch up := u.parent(i + 1).(type) {
	case *ast.BinaryExpr:
		t.lost = t.lost || up.Op == token.ADD || up.Op == token.SUB
	case *ast.CallExpr:
		if u.p.info.Types[up.Fun].IsType() && isUnsafePointer(u.p.typeOf(up)) {
			t.lost = t.lost || sum.Op == token.SUB || !isField && !u.stepsBy(t, by, i+2)
		}
	}
}
