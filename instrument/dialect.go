package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/version"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/edits"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// Carried is the import path below which the runtime's packages are for a program that
// does not import them itself. They are added to the standard library of that build, where
// every package can import them: no module, workspace, vendor directory or go.sum has to
// know them, and there need not even be a module.
const Carried = "ckpgen"

// Leaf are the folders of the packages that rewritten packages of the standard library
// import, which can be nothing but others of it. So then these are below [Carried] also
// for programs that import the runtime themselves: for the whole of it. Package quiet is
// one of them because only new sources import it.
var Leaf = []string{"runtime/ckp/shadow", "runtime/ckp/shadow/goroutine", "runtime/ckp/blocking", "runtime/ckp/quiet"}

func isLeaf(path string) bool {
	rest, ok := strings.CutPrefix(path, load.Module+"/")
	return ok && slices.Contains(Leaf, rest)
}

// carriedPath returns the import path below Carried of a package of the runtime.
func carriedPath(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, load.Module+"/")
	return Carried + "/" + rest, ok && load.Runtime(path)
}

// generics is the language version that generated code needs. It is the least that a
// build constraint can give to a file, whatever the version of its module.
const generics = "go1.21"

// A dialect is what becomes of rewritten files so that they build where they are.
type dialect struct {
	carried bool                     // the runtime's packages are found below Carried
	leaf    bool                     // those of the leaf are
	old     bool                     // the module's language version is older than generics
	line    func(name string) string // see Analysis.Line
}

// dialectOf returns the dialect of a package.
func (a *Analysis) dialectOf(pkg *packages.Package, carried bool) dialect {
	d := dialect{carried: carried, leaf: a.Program.Standard(), line: a.Line}
	if d.line == nil {
		d.line = func(name string) string { return name }
	}
	if v := load.Language(pkg); v != "" {
		d.old = version.Compare(v, generics) < 0
	}
	return d
}

// put returns a rewritten file in the dialect. name is that of the file, and original
// is set if the user has one of this name.
func (d dialect) put(name string, text []byte, original bool) ([]byte, error) {
	if !d.carried && !d.leaf && !d.old {
		return text, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ImportsOnly|parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("rewritten file: %w", err)
	}
	var list []edits.Edit
	change := func(n ast.Node, text string) { list = append(list, edits.Of(fset, n, text)) }
	if d.carried || d.leaf {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, fmt.Errorf("import in rewritten file %s: %w", name, err)
			}
			if renamed, ok := carriedPath(path); ok && (d.carried || isLeaf(path)) {
				change(spec.Path, strconv.Quote(renamed))
			}
		}
	}
	if d.old {
		list = append(list, d.constrain(name, text, file, original, change)...)
	}
	return edits.Apply(text, list), nil
}

// constrain raises the language version of the file. Its build constraint, which holds since
// the file is part of the build, is changed where it stands, so that lines stay.
func (d dialect) constrain(name string, text []byte, file *ast.File, original bool, change func(ast.Node, string)) []edits.Edit {
	found := false
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() > file.Package {
				continue
			}
			switch {
			case constraint.IsGoBuild(c.Text):
				found = true
				x, err := constraint.Parse(c.Text)
				if err == nil && constraint.GoVersion(x) == "" {
					change(c, fmt.Sprintf("//go:build (%s) && %s", x, generics))
				}
			case constraint.IsPlusBuild(c.Text):
				// It would have to say the same as the new line.
				change(c, "// ("+strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))+")")
			}
		}
	}
	if found {
		return nil
	}
	at := 0
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	line := "//go:build " + generics + "\n\n"
	if original {
		line += "//line " + d.line(name) + ":1:1\n"
	}
	return []edits.Edit{{From: at, To: at, Text: line}}
}
