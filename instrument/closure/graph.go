package closure

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/standard"
)

// A graph is the call graph of a program as far as it can run, with what is
// needed to walk it in an order that is the same in every run.
type graph struct {
	prog     *load.Program
	program  *ssa.Program
	fset     *token.FileSet
	nodes    map[*ssa.Function]*callgraph.Node
	typed    *rta.Result            // the calls that are possible by the types alone
	taken    *typeutil.Map          // see methodsTaken; made when needed
	storing  *stores                // see stored; made when needed
	handing  *callgraph.Node        // see connectCalls; nil: there are none
	received map[token.Pos]bool     // see GivesReceiver
	making   *callgraph.Node        // see connectMade; nil: there are none
	standing map[*ssa.Function]bool // see calledWhereItStands
	roots    []*callgraph.Node      // main functions, or every function if there are none
	mains    bool                   // roots are main functions
	sort     map[*ssa.Function]string
	kinds    map[*ssa.Function]kind
	user     map[string]bool      // paths of the packages that are rewritten, but for those of the standard library
	polled   map[string]bool      // paths of those whose functions may poll
	byCgo    map[*token.File]bool // files of those that cgo has written
	std      map[string]bool      // paths of the packages of the standard library
	point    map[token.Pos]bool
	start    map[token.Pos]token.Pos // see starts; made when needed

	infos     map[*token.File]*types.Info // of the rewritten files; see infoAt; made when needed
	accessors map[*types.Func]accessor    // see there; made when needed
	sharings  map[ast.Node]*sharing       // see sharingIn; made when needed
	brief     map[briefness]bool          // see isBrief
	descents  map[*callgraph.Node]bool    // see descends
	stdlib    *Library                    // see stdlibClosure; made when needed
	byName    map[string][]*ssa.Function  // see has; made when needed
	after     map[*callgraph.Node]bool    // see late; made when needed

	borrowed     map[*ssa.Parameter]bool         // see borrows; made when needed
	opaques      map[*ssa.Function]bool          // see opaque; made when needed
	unnamed      map[token.Pos][]*callgraph.Edge // see unnamedCalls; made when needed
	timeless     map[*ssa.Function]bool          // see isTimeless; made when needed
	abroad       map[token.Pos]bool              // see callsHome; made when needed
	histories    map[*types.Var]*history         // see history
	declarations map[token.Pos]*ast.FuncDecl     // by their names; see declaration

	linking map[types.Object]map[*callgraph.Node]bool // the functions that store into fields, and by pointers to pointers; see callLengthens; made when needed
	joined  map[types.Object]bool                     // those of which linking has the callers of these, too
	callees map[token.Pos][]*callgraph.Node           // of the calls in rewritten functions, by their opening parentheses; made with that

	changing map[*callgraph.Node]bool // functions that change what they have not made; see callChanges; made when needed
	changes  map[token.Pos]bool       // calls of these; made with that

	instances map[token.Pos][][]types.Type // of generic functions, by where these are declared; see Instances
}

// A kind says what a function of the call graph is to the precompiler.
type kind uint8

const (
	unknown   kind = iota
	user           // declared in a package that is rewritten; of the standard library: rewritten itself
	point          // a checkpoint call
	outside        // declared in a package that is not rewritten
	initial        // runs before main: init functions and initialisers
	machinery      // ckpgen's own runtime
	synthetic      // made by the analysis: a wrapper, bound method or thunk
)

func newGraph(p *load.Program) *graph {
	g := &graph{
		prog:  p,
		fset:  p.Fset,
		sort:  make(map[*ssa.Function]string),
		point: pointsIn(p.All),
		std:   make(map[string]bool),
	}
	for _, pkg := range p.All {
		if pkg.Module == nil && !load.Own(pkg) && !load.Runtime(pkg.PkgPath) && !load.TestMain(pkg) {
			g.std[pkg.Types.Path()] = true
		}
	}
	g.look()
	program, initials := ssautil.AllPackages(p.Initial, ssa.InstantiateGenerics)
	program.Build()
	g.program = program

	roots := g.rootsOf(p, program, initials)
	linked := g.linkedFunctions()
	begin := slices.Clone(roots)
	for _, bodies := range linked {
		begin = append(begin, bodies...)
	}
	r := rta.Analyze(begin, true)
	if r == nil {
		g.nodes = make(map[*ssa.Function]*callgraph.Node)
		return g
	}
	reachable := make(map[*ssa.Function]bool, len(r.Reachable))
	for fn := range r.Reachable {
		reachable[fn] = true
	}
	var more flows
	more.connectReceives(reachable)
	more.connectConverted(g, reachable)
	g.nodes = vta.CallGraph(reachable, r.CallGraph).Nodes
	more.remove()
	g.typed = r
	g.connectMade()
	g.connectReflected()
	g.connectCalls()
	g.connectLinked(linked)
	g.dropDead()
	for _, fn := range roots {
		if n := g.nodes[fn]; n != nil {
			g.roots = append(g.roots, n)
		}
	}
	g.addLoopBodies()
	return g
}

