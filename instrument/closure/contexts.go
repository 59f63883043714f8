package closure

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// A function that calls what it is handed leads to a checkpoint where that does, and nowhere else:
//
//	func each(list []item, f func(item)) {
//		for _, x := range list {
//			f(x)
//		}
//	}
//
//	each(list, func(x item) { n += x.size })   each(list, func(x item) { x.work() })
//
// Both literals flow to f, so each is in the closure if one of them is. The call graph does not
// tell its calls apart. But of one that hands over a literal or a declared function by name it is
// plain what f is there, and if no checkpoint can be reached from that, the call is no resume
// point. So the walk back from the checkpoints keeps in mind by way of which parameter, and of
// which function in it, it has come to a function, and passes over the calls that hand over others.
// A function that hands its own parameter on is walked through in the same way.
//
// The same goes for interfaces: what methods they have is plain where a value of another type is
// made one in the call.
//
// Only a parameter that is called as it is counts: SSA form has another value for one that is
// assigned, captured or kept.

// A context is a function from which a checkpoint can be reached: whatever it is handed, or when it
// is handed a certain function.
type context struct {
	node   *callgraph.Node
	param  int           // as in ssa.Function.Params
	handed *ssa.Function // or the method of what it is handed; nil: whatever it is handed
}

// whatever is a function whatever it is handed.
func whatever(n *callgraph.Node) context { return context{node: n} }

// anyhow are functions whatever they are handed.
func anyhow(nodes []*callgraph.Node) []context {
	list := make([]context, len(nodes))
	for i, n := range nodes {
		list[i] = whatever(n)
	}
	return list
}

// contexts are those that the walk back has visited.
type contexts struct {
	visited map[context]link
	of      map[*callgraph.Node][]context // those with a function that is handed
}

// A link is the first call of a path from a context to a checkpoint, and what it leads to. There is
// none where the path ends.
type link struct {
	call *callgraph.Edge
	then context
}

func newContexts() *contexts {
	return &contexts{visited: make(map[context]link), of: make(map[*callgraph.Node][]context)}
}

// has reports whether a context was visited, or the function is one whatever it is handed.
func (c *contexts) has(x context) bool {
	_, any := c.visited[whatever(x.node)]
	_, visited := c.visited[x]
	return any || visited
}

// add notes a context that was not visited.
func (c *contexts) add(x context, first link) {
	c.visited[x] = first
	if x.handed != nil {
		c.of[x.node] = append(c.of[x.node], x)
	}
}

// path returns the calls of a path from a function to a checkpoint.
func (c *contexts) path(n *callgraph.Node) []*callgraph.Edge {
	x := whatever(n)
	if !c.has(x) {
		if len(c.of[n]) == 0 {
			return nil
		}
		x = c.of[n][0]
	}
	var edges []*callgraph.Edge
	for s := c.visited[x]; s.call != nil; s = c.visited[s.then] {
		edges = append(edges, s.call)
	}
	return edges
}

// leads reports whether a call of a function in the closure can lead to a checkpoint.
func (c *contexts) leads(e *callgraph.Edge) bool {
	list := c.of[e.Callee]
	if len(list) == 0 || c.has(whatever(e.Callee)) {
		return true
	}
	return slices.ContainsFunc(list, func(x context) bool { _, leads := x.before(e); return leads })
}

// handedIn reports whether a call is one of what the caller is handed.
func (x context) handedIn(e *callgraph.Edge) bool {
	from, leads := x.before(e)
	return leads && from.handed != nil
}

// before returns in which context of the caller a call leads to this one, if it does.
func (x context) before(e *callgraph.Edge) (from context, leads bool) {
	caller := whatever(e.Caller)
	call, ok := e.Site.(*ssa.Call)
	if !ok {
		return caller, true
	}
	if x.handed == nil {
		if i, ok := parameterOf(e.Caller.Func, call.Call.Value); ok {
			return context{e.Caller, i, e.Callee.Func}, true
		}
		return caller, true
	}
	if call.Call.StaticCallee() != e.Callee.Func || x.param >= len(call.Call.Args) {
		return caller, true
	}
	switch v := converted(call.Call.Args[x.param]).(type) {
	case *ssa.Function:
		return caller, v == x.handed || sameObject(v, x.handed)
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		return caller, fn == x.handed || sameObject(fn, x.handed)
	case *ssa.MakeInterface:
		recv := x.handed.Signature.Recv()
		return caller, recv == nil || types.Identical(recv.Type(), v.X.Type())
	case *ssa.Const:
		return caller, false // nil, of which the call panics
	case *ssa.Parameter:
		if i, ok := parameterOf(e.Caller.Func, v); ok {
			return context{e.Caller, i, x.handed}, true
		}
	}
	return caller, true
}

// converted returns what is converted to another type of functions, or to an interface with fewer
// methods.
func converted(v ssa.Value) ssa.Value {
	for {
		switch c := v.(type) {
		case *ssa.ChangeType:
			v = c.X
		case *ssa.ChangeInterface:
			v = c.X
		default:
			return v
		}
	}
}

// parameterOf returns which parameter of a function a value is.
func parameterOf(fn *ssa.Function, v ssa.Value) (index int, ok bool) {
	p, ok := v.(*ssa.Parameter)
	if !ok {
		return 0, false
	}
	i := slices.Index(fn.Params, p)
	return i, i >= 0
}
