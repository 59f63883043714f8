package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Packages with hash tables of their own, as github.com/dolthub/maphash for others and
// github.com/cockroachdb/swiss, take the function by which the runtime's maps hash keys out of the
// description of a map type, which they have declared again:
//
//	a := any(make(map[K]struct{}))
//	hash := (*mapiface)(unsafe.Pointer(&a)).typ.hasher
//
// It hashes with keys that each process draws, as those do that are had by go:linkname (hashes.go).

// MapHashers returns the places in a file of a package where that is read.
func MapHashers(pkg *packages.Package, file *ast.File) []*ast.SelectorExpr {
	return slices.DeleteFunc(HasherReads(file), func(x *ast.SelectorExpr) bool { return !isMapHasher(pkg, x) })
}

// HasherReads returns the places in a file where a field that is named like the function is read:
// is neither assigned, nor its address taken.
func HasherReads(file *ast.File) []*ast.SelectorExpr {
	var list []*ast.SelectorExpr
	other := make(map[ast.Expr]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			other[ast.Unparen(n.X)] = n.Op == token.AND
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				other[ast.Unparen(x)] = true
			}
		case *ast.SelectorExpr:
			if strings.EqualFold(n.Sel.Name, "hasher") && !other[n] {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// isMapHasher reports whether a field has the type and the place that the function has in the
// description of a map type (abi.MapType), and is reached by a pointer to the struct.
func isMapHasher(pkg *packages.Package, x *ast.SelectorExpr) bool {
	s := pkg.TypesInfo.Selections[x]
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return false
	}
	pointer, ok := s.Recv().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	st, ok := pointer.Elem().Underlying().(*types.Struct)
	if !ok || !isHasher(s.Type()) {
		return false
	}
	var before []*types.Var
	for i := range s.Index()[0] + 1 {
		before = append(before, st.Field(i))
	}
	offsets := pkg.TypesSizes.Offsetsof(before)
	word := pkg.TypesSizes.Sizeof(types.Typ[types.Uintptr])
	return offsets[len(offsets)-1] == mapHasher(word)
}

// mapHasher returns where the function is in the description of a map type, on machines with words
// of this size: behind what all types have, and pointers to the descriptions of keys, elements and
// groups of both. What all types have is two words, eight bytes, two words, and eight bytes.
func mapHasher(word int64) int64 { return 2*word + 8 + 2*word + 8 + 3*word }

// isHasher reports whether a type is func(unsafe.Pointer, uintptr) uintptr.
func isHasher(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 2 || sig.Results().Len() != 1 {
		return false
	}
	return isKind(sig.Params().At(0).Type(), types.UnsafePointer) && isKind(sig.Params().At(1).Type(), types.Uintptr) && isKind(sig.Results().At(0).Type(), types.Uintptr)
}
