package closure

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/ssa"
)

// connectReflected gives the dynamic calls for which the type flow analysis has found no callee at all, outside of the
// standard library, those that rapid type analysis finds. Such a call is either never made or on a value that came from
// where types are not seen to flow: an interface as v.Interface() of a reflect.Value returns it to decoders that ask for
// their methods, or a function that was stored by package reflect or in an atomic.Value. A function can also be a method
// that package reflect was asked for by its name. Calls for which there are callees get these as well, if functions of the type come from the
// standard library as interfaces, as from v.Interface(): such a value may flow there, too.
func (g *graph) connectReflected(all *rta.Result) {
	var named []*callgraph.Node
	for fn, is := range all.Reachable {
		if is.AddrTaken && fn.Signature.Recv() != nil && g.nodes[fn] != nil && !g.std[packagePath(fn)] {
			named = append(named, g.nodes[fn])
		}
	}
	handed := g.handedOut()
	for fn, n := range g.nodes {
		if fn == nil || g.std[packagePath(fn)] || all.CallGraph.Nodes[fn] == nil {
			continue
		}
		called := make(map[ssa.CallInstruction]bool)
		for _, e := range n.Out {
			called[e.Site] = !isHandedOut(e.Site, handed)
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
				if sig := site.Common().Signature(); types.Identical(callee.Func.Signature, sig) || types.Identical(withReceiver(callee.Func.Signature), sig) {
					callgraph.AddEdge(n, site, callee)
				}
			}
		}
	}
}

// withReceiver returns the type of a method as a function, whose first parameter is the receiver.
func withReceiver(method *types.Signature) *types.Signature {
	params := []*types.Var{types.NewParam(token.NoPos, nil, "", method.Recv().Type())}
	for p := range method.Params().Variables() {
		params = append(params, p)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), method.Results(), method.Variadic())
}

// handedOut returns the types of functions that code outside of the standard library asserts of interfaces which functions of that return.
func (g *graph) handedOut() (list []types.Type) {
	for fn := range g.nodes {
		if fn == nil || g.std[packagePath(fn)] {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if a, ok := in.(*ssa.TypeAssert); ok && g.fromLibrary(a.X, nil) {
					if sig, ok := a.AssertedType.Underlying().(*types.Signature); ok {
						list = append(list, sig)
					}
				}
			}
		}
	}
	return list
}

// fromLibrary reports whether a value may be the result of a function of the standard library.
func (g *graph) fromLibrary(v ssa.Value, within []ssa.Value) bool {
	if slices.Contains(within, v) {
		return false
	}
	within = append(within, v)
	switch v := v.(type) {
	case *ssa.Call:
		callee := v.Common().StaticCallee()
		return callee != nil && g.std[packagePath(callee)]
	case *ssa.Extract:
		return g.fromLibrary(v.Tuple, within)
	case *ssa.ChangeInterface:
		return g.fromLibrary(v.X, within)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return g.fromLibrary(e, within) })
	}
	return false
}

// isHandedOut reports whether a site calls a func value of one of the given types.
func isHandedOut(site ssa.CallInstruction, handed []types.Type) bool {
	if site == nil || site.Common().IsInvoke() || site.Common().StaticCallee() != nil {
		return false
	}
	return slices.ContainsFunc(handed, func(t types.Type) bool { return types.Identical(t, site.Common().Signature()) })
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
