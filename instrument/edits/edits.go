// Package edits changes places of a Go file and leaves all others as they are.
package edits

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"slices"
)

// An Edit replaces the bytes between two offsets.
type Edit struct {
	From, To int
	Text     string
}

// Of returns the edit that replaces a node. Line directives are not looked at.
func Of(fset *token.FileSet, n ast.Node, text string) Edit {
	from := fset.PositionFor(n.Pos(), false).Offset
	return Edit{from, from + int(n.End()-n.Pos()), text}
}

// Apply returns the text with the edits, which must not overlap. What is inserted at a place comes
// before what is replaced there.
func Apply(text []byte, list []Edit) []byte {
	slices.SortFunc(list, func(a, b Edit) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	var out bytes.Buffer
	at := 0
	for _, e := range list {
		out.Write(text[at:e.From])
		out.WriteString(e.Text)
		at = e.To
	}
	out.Write(text[at:])
	return out.Bytes()
}
