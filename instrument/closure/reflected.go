package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// connectReflected gives the dynamic calls for which the type flow analysis has found no callee at
// all, outside of the standard library, those that rapid type analysis finds. Such a call is either
// never made or on a value that came from where types are not seen to flow: an interface as
// v.Interface() of a reflect.Value returns it to decoders that ask for their methods, or a function
// that was stored by package reflect or in an atomic.Value. A function can also be a method that
// package reflect was asked for by its name, or one that package reflect has made. Calls for which
// there are callees get these as well,
// if functions of the type come from the standard library as interfaces, as from v.Interface(), or
// are in what package reflect may set: such a value may flow there, too. None get these if what is
// called is seen to be made otherwise (made.go).
func (g *graph) connectReflected() {
	handed := g.handedOut()
	elsewhere := func(site ssa.CallInstruction) bool { return isHandedOut(site, handed) }
	type edge struct {
		caller *callgraph.Node
		site   ssa.CallInstruction
		callee *callgraph.Node
	}
	var more []edge
	for fn, n := range g.nodes {
		if fn == nil || g.std[packagePath(fn)] {
			continue
		}
		called := make(map[ssa.CallInstruction]bool)
		for _, e := range n.Out {
			if _, known := called[e.Site]; !known {
				called[e.Site] = !elsewhere(e.Site) || g.isMade(e.Site, elsewhere)
			}
		}
		g.possible(fn, func(site ssa.CallInstruction) bool { return !called[site] && !g.isMade(site, elsewhere) }, func(site ssa.CallInstruction, callee *callgraph.Node) {
			more = append(more, edge{n, site, callee})
		})
	}
	g.received = make(map[token.Pos]bool)
	for _, e := range more {
		callgraph.AddEdge(e.caller, e.site, e.callee)
		common, callee := e.site.Common(), e.callee.Func.Signature
		if !common.IsInvoke() && callee.Recv() != nil && common.Signature().Params().Len() > callee.Params().Len() {
			g.received[common.Pos()] = true
		}
	}
}

// GivesReceiver reports whether a call of a func value may be one of a method, whose receiver is the
// first argument, as package reflect returns them: reflect.Type.Method(i).Func. (Method expressions
// are not among these.) The compiler's code between, which the methods of embedded fields have, looks
// at the receiver each time that it is called.
func (c *Closure) GivesReceiver(call *ast.CallExpr) bool { return c.graph.received[call.Lparen] }

// isMade reports whether all functions that a site calls are seen to be made.
func (g *graph) isMade(site ssa.CallInstruction, elsewhere func(ssa.CallInstruction) bool) bool {
	m := making{stored: g.stored(), nodes: g.nodes, typed: g.typed, elsewhere: elsewhere, met: make(map[ssa.Value]bool)}
	return m.value(site.Common().Value)
}

// possible calls f with each call in fn that is asked for, and each function that can be called
// there by the types alone.
func (g *graph) possible(fn *ssa.Function, asked func(ssa.CallInstruction) bool, f func(ssa.CallInstruction, *callgraph.Node)) {
	n := g.typed.CallGraph.Nodes[fn]
	if n == nil {
		return
	}
	for _, e := range n.Out {
		if e.Site == nil || !asked(e.Site) {
			continue
		}
		if callee := g.nodes[e.Callee.Func]; callee != nil && !g.calledWhereItStands(e.Callee.Func) {
			f(e.Site, callee)
		}
	}
	for _, site := range functionCalls(fn) {
		if !asked(site) {
			continue
		}
		if g.making != nil {
			f(site, g.making)
		}
		taken, _ := g.methodsTaken().At(site.Common().Signature()).([]*callgraph.Node)
		for _, callee := range taken {
			f(site, callee)
		}
	}
}

// methodsTaken returns the methods outside of the standard library that are taken as functions, by
// package reflect perhaps: []*callgraph.Node for the type of their func values, with the receiver
// and without.
func (g *graph) methodsTaken() *typeutil.Map {
	if g.taken != nil {
		return g.taken
	}
	g.taken = new(typeutil.Map)
	for fn, is := range g.typed.Reachable {
		if !is.AddrTaken || fn.Signature.Recv() == nil || g.nodes[fn] == nil || g.std[packagePath(fn)] {
			continue
		}
		for _, t := range []types.Type{fn.Signature, withReceiver(fn.Signature)} {
			list, _ := g.taken.At(t).([]*callgraph.Node)
			g.taken.Set(t, append(list, g.nodes[fn]))
		}
	}
	return g.taken
}

// calledWhereItStands reports whether a function is a literal that is called, deferred or started
// where it stands, and so is no value that can be elsewhere. Rapid type analysis takes it for one
// if it has variables of the function around it.
func (g *graph) calledWhereItStands(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return false
	}
	stands, known := g.standing[fn]
	if !known {
		if g.standing == nil {
			g.standing = make(map[*ssa.Function]bool)
		}
		stands = isOnlyCalled(fn)
		g.standing[fn] = stands
	}
	return stands
}

