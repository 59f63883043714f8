package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A Loss is a place where a program does something that means nothing in a process that goes on
// from a checkpoint: it keeps an address as a number (as the hash of a pointer, say), although the
// data is somewhere else there, or a slice or string as a pointer to its first element, or what has
// references as a slice of numbers, or asks the process to be notified of signals, or for another
// setting of its own, or looks at the runtime's description of a goroutine.
type Loss struct {
	Pos    token.Position
	Reason string
	WayOut string
}

// Text returns the place as one line, with file names relative to dir.
func (l Loss) Text(dir string) string {
	return load.Position(l.Pos, dir) + ": " + l.Reason + "; " + l.WayOut
}

// Losses returns the places in functions that can run, of the user and of other modules, where the
// program asks for signals, or after its initialisation for another setting of the process, or
// changes objects of the standard library that are not saved, and where the address that a pointer
// of package unsafe holds becomes a number which is returned, stored or handed to a function, or
// the result of unsafe.SliceData is, of elements that [Closure.Firsts] does not tell of, or a slice
// of numbers that is made of the address of something with references, or these are copied as such,
// and calls of the runtime's hash functions that package instrument puts no others in place of, or
// that hash addresses.
// Numbers that only become pointers again, are compared or go to a system call, are no harm; nor
// are those of [Closure.Numbered].
func (c *Closure) Losses() []Loss {
	g := c.graph
	var list []Loss
	seen := make(map[token.Pos]bool) // instances of generic functions have one source
	add := func(pos token.Pos, reason, wayOut string) {
		if !seen[pos] {
			seen[pos] = true
			list = append(list, Loss{g.fset.Position(pos), reason, wayOut})
		}
	}
	left, linked := make(map[string]bool), make(map[types.Object]bool)
	descriptions := make(map[string]map[string]bool)
	for _, pkg := range g.prog.All {
		linksHashes(pkg, linked)
		left[pkg.Types.Path()] = load.Runtime(pkg.PkgPath) || load.System(pkg)
		if !g.std[pkg.Types.Path()] {
			descriptions[pkg.Types.Path()] = describing(pkg.OtherFiles)
		}
	}
	late := g.late()
	for fn, n := range g.nodes {
		if path := packagePath(fn); path == "" || g.std[path] || left[path] || byCgo(fn) {
			continue
		}
		if describes(fn, descriptions) {
			add(fn.Pos(), "the runtime's description of a goroutine, and the number that it has there, is another one in a process that goes on from a checkpoint",
				"take the number from the first line of runtime.Stack, which a goroutine keeps")
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if v := g.inObject(instr); v != nil && late[n] {
					add(instr.Pos(), "what is changed in the object that "+v.Pkg().Path()+"."+v.Name()+" holds is as it was at the start in a process that goes on from a checkpoint",
						"change it in an init function, which each process runs, or assign an object of your own to "+v.Pkg().Name()+"."+v.Name())
				}
				switch instr := instr.(type) {
				case *ssa.Convert:
					if c.Numbered(&ast.CallExpr{Lparen: instr.Pos()}) != nil {
						continue
					}
					if toNumber(instr) && kept(instr, make(map[ssa.Value]bool)) {
						add(instr.Pos(), "an address becomes a number that is kept, and is another one in a process that goes on from a checkpoint",
							"number the objects instead, if the number is part of what the program computes")
					}
				case *ssa.Slice:
					if hidesReferences(instr.X) && held(instr, make(map[ssa.Value]bool)) {
						add(instr.Pos(), hiddenReferences, keepPointer)
					}
				case ssa.CallInstruction:
					if b, ok := instr.Common().Value.(*ssa.Builtin); ok && b.Name() == "Slice" && hidesReferences(instr.Common().Args[0]) && held(instr.Value(), make(map[ssa.Value]bool)) {
						add(instr.Pos(), hiddenReferences, keepPointer)
					} else if ok && b.Name() == "Slice" && hasWords(instr.Common().Args[0]) && copied(instr.Value()) {
						add(instr.Pos(), "references are copied as numbers, which lead nowhere in a process that goes on from a checkpoint", "copy the value, not its bytes")
					}
					if isFirst(instr) && elementName(instr.Value().Type().Underlying().(*types.Pointer).Elem(), false) == "" && held(instr.Value(), make(map[ssa.Value]bool)) {
						add(instr.Pos(), "a pointer to the first element is kept, which has no others in a process that goes on from a checkpoint, unless something else leads to these",
							"keep the slice or string")
					}
					if losesHash(instr.Common(), linked) {
						add(instr.Pos(), "what the runtime's hash function returns is something else in a process that goes on from a checkpoint", "hash with package hash/maphash")
					}
					if callee := instr.Common().StaticCallee(); late[n] && sets(instr.Common()) {
						add(instr.Pos(), "what "+packagePath(callee)+"."+callee.Name()+" sets is not set in a process that goes on from a checkpoint",
							"call it in an init function, which each process runs, or again from time to time")
					}
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b Loss) int { return strings.Compare(sortable(a.Pos), sortable(b.Pos)) })
	return list
}

const (
	hiddenReferences = "memory with references is kept as a slice of numbers, and no checkpoint can be taken while it is"
	keepPointer      = "keep the pointer that the slice is made of"
)

// hidesReferences reports whether a pointer to numbers is made of one to something with references.
func hidesReferences(p ssa.Value) bool {
	c, ok := p.(*ssa.Convert)
	if !ok {
		return false
	}
	of := convertedFrom(c)
	return of != nil && !isTypeParam(of) && hasAddresses(of) && !hasAddresses(pointee(c.Type()))
}

// hasWords reports whether a pointer to numbers is made of one to something with references, or to
// an array of uintptr, as which a program looks at what may have such.
func hasWords(p ssa.Value) bool {
	c, ok := p.(*ssa.Convert)
	if !ok || hasAddresses(pointee(c.Type())) {
		return false
	}
	of := convertedFrom(c)
	if of == nil || isTypeParam(of) {
		return false
	}
	words, ok := of.Underlying().(*types.Array)
	return hasAddresses(of) || ok && isKind(words.Elem(), types.Uintptr) && words.Len() > 0
}

// copied reports whether a slice is appended to another one, or copied to one that is not made of a
// pointer as well.
func copied(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		call, ok := r.(*ssa.Call)
		if !ok || len(call.Call.Args) != 2 || call.Call.Args[1] != v {
			continue
		}
		switch b, ok := call.Call.Value.(*ssa.Builtin); {
		case ok && b.Name() == "append":
			return true
		case ok && b.Name() == "copy":
			to, ok := call.Call.Args[0].(*ssa.Call)
			if !ok {
				return true
			}
			if made, ok := to.Call.Value.(*ssa.Builtin); !ok || made.Name() != "Slice" {
				return true
			}
		}
	}
	return false
}

