package closure

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"sync"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// With polls, a checkpoint can be taken where no checkpoint call stands: at the back edge of each
// loop that is not bounded by the size of something in memory (bounded.go), or calls what loops in
// turn (nests.go), before a goto statement that goes back (gotos.go), and on entry of one function
// at least of each cycle of calls (recursive.go), of what loops when it is called back (nests.go),
// and of what streams are copied by (copying.go). Between two polls a program then does a bounded
// amount of work (but for code that is not rewritten, and for gotos that only look like a
// scanner's), and a function that neither loops nor recurs costs nothing. If only some packages
// poll (load.Config.Polled), what other packages do between two polls has no bound. Nor has it if
// the places were chosen from what was measured of the program (places.go).

// Dense, the value of the environment variable CKPGEN_POLLS, puts a poll on entry of
// every function and in every loop. Programs are tested so: a checkpoint is possible
// at every call.
const Dense = "dense"

// PollsVariable is the name of that variable.
const PollsVariable = "CKPGEN_POLLS"

// findPolls returns the functions with polls, in an order that is the same in every run, and notes
// which are polled on entry. Those that poll only where what they are handed lingers are told with
// that.
func (c *Closure) findPolls() (contexts []context) {
	if choice := c.graph.prog.Choice; choice != nil {
		return anyhow(c.usePlaces(choice))
	}
	var list []*callgraph.Node
	c.dense = os.Getenv(PollsVariable) == Dense
	loops := make(map[token.Pos]bool) // functions with loops that poll
	for fn := range c.graph.nodes {
		if c.graph.mayPoll(fn) {
			if c.findLoops(fn) {
				loops[fn.Pos()] = true
			}
			if c.dense {
				c.entries[fn.Pos()] = true
			}
		}
	}
	if !c.dense {
		c.graph.breakCycles(c.entries, func(*ssa.Function) bool { return true })
		c.findCopied()
		c.findNests(loops)
	}
	for fn, n := range c.graph.nodes {
		if c.graph.mayPoll(fn) && (loops[fn.Pos()] || c.entries[fn.Pos()]) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *callgraph.Node) int { return cmp.Compare(c.graph.key(a.Func), c.graph.key(b.Func)) })
	for _, n := range list {
		if c.entries[n.Func.Pos()] || len(c.lingering[n]) == 0 || c.pollsAnyhow(n.Func) {
			contexts = append(contexts, whatever(n))
		} else {
			contexts = append(contexts, c.lingering[n]...)
		}
	}
	return contexts
}

// pollsAnyhow reports whether a loop of a function polls, whatever the function is handed.
func (c *Closure) pollsAnyhow(fn *ssa.Function) bool {
	body, found := BodyOf(fn.Syntax()), false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case ast.Stmt:
			at := forOf(n)
			found = found || c.loops[at] && !c.sometimes[at]
		}
		return !found
	})
	return found
}

// mayPoll reports whether polls may be put into a function. What cgo has written can't be
// rewritten.
func (g *graph) mayPoll(fn *ssa.Function) bool {
	return g.kind(fn) == user && g.polled[packagePath(fn)] && !g.byCgo[g.fset.File(fn.Pos())]
}

// findLoops notes the loops of a function that poll, not those in its literals, and
// reports whether there are any.
func (c *Closure) findLoops(function *ssa.Function) bool {
	fn := function.Syntax()
	body := BodyOf(fn)
	if body == nil {
		return false
	}
	found := false
	around := outermost(function)
	info := c.graph.infoAt(body.Pos())
	machine := sync.OnceValue(func() *machine { return c.machineOf(fn) })
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			if blocking.Never(info, n.Cond) { // see dropDead
				if n.Else != nil {
					ast.Inspect(n.Else, visit)
				}
				return false
			}
		case *ast.ForStmt:
			if c.loopPolls(around, n) {
				c.loops[n.For] = true
				found = true
			}
		case *ast.RangeStmt:
			if c.loopPolls(around, n) {
				c.loops[n.For] = true
				found = true
			}
		case *ast.BranchStmt:
			if backTo(info, n).IsValid() && (c.dense || !machine().scans(n)) {
				c.loops[n.TokPos] = true
				found = true
			}
		}
		return true
	}
	ast.Inspect(body, visit)
	return found
}

