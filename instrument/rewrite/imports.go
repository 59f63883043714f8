package rewrite

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"

	"github.com/ckpgen/ckpgen/instrument/edits"
)

// importName returns the name by which the package is known in the file,
// importing it if need be.
func (f *file) importName(path, name string) string {
	if n, ok := f.imports[path]; ok {
		return n
	}
	n, ok := f.p.aliases[path]
	if !ok {
		n = name
		if f.p.taken[n] || f.p.local[n] {
			n = f.p.packageName(name + "_import")
		}
		f.p.taken[n] = true
		f.p.aliases[path] = n
	}
	f.imports[path] = n
	f.added[path] = n
	return n
}

// settleImports makes the imports those of the new text, since one that nothing uses is an error.
// Those that were added and are not used, such as that for the type of a parameter which its own
// file names without, are dropped. The user's own that are not used any more have the name _ then:
// the new text need not name the constant that was the length of an array, nor the array that a
// loop counts the elements of, and has another name for what was imported with a dot. body is the
// text that begins at from, and has the user's imports where they were.
func (f *file) settleImports(body []byte, from token.Pos) []byte {
	alone, qualifying := make(map[string]bool), make(map[string]bool)
	identifiers(body, alone, qualifying)
	identifiers([]byte(f.tail.String()), alone, qualifying)
	for path, name := range f.added {
		if !qualifying[name] {
			delete(f.added, path)
		}
	}
	var list []edits.Edit
	for _, im := range f.syntax.Imports {
		n := f.p.info.PkgNameOf(im)
		if n == nil || n.Name() == "_" {
			continue
		}
		name := f.p.nameOf(n)
		used := qualifying[name]
		if name == "." {
			used = usesAny(alone, n.Imported())
		}
		if !used {
			name = "_"
		} else if name == n.Name() {
			continue
		}
		at := int(im.Pos() - from)
		if im.Name != nil {
			list = append(list, edits.Edit{From: at, To: at + len(im.Name.Name), Text: name})
		} else {
			list = append(list, edits.Edit{From: at, To: at, Text: name + " "})
		}
	}
	return edits.Apply(body, list)
}

// usesAny reports whether one of the names is that of something which the package exports.
func usesAny(names map[string]bool, pkg *types.Package) bool {
	for name := range names {
		if ast.IsExported(name) && pkg.Scope().Lookup(name) != nil {
			return true
		}
	}
	return false
}

// identifiers adds the identifiers of the text that select nothing to alone, and those of them that
// something is selected from to qualifying.
func identifiers(text []byte, alone, qualifying map[string]bool) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(text)), text, func(token.Position, string) {}, 0)
	name, last := "", token.ILLEGAL
	for last != token.EOF {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.IDENT && last != token.PERIOD:
			name = literal
			alone[name] = true
		case tok == token.PERIOD && name != "":
			qualifying[name] = true
			name = ""
		default:
			name = ""
		}
		last = tok
	}
}
