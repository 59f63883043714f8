package load

import (
	"slices"

	"golang.org/x/tools/go/packages"
)

// Rewritable returns the packages of the program that may be rewritten, in the
// order of All.
func (p *Program) Rewritable() []*packages.Package {
	var list []*packages.Package
	for _, pkg := range p.All {
		if p.Rewrites(pkg) {
			list = append(list, pkg)
		}
	}
	return list
}

// Rewrites reports whether pkg may be rewritten: it is the user's own, or a dependency
// that is to be rewritten, too.
func (p *Program) Rewrites(pkg *packages.Package) bool {
	if Own(pkg) {
		return true
	}
	_, excluded := p.excluded[pkg.PkgPath]
	if p.StandardLibrary(pkg) {
		return p.standard && !excluded
	}
	return Dependency(pkg) && !excluded && (p.dependencies || p.added[pkg.PkgPath])
}

// Polls reports whether the functions of pkg may poll.
func (p *Program) Polls(pkg *packages.Package) bool {
	if p.polled != nil {
		return p.polled[pkg.PkgPath] && p.Rewrites(pkg)
	}
	return Own(pkg) || p.dependencies && p.Rewrites(pkg) && !p.StandardLibrary(pkg)
}

// Add makes dependencies rewritable, and reports whether any was not.
func (p *Program) Add(paths []string) bool {
	more := false
	for _, path := range paths {
		_, excluded := p.excluded[path]
		more = more || !p.dependencies && !excluded && !p.added[path]
		p.added[path] = true
	}
	return more
}

// Exclude makes a dependency one that is not rewritten.
func (p *Program) Exclude(path, reason string) { p.excluded[path] = reason }

// Excluded returns the reason for which a dependency is not rewritten, "" if there is
// none.
func (p *Program) Excluded(path string) string { return p.excluded[path] }

// LeftOut returns the packages of other modules that are not rewritten as they can't be, each with
// the reason.
func (p *Program) LeftOut() []string {
	var list []string
	for _, pkg := range p.All {
		if reason := p.excluded[pkg.PkgPath]; reason != "" && !p.StandardLibrary(pkg) {
			list = append(list, pkg.PkgPath+" ("+reason+")")
		}
	}
	return list
}

// GeneratedByCgo reports whether name is a file of pkg that cgo made from one that
// imports "C". There is no file of the user's that could be replaced by its new
// contents.
func GeneratedByCgo(pkg *packages.Package, name string) bool {
	return slices.Contains(pkg.CompiledGoFiles, name) && !slices.Contains(pkg.GoFiles, name)
}
