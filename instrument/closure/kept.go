package closure

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A func value that captures variables can be saved only if its package is rewritten, which gives
// its environment a type. One that a package of another module keeps (in a variable, or in what the
// user holds of it) is a part of each checkpoint, whether that package has anything on the stack or
// not:
//
//	var pool = sync.Pool{New: func() any { return newBuffer(size) }}
//
// So such packages are rewritten, too. Most literals are not kept, but called where they stand, or
// handed to functions that call them: sort.Slice, or others whose parameter is not kept either.

// Keeping returns the paths of the packages of other modules that have func values which capture
// variables, or have type arguments, and may be kept.
func (c *Closure) Keeping() []string {
	g := c.graph
	dependency := g.dependencies()
	k := keeping{g: g, kept: make(map[ssa.Value]bool), seen: make(map[ssa.Value]bool)}
	paths := make(map[string]bool)
	for fn := range g.nodes {
		path := packagePath(fn)
		if paths[path] || !dependency[path] || byCgo(fn) {
			continue
		}
		paths[path] = k.function(fn)
	}
	maps.DeleteFunc(paths, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(paths))
}

// A keeping finds out which func values are kept.
type keeping struct {
	g    *graph
	kept map[ssa.Value]bool // those that are known to be
	seen map[ssa.Value]bool // what has been looked at for one of them
}

// function reports whether a function makes a func value that is kept.
func (k *keeping) function(fn *ssa.Function) bool {
	var operands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			clear(k.seen)
			if m, ok := instr.(*ssa.MakeClosure); ok && hasEnvironment(m) && k.value(m) {
				return true
			}
			operands = instr.Operands(operands[:0])
			for _, op := range operands {
				if f, ok := (*op).(*ssa.Function); ok && len(f.TypeArgs()) > 0 && k.use(instr, f) {
					return true
				}
			}
		}
	}
	return false
}

// hasEnvironment reports whether a func value needs a type that the rewriter gives it. A method
// value is known by its method, if that has a name at package level.
func hasEnvironment(m *ssa.MakeClosure) bool {
	if !strings.HasPrefix(m.Fn.(*ssa.Function).Synthetic, "bound method") {
		return true
	}
	t := types.Unalias(m.Bindings[0].Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 {
		return true
	}
	pkg := named.Obj().Pkg()
	return pkg == nil || named.Obj().Parent() != pkg.Scope() // error is of no package
}

// value reports whether a func value is kept.
func (k *keeping) value(v ssa.Value) bool {
	if k.seen[v] {
		return k.kept[v]
	}
	k.seen[v] = true
	k.kept[v] = k.kept[v] || slices.ContainsFunc(*v.Referrers(), func(instr ssa.Instruction) bool { return k.use(instr, v) })
	return k.kept[v]
}

// use reports whether an instruction keeps a func value.
func (k *keeping) use(instr ssa.Instruction, v ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		return false
	case *ssa.Phi:
		return k.value(instr)
	case *ssa.ChangeType:
		return k.value(instr)
	case *ssa.Store:
		return k.variable(instr.Addr)
	case *ssa.Go:
		return true // what it starts has it until it ends
	case ssa.CallInstruction:
		return k.call(instr.Common(), v)
	}
	return true
}

// variable reports whether what is stored in a variable is kept, by its address.
func (k *keeping) variable(at ssa.Value) bool {
	var around ssa.Value // the same, to the function around a literal
	switch at := at.(type) {
	case *ssa.Alloc:
	case *ssa.FreeVar:
		around = captured(at)
	default:
		return true
	}
	if !k.seen[at] {
		k.seen[at] = true
		k.kept[at] = k.kept[at] || slices.ContainsFunc(*at.Referrers(), func(instr ssa.Instruction) bool { return k.access(instr, at) }) ||
			around != nil && k.variable(around)
	}
	return k.kept[at]
}

// access reports whether an instruction keeps what is in a variable, or its address.
func (k *keeping) access(instr ssa.Instruction, at ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Store:
		return instr.Val == at
	case *ssa.UnOp:
		return k.value(instr)
	case *ssa.MakeClosure:
		for i, b := range instr.Bindings {
			if b == at && k.variable(instr.Fn.(*ssa.Function).FreeVars[i]) {
				return true
			}
		}
		return k.value(instr) // has the variable
	}
	return true
}

// call reports whether a call keeps a func value that it has among its operands.
func (k *keeping) call(call *ssa.CallCommon, v ssa.Value) bool {
	callee := call.StaticCallee()
	for i, arg := range call.Args {
		switch {
		case arg != v:
		case callee == nil:
			if _, builtin := call.Value.(*ssa.Builtin); !builtin {
				return true
			}
		case k.g.std[packagePath(callee)]:
			if !lends(callee) {
				return true
			}
		case i >= len(callee.Params) || len(callee.Blocks) == 0 || k.value(callee.Params[i]):
			return true
		}
	}
	return false
}

// lends reports whether a function of the standard library calls the functions that it is handed
// before it returns, and keeps none. One that returns a function, as strings.FieldsFuncSeq does,
// keeps them in that.
func lends(fn *ssa.Function) bool {
	for result := range fn.Signature.Results().Variables() {
		if _, is := result.Type().Underlying().(*types.Signature); is {
			return false
		}
	}
	switch packagePath(fn) {
	case "bytes", "go/ast", "io/fs", "maps", "path/filepath", "regexp", "slices", "sort", "strings":
		return true
	case "sync":
		return fn.Signature.Recv() != nil && (fn.Name() == "Do" || fn.Name() == "Range")
	case "flag":
		return strings.HasPrefix(fn.Name(), "Visit")
	}
	return false
}