// isOnlyCalled reports the same of a literal.
func isOnlyCalled(fn *ssa.Function) bool {
	found := false
	for _, b := range fn.Parent().Blocks {
		for _, in := range b.Instrs {
			literal, ok := in.(*ssa.MakeClosure)
			if !ok || literal.Fn != fn {
				continue
			}
			for _, user := range *literal.Referrers() {
				if call, ok := user.(ssa.CallInstruction); !ok || call.Common().Value != literal || slices.Contains(call.Common().Args, ssa.Value(literal)) {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// withReceiver returns the type of a method as a function, whose first parameter is the receiver.
func withReceiver(method *types.Signature) *types.Signature {
	params := []*types.Var{types.NewParam(token.NoPos, nil, "", method.Recv().Type())}
	for p := range method.Params().Variables() {
		params = append(params, p)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), method.Results(), method.Variadic())
}

// setters are the functions of the standard library that give variables values of which the type
// flow analysis knows nothing. (Other decoders set no interfaces with methods.)
var setters = map[string]bool{
	"(reflect.Value).Set": true, "(reflect.Value).SetMapIndex": true, "(reflect.Value).Send": true, "(reflect.Value).TrySend": true,
	"reflect.Append": true, "(*encoding/gob.Decoder).Decode": true, "(*encoding/gob.Decoder).DecodeValue": true,
}

// handedOut returns the set of the types of functions, and of the program's own types of
// interfaces, that code outside of the standard library asserts of interfaces which functions of
// that return, as the one of an atomic.Value, and of those that errors.As sets. If it calls a
// setter, those are added that are in variables whose addresses become interfaces, or in maps and
// channels that do.
func (g *graph) handedOut() *typeutil.Map {
	list := new(typeutil.Map)
	var set []types.Type
	sets := false
	for fn := range g.nodes {
		if fn == nil || g.std[packagePath(fn)] {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.TypeAssert:
					if g.fromLibrary(in.X, nil) {
						switch in.AssertedType.Underlying().(type) {
						case *types.Signature, *types.Interface:
							g.dynamicIn(in.AssertedType, make(map[types.Type]bool), list)
						}
						set = append(set, in.AssertedType)
					}
				case *ssa.MakeInterface:
					switch in.X.Type().Underlying().(type) {
					case *types.Pointer, *types.Map, *types.Chan:
						if types.Identical(in.Type().Underlying(), types.NewInterfaceType(nil, nil)) {
							set = append(set, in.X.Type())
						}
					}
				case ssa.CallInstruction:
					callee := in.Common().StaticCallee()
					if callee == nil {
						continue
					}
					sets = sets || setters[callee.String()]
					if callee.String() == "errors.As" {
						g.foundIn(in.Common().Args[1], list)
					}
				}
			}
		}
	}
	if sets {
		met := make(map[types.Type]bool)
		for _, t := range set {
			g.dynamicIn(t, met, list)
		}
	}
	return list
}

// foundIn adds the type of the interface that errors.As sets, if it is one.
func (g *graph) foundIn(target ssa.Value, list *typeutil.Map) {
	made, ok := target.(*ssa.MakeInterface)
	if !ok {
		return
	}
	if to := pointee(made.X.Type()); to != nil && types.IsInterface(to) {
		g.dynamicIn(to, make(map[types.Type]bool), list)
	}
}

// dynamicIn adds the types of functions and of the program's own interfaces that a value of type t
// leads to, other than by an interface.
func (g *graph) dynamicIn(t types.Type, met map[types.Type]bool, list *typeutil.Map) {
	if met[t] {
		return
	}
	met[t] = true
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && g.std[named.Obj().Pkg().Path()] {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		list.Set(u, true)
	case *types.Interface:
		if _, ok := types.Unalias(t).(*types.Named); ok && u.NumMethods() > 0 && t != types.Universe.Lookup("error").Type() {
			list.Set(t, true)
		}
	case *types.Pointer:
		g.dynamicIn(u.Elem(), met, list)
	case *types.Slice:
		g.dynamicIn(u.Elem(), met, list)
	case *types.Array:
		g.dynamicIn(u.Elem(), met, list)
	case *types.Map:
		g.dynamicIn(u.Elem(), met, list)
	case *types.Chan:
		g.dynamicIn(u.Elem(), met, list)
	case *types.Struct:
		for f := range u.Fields() {
			g.dynamicIn(f.Type(), met, list)
		}
	}
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

// isHandedOut reports whether a site calls a func value of one of the given types, or a method of
// such an interface.
func isHandedOut(site ssa.CallInstruction, handed *typeutil.Map) bool {
	if site == nil || site.Common().StaticCallee() != nil {
		return false
	}
	var called types.Type = site.Common().Signature()
	if site.Common().IsInvoke() {
		called = site.Common().Value.Type()
	}
	return handed.At(called) != nil
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
