package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A goroutine joins a checkpoint where it waits, if the package is rewritten that it waits in.
// Packages of other modules start goroutines that wait for all the life of the program (one that
// throws out what a cache has kept for too long, say), and the user's goroutines wait in such
// packages (for a semaphore, or for the others of a group). So these packages are rewritten, too.
// So are those by way of which a function of the user is called that waits, as the frames between
// are on the stack then: a package for the command line calls what starts workers and waits for
// them.
//
// A lock is no reason to, if the function that takes it gives it back: who has it comes to that
// soon, unless it is at a checkpoint meanwhile. Then its function is in the closure, and the
// package is rewritten anyway.
//
// In a program that has iter.Pull, an iterator waits where it yields, for as long as nobody asks
// for the next value.

// Joining returns the paths of the packages of other modules, not rewritten as yet, that can start
// goroutines, and of those in which goroutines can wait if the program has several, or by way of
// which functions that wait are called.
func (c *Closure) Joining() []string {
	g := c.graph
	functions := make(map[string][]*ssa.Function) // that can run, by the packages of other modules that are not rewritten
	dependency := g.dependencies()
	pulls := false
	for fn := range g.nodes {
		pulls = pulls || isPull(fn)
		if path := packagePath(fn); dependency[path] && g.kind(fn) == outside && fn.Syntax() != nil {
			functions[path] = append(functions[path], fn)
		}
	}
	starting, waiting, yielding := make(map[string]bool), make(map[string]bool), make(map[string]bool)
	for _, pkg := range g.prog.All {
		path := pkg.Types.Path()
		if len(functions[path]) == 0 {
			continue
		}
		operations := make(map[token.Pos]blocking.Operation)
		for _, file := range pkg.Syntax {
			maps.Copy(operations, blocking.InFile(g.fset, pkg.TypesInfo, file))
		}
		has := func(is func(blocking.Operation) bool) bool {
			return len(operations) > 0 && slices.ContainsFunc(functions[path], func(fn *ssa.Function) bool {
				_, found := operationIn(fn.Syntax(), operations, is)
				return found
			})
		}
		starting[path] = has(func(o blocking.Operation) bool { return o.Kind == blocking.Start })
		waiting[path] = has(func(o blocking.Operation) bool { return o.Waits() && o.Lasts() }) ||
			slices.ContainsFunc(functions[path], func(fn *ssa.Function) bool { return keepsLocked(fn.Syntax(), operations) })
	}
	if pulls {
		for path, list := range functions {
			yielding[path] = slices.ContainsFunc(list, yields)
		}
	}
	var list []string
	several := c.concurrent || slices.Contains(slices.Collect(maps.Values(starting)), true)
	for path := range functions {
		if starting[path] || yielding[path] || several && waiting[path] {
			list = append(list, path)
		}
	}
	if several {
		list = append(list, c.aboveWaiting(dependency)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// aboveWaiting returns the paths of those of some packages, not rewritten as yet, that have a
// function by way of which one that can wait for long is called.
func (c *Closure) aboveWaiting(dependency map[string]bool) (list []string) {
	g := c.graph
	var queue []*callgraph.Node
	seen := make(map[*callgraph.Node]bool)
	for fn, n := range g.nodes {
		if g.kind(fn) == user {
			if _, waits := c.operation(fn.Syntax(), func(o blocking.Operation) bool { return o.Waits() && o.Lasts() }); waits {
				seen[n], queue = true, append(queue, n)
			}
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, e := range n.In {
			caller := e.Caller
			if seen[caller] || !stays(e) {
				continue
			}
			switch g.kind(caller.Func) {
			case outside:
				path := packagePath(caller.Func)
				if !dependency[path] {
					continue
				}
				list = append(list, path)
			case user, synthetic:
			default:
				continue
			}
			seen[caller], queue = true, append(queue, caller)
		}
	}
	return list
}

// keepsLocked reports whether a function takes a lock and gives none back.
func keepsLocked(fn ast.Node, operations map[token.Pos]blocking.Operation) bool {
	takes := func(o blocking.Operation) bool { return o.Waits() && !o.Lasts() }
	if _, found := operationIn(fn, operations, takes); !found {
		return false
	}
	gives := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			gives = gives || sel.Sel.Name == "Unlock" || sel.Sel.Name == "RUnlock"
		}
		return !gives
	})
	return !gives
}

// isPull reports whether a function is iter.Pull or iter.Pull2, for some types.
func isPull(fn *ssa.Function) bool {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	return fn.Pkg != nil && fn.Pkg.Pkg.Path() == "iter" && (fn.Name() == "Pull" || fn.Name() == "Pull2")
}

// yields reports whether a function can be an iterator: its only parameter, besides the receiver,
// is a function of up to two values that tells whether to go on.
func yields(fn *ssa.Function) bool {
	params := fn.Signature.Params()
	if params.Len() != 1 || fn.Signature.Results().Len() > 0 {
		return false
	}
	yield, ok := params.At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() <= 2 && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type().Underlying(), types.Typ[types.Bool])
}
