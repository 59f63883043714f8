package closure

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// An Address is a place where a program makes a number of an address, and keeps it: as the hash
// of a pointer, say. The data is somewhere else in a process that goes on, and the number
// means nothing there.
type Address struct {
	Pos    token.Position
	Reason string
	WayOut string
}

// Text returns the place as one line, with file names relative to dir.
func (a Address) Text(dir string) string {
	return load.Position(a.Pos, dir) + ": " + a.Reason + "; " + a.WayOut
}

// Addresses returns the places in functions that can run, of the user and of other modules, where
// the address that a pointer of package unsafe holds becomes a number which is returned, stored or handed to
// a function. Numbers that only become pointers again, are compared or go to a system call, are no harm.
func (c *Closure) Addresses() []Address {
	g := c.graph
	var list []Address
	seen := make(map[token.Pos]bool) // instances of generic functions have one source
	left := make(map[string]bool)
	for _, pkg := range g.prog.All {
		left[pkg.Types.Path()] = load.Runtime(pkg.PkgPath) || load.System(pkg)
	}
	for fn := range g.nodes {
		if path := packagePath(fn); path == "" || g.std[path] || left[path] {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				convert, ok := instr.(*ssa.Convert)
				if ok && toNumber(convert) && !seen[convert.Pos()] && kept(convert, make(map[ssa.Value]bool)) {
					seen[convert.Pos()] = true
					list = append(list, Address{g.fset.Position(convert.Pos()),
						"an address becomes a number that is kept, and is another one in a process that goes on from a checkpoint",
						"number the objects instead, if the number is part of what the program computes"})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b Address) int { return strings.Compare(sortable(a.Pos), sortable(b.Pos)) })
	return list
}

func toNumber(c *ssa.Convert) bool {
	return isKind(c.X.Type(), types.UnsafePointer) && isKind(c.Type(), types.Uintptr)
}

func isKind(t types.Type, kind types.BasicKind) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == kind
}

// kept reports whether a number goes where it may be kept.
func kept(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.If, *ssa.IndexAddr, *ssa.Index:
		case *ssa.BinOp:
			switch r.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				continue
			case token.AND, token.REM, token.SUB, token.AND_NOT:
				continue // an alignment, or a distance
			}
			if kept(r, seen) {
				return true
			}
		case *ssa.Convert:
			if !isKind(r.Type(), types.UnsafePointer) && kept(r, seen) {
				return true
			}
		case *ssa.Phi, *ssa.ChangeType, *ssa.UnOp:
			if kept(r.(ssa.Value), seen) {
				return true
			}
		case *ssa.Call:
			if fn := r.Call.StaticCallee(); fn == nil || !calls(packagePath(fn)) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// calls reports whether the functions of a package hand numbers to the operating system.
func calls(path string) bool {
	return path == "syscall" || path == "runtime" || strings.HasPrefix(path, "golang.org/x/sys/")
}
