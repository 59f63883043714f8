package instrument

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"

	"github.com/ckpgen/ckpgen/instrument/edits"
)

// revise changes a file that may have been rewritten: what is changed in its text may be elsewhere
// than in the program's. The edits have it take functions from packages of the runtime, which
// another program that has its package need not link otherwise, and so it imports these.
func (a *Analysis) revise(out *Sources, name string, change func(*token.FileSet, *ast.File) (list []edits.Edit, from map[string]bool)) error {
	text, err := a.textOf(out, name)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("rewritten file: %w", err)
	}
	list, from := change(fset, file)
	if len(list) == 0 {
		return nil
	}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		delete(from, path)
	}
	end := fset.PositionFor(file.Name.End(), false).Offset
	for _, path := range slices.Sorted(maps.Keys(from)) {
		list = append(list, edits.Edit{From: end, To: end, Text: fmt.Sprintf("; import _ %q", path)})
	}
	text = edits.Apply(text, list)
	if !a.Unread {
		if text, err = format.Source(text); err != nil {
			return fmt.Errorf("rewritten file: %w", err)
		}
	}
	out.Files[name] = text
	return nil
}
