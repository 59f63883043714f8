package closure

import (
	"go/token"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An origin is what values come from that the initialisation of a program stores. They are the same
// in every process if only constants, the program's own code and functions of the standard library
// that compute are among it. They are the machine's if they come from what finds out about the
// processor: packages for that, functions written in assembly. And else they may differ from
// process to process (seeds, times, what the environment says), so that a process that goes on
// needs those of the first.
type origin struct {
	search  *search
	graph   *graph
	seen    map[ssa.Value]bool
	within  map[*ssa.Function]bool
	machine bool
	varying bool
}

// varies reports whether what the instructions store may be different in another process that is to
// go on with the same data.
func (s *search) varies(g *graph, stores []ssa.Instruction) bool {
	o := &origin{search: s, graph: g, seen: make(map[ssa.Value]bool), within: make(map[*ssa.Function]bool)}
	o.stores(stores)
	return o.varying && !o.machine
}

func (o *origin) stores(list []ssa.Instruction) {
	for _, instr := range list {
		if fn := instr.Parent(); fn.Synthetic != "package initializer" {
			o.function(fn) // a store may depend on conditions
			continue
		}
		for _, operand := range instr.Operands(nil) {
			if g, ok := (*operand).(*ssa.Global); !ok || !stored(instr, g) {
				o.value(*operand)
			}
		}
	}
}

// stored reports whether an instruction stores to a variable.
func stored(instr ssa.Instruction, g *ssa.Global) bool {
	s, ok := instr.(*ssa.Store)
	return ok && s.Addr == g
}

// value follows a value of an initialiser back to what it comes from.
func (o *origin) value(v ssa.Value) {
	if g, ok := v.(*ssa.Global); ok {
		o.global(g)
		return
	}
	if v == nil || o.seen[v] {
		return
	}
	o.seen[v] = true
	switch v := v.(type) {
	case *ssa.Function: // it may be called where the value goes
		return
	case *ssa.Call:
		o.call(v)
	}
	if instr, ok := v.(ssa.Instruction); ok {
		for _, operand := range instr.Operands(nil) {
			o.value(*operand)
		}
	}
	if v.Referrers() == nil {
		return
	}
	for _, r := range *v.Referrers() { // what is stored where the value leads to
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				o.value(r.Val)
			}
		case *ssa.MapUpdate:
			o.value(r.Key)
			o.value(r.Value)
		case *ssa.FieldAddr:
			o.value(r)
		case *ssa.IndexAddr:
			o.value(r)
		}
	}
}

func (o *origin) global(g *ssa.Global) {
	if o.seen[g] {
		return
	}
	o.seen[g] = true
	v, _ := g.Object().(*types.Var)
	switch path := g.Pkg.Pkg.Path(); {
	case aboutProcessor(path):
		o.machine = true
	case o.graph.standard(path):
		o.varying = o.varying || !computes(path)
	case v == nil: // of the package's own initialisation
	case o.search.changing[v]:
		o.varying = true
	default:
		o.stores(o.search.stores[v])
	}
}

// call takes note of what is called, and of all that it calls.
func (o *origin) call(call ssa.CallInstruction) {
	if fn := call.Common().StaticCallee(); fn != nil {
		o.function(fn)
		return
	}
	if _, ok := call.Common().Value.(*ssa.Builtin); ok {
		return
	}
	n := o.graph.nodes[call.Parent()]
	if n == nil {
		o.varying = true
		return
	}
	for _, e := range n.Out {
		if e.Site == call {
			o.function(e.Callee.Func)
		}
	}
}

func (o *origin) function(fn *ssa.Function) {
	if fn == nil || o.within[fn] {
		return
	}
	o.within[fn] = true
	switch path := packagePath(fn); {
	case aboutProcessor(path):
		o.machine = true
		return
	case o.graph.standard(path):
		o.varying = o.varying || !computes(path)
		return
	case fn.Blocks == nil && fn.Syntax() != nil:
		o.machine = true // assembly
		return
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				o.call(instr)
			case *ssa.UnOp:
				if g, ok := instr.X.(*ssa.Global); ok && instr.Op == token.MUL {
					o.global(g)
				}
			case *ssa.FieldAddr:
				if g, ok := instr.X.(*ssa.Global); ok {
					o.global(g)
				}
			case *ssa.Range, *ssa.Select:
				o.varying = o.varying || isMapRange(instr)
			}
		}
	}
}

// isMapRange reports whether an instruction begins a loop over a map, whose order varies, or is a
// select.
func isMapRange(instr ssa.Instruction) bool {
	r, ok := instr.(*ssa.Range)
	if !ok {
		return true
	}
	_, ok = r.X.Type().Underlying().(*types.Map)
	return ok
}

// aboutProcessor reports whether a package finds out what the processor can do. Many modules have one
// of their own for that.
func aboutProcessor(name string) bool {
	if dir, base := path.Split(name); dir == "internal/" || strings.HasSuffix(dir, "/internal/") {
		return base == "cpu" || base == "cpuid" || base == "cpuinfo"
	}
	return name == "golang.org/x/sys/cpu" || strings.HasPrefix(name, "github.com/klauspost/cpuid") || name == "github.com/intel-go/cpuid"
}

// computes reports whether the functions of a package of the standard library return what their
// arguments say and nothing else.
func computes(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	switch first {
	case "errors", "fmt", "strings", "strconv", "bytes", "sort", "slices", "maps", "iter", "cmp", "unicode", "regexp", "reflect", "unsafe", "encoding", "container", "text", "html", "path":
		return true
	case "math":
		return path != "math/rand" && path != "math/rand/v2"
	case "hash":
		return path != "hash/maphash"
	case "sync":
		return true
	}
	return false
}

// standard reports whether path is that of a package of the standard library.
func (g *graph) standard(path string) bool { return g.std[path] }
