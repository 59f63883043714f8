package load

import (
	"go/ast"
	"iter"
	"strings"
)

// A Link is a directive
//
//	//go:linkname Local Target
//
// by which a function or variable of a package is what the linker knows by another name, or gives
// that its own. Without Target, others may do so.
type Link struct {
	Comment       *ast.Comment
	Local, Target string
}

// Links yields the directives of that kind in files.
func Links(files ...*ast.File) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for _, file := range files {
			for _, group := range file.Comments {
				for _, c := range group.List {
					if !strings.HasPrefix(c.Text, "//go:linkname") {
						continue // nearly all
					}
					words := append(strings.Fields(c.Text), "")
					if (len(words) == 3 || len(words) == 4) && words[0] == "//go:linkname" && !yield(Link{c, words[1], words[2]}) {
						return
					}
				}
			}
		}
	}
}

// Split returns the import path of the package whose function or variable the target is, or main,
// and the name that this has there. It is false of a name that is no package's, as C and assembly
// have them.
func (l Link) Split() (path, name string, ok bool) {
	last := strings.LastIndexByte(l.Target, '/') + 1
	path, name, ok = strings.Cut(l.Target[last:], ".")
	return l.Target[:last] + strings.ReplaceAll(path, "%2e", "."), name, ok
}
