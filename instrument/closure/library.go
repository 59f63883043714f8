package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/standard"
)

// A Library is the closure of the packages of the standard library that are rewritten. What
// is in it does not depend on the program (package standard says why), so it is
// told by the syntax of these packages alone: every call of a func value or of a method of an
// interface is taken to reach a checkpoint, and so is every call of a function of theirs from
// which such a call, or an operation at which a goroutine waits, can be reached.
//
// That is more than the call graph says, and it misses nothing: a function of another package that
// is called from there by name, and calls the program back, has a frame that can't be
// saved in any case. There are no polls.
type Library struct {
	funcs      map[token.Pos]bool // as in Closure
	calls      map[token.Pos]bool
	starters   map[token.Pos]bool // functions that start goroutines
	operations map[token.Pos]blocking.Operation
	recovers   func(*ast.CallExpr) bool
}

// newLibrary looks at the packages of a program that are rewritten if the standard library
// is; each stands after those that it imports.
func newLibrary(p *load.Program) *Library {
	l := &Library{
		funcs:      make(map[token.Pos]bool),
		calls:      make(map[token.Pos]bool),
		starters:   make(map[token.Pos]bool),
		operations: make(map[token.Pos]blocking.Operation),
	}
	for _, pkg := range slices.Concat(p.All, p.Beside()) {
		if p.StandardLibrary(pkg) && p.Excluded(pkg.PkgPath) == "" {
			l.add(pkg)
		}
	}
	return l
}

// A body is that of one function, without its literals.
type body struct {
	pos     token.Pos // as in Closure.funcs
	calls   []site
	reaches bool
}

// A site is a call by name, or of a literal.
type site struct {
	at, callee token.Pos
	starts     bool // it is made by a goroutine that is started there
}

func (l *Library) add(pkg *packages.Package) {
	var bodies []*body
	for i, file := range pkg.Syntax {
		name := filepath.Base(pkg.CompiledGoFiles[i])
		if !standard.HasFile(pkg.PkgPath, name) {
			continue
		}
		for pos, op := range blocking.InFile(pkg.Fset, pkg.TypesInfo, file) {
			if op.Function == nil || !op.Function.Dynamic {
				l.operations[pos] = op
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if fn, ok := n.(*ast.FuncDecl); ok && (asIs(fn) || !standard.HasFunction(pkg.PkgPath, name, fn.Name.Name)) {
				return false
			}
			if pos := functionPos(n); pos.IsValid() && BodyOf(n) != nil {
				bodies = append(bodies, l.look(pkg.TypesInfo, n, pos))
			}
			return true
		})
	}
	for more := true; more; {
		more = false
		for _, b := range bodies {
			for _, c := range b.calls {
				if l.funcs[c.callee] && !l.calls[c.at] {
					l.calls[c.at], more = true, true
					b.reaches = b.reaches || !c.starts
				}
			}
			if b.reaches && !l.funcs[b.pos] {
				l.funcs[b.pos], more = true, true
			}
		}
	}
}

// asIs reports whether a function has the directive of that name.
func asIs(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return c.Text == "//"+standard.AsIs })
}

// functionPos returns the position by which a declared function or a literal is known.
func functionPos(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Name.Pos()
	case *ast.FuncLit:
		return n.Pos()
	}
	return token.NoPos
}

// look notes what a function itself calls.
func (l *Library) look(info *types.Info, fn ast.Node, pos token.Pos) *body {
	b := &body{pos: pos}
	elsewhere := make(map[*ast.CallExpr]bool) // what a goroutine calls that is started
	ast.Inspect(BodyOf(fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			elsewhere[n.Call] = true
		case *ast.RangeStmt:
			if _, ok := info.TypeOf(n.X).Underlying().(*types.Signature); ok {
				l.calls[n.For], b.reaches = true, true
			}
		case *ast.CallExpr:
			l.classify(info, n, elsewhere[n], b)
		}
		if n == nil {
			return true
		}
		switch op := l.operations[blocking.Pos(n)]; {
		case blocking.Pos(n) == token.NoPos:
		case op.Kind == blocking.Start:
			l.starters[pos] = true
		case op.Waits():
			call, _ := n.(*ast.CallExpr)
			b.reaches = b.reaches || !elsewhere[call]
		}
		return true
	})
	return b
}

// classify notes what a call calls, of the function itself or of a goroutine that it starts.
func (l *Library) classify(info *types.Info, call *ast.CallExpr, starts bool, b *body) {
	if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return
	}
	if callee, static := target(info, call); static && !callsByAssembly(info, call) {
		b.calls = append(b.calls, site{call.Lparen, callee, starts})
		return
	}
	l.calls[call.Lparen] = true
	b.reaches = b.reaches || !starts
}

