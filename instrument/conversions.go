package instrument

import (
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// conversions are what packages do by package unsafe that package heap has to know (see
// rewrite.Input). A program that is built together with others has to know it of the packages that
// are linked to it only: what another one does would refuse checkpoints of it.
type conversions struct {
	firsts, backs, longs []string
	hiding               []string
	heads                map[*types.TypeName]bool
	unnamed              []types.Type
}

// conversionsOf returns what packages with such import paths do.
func (a *Analysis) conversionsOf(linked func(path string) bool) conversions {
	c := conversions{firsts: a.Closure.Firsts(linked, a.Tests)}
	c.backs, c.longs = a.Closure.Backs(linked, a.Tests)
	c.heads, c.unnamed = a.Closure.Heads(linked)
	c.hiding = a.Closure.Hiding(linked, a.Tests)
	return c
}

// conversionsFor returns what is to be told of to each package: all that the program does, and to
// main packages, if there are several, what is linked to them.
func (a *Analysis) conversionsFor(list []*packages.Package) func(in *rewrite.Input, pkg *packages.Package) {
	roots := 0
	for _, pkg := range list {
		if a.isRoot(pkg) {
			roots++
		}
	}
	all := a.conversionsOf(func(string) bool { return true })
	return func(in *rewrite.Input, pkg *packages.Package) {
		c := all
		if in.Root && roots > 1 {
			paths := make(map[string]bool)
			link(paths, pkg)
			c = a.conversionsOf(func(path string) bool { return paths[path] })
		}
		in.Firsts, in.Backs, in.Longs, in.Heads, in.Unnamed, in.Hiding = c.firsts, c.backs, c.longs, c.heads, c.unnamed, c.hiding
	}
}

// link adds the import paths of a package and of all that it imports.
func link(paths map[string]bool, pkg *packages.Package) {
	if path := pkg.Types.Path(); !paths[path] {
		paths[path] = true
		for _, imported := range pkg.Imports {
			link(paths, imported)
		}
	}
}
