package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// An expression with very many resume points, such as a table whose rows call functions, has as
// many temporaries. At each resume point all those before it are live, and both the text and the
// work of the compiler would grow with the square of their number, and more. So the values are put
// on shelves, one slice for each type, and a frame has these:
//
//	[]row{{"a", f(1)},             shelf1 = make([]T, 2)
//	      {"b", f(2)}}             call1 = f(1)
//	                               shelf1[0] = call1
//	                               call1 = f(2)
//	                               shelf1[1] = call1
//	                               []row{{"a", shelf1[0]}, {"b", shelf1[1]}}

// manyResumes is the number of resume points from which on an expression has shelves.
const manyResumes = 50

// shelves are those of the expression that is being lowered.
type shelves struct {
	made *instruction
	list []*variable
	size map[*variable]int
}

// withShelves calls lower for expressions with so many resume points.
func (c *function) withShelves(resumes int, lower func()) {
	if resumes < manyResumes || c.shelves != nil {
		lower()
		return
	}
	s := &shelves{made: &instruction{falls: true}, size: make(map[*variable]int)}
	c.code = append(c.code, s.made)
	c.shelves = s
	lower()
	c.shelves = nil
	var b strings.Builder
	for _, v := range s.list {
		fmt.Fprintf(&b, "%s = make(%s, %d)\n", v.name, v.text, s.size[v])
	}
	s.made.text, s.made.defines = b.String(), s.list
}

// shelve puts t, the value that e has been evaluated to, on a shelf if there is one, and lets that
// stand for e. What functions are called is always told by variables.
func (c *function) shelve(e ast.Expr, t *variable) {
	c.subst[e] = substitution{text: t.name, uses: []*variable{t}}
	if c.shelves == nil {
		return
	}
	if _, function := core(t.typ).(*types.Signature); function {
		return
	}
	v := c.shelf(t, e)
	at := fmt.Sprintf("%s[%d]", v.name, c.shelves.size[v])
	c.shelves.size[v]++
	c.use(t, v)
	c.emit(token.NoPos, at+" = "+t.name)
	c.subst[e] = substitution{text: at, uses: []*variable{v}, indexed: true}
	// The temporary can be used again at once.
	for i, h := range c.inUse {
		if h.v == t && h.temporary {
			c.inUse = append(c.inUse[:i:i], c.inUse[i+1:]...)
			c.free[h.kind] = append(c.free[h.kind], t)
			break
		}
	}
}

// shelf returns the shelf for values of the type of t.
func (c *function) shelf(t *variable, at ast.Node) *variable {
	for _, v := range c.shelves.list {
		if v.text == "[]"+t.text {
			return v
		}
	}
	v := c.temporary("shelf", types.NewSlice(t.typ), at)
	c.shelves.list = append(c.shelves.list, v)
	return v
}
