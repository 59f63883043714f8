package closure

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/ssa"
)

// A making is the question whether all functions that a value can be are seen to be made: where it
// is called the type flow analysis has found all callees then, whatever comes from elsewhere as
// functions of its type. So it is with what most programs defer:
//
//	ctx, cancel := context.WithTimeout(ctx, time.Second)
//	defer cancel()
type making struct {
	stored    *stores
	nodes     map[*ssa.Function]*callgraph.Node
	typed     *rta.Result
	elsewhere func(ssa.CallInstruction) bool // whether the function at a call may have come from elsewhere by its type
	met       map[ssa.Value]bool
}

// value reports whether v is made by literals and functions, in this function, in those that return
// it, in those that hand it to this one, or where it is stored (stored.go). An interface is, if
// what it holds is no func value, or one that is.
func (m *making) value(v ssa.Value) bool {
	if m.met[v] {
		return true
	}
	m.met[v] = true
	switch v := v.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.Const:
		return true
	case *ssa.ChangeType:
		return m.value(v.X)
	case *ssa.Phi:
		return m.all(v.Edges)
	case *ssa.ChangeInterface:
		return m.value(v.X)
	case *ssa.MakeInterface:
		_, isFunc := v.X.Type().Underlying().(*types.Signature)
		return !isFunc || m.value(v.X)
	case *ssa.TypeAssert:
		return m.value(v.X)
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.Call:
			return m.result(tuple, v.Index)
		case *ssa.TypeAssert:
			return v.Index == 0 && m.value(tuple.X)
		}
		return false
	case *ssa.Field:
		name, ok := smallField(v.X.Type(), v.Field)
		return ok && m.inField(name)
	case *ssa.Call:
		return m.result(v, 0)
	case *ssa.Parameter:
		return m.argument(v)
	case *ssa.UnOp:
		switch at := v.X.(type) {
		case *ssa.FieldAddr:
			name, ok := smallField(pointee(at.X.Type()), at.Field)
			return ok && m.inField(name)
		case *ssa.Global:
			return !m.stored.leaked[at] && m.all(m.stored.variables[at])
		}
		stored, ok := storedIn(variableOf(v.X))
		return ok && m.all(stored)
	}
	return false
}

// inField reports whether so is all that the program stores in a field.
func (m *making) inField(name fieldName) bool {
	return !m.stored.leaked[name] && m.all(m.stored.fields[name])
}

func (m *making) all(values []ssa.Value) bool {
	return !slices.ContainsFunc(values, func(v ssa.Value) bool { return !m.value(v) })
}

// result reports whether so is a result of a call, in all functions that it may call.
func (m *making) result(call *ssa.Call, i int) bool {
	n := m.nodes[call.Parent()]
	if n == nil || m.elsewhere(call) && !m.value(call.Common().Value) {
		return false
	}
	found := false
	for _, e := range n.Out {
		if e.Site != call {
			continue
		}
		if len(e.Callee.Func.Blocks) == 0 {
			return false
		}
		found = true
		for _, b := range e.Callee.Func.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !m.value(ret.Results[i]) {
				return false
			}
		}
	}
	return found
}

// argument reports whether so is a parameter, in all calls of a function that is called by its name
// only.
func (m *making) argument(p *ssa.Parameter) bool {
	fn := p.Parent()
	n := m.nodes[fn]
	if is, reached := m.typed.Reachable[fn]; n == nil || !reached || is.AddrTaken {
		return false
	}
	i := slices.Index(fn.Params, p)
	for _, e := range n.In {
		if e.Site == nil || e.Site.Common().StaticCallee() != fn || !m.value(e.Site.Common().Args[i]) {
			return false
		}
	}
	return len(n.In) > 0 // else it is called by what is not seen
}

// variableOf returns the variable that a literal has captured as v, or v.
func variableOf(v ssa.Value) ssa.Value {
	for {
		captured, ok := v.(*ssa.FreeVar)
		if !ok {
			return v
		}
		literal := captured.Parent()
		i := slices.Index(literal.FreeVars, captured)
		v = nil
		for _, b := range literal.Parent().Blocks {
			for _, in := range b.Instrs {
				if made, ok := in.(*ssa.MakeClosure); ok && made.Fn == literal {
					if v != nil && v != made.Bindings[i] {
						return nil
					}
					v = made.Bindings[i]
				}
			}
		}
	}
}

// storedIn returns what is assigned to a local variable, also by literals that have captured it.
// The second result is false if v is none, or if its address goes elsewhere.
func storedIn(v ssa.Value) (values []ssa.Value, ok bool) {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return nil, false
	}
	for _, user := range *v.Referrers() {
		switch user := user.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if user.Val == v {
				return nil, false
			}
			values = append(values, user.Val)
		case *ssa.MakeClosure:
			for i, b := range user.Bindings {
				if b != v {
					continue
				}
				more, ok := storedIn(user.Fn.(*ssa.Function).FreeVars[i])
				if !ok {
					return nil, false
				}
				values = append(values, more...)
			}
		default:
			return nil, false
		}
	}
	return values, true
}
