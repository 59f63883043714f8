package instrument

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"

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
// whether the packages are rewritten or not. Those that hash values, which can have addresses in them, are in package ckp.
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
			if len(closure.HashLinks(file)) == 0 {
				continue
			}
			if a.OwnOnly && !load.Own(pkg) {
				out.Hashing = append(out.Hashing, pkg.PkgPath)
				break
			}
			name := pkg.CompiledGoFiles[i]
			text, err := a.textOf(out, name)
			if err != nil {
				return err
			}
			fset := token.NewFileSet()
			// As it may have been rewritten, the directives may be elsewhere.
			file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return fmt.Errorf("rewritten file: %w", err)
			}
			var list []edits.Edit
			for _, link := range closure.HashLinks(file) {
				path := memory
				if link.HashesValues() {
					path, out.HashesValues = values, true
				}
				list = append(list, edits.Of(fset, link.Comment, "//go:linkname "+link.Local+" "+path+"."+link.Function))
			}
			if len(list) > 0 {
				out.Files[name] = edits.Apply(text, list)
			}
		}
	}
	slices.Sort(out.Hashing)
	return nil
}
