package closure

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Changing returns the package variables of the given packages that may have another value,
// or lead to something else, than the initialisation of a new process gives them. The rest are
// tables, and what tells of the machine that the process runs on.
//
// A variable is taken to be constant after the initialisation only if every use in the program is
// seen to be harmless: its value is loaded, and has no references or is only compared, indexed,
// measured or looked up in. If its address or a reference goes anywhere else, it may change. What
// functions do that only run during initialisation is initialisation. What that gives to a constant
// variable may be another value in each process (see origin), and then it counts as changing, too.
func (c *Closure) Changing(packages map[*types.Package]bool) map[*types.Var]bool {
	s := &search{packages: packages, changing: make(map[*types.Var]bool), stores: make(map[*types.Var][]ssa.Instruction)}
	s.late = c.graph.late()
	for fn := range ssautil.AllFunctions(c.graph.program) {
		// A function that the call graph does not have may be called in ways that it does not know.
		n := c.graph.nodes[fn]
		s.initial = n != nil && !s.late[n]
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s.look(instr)
			}
		}
	}
	for v, stores := range s.stores {
		if !s.changing[v] && s.varies(c.graph, stores) {
			s.changing[v] = true
		}
	}
	return s.changing
}

// late returns the functions that may run after the initialisation of the program, as far as
// they are in the call graph.
func (g *graph) late() map[*callgraph.Node]bool {
	if g.after != nil {
		return g.after
	}
	late := make(map[*callgraph.Node]bool)
	var queue []*callgraph.Node
	add := func(n *callgraph.Node) {
		if !late[n] {
			late[n] = true
			queue = append(queue, n)
		}
	}
	root := make(map[*callgraph.Node]bool)
	for _, n := range g.roots {
		root[n] = true
	}
	for _, n := range g.nodes {
		switch {
		case n.Func == nil || g.kind(n.Func) == initial:
		case root[n], len(n.In) == 0:
			add(n)
		default:
			for _, e := range n.In {
				if !stays(e) { // a goroutine goes on when main begins
					add(n)
				}
			}
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, e := range n.Out {
			add(e.Callee)
		}
	}
	g.after = late
	return late
}

// A search for variables that may change.
type search struct {
	packages map[*types.Package]bool
	late     map[*callgraph.Node]bool
	changing map[*types.Var]bool

	stores map[*types.Var][]ssa.Instruction // of the initialisation

	variable *types.Var // looked at
	initial  bool       // the function looked at only runs during initialisation
	seen     map[ssa.Value]bool
}

// look notes the variables that an instruction may change or let out of sight.
func (s *search) look(instr ssa.Instruction) {
	for _, operand := range instr.Operands(nil) {
		g, ok := (*operand).(*ssa.Global)
		if !ok {
			continue
		}
		v, ok := g.Object().(*types.Var)
		if !ok || !s.packages[v.Pkg()] || s.changing[v] {
			continue
		}
		s.seen, s.variable = make(map[ssa.Value]bool), v
		if !s.harmlessAddress(g, instr) {
			s.changing[v] = true
		}
	}
}

// harmlessAddress reports whether an instruction does nothing with the memory at an address but to
// read it, or, during initialisation, to write it.
func (s *search) harmlessAddress(addr ssa.Value, instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Store:
		return instr.Addr == addr && instr.Val != addr && s.initialises(instr)
	case *ssa.UnOp:
		return instr.Op == token.MUL && s.harmless(instr) // a load, and no receive
	case *ssa.FieldAddr:
		return s.harmlessAddresses(instr)
	case *ssa.IndexAddr:
		return instr.X == addr && s.harmlessAddresses(instr)
	case *ssa.Slice:
		return instr.X == addr && s.harmless(instr)
	}
	return false
}

// initialises reports whether what an instruction stores is stored during initialisation.
func (s *search) initialises(instr ssa.Instruction) bool {
	if s.initial {
		s.stores[s.variable] = append(s.stores[s.variable], instr)
	}
	return s.initial
}

func (s *search) harmlessAddresses(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		if !s.harmlessAddress(addr, r) {
			return false
		}
	}
	return true
}

// harmless reports whether nothing is done with a value by which memory that it leads to could
// change, or be known elsewhere.
func (s *search) harmless(v ssa.Value) bool {
	if s.seen[v] || !refers(v.Type(), nil) {
		return true
	}
	s.seen[v] = true
	for _, r := range *v.Referrers() {
		ok := false
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
			ok = true
		case *ssa.MapUpdate:
			ok = r.Map == v && s.initialises(r)
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr:
			ok = s.harmlessAddress(v, r)
		case *ssa.Store:
			ok = r.Addr == v && r.Val != v && s.initialises(r)
		case *ssa.Lookup:
			ok = r.X == v && s.harmless(r)
		case *ssa.Index, *ssa.Field, *ssa.Slice, *ssa.Range, *ssa.Next, *ssa.Extract, *ssa.Phi, *ssa.ChangeType, *ssa.TypeAssert:
			ok = s.harmless(r.(ssa.Value))
		case *ssa.Call:
			b, builtin := r.Call.Value.(*ssa.Builtin)
			ok = builtin && (b.Name() == "len" || b.Name() == "cap")
		case *ssa.Convert:
			ok = isKind(r.Type(), types.String) // which is a copy
		}
		if !ok {
			return false
		}
	}
	return true
}

// refers reports whether a value of type t can lead to memory that can be changed.
func refers(t types.Type, within []types.Type) bool {
	for _, u := range within {
		if types.Identical(t, u) {
			return false // what it leads to is looked at already
		}
	}
	within = append(within, t)
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Name() == "FS" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "embed" {
		return false // it has no way to change its files
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return refers(u.Elem(), within)
	case *types.Struct:
		for i := range u.NumFields() {
			if refers(u.Field(i).Type(), within) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for i := range u.Len() {
			if refers(u.At(i).Type(), within) {
				return true
			}
		}
		return false
	}
	return true
}

// Stateful returns the packages of other modules that are linked into the program: their
// variables are a part of its state as far as they change. Those of golang.org/x/sys are not, as
// they belong to the process and the machine, nor what others have found out about the processor,
// nor those that only ckpgen's own packages need.
func (c *Closure) Stateful() map[*types.Package]bool {
	list := make(map[*types.Package]bool)
	runtime := c.graph.prog.OfRuntime()
	for _, pkg := range c.graph.prog.All {
		if load.Dependency(pkg) && !load.Variant(pkg) && !load.System(pkg) && !aboutProcessor(pkg.PkgPath) && !runtime[pkg] {
			list[pkg.Types] = true
		}
	}
	return list
}
