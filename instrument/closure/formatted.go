package closure

import (
	"go/types"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// formatsNoMethods reports whether a call is of a function of package fmt that is handed nothing
// with methods, as fmt.Sprint("n", 1) is. The call graph has the arguments of all its callers
// there, and so would have it call back what only others hand to it.
func formatsNoMethods(e *callgraph.Edge) bool {
	if e.Site == nil || packagePath(e.Callee.Func) != "fmt" || e.Callee.Func.Signature.Recv() != nil || !e.Callee.Func.Signature.Variadic() {
		return false
	}
	args := e.Site.Common().Args
	for _, x := range args[:len(args)-1] {
		if _, ok := types.Unalias(x.Type()).(*types.Basic); !ok {
			return false
		}
	}
	switch list := args[len(args)-1].(type) {
	case *ssa.Const:
		return list.IsNil()
	case *ssa.Slice:
		array, ok := list.X.(*ssa.Alloc)
		return ok && onlyBasic(array)
	}
	return false
}

// onlyBasic reports whether all that is assigned to the elements of an array is made of values of
// basic types.
func onlyBasic(array *ssa.Alloc) bool {
	for _, use := range *array.Referrers() {
		switch use := use.(type) {
		case *ssa.Slice:
		case *ssa.IndexAddr:
			for _, store := range *use.Referrers() {
				s, ok := store.(*ssa.Store)
				if !ok {
					return false
				}
				made, ok := s.Val.(*ssa.MakeInterface)
				if !ok {
					return false
				}
				if _, ok := types.Unalias(made.X.Type()).(*types.Basic); !ok {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
