package standard

import "go/types"

// Reflection is the path of the package that is rewritten if functions that it calls for the program
// can be at a checkpoint.
const Reflection = "reflect"

// CallsByAssembly reports whether a function calls what its receiver holds in a way that its source
// does not show. It is not rewritten itself, but what calls it by name is, and calls it again to go
// on, with the same receiver and without arguments.
func CallsByAssembly(f *types.Func) bool { return f.FullName() == "(reflect.Value).call" }

// TakesValues reports whether a function is of the type that reflect.MakeFunc takes.
func TakesValues(sig *types.Signature) bool {
	isValues := func(list *types.Tuple) bool {
		if list.Len() != 1 {
			return false
		}
		s, ok := types.Unalias(list.At(0).Type()).(*types.Slice)
		if !ok {
			return false
		}
		named, ok := types.Unalias(s.Elem()).(*types.Named)
		return ok && named.Obj().Name() == "Value" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == Reflection
	}
	return isValues(sig.Params()) && isValues(sig.Results())
}

// ByReflection reports whether a package of the standard library is rewritten if what it has package
// reflect call can be at a checkpoint. Others call in this way what they find by names.
func ByReflection(path string) bool { return path == "testing/quick" }
