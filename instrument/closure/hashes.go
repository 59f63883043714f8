package closure

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A RuntimeLink is a directive by which a package has a function of Go's runtime. Package instrument
// puts another one in the place of some: of those that hash memory, as the runtime hashes with keys
// that each process draws; and of those that pin goroutines to their processors, as one that is
// pinned may not wait, and so is not asked for checkpoints (runtime/ckp/shadow/pinned.go).
type RuntimeLink struct {
	Comment  *ast.Comment
	Local    string // the function as the package declares it
	Function string // its name in package runtime
}

// RuntimeLinks returns those of a file that have functions in their place.
func RuntimeLinks(file *ast.File) []RuntimeLink {
	var list []RuntimeLink
	for link := range runtimeHashes(file) {
		if link.Hashes() {
			list = append(list, link)
		}
	}
	for link := range load.Links(file) {
		switch link.Target {
		case "runtime.procPin", "sync.runtime_procPin", "sync/atomic.runtime_procPin":
			list = append(list, RuntimeLink{link.Comment, link.Local, "procPin"})
		case "runtime.procUnpin", "sync.runtime_procUnpin", "sync/atomic.runtime_procUnpin":
			list = append(list, RuntimeLink{link.Comment, link.Local, "procUnpin"})
		}
	}
	return list
}

// Hashes reports whether the function is one that hashes.
func (l RuntimeLink) Hashes() bool { return l.hashesMemory() || l.HashesValues() }

// hashesMemory reports whether the function hashes memory as it is.
func (l RuntimeLink) hashesMemory() bool {
	switch l.Function {
	case "memhash", "memhash32", "memhash64", "strhash", "stringHash":
		return true
	}
	return false
}

// HashesValues reports whether the function hashes values of any type, so that equal ones hash
// alike.
func (l RuntimeLink) HashesValues() bool {
	return l.Function == "nilinterhash" || l.Function == "typehash"
}

// runtimeHashes yields the directives of a file for any hash function of the runtime.
func runtimeHashes(file *ast.File) func(yield func(RuntimeLink) bool) {
	return func(yield func(RuntimeLink) bool) {
		for link := range load.Links(file) {
			if name, ok := strings.CutPrefix(link.Target, "runtime."); ok && strings.Contains(strings.ToLower(name), "hash") && !yield(RuntimeLink{link.Comment, link.Local, name}) {
				return
			}
		}
	}
}

// linksHashes notes the functions of a package that are those by which the runtime hashes, and
// whether it is memory as it is. Those that hash values do so alike in each process.
func linksHashes(pkg *packages.Package, linked map[types.Object]bool) {
	for _, file := range pkg.Syntax {
		for link := range runtimeHashes(file) {
			if obj := pkg.Types.Scope().Lookup(link.Local); obj != nil && !link.HashesValues() {
				linked[obj] = link.hashesMemory()
			}
		}
	}
}

// losesHash reports whether a call of one of the linked functions returns something else in another
// process: it hashes by the keys of the process, or what it hashes is known to be memory with
// addresses.
func losesHash(call *ssa.CallCommon, linked map[types.Object]bool) bool {
	callee := call.StaticCallee()
	if callee == nil || callee.Object() == nil {
		return false
	}
	memory, ok := linked[callee.Object()]
	if !ok || !memory {
		return ok
	}
	if len(call.Args) != 3 && len(call.Args) != 2 {
		return true
	}
	made, ok := call.Args[0].(*ssa.Convert)
	if !ok {
		return false
	}
	p, ok := made.X.Type().Underlying().(*types.Pointer)
	return ok && !isKind(p.Elem(), types.String) && hasAddresses(p.Elem())
}

// hasAddresses reports whether memory of a type has addresses in it.
func hasAddresses(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.String || t.Kind() == types.UnsafePointer
	case *types.Array:
		return hasAddresses(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasAddresses(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}