// callsByAssembly reports whether a call is one of a function that calls what it is handed.
func callsByAssembly(info *types.Info, call *ast.CallExpr) bool {
	f := typeutil.StaticCallee(info, call)
	return f != nil && standard.CallsByAssembly(f)
}

// target returns the position of the function that a call calls by name, or of the literal; static
// is false if it is a func value or a method of an interface.
func target(info *types.Info, call *ast.CallExpr) (pos token.Pos, static bool) {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return lit.Pos(), true
	}
	if f := typeutil.StaticCallee(info, call); f != nil {
		return f.Origin().Pos(), true
	}
	return token.NoPos, false
}

// has reports whether the function is rewritten.
func (l *Library) has(fn *ssa.Function) bool {
	for {
		if _, loop := fn.Syntax().(*ast.RangeStmt); !loop {
			return l.funcs[fn.Pos()] || l.starters[fn.Pos()]
		}
		fn = fn.Parent()
	}
}

// Func reports whether the function is in the closure.
func (l *Library) Func(fn ast.Node) bool { return l.funcs[functionPos(fn)] }

// Call reports whether the call is a resume point.
func (l *Library) Call(call *ast.CallExpr) bool { return l.calls[call.Lparen] }

// Range reports whether a loop that ranges over a function is one.
func (l *Library) Range(loop *ast.RangeStmt) bool { return l.calls[loop.For] }

// Direct reports that there is no checkpoint call.
func (l *Library) Direct(*ast.CallExpr) bool { return false }

// Auto reports that there are no polls.
func (l *Library) Auto() bool { return false }

// Loop reports that a loop does not poll.
func (l *Library) Loop(ast.Stmt) bool { return false }

// Slow is the same.
func (l *Library) Slow(ast.Stmt) bool { return false }

// Few reports that nothing is known of how many iterations a loop has.
func (l *Library) Few(ast.Node, ast.Stmt) bool { return false }

// Polls reports that a function does not poll.
func (l *Library) Polls(ast.Node) bool { return false }

// Concurrent reports that there may be goroutines, in some program.
func (l *Library) Concurrent() bool { return true }

// Alone reports that there may be more than goroutines to wake goroutines, in some program.
func (l *Library) Alone() bool { return false }

// ReadsInput reports that nothing is known of standard input.
func (l *Library) ReadsInput() bool { return false }

// Operation returns what the node does to the goroutine that executes it.
func (l *Library) Operation(n ast.Node) blocking.Operation {
	pos := blocking.Pos(n)
	if !pos.IsValid() {
		return blocking.Operation{}
	}
	return l.operations[pos]
}

// Recovers reports whether any function that the call may call in this program calls
// recover itself.
func (l *Library) Recovers(call *ast.CallExpr) bool { return l.recovers(call) }

// AlwaysRecovers is false: the functions are called by all programs.
func (l *Library) AlwaysRecovers(*ast.CallExpr, bool) bool { return false }

// GivesReceiver is false: it is the program that calls methods so.
func (l *Library) GivesReceiver(*ast.CallExpr) bool { return false }

// MayRecover is false: what they make func values of does not recover.
func (l *Library) MayRecover(types.Object) bool { return false }

// Borrows is false: the functions are those of all programs.
func (l *Library) Borrows(*types.Func, int) bool { return false }

// Opaque is false: what these functions call and is not rewritten returns numbers, texts and
// errors.
func (l *Library) Opaque(*types.Func) bool { return false }

// OpaqueCall is as for a Closure.
func (l *Library) OpaqueCall(*ast.CallExpr, *types.Signature) bool { return false }

// Instances are not known: each program has others.
func (l *Library) Instances(*types.Func) ([][]types.Type, bool) { return nil, false }

// Timeless is false for the same reason as Borrows.
func (l *Library) Timeless(*types.Func) bool { return false }

// StandardLibrary returns the closure of the packages of the standard library, as far as they are
// rewritten.
func (c *Closure) StandardLibrary() *Library {
	l := *c.graph.stdlibClosure()
	l.recovers = c.Recovers
	return &l
}

// stdlibClosure returns that of the standard library's packages, whether they are rewritten
// or not.
func (g *graph) stdlibClosure() *Library {
	if g.stdlib == nil {
		g.stdlib = newLibrary(g.prog)
	}
	return g.stdlib
}
