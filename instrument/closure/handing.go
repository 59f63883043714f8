package closure

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"

	"github.com/ckpgen/ckpgen/instrument/standard"
)

// Package reflect calls functions for the program:
//
//	reflect.ValueOf(f).Call(args)
//
// A checkpoint can be taken below if the two methods that do so are rewritten: their frames have the
// function and its arguments, and to go on they call it again, which then goes on where it was. Such
// a call can be one of any function whose type a value in an interface has, or has in it, and of any
// exported method of such a value if the program gets methods as values. The types of the arguments
// are not looked at. The standard library's own calls of these methods, as of functions in a
// template, are not among them, but for those of testing/quick, and of fuzz targets.
//
// And it makes functions, which call one that takes and returns lists of values:
//
//	reflect.MakeFunc(reflect.TypeOf(f), func(args []reflect.Value) []reflect.Value { ... })
//
// They can be called by what calls functions that it got by reflection. What calls the function below
// is a function that was added to package reflect, with a frame (standard/_patches/reflect). While a
// checkpoint is taken there are no results, and callers get zero values, as from any function then.
// A function that recovers must be called by the deferred one itself, without that between. If the
// program has one of the type, checkpoints below are refused.
//
// The graph has a node for each of the two, between the calls of the program and the functions.

// callMethods are the methods of reflect.Value that call what it holds, methodGetters those functions
// that get methods of values as such, and makers what makes functions.
var (
	makers        = map[string]bool{"reflect.MakeFunc": true}
	callMethods   = map[string]bool{"(reflect.Value).Call": true, "(reflect.Value).CallSlice": true}
	methodGetters = map[string]bool{
		"(reflect.Value).Method": true, "(reflect.Value).MethodByName": true, "(reflect.Value).Methods": true,
		"(*reflect.rtype).Method": true, "(*reflect.rtype).MethodByName": true, "(*reflect.rtype).Methods": true,
	}
)

// newHub returns a node for calls that package reflect makes.
func (g *graph) newHub(name string) *callgraph.Node {
	nothing := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	return &callgraph.Node{Func: g.program.NewFunction(standard.Reflection+"."+name, nothing, "call by package reflect")}
}

// connectMade has a node stand for the functions that package reflect makes. It must be called
// before their callers are connected.
func (g *graph) connectMade() {
	if len(g.callsOf(makers)) == 0 {
		return
	}
	g.making = g.newHub("MakeFunc")
	for fn, is := range g.typed.Reachable {
		bound := fn.Synthetic != "" && fn.Signature.Recv() == nil
		if callee := g.nodes[fn]; is.AddrTaken && callee != nil && (g.byProgram(fn) || bound) && standard.TakesValues(fn.Signature) {
			callgraph.AddEdge(g.making, nil, callee)
		}
	}
}

// isCaller reports whether a function is one of the program, or of those packages of the standard
// library that call only what they were handed, or was made for what the program calls: a method that
// is a func value, or one of another type that embeds a reflect.Value. (Package reflect has all
// programs make such functions that nothing calls.)
func (g *graph) isCaller(n *callgraph.Node) bool {
	if fn := n.Func; fn.Syntax() != nil || fn.Synthetic == "" {
		return g.byProgram(fn) || standard.ByReflection(packagePath(fn)) || packagePath(fn) == "testing" && g.fuzzes()
	}
	return slices.ContainsFunc(n.In, func(e *callgraph.Edge) bool {
		return e.Caller == g.making || e.Caller.Func.Synthetic == "" && g.isCaller(e.Caller)
	})
}

// fuzzes reports whether the program has fuzz targets, which package testing calls so.
func (g *graph) fuzzes() bool {
	for fn, n := range g.nodes {
		if fn != nil && fn.String() == "(*testing.F).Fuzz" {
			return slices.ContainsFunc(n.In, func(e *callgraph.Edge) bool { return g.byProgram(e.Caller.Func) })
		}
	}
	return false
}

// callsOf returns the calls of functions of package reflect that the program makes.
func (g *graph) callsOf(names map[string]bool) (calls []*callgraph.Edge) {
	for fn, n := range g.nodes {
		if fn == nil || packagePath(fn) != standard.Reflection || !names[fn.String()] {
			continue
		}
		for _, e := range n.In {
			if e.Site != nil && g.isCaller(e.Caller) {
				calls = append(calls, e)
			}
		}
	}
	return calls
}

// connectCalls gives calls of these methods their callees.
func (g *graph) connectCalls() {
	calls := g.callsOf(callMethods)
	if len(calls) == 0 {
		return
	}
	g.handing = g.newHub("Value.Call")
	methods := len(g.callsOf(methodGetters)) > 0
	for fn, is := range g.typed.Reachable {
		callee := g.nodes[fn]
		if !is.AddrTaken || callee == nil || g.std[packagePath(fn)] || g.calledWhereItStands(fn) {
			continue
		}
		if recv := fn.Signature.Recv(); recv != nil && methods && token.IsExported(fn.Name()) || recv == nil && g.typed.RuntimeTypes.At(fn.Signature) != nil {
			callgraph.AddEdge(g.handing, nil, callee)
		}
	}
	if g.making != nil {
		callgraph.AddEdge(g.handing, nil, g.making)
	}
	for _, e := range calls {
		callgraph.AddEdge(e.Caller, e.Site, g.handing)
	}
}

// callsByReflection reports whether the program has package reflect call a function below which a
// checkpoint can be taken or joined.
func (c *Closure) callsByReflection() bool {
	for _, hub := range []*callgraph.Node{c.graph.handing, c.graph.making} {
		if hub == nil {
			continue
		}
		if _, reaches := c.saved[hub]; reaches {
			return !c.graph.recoversMade()
		}
	}
	return false
}

// recoversMade reports whether a function that package reflect may have made others of recovers.
func (g *graph) recoversMade() bool {
	return g.making != nil && slices.ContainsFunc(g.making.Out, func(e *callgraph.Edge) bool { return callsRecover(e.Callee.Func) })
}
