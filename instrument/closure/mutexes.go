package closure

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// Mutexes are told apart by the variable or field that they are, and not by address: all that are
// the same field are one here. That is possible for those whose address is used for nothing but to
// call their methods, and that are in no struct whose pointers are converted from or to those of
// another type.

// A mutex is all that are the same variable or field.
type mutex struct {
	locks []lockCall
	free  []*ssa.Function // those that unlock
	where []token.Pos     // its operations
	shut  bool            // no checkpoint finds it locked, as far as is known
}

// A lockCall is a call by which a mutex is locked, or perhaps locked.
type lockCall struct {
	call *ssa.Call
	at   ssa.Value // address of the mutex
}

// mutexes returns those of the program that can be told apart, and the operations at present.
func (c *Closure) mutexes() ([]*mutex, map[token.Pos]blocking.Operation) {
	g := c.graph
	found := make(map[any]*mutex)
	all := maps.Clone(c.operations)
	for fn := range g.nodes {
		if g.aside(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				method, at := ofMutex(in)
				key := variableAt(at)
				if key == nil {
					continue
				}
				m := found[key]
				if m == nil {
					m = &mutex{shut: true}
					found[key] = m
				}
				if !locks(method) {
					m.free = append(m.free, fn)
					continue
				}
				call, ok := in.(*ssa.Call)
				if !ok { // deferred
					m.shut = false
					continue
				}
				m.locks = append(m.locks, lockCall{call, at})
				if pos := call.Call.Pos(); all[pos].Waits() {
					m.where = append(m.where, pos)
				}
			}
		}
	}
	g.forgetShared(found)
	var list []*mutex
	for _, m := range found {
		if m.shut && len(m.where) > 0 && m.freedWhereLocked() {
			list = append(list, m)
		}
	}
	return list, all
}

// freedWhereLocked reports whether all functions that unlock the mutex lock it, too.
func (m *mutex) freedWhereLocked() bool {
	for _, fn := range m.free {
		if !slices.ContainsFunc(m.locks, func(l lockCall) bool { return l.call.Parent() == fn }) {
			return false
		}
	}
	return true
}

// forgetShared notes which mutexes have an address that is used for more than to call their
// methods.
func (g *graph) forgetShared(found map[any]*mutex) {
	var operands []*ssa.Value
	for fn := range g.nodes {
		if g.aside(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.DebugRef:
					continue
				case *ssa.ChangeType:
					forgetConverted(found, in.X.Type(), in.Type())
				case *ssa.Convert:
					forgetConverted(found, in.X.Type(), in.Type())
				case *ssa.MultiConvert:
					forgetConverted(found, in.X.Type(), in.Type())
				case *ssa.MakeClosure: // in a literal, what is done with the variable is looked at; the other is a method value
					if in.Fn.(*ssa.Function).Parent() != nil {
						continue
					}
				case *ssa.FieldAddr:
					if !isMutex(in.X.Type()) {
						continue
					}
				}
				method, _ := ofMutex(in)
				operands = in.Operands(operands[:0])
				for i, v := range operands {
					if *v == nil || !isMutex((*v).Type()) || method != "" && i == 1 { // the first is the method
						continue
					}
					if m := found[variableAt(*v)]; m != nil {
						m.shut = false
					}
				}
			}
		}
	}
}

// forgetConverted notes which mutexes are in structs that a pointer is converted from or to: they
// are fields of another type as well.
func forgetConverted(found map[any]*mutex, from, to types.Type) {
	a, b := pointee(from), pointee(to)
	if a != nil && b != nil && types.Identical(a, b) {
		return
	}
	forgetFields(found, a)
	forgetFields(found, b)
}

// pointee returns what a pointer points to, nil if t is none.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

func forgetFields(found map[any]*mutex, t types.Type) {
	if t == nil {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		forgetFields(found, u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if m := found[fieldOf(t, i)]; m != nil {
				m.shut = false
			}
			forgetFields(found, u.Field(i).Type())
		}
	}
}

// aside reports whether mutexes of the program are nothing to a function: it is one of the standard
// library, but not one that promotes a method of a mutex to a type of the program.
func (g *graph) aside(fn *ssa.Function) bool {
	promotes := fn.Pkg == nil && fn.Synthetic != "" && fn.Origin() == nil
	return g.std[packagePath(fn)] && !promotes
}

// locks reports whether the method of a mutex with this name can lock it.
func locks(method string) bool {
	return method == "Lock" || method == "RLock" || method == "TryLock" || method == "TryRLock"
}

// ofMutex returns the name of the method of a mutex that an instruction calls or defers, and the
// address of the mutex. The name is empty if it does something else.
func ofMutex(in ssa.Instruction) (method string, at ssa.Value) {
	var common *ssa.CallCommon
	switch in := in.(type) {
	case *ssa.Call:
		common = in.Common()
	case *ssa.Defer:
		common = in.Common()
	default:
		return "", nil
	}
	fn := common.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil || !isMutex(fn.Signature.Recv().Type()) || len(common.Args) != 1 {
		return "", nil
	}
	switch name := fn.Name(); name {
	case "Lock", "RLock", "TryLock", "TryRLock", "Unlock", "RUnlock":
		return name, common.Args[0]
	}
	return "", nil
}

// isMutex reports whether t is a pointer to a mutex of package sync.
func isMutex(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
		return false
	}
	return named.Obj().Name() == "Mutex" || named.Obj().Name() == "RWMutex"
}

// variableAt returns the variable or field at an address, nil if that can't be told.
func variableAt(at ssa.Value) any {
	switch at := at.(type) {
	case *ssa.Global:
		return at
	case *ssa.Alloc:
		if at.Pos().IsValid() {
			return at.Pos() // that of a generic function is the same in all instances
		}
	case *ssa.FieldAddr:
		return fieldAt(at)
	case *ssa.FreeVar:
		if v := captured(at); v != nil {
			return variableAt(v)
		}
	}
	return nil
}

// fieldAt returns the field of a struct whose address is taken; of an instance of a generic type it
// is that of the type.
func fieldAt(at *ssa.FieldAddr) any {
	p, ok := at.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if _, ok := p.Elem().Underlying().(*types.Struct); !ok {
		return nil
	}
	return fieldOf(p.Elem(), at.Field)
}

// A namelessField is one of a struct type without a name: wherever such a type is written, it is
// the same type.
type namelessField struct{ names, name string }

// fieldOf returns the ith field of a struct type.
func fieldOf(t types.Type, i int) any {
	s := t.Underlying().(*types.Struct)
	if _, named := types.Unalias(t).(*types.Named); named {
		return s.Field(i).Origin()
	}
	var names strings.Builder
	for f := range s.Fields() {
		names.WriteString(f.Name() + " ")
	}
	return namelessField{names.String(), s.Field(i).Name()}
}

// captured returns the variable that a function literal refers to, as the function around it knows
// it; nil if it is not known.
func captured(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	var found ssa.Value
	for i, free := range fn.FreeVars {
		if free != v {
			continue
		}
		for _, b := range fn.Parent().Blocks {
			for _, in := range b.Instrs {
				if made, ok := in.(*ssa.MakeClosure); ok && made.Fn == fn {
					if found != nil && found != made.Bindings[i] {
						return nil
					}
					found = made.Bindings[i]
				}
			}
		}
	}
	return found
}
