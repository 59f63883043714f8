package closure

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A HashLink is a directive by which a package has a function of Go's runtime that hashes memory.
// The runtime hashes with keys that each process draws; package instrument has the function be
// another, that does not.
type HashLink struct {
	Comment  *ast.Comment
	Local    string // the function as the package declares it
	Function string // its name in package runtime
}

// HashLinks returns those of a file that have functions in their place.
func HashLinks(file *ast.File) []HashLink {
	var list []HashLink
	for link := range runtimeHashes(file) {
		if link.hashesMemory() || link.HashesValues() {
			list = append(list, link)
		}
	}
	return list
}

// hashesMemory reports whether the function hashes memory as it is.
func (l HashLink) hashesMemory() bool {
	switch l.Function {
	case "memhash", "memhash32", "memhash64", "strhash", "stringHash":
		return true
	}
	return false
}

// HashesValues reports whether the function hashes values of any type, so that equal ones hash
// alike.
func (l HashLink) HashesValues() bool {
	return l.Function == "nilinterhash" || l.Function == "typehash"
}

// runtimeHashes yields the directives of a file for any hash function of the runtime.
func runtimeHashes(file *ast.File) func(yield func(HashLink) bool) {
	return func(yield func(HashLink) bool) {
		for link := range load.Links(file) {
			if name, ok := strings.CutPrefix(link.Target, "runtime."); ok && strings.Contains(strings.ToLower(name), "hash") && !yield(HashLink{link.Comment, link.Local, name}) {
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
