package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/closure"
	"github.com/ckpgen/ckpgen/instrument/edits"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// linkHashes has the packages that hash by functions of Go's runtime, with
//
//	//go:linkname strhash runtime.strhash
//
// do so by the functions of the same names of package shadow:
//
//	//go:linkname strhash github.com/ckpgen/ckpgen/runtime/ckp/shadow.strhash
//
// whether the packages are rewritten or not, and pin goroutines to their processors by functions of
// that package, too. Those that hash values, which can have addresses in
// them, are in package ckp. So are those that are in the place of the functions that packages take
// out of the descriptions of map types:
//
//	h = i.typ.hasher
//
// becomes
//
//	h = ckpMapHasher0(unsafe.Pointer(&i.typ.hasher))
func (a *Analysis) linkHashes(out *Sources) error {
	memory, values := out.shadowPath(), rewrite.RootPath
	if out.Carried {
		values, _ = carriedPath(values)
	}
	for _, pkg := range a.Program.All {
		if !load.Own(pkg) && !load.Dependency(pkg) {
			continue
		}
		for i, file := range pkg.Syntax {
			read := hashersRead(pkg, file)
			links := closure.RuntimeLinks(file)
			if len(links) == 0 && len(read) == 0 {
				continue
			}
			if a.OwnOnly && !load.Own(pkg) {
				if len(read) == 0 && !slices.ContainsFunc(links, closure.RuntimeLink.Hashes) {
					continue
				}
				out.Hashing = append(out.Hashing, pkg.PkgPath)
				break
			}
			name := pkg.CompiledGoFiles[i]
			err := a.revise(out, name, func(fset *token.FileSet, file *ast.File) (list []edits.Edit, from map[string]bool) {
				from = make(map[string]bool)
				for _, link := range closure.RuntimeLinks(file) {
					path := memory
					if link.HashesValues() {
						path, out.HashesValues = values, true
					}
					from[path] = true
					list = append(list, edits.Of(fset, link.Comment, "//go:linkname "+link.Local+" "+path+"."+link.Function))
				}
				if taken := takeHashers(fset, file, read, i, values); len(taken) > 0 {
					list, out.HashesValues = append(list, taken...), true
					from[values] = true
				}
				return list, from
			})
			if err != nil {
				return err
			}
		}
	}
	slices.Sort(out.Hashing)
	return nil
}

// hashersRead returns the expressions of a file that are functions by which maps hash, as
// types.ExprString writes them.
func hashersRead(pkg *packages.Package, file *ast.File) map[string]bool {
	read := make(map[string]bool)
	typed := closure.MapHashers(pkg, file)
	for _, x := range typed {
		read[types.ExprString(x)] = true
	}
	if len(read) == 0 || !slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"unsafe"` && spec.Name == nil }) {
		return nil
	}
	for _, x := range closure.HasherReads(file) {
		if !slices.Contains(typed, x) {
			delete(read, types.ExprString(x)) // as the text does not tell them apart
		}
	}
	return read
}

// takeHashers has a file, number i of its package, get its functions for hashing from package ckp,
// whose path is given.
func takeHashers(fset *token.FileSet, file *ast.File, read map[string]bool, i int, path string) []edits.Edit {
	var list []edits.Edit
	name := fmt.Sprint("ckpMapHasher", i)
	for _, x := range closure.HasherReads(file) {
		if text := types.ExprString(x); read[text] {
			list = append(list, edits.Of(fset, x, name+"(unsafe.Pointer(&"+text+"))"))
		}
	}
	if len(list) == 0 {
		return nil
	}
	end := fset.PositionFor(file.FileEnd, false).Offset
	declaration := fmt.Sprintf("\n\n//go:linkname %s %s.mapHasher\nfunc %[1]s(unsafe.Pointer) func(unsafe.Pointer, uintptr) uintptr\n", name, path)
	return append(list, edits.Edit{From: end, To: end, Text: declaration})
}
