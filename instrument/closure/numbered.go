package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Programs that hash a struct by its identity, or look it up in a map of addresses, convert its
// address to a number:
//
//	uint64(uintptr(unsafe.Pointer(s)))    seen[uintptr(unsafe.Pointer(s))]    hash(unsafe.Pointer(s))
//
// where hash is a type of the package, whose underlying type is uintptr.
//
// The number can go on to mean the struct after a restart, if the conversion is made by package
// shadow and the numbers of all structs of the type are saved. It must be one that nobody makes a
// pointer of again, nor hands to the system: so packages that make pointers of numbers (see
// [Closure.Backs]), and files that import what makes system calls, are left alone.

// Numbered returns the type of the struct if the call converts its address to a number that keeps
// its meaning: uintptr(p), with p an unsafe.Pointer, or a type of the package that is a uintptr. The
// struct's is one that the package of the call declares. Otherwise it is nil.
func (c *Closure) Numbered(call *ast.CallExpr) *types.TypeName {
	c.numberOnce.Do(func() {
		c.numbered = make(map[token.Pos]*types.TypeName)
		for _, pkg := range c.Packages() {
			if !c.graph.prog.StandardLibrary(pkg) && !load.Runtime(pkg.PkgPath) {
				c.findNumbered(pkg)
			}
		}
	})
	return c.numbered[call.Lparen]
}

// Numbered returns nil: the standard library keeps no addresses.
func (l *Library) Numbered(*ast.CallExpr) *types.TypeName { return nil }

func (c *Closure) findNumbered(pkg *packages.Package) {
	if makesPointers(pkg) {
		return
	}
	found := make(map[token.Pos]*types.TypeName)
	handles := slices.ContainsFunc(pkg.Syntax, importsSystem) // numbers with a name may be the system's
	for _, file := range pkg.Syntax {
		system := importsSystem(file)
		ast.PreorderStack(file, nil, func(n ast.Node, above []ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if !system && isConversion(pkg.TypesInfo, call, types.Uintptr) && isNumber(pkg.TypesInfo, above, call) || !handles && isNamedNumber(pkg, call) {
					if obj := pointsTo(pkg, call.Args[0]); obj != nil {
						found[call.Lparen] = obj
					}
				}
			}
			return true
		})
	}
	for pos, obj := range found {
		c.numbered[pos] = obj
	}
}

// importsSystem reports whether a file imports what makes system calls.
func importsSystem(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(im *ast.ImportSpec) bool {
		path := strings.Trim(im.Path.Value, `"`)
		return path == "C" || calls(path)
	})
}

// isNamedNumber reports whether a call is a conversion to a type that the package declares, of which
// the underlying type is uintptr.
func isNamedNumber(pkg *packages.Package, call *ast.CallExpr) bool {
	tv := pkg.TypesInfo.Types[call.Fun]
	if !tv.IsType() || len(call.Args) != 1 || !isKind(tv.Type, types.Uintptr) {
		return false
	}
	named, ok := types.Unalias(tv.Type).(*types.Named)
	return ok && named.Obj().Parent() == pkg.Types.Scope() && named.TypeParams() == nil
}

// isConversion reports whether a call is a conversion to the basic type of a kind.
func isConversion(info *types.Info, call *ast.CallExpr, kind types.BasicKind) bool {
	tv := info.Types[call.Fun]
	return tv.IsType() && len(call.Args) == 1 && types.Identical(tv.Type, types.Typ[kind])
}

// convertsAddress reports whether a conversion of an unsafe.Pointer to a number is part of e.
func convertsAddress(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isConversion(info, call, types.Uintptr) {
			found = found || isKind(info.TypeOf(call.Args[0]), types.UnsafePointer)
		}
		return !found
	})
	return found
}

// isNumber reports whether what e stands in, innermost last, computes an integer of another type
// from e, or looks it up in a map.
func isNumber(info *types.Info, above []ast.Node, e ast.Expr) bool {
	for i := len(above) - 1; i >= 0; i-- {
		switch n := above[i].(type) {
		case *ast.ParenExpr:
			e = n
			continue
		case *ast.BinaryExpr:
			switch n.Op {
			case token.ADD, token.MUL, token.QUO, token.XOR, token.SHL, token.SHR:
				e = n
				continue
			}
		case *ast.CallExpr:
			b, ok := info.TypeOf(n).Underlying().(*types.Basic)
			return info.Types[n.Fun].IsType() && ok && b.Info()&types.IsInteger != 0 && b.Kind() != types.Uintptr
		case *ast.IndexExpr:
			_, ok := info.TypeOf(n.X).Underlying().(*types.Map)
			return ok && n.Index == e
		}
		return false
	}
	return false
}

// pointsTo returns the struct type of the package that x points to in unsafe.Pointer(x), or nil.
func pointsTo(pkg *packages.Package, e ast.Expr) *types.TypeName {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !isConversion(pkg.TypesInfo, call, types.UnsafePointer) {
		return nil
	}
	p, ok := types.Unalias(pkg.TypesInfo.TypeOf(call.Args[0])).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.TypeParams().Len() > 0 || named.Obj().Parent() != pkg.Types.Scope() {
		return nil
	}
	if st, ok := named.Underlying().(*types.Struct); !ok || st.NumFields() == 0 {
		return nil
	}
	return named.Obj()
}
