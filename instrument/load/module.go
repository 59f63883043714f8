package load

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Module is the path of the module that ckpgen itself is.
const Module = "github.com/ckpgen/ckpgen"

// runtimeFolders are the folders of ckpgen whose packages a program links.
var runtimeFolders = []string{"runtime", "heap", "hugepages", "store", "detector", "launch", "bsp"}

// Runtime reports whether path is the import path of one of the packages of
// ckpgen that programs link. They are never rewritten.
func Runtime(path string) bool {
	rest, ok := strings.CutPrefix(path, Module+"/")
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(rest, "/")
	for _, folder := range runtimeFolders {
		// "bsp_test [bsp.test]" is the external test of bsp, which is user code.
		if first == folder {
			return true
		}
	}
	return false
}

// Own reports whether pkg is the user's: it belongs to the main module, to another module of the
// workspace, or to a module that a replace directive names by directory, and is not one of the
// packages of ckpgen that programs link. A package given as a list of files is the user's.
func Own(pkg *packages.Package) bool {
	switch {
	case Runtime(pkg.PkgPath), TestMain(pkg), pkg.PkgPath == "unsafe":
		return false
	case pkg.Module == nil:
		return pkg.PkgPath == "command-line-arguments"
	case pkg.Module.Main:
		return true
	}
	// A directory is a replacement without a version.
	r := pkg.Module.Replace
	return r != nil && r.Version == ""
}

// Main reports whether pkg belongs to the main module or another module of the
// workspace, or was given as a list of files.
func Main(pkg *packages.Package) bool {
	if pkg.Module == nil {
		return pkg.PkgPath == "command-line-arguments"
	}
	return pkg.Module.Main
}

// Language returns the version of the language that pkg is written in, as go1.N; an empty
// string if it is that of the toolchain.
func Language(pkg *packages.Package) string {
	switch m := pkg.Module; {
	case m == nil:
		return ""
	case m.GoVersion == "":
		return "go1.16" // what the go command takes a go.mod without a go line for
	default:
		return "go" + m.GoVersion
	}
}

// Importable reports whether a package of any module may import pkg: it is no
// main package and is neither internal nor vendored.
func Importable(pkg *packages.Package) bool {
	if pkg.Name == "main" || pkg.PkgPath == "unsafe" || pkg.PkgPath == "C" || Variant(pkg) {
		return false
	}
	for _, element := range strings.Split(pkg.PkgPath, "/") {
		if element == "internal" || element == "vendor" {
			return false
		}
	}
	return true
}

// Place returns the import path of the folder that pkg lies in, by which the go command decides
// what internal packages it may import: an external test, and a package given as a list of files,
// have another one themselves.
func Place(pkg *packages.Package) string {
	if pkg.PkgPath != "command-line-arguments" {
		if external := len(pkg.GoFiles) > 0 && strings.HasSuffix(pkg.GoFiles[0], "_test.go") && strings.HasSuffix(pkg.Name, "_test"); external {
			return strings.TrimSuffix(pkg.PkgPath, "_test")
		}
		return pkg.PkgPath
	}
	place, longest := pkg.PkgPath, ""
	for _, dep := range pkg.Imports {
		m := dep.Module
		if m == nil || !m.Main || len(m.Dir) <= len(longest) {
			continue
		}
		if rel, err := filepath.Rel(m.Dir, pkg.Dir); err == nil && filepath.IsLocal(rel) {
			place, longest = path.Join(m.Path, filepath.ToSlash(rel)), m.Dir
		}
	}
	return place
}

// Dependency reports whether pkg belongs to a module that is not the user's own.
func Dependency(pkg *packages.Package) bool {
	return pkg.Module != nil && !Own(pkg) && !Runtime(pkg.PkgPath) && !TestMain(pkg)
}

// Cached reports whether pkg lies in the module cache, whose files nothing can
// replace.
func Cached(pkg *packages.Package) bool {
	m := pkg.Module
	if m == nil || m.Main || m.Dir == "" { // those in a vendor directory have none
		return false
	}
	return m.Replace == nil || m.Replace.Version != ""
}

// System reports whether pkg belongs to the module that continues package syscall of the standard
// library: what its variables hold is of the process and the machine.
func System(pkg *packages.Package) bool {
	return pkg.Module != nil && pkg.Module.Path == "golang.org/x/sys"
}

// OfRuntime returns the packages of other modules that only the packages of ckpgen need which the
// program links: what their variables hold is of the process. A program of another module, which is
// named by its import path, has no packages of the user's own.
func (p *Program) OfRuntime() map[*packages.Package]bool {
	needed := make(map[*packages.Package]bool)
	todo := slices.DeleteFunc(slices.Clone(p.All), func(pkg *packages.Package) bool { return !Own(pkg) && !TestMain(pkg) })
	todo = append(todo, p.Initial...)
	for len(todo) > 0 {
		pkg := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if needed[pkg] || Runtime(pkg.PkgPath) {
			continue
		}
		needed[pkg] = true
		for _, imported := range pkg.Imports {
			todo = append(todo, imported)
		}
	}
	only := make(map[*packages.Package]bool)
	for _, pkg := range p.All {
		if !needed[pkg] && Dependency(pkg) {
			only[pkg] = true
		}
	}
	return only
}