// look takes note of which packages are rewritten.
func (g *graph) look() {
	g.kinds, g.infos, g.accessors, g.stdlib, g.after, g.abroad, g.declarations, g.histories, g.linking, g.changing = make(map[*ssa.Function]kind), nil, nil, nil, nil, nil, nil, nil, nil, nil
	g.user, g.polled, g.byCgo = make(map[string]bool), make(map[string]bool), make(map[*token.File]bool)
	for _, pkg := range g.prog.Rewritable() {
		if g.prog.StandardLibrary(pkg) {
			continue
		}
		g.user[pkg.Types.Path()] = true
		g.polled[pkg.Types.Path()] = g.prog.Polls(pkg)
		for _, file := range pkg.Syntax {
			if at := g.fset.File(file.Package); load.GeneratedByCgo(pkg, at.Name()) {
				g.byCgo[at] = true
			}
		}
	}
}

// rootsOf returns the functions at which the program starts: main and the
// initialisation of every main package, tests included. A set of packages
// without any can be entered at each of its functions.
func (g *graph) rootsOf(p *load.Program, program *ssa.Program, initials []*ssa.Package) []*ssa.Function {
	var roots []*ssa.Function
	for i, pkg := range initials {
		if pkg == nil || p.Initial[i].Name != "main" || load.Variant(p.Initial[i]) {
			continue
		}
		if main := pkg.Func("main"); main != nil {
			roots = append(roots, main, pkg.Func("init"))
			g.mains = true
		}
	}
	if g.mains {
		return roots
	}
	named := make(map[*ssa.Package]bool)
	for _, pkg := range initials {
		if pkg != nil {
			named[pkg] = true
			roots = append(roots, pkg.Func("init"))
		}
	}
	for fn := range ssautil.AllFunctions(program) {
		if named[fn.Pkg] && fn.Parent() == nil && fn.Syntax() != nil && fn.TypeParams().Len() == len(fn.TypeArgs()) {
			roots = append(roots, fn)
		}
	}
	slices.SortFunc(roots, func(a, b *ssa.Function) int { return cmp.Compare(g.key(a), g.key(b)) })
	return slices.Compact(roots)
}

// dropDead removes the calls that stand behind conditions which are constants, such as those of "if
// debug { trace() }": the compiler leaves them out.
func (g *graph) dropDead() {
	dead := make(map[*callgraph.Edge]bool)
	callees := make(map[*callgraph.Node]bool)
	isDead := func(e *callgraph.Edge) bool { return dead[e] }
	for fn, n := range g.nodes {
		live := liveBlocks(fn)
		if live == nil {
			continue
		}
		for _, e := range n.Out {
			if e.Site != nil && !live[e.Site.Block()] {
				dead[e], callees[e.Callee] = true, true
			}
		}
		n.Out = slices.DeleteFunc(n.Out, isDead)
	}
	for n := range callees {
		n.In = slices.DeleteFunc(n.In, isDead)
	}
}

// liveBlocks returns the blocks of a function that can be executed; nil if those are all.
func liveBlocks(fn *ssa.Function) map[*ssa.BasicBlock]bool {
	decided := func(b *ssa.BasicBlock) *ssa.BasicBlock { // where a constant leads to
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			if c, ok := branch.Cond.(*ssa.Const); ok {
				if constant.BoolVal(c.Value) {
					return b.Succs[0]
				}
				return b.Succs[1]
			}
		}
		return nil
	}
	if !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return len(b.Instrs) > 0 && decided(b) != nil }) {
		return nil
	}
	live := make(map[*ssa.BasicBlock]bool)
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	if fn.Recover != nil {
		work = append(work, fn.Recover)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if live[b] {
			continue
		}
		live[b] = true
		if to := decided(b); to != nil {
			work = append(work, to)
		} else {
			work = append(work, b.Succs...)
		}
	}
	return live
}

// addLoopBodies adds a call from each function to the bodies of its
// range-over-func loops. The iterator calls the body, and the callgraph says so;
// but the body is also part of its function's source, whatever the iterator does.
func (g *graph) addLoopBodies() {
	for fn, n := range g.nodes {
		if _, ok := fn.Syntax().(*ast.RangeStmt); ok {
			if parent := g.nodes[fn.Parent()]; parent != nil {
				callgraph.AddEdge(parent, nil, n)
			}
		}
	}
}