// loopPolls reports whether a loop of the function fn, or of a literal in it, polls, whatever it
// calls.
func (c *Closure) loopPolls(fn ast.Node, loop ast.Stmt) bool {
	at := forOf(loop)
	polls, known := c.polledLoops[at]
	if known {
		return polls
	}
	switch loop := loop.(type) {
	case *ast.ForStmt:
		polls = c.dense || !c.endsSoon(fn, loop)
	case *ast.RangeStmt:
		polls = c.dense && !c.overFunction(loop) || c.long(fn, loop)
	}
	c.polledLoops[at] = polls
	return polls
}

// outermost returns the declaration of the function that a literal is in, or the literal if it is
// in none. A literal's loops count to what variables around it say, too.
func outermost(fn *ssa.Function) ast.Node {
	for fn.Parent() != nil && BodyOf(fn.Parent().Syntax()) != nil {
		fn = fn.Parent()
	}
	return fn.Syntax()
}

// BodyOf returns the body of a function, a literal or a loop; nil if it has none, and for other
// nodes.
func BodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	case *ast.ForStmt:
		return fn.Body
	case *ast.RangeStmt:
		return fn.Body
	}
	return nil
}

// overFunction reports whether a range loop calls an iterator.
func (c *Closure) overFunction(loop *ast.RangeStmt) bool {
	_, ok := c.graph.typeOf(loop.X).(*types.Signature)
	return ok
}

// long reports whether a range loop polls, in the function fn or a literal of it: it walks no
// memory, has loops inside that make it longer, or calls what may take long and does not poll.
func (c *Closure) long(fn ast.Node, loop *ast.RangeStmt) bool {
	l := c.counted(fn, loop.For, nil)
	switch u := c.graph.typeOf(loop.X).(type) {
	case *types.Signature:
		return false // the iterator's own loops poll
	case *types.Slice, *types.Array, *types.Pointer, *types.Map:
		if isBoundless(u) {
			return true
		}
	case *types.Basic:
		if u.Info()&types.IsString == 0 && !l.length(loop.X, 0) && !l.readsByKey(loop) {
			return true
		}
	default:
		return true
	}
	return !l.addLittle(loop.Body, nil) || l.callsOut(loop.Body)
}

// holdsLoop reports whether there is a loop in the body of one.
func holdsLoop(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		}
		return !found
	})
	return found
}

// typeOf returns the underlying type of an expression of a rewritten package.
func (g *graph) typeOf(e ast.Expr) types.Type {
	if info := g.infoAt(e.Pos()); info != nil {
		if t := info.TypeOf(e); t != nil {
			return t.Underlying()
		}
	}
	return nil
}

// Loop reports whether the loop, a *ast.ForStmt or *ast.RangeStmt, polls, or a goto statement that
// goes back.
func (c *Closure) Loop(loop ast.Stmt) bool { return c.loops[forOf(loop)] }

// forOf returns the position of the keyword of a loop or a goto statement, no position of any other
// statement.
func forOf(loop ast.Stmt) token.Pos {
	switch l := loop.(type) {
	case *ast.ForStmt:
		return l.For
	case *ast.RangeStmt:
		return l.For
	case *ast.BranchStmt:
		if l.Tok == token.GOTO {
			return l.TokPos
		}
	}
	return token.NoPos
}

// Polls reports whether the function, or the body of a loop over a function, polls on entry.
func (c *Closure) Polls(fn ast.Node) bool {
	var pos token.Pos
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		pos = fn.Name.Pos()
	case *ast.FuncLit:
		pos = fn.Pos()
	case *ast.RangeStmt:
		pos = fn.Range
	}
	return c.entries[pos]
}

// Auto reports whether there are polls.
func (c *Closure) Auto() bool { return c.auto }