// byCgo reports whether cgo has written a function, to call one in C with the address of the
// arguments.
func byCgo(fn *ssa.Function) bool {
	return strings.HasPrefix(fn.Name(), "_Cfunc_") || strings.HasPrefix(fn.Name(), "_C2func_") || fn.Name() == "_cgo_cmalloc"
}

// isFirst reports whether a call makes of a slice or string a pointer to its first element.
func isFirst(call ssa.CallInstruction) bool {
	b, ok := call.Common().Value.(*ssa.Builtin)
	return ok && (b.Name() == "SliceData" || b.Name() == "StringData") && call.Value() != nil
}

// held reports whether a pointer goes where it may be kept. An unsafe.Pointer that is made of it is
// none: it is refused if nothing else leads to all of what it leads to.
func held(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Convert:
		case *ssa.Phi, *ssa.ChangeType, *ssa.Slice:
			if !load.Counted(r.(ssa.Value).Type()) && held(r.(ssa.Value), seen) {
				return true
			}
		case *ssa.Store:
			if r.Val == v { // and not what is stored there
				return true
			}
		case *ssa.Call:
			if _, ok := r.Call.Value.(*ssa.Builtin); ok {
				continue
			}
			fn := r.Call.StaticCallee()
			if fn == nil {
				return true
			}
			for i, arg := range r.Call.Args {
				if arg == v && i < len(fn.Params) && fn.Blocks != nil && held(fn.Params[i], seen) {
					return true
				}
			}
		default:
			return true
		}
	}
	return false
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
