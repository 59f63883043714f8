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
// longs are those that keep such numbers of type uint64: which convert an address to one, and
// convert ones to uintptr.
//
//	uint64(uintptr(unsafe.Pointer(p)))   uintptr(w)
func (c *Closure) Backs(linked func(path string) bool, tests bool) (backs, longs []string) {
	for _, pkg := range c.graph.prog.All {
		if !load.Own(pkg) && !load.Dependency(pkg) || load.System(pkg) || pkg.Imports["unsafe"] == nil || !linked(pkg.Types.Path()) {
			continue
		}
		if !slices.ContainsFunc(pkg.Syntax, func(file *ast.File) bool { return importsUnsafe(file) && makesPointers(pkg, file) }) {
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

// makesPointers reports whether a file has one of these forms.
func makesPointers(pkg *packages.Package, file *ast.File) bool {
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
