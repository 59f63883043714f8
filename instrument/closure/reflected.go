package closure

import (
	"go/types"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/ssa"
)

// connectReflected gives the dynamic calls for which the type flow analysis has found no callee at all, outside of the
// standard library, those that rapid type analysis finds. Such a call is either never made or on a value that came from
// where types are not seen to flow: an interface as v.Interface() of a reflect.Value returns it to decoders that ask for
// their methods, or a function that was stored by package reflect or in an atomic.Value. A function can also be a method
// that package reflect was asked for by its name.
func (g *graph) connectReflected(all *rta.Result) {
	var named []*callgraph.Node
	for fn, is := range all.Reachable {
		if is.AddrTaken && fn.Signature.Recv() != nil && g.nodes[fn] != nil && !g.std[packagePath(fn)] {
			named = append(named, g.nodes[fn])
		}
	}
	for fn, n := range g.nodes {
		if fn == nil || g.std[packagePath(fn)] || all.CallGraph.Nodes[fn] == nil {
			continue
		}
		called := make(map[ssa.CallInstruction]bool)
		for _, e := range n.Out {
			called[e.Site] = true
		}
		for _, e := range all.CallGraph.Nodes[fn].Out {
			if e.Site == nil || called[e.Site] {
				continue
			}
			if callee := g.nodes[e.Callee.Func]; callee != nil {
				callgraph.AddEdge(n, e.Site, callee)
			}
		}
		for _, site := range functionCalls(fn) {
			if called[site] {
				continue
			}
			for _, callee := range named {
				if types.Identical(callee.Func.Signature, site.Common().Signature()) {
					callgraph.AddEdge(n, site, callee)
				}
			}
		}
	}
}

// functionCalls returns the calls of func values in fn.
func functionCalls(fn *ssa.Function) (calls []ssa.CallInstruction) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok || call.Common().IsInvoke() || call.Common().StaticCallee() != nil {
				continue
			}
			if _, builtin := call.Common().Value.(*ssa.Builtin); !builtin {
				calls = append(calls, call)
			}
		}
	}
	return calls
}
