package closure

import (
	"go/token"
	"go/types"
)

// Reaches reports whether a checkpoint call can be reached from a function or method, in any
// instance of it if it is generic. It is true for a method of an interface, which may be any.
func (c *Closure) Reaches(fn *types.Func) bool {
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return true
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	if c.reaching == nil {
		c.reaching = make(map[token.Pos]bool, len(c.saved))
		for n := range c.saved {
			c.reaching[n.Func.Pos()] = true
		}
	}
	fn = fn.Origin()
	return c.reaching[fn.Pos()] || c.funcs[fn.Pos()] || c.graph.inLibrary(fn.Pkg().Path())
}

// Reaches is true: what a func value reaches that is handed over depends on the program.
func (l *Library) Reaches(*types.Func) bool { return true }
