package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/edits"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// lists are the functions of package runtime that tell which goroutines there are. Those of package
// shadow of the same names leave out what is there for the checkpoints.
var lists = map[string]bool{"Stack": true, "NumGoroutine": true}

// listGoroutines has the packages that use one of these functions, rewritten or not, use that of
// package shadow:
//
//	package leak; import ckpgenshadow "github.com/ckpgen/ckpgen/runtime/ckp/shadow"
//	n := ckpgenshadow.NumGoroutine()
//
// In what is written as source it is left: a checkpoint is seldom of interest to those who count
// goroutines but in tests.
func (a *Analysis) listGoroutines(out *Sources) error {
	if a.OwnOnly {
		return nil
	}
	shadow := out.shadowPath()
	for _, pkg := range a.Program.All {
		if !load.Own(pkg) && !load.Dependency(pkg) || load.Runtime(pkg.PkgPath) {
			continue
		}
		for i, file := range pkg.Syntax {
			if !usesLists(pkg, file) {
				continue
			}
			name := pkg.CompiledGoFiles[i]
			text, err := a.textOf(out, name)
			if err != nil {
				return err
			}
			changed, err := listsReplaced(text, shadow)
			if err != nil {
				return fmt.Errorf("rewritten file: %w", err)
			}
			out.Files[name] = changed
		}
	}
	return nil
}

// textOf returns the text of a file as it is to be, rewritten or not.
func (a *Analysis) textOf(out *Sources, name string) ([]byte, error) {
	if text := out.Files[name]; text != nil {
		return text, nil
	}
	return a.source(name)
}

// usesLists reports whether a file uses one of the functions.
func usesLists(pkg *packages.Package, file *ast.File) bool {
	uses := false
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && lists[id.Name] {
			if f, ok := pkg.TypesInfo.Uses[id].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "runtime" {
				uses = true
			}
		}
		return !uses
	})
	return uses
}

// listsReplaced returns the text of a file with the other functions. As it may have been rewritten,
// nothing is known of its types.
func listsReplaced(text []byte, shadow string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	by := ""
	for _, spec := range file.Imports {
		if spec.Path.Value == `"runtime"` {
			by = "runtime"
			if spec.Name != nil {
				by = spec.Name.Name
			}
		}
	}
	unresolved := make(map[*ast.Ident]bool) // by what is declared in the file, but for imports
	for _, id := range file.Unresolved {
		unresolved[id] = true
	}
	const name = "ckpgenshadow"
	var list []edits.Edit
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && lists[sel.Sel.Name] {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == by && unresolved[id] {
				list = append(list, edits.Of(fset, id, name))
			}
		}
		return true
	})
	if len(list) == 0 {
		return text, nil
	}
	end := fset.PositionFor(file.Name.End(), false).Offset
	list = append(list, edits.Edit{From: end, To: end, Text: fmt.Sprintf("; import %s %q", name, shadow)})
	var b strings.Builder
	b.Write(edits.Apply(text, list))
	fmt.Fprintf(&b, "\nvar _ = %s.GOOS // is used\n", by)
	return []byte(b.String()), nil
}
