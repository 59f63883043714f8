package rewrite

import (
	"fmt"
	"go/ast"
)

// Function literals and bodies of loops over functions become functions and methods of generated
// types. People know them by the names that Go gives them in stack traces, and variables by those
// in the source.

// title returns what Go calls the function in a stack trace, if it does not call what is written
// for it the same; "" if not, or if it is not known.
func (c *function) title() string {
	if _, ok := c.node.(*ast.FuncDecl); ok {
		return ""
	}
	if c.file.titles == nil {
		c.file.titles = make(map[ast.Node]string)
		for _, decl := range c.file.syntax.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil {
				c.file.entitle(d.Body, c.p.runtimeName(d), ".func")
			}
		}
	}
	return c.file.titles[c.node]
}

// entitle gives titles to the literals and loops in a body, which belongs to a function with a
// title.
func (f *file) entitle(body *ast.BlockStmt, title, infix string) {
	literals, loops := 0, 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literals++
			f.titles[n] = fmt.Sprintf("%s%s%d", title, infix, literals)
			f.entitle(n.Body, f.titles[n], ".")
			return false
		case *ast.RangeStmt:
			if f.p.overFunction(n) {
				loops++
				f.titles[n] = fmt.Sprintf("%s-range%d", title, loops)
			}
		}
		return true
	})
}

// A renamed variable is a field of a frame struct that has another name than the user's variable,
// or is none of the user's: then user is empty. A star stands before the name if the field points
// to the variable.
type renamed struct{ field, user string }

// renamedFields returns those of a frame struct.
func (c *function) renamedFields(fields []*variable) []renamed {
	users := make(map[*variable]string)
	for obj, v := range c.variables {
		if obj.Name() != "_" {
			users[v] = obj.Name()
			if v.cell {
				users[v] = "*" + obj.Name()
			}
		}
	}
	var list []renamed
	if c.keepsPanic() {
		list = append(list, renamed{"Panic", ""})
	}
	for _, v := range fields {
		if user := users[v]; user != v.name {
			list = append(list, renamed{v.name, user})
		}
	}
	return list
}
