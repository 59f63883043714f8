package closure

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Backs returns the import paths of the packages, rewritten or not, that make pointers of numbers
// which they have kept: "main" for the main package, unless tests says that the packages are linked
// to their tests only. Only packages of whose paths linked is true count. In a package of the user
// or of another module something has one of these forms, in which the number u is not made of a
// pointer at once:
//
//	unsafe.Pointer(u)
//	*(**T)(unsafe.Pointer(&u))   *(*unsafe.Pointer)(unsafe.Pointer(&u))
//
// or it has both of these, in which at is an unsafe.Pointer: what it leads to is a number where it
// is stored, and a pointer where it is loaded.
//
//	*(*uintptr)(at) = uintptr(p)   p = *(*unsafe.Pointer)(at)   p = *(**T)(at)
//
// longs are those that keep such numbers of type uint64: which convert an address to one, and
// convert ones to uintptr.
//
//	uint64(uintptr(unsafe.Pointer(p)))   uintptr(w)
func (c *Closure) Backs(linked func(path string) bool, tests bool) (backs, longs []string) {
	for _, pkg := range c.graph.prog.All {
		if !load.Own(pkg) && !load.Dependency(pkg) || load.System(pkg) || pkg.Imports["unsafe"] == nil || !linked(pkg.Types.Path()) {
			continue
		}
		if !makesPointers(pkg) {
			continue
		}
		path := pkg.Types.Path()
		if pkg.Types.Name() == "main" && !tests {
			path = "main"
		}
		backs = append(backs, path)
		if keepsLong(pkg) {
			longs = append(longs, path)
		}
	}
	slices.Sort(backs)
	slices.Sort(longs)
	return slices.Compact(backs), slices.Compact(longs)
}

// keepsLong reports whether a package converts an address to a number of type uint64, and such
// numbers to uintptr.
func keepsLong(pkg *packages.Package) bool {
	to, from := false, false
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || !pkg.TypesInfo.Types[call.Fun].IsType() || pkg.TypesInfo.Types[call].Value != nil {
				return !to || !from
			}
			arg := ast.Unparen(call.Args[0])
			if target, source := pkg.TypesInfo.TypeOf(call), pkg.TypesInfo.TypeOf(arg); isKind(target, types.Uint64) {
				inner, ok := arg.(*ast.CallExpr)
				to = to || ok && isConversion(pkg.TypesInfo, inner, types.Uintptr) && isKind(pkg.TypesInfo.TypeOf(inner.Args[0]), types.UnsafePointer)
			} else if isKind(target, types.Uintptr) {
				from = from || isKind(source, types.Uint64)
			}
			return !to || !from
		})
	}
	return to && from
}

// makesPointers reports whether a package has one of these forms.
func makesPointers(pkg *packages.Package) bool {
	stores, loads := false, false
	return slices.ContainsFunc(pkg.Syntax, func(file *ast.File) bool {
		if !importsUnsafe(file) {
			return false
		}
		if convertsNumber(pkg, file) {
			return true
		}
		stores, loads = stores || storesAddress(pkg, file), loads || loadsPointer(pkg, file)
		return stores && loads
	})
}

// convertsNumber reports whether a file makes a pointer of a variable that is a number.
func convertsNumber(pkg *packages.Package, file *ast.File) bool {
	found := false
	ast.PreorderStack(file, nil, func(n ast.Node, above []ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isConversion(pkg.TypesInfo, call, types.UnsafePointer) {
			arg := pkg.TypesInfo.TypeOf(call.Args[0])
			if isKind(arg, types.Uintptr) {
				found = found || !convertsAddress(pkg.TypesInfo, call.Args[0]) && !isDataOf(pkg.TypesInfo, call.Args[0])
			} else if element := pointee(arg); element != nil && isKind(element, types.Uintptr) {
				user, ok := outer(&above).(*ast.CallExpr)
				found = found || ok && pkg.TypesInfo.Types[user.Fun].IsType() && isPointerWord(pointee(pkg.TypesInfo.TypeOf(user)))
			}
		}
		return true
	})
	return found
}

// storesAddress reports whether a file stores an address as a number where an unsafe.Pointer leads.
func storesAddress(pkg *packages.Package, file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Lhs) == len(assign.Rhs) {
			for i, to := range assign.Lhs {
				number, ok := ast.Unparen(assign.Rhs[i]).(*ast.CallExpr)
				if ok && isConversion(pkg.TypesInfo, number, types.Uintptr) && isKind(pkg.TypesInfo.TypeOf(number.Args[0]), types.UnsafePointer) {
					t := viaUnsafe(pkg.TypesInfo, to)
					found = found || t != nil && isKind(t, types.Uintptr)
				}
			}
		}
		return !found
	})
	return found
}

// loadsPointer reports whether a file has a pointer from where an unsafe.Pointer leads.
func loadsPointer(pkg *packages.Package, file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && !found {
			found = isPointerWord(viaUnsafe(pkg.TypesInfo, e))
		}
		return !found
	})
	return found
}

// viaUnsafe returns the type of *(*T)(at) if at is an unsafe.Pointer and not known to lead to a
// variable that is a pointer: T; and nil of other expressions.
func viaUnsafe(info *types.Info, e ast.Expr) types.Type {
	star, ok := ast.Unparen(e).(*ast.StarExpr)
	if !ok {
		return nil
	}
	call, ok := ast.Unparen(star.X).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() || !isKind(info.TypeOf(call.Args[0]), types.UnsafePointer) {
		return nil
	}
	if at, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok && isConversion(info, at, types.UnsafePointer) && isPointerWord(pointee(info.TypeOf(at.Args[0]))) {
		return nil
	}
	return pointee(info.TypeOf(call))
}

// isDataOf reports whether an expression is the address in a slice or string, which the program
// looks at as a header: it is read of a pointer, and of no number that is kept.
//
//	(*reflect.SliceHeader)(unsafe.Pointer(&s)).Data
func isDataOf(info *types.Info, e ast.Expr) bool {
	field, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || field.Sel.Name != "Data" {
		return false
	}
	header, ok := ast.Unparen(field.X).(*ast.CallExpr)
	if !ok || len(header.Args) != 1 || !info.Types[header.Fun].IsType() {
		return false
	}
	if t := types.TypeString(pointee(info.TypeOf(header)), nil); t != "reflect.SliceHeader" && t != "reflect.StringHeader" {
		return false
	}
	address, ok := ast.Unparen(header.Args[0]).(*ast.CallExpr)
	if !ok || !isConversion(info, address, types.UnsafePointer) {
		return false
	}
	of := pointee(info.TypeOf(address.Args[0]))
	if of == nil {
		return false
	}
	_, slice := of.Underlying().(*types.Slice)
	return slice || isKind(of, types.String)
}

// isPointerWord reports whether values of a type are pointers of one word.
func isPointerWord(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}
