package closure

import (
	"go/token"
	"go/types"
)

// Instances returns the type arguments with which a generic function, or a method of a generic
// type, can run in the program, in no order. They are not known if the program has no main
// function: who imports it may have others.
func (c *Closure) Instances(fn *types.Func) (list [][]types.Type, known bool) {
	g := c.graph
	if !g.mains || g.typed == nil {
		return nil, false
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	if g.instances == nil {
		g.instances = make(map[token.Pos][][]types.Type)
		for f := range g.typed.Reachable {
			if origin := f.Origin(); origin != nil && origin != f && len(f.TypeArgs()) > 0 && origin.Object() != nil {
				g.instances[origin.Object().Pos()] = append(g.instances[origin.Object().Pos()], f.TypeArgs())
			}
		}
	}
	return g.instances[fn.Origin().Pos()], true
}