// kind returns what fn is.
func (g *graph) kind(fn *ssa.Function) kind {
	k, ok := g.kinds[fn]
	if !ok {
		k = g.classify(fn)
		g.kinds[fn] = k
	}
	return k
}

func (g *graph) classify(fn *ssa.Function) kind {
	path := packagePath(fn)
	switch {
	case fn.Synthetic == "package initializer":
		return initial
	case fn.Syntax() == nil && fn.Synthetic != "":
		return synthetic
	case fn.Pos().IsValid() && fn.Syntax() != nil && g.point[fn.Pos()]:
		return point
	case load.Runtime(path) && !isBSP(path):
		return machinery
	case fn.Parent() == nil && fn.Signature.Recv() == nil && strings.HasPrefix(fn.Name(), "init#"):
		return initial
	case g.user[path], g.prog.Standard() && g.ofLibrary(fn) && g.stdlibClosure().has(fn):
		return user
	}
	return outside
}

// ofLibrary reports whether fn belongs to a package of the standard library that can be rewritten.
func (g *graph) ofLibrary(fn *ssa.Function) bool { return g.inLibrary(packagePath(fn)) }

func (g *graph) inLibrary(path string) bool { return standard.Has(path) || g.prog.Demanded(path) }

// byUser reports whether fn is rewritten and not of the standard library.
func (g *graph) byUser(fn *ssa.Function) bool { return g.kind(fn) == user && !g.ofLibrary(fn) }

func isBSP(path string) bool {
	rest, ok := strings.CutPrefix(path, load.Module+"/bsp")
	return ok && (rest == "" || rest[0] == '/')
}

func packagePath(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	if obj := fn.Object(); obj != nil && obj.Pkg() != nil {
		return obj.Pkg().Path()
	}
	return ""
}

// stays reports whether the frame of the caller stays on the stack during the
// call.
func stays(e *callgraph.Edge) bool {
	_, goes := e.Site.(*ssa.Go)
	return !goes
}

// key orders functions. Positions can't: files are parsed concurrently, so
// their order differs from run to run.
func (g *graph) key(fn *ssa.Function) string {
	s, ok := g.sort[fn]
	if !ok {
		s = fn.String() + "\x00" + g.fset.Position(fn.Pos()).String()
		g.sort[fn] = s
	}
	return s
}

// in returns the calls of n in an order that is the same in every run.
func (g *graph) in(n *callgraph.Node) []*callgraph.Edge { return g.ordered(n.In) }

// out returns the calls that n makes in an order that is the same in every run.
func (g *graph) out(n *callgraph.Node) []*callgraph.Edge { return g.ordered(n.Out) }

func (g *graph) ordered(edges []*callgraph.Edge) []*callgraph.Edge {
	edges = slices.Clone(edges)
	slices.SortFunc(edges, func(a, b *callgraph.Edge) int {
		if c := cmp.Compare(g.key(a.Caller.Func), g.key(b.Caller.Func)); c != 0 {
			return c
		}
		if c := cmp.Compare(sitePos(a), sitePos(b)); c != 0 { // same function, same file
			return c
		}
		return cmp.Compare(g.key(a.Callee.Func), g.key(b.Callee.Func))
	})
	return edges
}

// sitePos returns the position of the opening parenthesis of the call, or that
// of the loop whose body or iterator is called.
func sitePos(e *callgraph.Edge) token.Pos {
	if e.Site != nil {
		if pos := e.Site.Common().Pos(); pos.IsValid() {
			return pos
		}
		if loop := rangeOf(e.Site); loop != nil {
			return loop.For
		}
	}
	if loop, ok := e.Callee.Func.Syntax().(*ast.RangeStmt); ok {
		return loop.For
	}
	return token.NoPos
}

// rangeOf returns the range-over-func loop whose iterator is called at site, or
// nil if the site is another call.
func rangeOf(site ssa.CallInstruction) *ast.RangeStmt {
	common := site.Common()
	if common.Pos().IsValid() || len(common.Args) == 0 {
		return nil
	}
	body, ok := common.Args[len(common.Args)-1].(*ssa.MakeClosure)
	if !ok {
		return nil
	}
	loop, _ := body.Fn.(*ssa.Function).Syntax().(*ast.RangeStmt)
	return loop
}

// programPackages returns the packages that the roots' packages import,
// themselves included.
func programPackages(p *load.Program) []*packages.Package {
	var starts []*packages.Package
	for _, pkg := range p.Initial {
		if pkg.Name == "main" && !load.Variant(pkg) {
			starts = append(starts, pkg)
		}
	}
	if starts == nil {
		return p.All
	}
	var list []*packages.Package
	packages.Visit(starts, nil, func(pkg *packages.Package) { list = append(list, pkg) })
	return list
}
