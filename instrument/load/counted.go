package load

import "go/types"

// Slog is the package that log/slog was made of.
const Slog = "golang.org/x/exp/slog"

// Counted reports whether a type is that of pointers to groups of attributes in
// golang.org/x/exp/slog. Package heap knows the number of attributes, which stands beside them.
func Counted(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != Slog || named.Obj().Name() != "groupptr" {
		return false
	}
	_, ok = named.Underlying().(*types.Pointer)
	return ok
}
