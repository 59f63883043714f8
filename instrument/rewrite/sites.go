package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A function that executes each of its defer statements at most once can defer all the calls when
// it begins, in the order in which it may come to the statements. A statement says then that its
// call is to be made, and with what:
//
//	func f(x int, c *conn) (err error) {
//		defer c.unlock(x, y())
//		if x > 0 {
//			defer func() { err = errors.Join(err, c.Close()) }()
//		}
//		...
//	}
//
// becomes
//
//	func f(x int, c *conn) (err error) {
//		var calls f_calls
//		defers := f_defers{calls: &calls, err: &err}
//		defer func() {
//			if calls.pending&1 != 0 && (shadow.Busy == 0 || !defers.skips(1)) { calls.recv_1.unlock(calls.a0_1, calls.a1_1) }
//		}()
//		defer defers.call2()
//		...
//		{ calls.recv_1, calls.a0_1, calls.a1_1 = c, x, y(); calls.pending |= 1 }
//		if x > 0 {
//			{ calls.c = c; calls.pending |= 2 }
//		}
//
//	func (env *f_defers) call2() {
//		if env.calls.pending&2 == 0 || shadow.Busy != 0 && env.skips(3) { return }
//		...
//
// The variable calls is part of every frame; to restore it is to defer the calls again. Nothing is
// allocated, as neither it nor the function's variables that a literal shares leave the stack: the
// frames have copies, and pointers to them are nowhere but in defers. (Two variables, since for the
// compiler what a frame has of a struct comes from all of it.) And the compiler makes the calls
// part of the function, at each of its ends. It does so for up to eight calls that are deferred in
// no loop, which to it all is that stands behind a label that is jumped back to, and if not too
// many return statements follow: hence the beginning of the function, and what planReturns does.
// Statements of which only one is executed share a call.
//
// What a deferred call does first is to ask whether it is to be made: its bit is set, and the
// goroutine is not saving (skips). If a checkpoint is taken inside of it, it pushes its own frame
// and then that of the function (leave), in which the bits of those before it and its own are set:
// calls are made from the last to the first. By recover, which a deferred call may call, it knows
// whether the function panics. So does the method that makes the call of a function which reaches a
// checkpoint; a call that reaches none needs but skips. After runtime.Goexit the function can't
// push its frame, so the first call that is skipped does. If there is none, nobody needs it.
//
// Not of this form are functions with a defer statement in a loop, or that a goto leads back to;
// with one of a function which recovers, because that must be called by the statement itself, with
// its operands; with one of a literal that is at a checkpoint in deferred calls of its own, after
// which nobody is there to push the frame of the function around it; and those that would defer
// several calls under conditions and have so many ends that the compiler made records of them, for
// each a price that the condition spares.

// A site is a defer statement that a call of its function executes at most once.
type site struct {
	stmt    *ast.DeferStmt
	number  int
	literal *ast.FuncLit // whose call is deferred, or nil
	reaches bool         // a checkpoint can be taken in the call
	sure    bool         // the function executes it, if nothing comes between
	follows []extent     // what can be executed after it

	text       string   // of the statement as it is written
	invocation string   // the call, siteMark being what comes before what was evaluated
	beneath    string   // what comes before the call in a process that goes on, with siteMark, too
	fields     []string // with what was evaluated for it, and for none before it
	params     []string // those of them that are arguments
	method     string   // of the deferred literal
	child      *function
}

// bit is what stands for the site among the calls that are to come, and until for it and those
// before it.
func (s *site) bit() string   { return fmt.Sprintf("%#x", uint32(1)<<s.number) }
func (s *site) until() string { return fmt.Sprintf("%#x", uint32(1)<<(s.number+1)-1) }

// run is the name of the method that makes the calls of a group which the site is the first of.
func (s *site) run() string { return fmt.Sprint("run", s.number+1) }

// An extent is a piece of source.
type extent struct{ from, to token.Pos }

// sites are the defer statements of a function that has none but such.
type sites struct {
	list    []*site
	of      map[*ast.DeferStmt]*site
	groups  [][]*site             // of a group no more than one is executed
	shared  map[types.Object]bool // variables of the function that nothing but deferred literals captures
	sharing []*variable
	reaches bool // a checkpoint can be taken in one of the calls

	variable string   // that has them
	typ      string   // its type
	calls    string   // the type of what is in frames
	fields   []string // of that
	taken    map[string]bool
	captured map[types.Object]string // fields with copies of variables

	returns map[*ast.ReturnStmt]string // labels of those that are a jump
	end     string                     // the label of the others, and of what leaves the function for a checkpoint
}

// most is how many deferred calls the compiler makes part of a function's code, and mostExits
// how many copies of them.
const (
	most      = 8
	mostExits = 15
)

// findSites finds out whether no defer statement of a function is executed twice in one of its
// calls, and if so what is to be known of them.
func (c *function) findSites(body *ast.BlockStmt) {
	if !hasDefer(body) {
		return
	}
	f := &sites{of: make(map[*ast.DeferStmt]*site), shared: make(map[types.Object]bool), captured: make(map[types.Object]string), returns: make(map[*ast.ReturnStmt]string)}
	jumps := c.p.jumps(body)
	once := true
	var returns []*ast.ReturnStmt
	var visit func(n ast.Node, loop bool)
	visit = func(root ast.Node, loop bool) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				if n != root {
					visit(n, true)
					return false
				}
			case *ast.ReturnStmt:
				returns = append(returns, n)
			case *ast.DeferStmt:
				if c.p.isRecover(n.Call) {
					return true // has no effect
				}
				s := &site{stmt: n, number: len(f.list), reaches: c.p.reachesPoint(n.Call)}
				if s.literal, _ = ast.Unparen(n.Call.Fun).(*ast.FuncLit); s.literal != nil {
					s.reaches = c.p.Closure.Func(s.literal)
				}
				once = once && !loop && !jumps.repeats(n) && c.canBeSite(s)
				f.list = append(f.list, s)
				f.of[n] = s
			}
			return true
		})
	}
	visit(body, false)
	if !once || len(f.list) == 0 || len(f.list) > 31 {
		return
	}
	for _, s := range f.list {
		s.follows, s.sure = following(body, s.stmt, jumps)
		f.reaches = f.reaches || s.reaches
		f.group(s)
	}
	unsure := 0
	for _, g := range f.groups {
		if !g[0].sure {
			unsure++
		}
	}
	if !c.planReturns(f, returns) && unsure > 1 {
		return // the calls would be deferred one by one, at the cost of each
	}
	c.sites = f
	c.findShared(body)
}

// canBeSite reports whether the call is one that can be deferred before its operands are known. A
// function that recovers has to be called with them. A literal saves the frame of the function
// around it, together with its own, unless it has deferred calls, in which a checkpoint may find
// it.
func (c *function) canBeSite(s *site) bool {
	if s.literal == nil {
		return !c.p.Closure.Recovers(s.stmt.Call)
	}
	return !c.p.Closure.Func(s.literal) || !hasDefer(s.literal.Body)
}

// group puts a site into a group: one whose call is deferred after those of all sites that lead to
// this one.
func (f *sites) group(s *site) {
	of := -1
	for i, g := range slices.Backward(f.groups) {
		if slices.ContainsFunc(g, func(t *site) bool { return t.leadsTo(s.stmt) }) {
			break
		}
		if s.literal == nil && g[0].literal == nil {
			of = i
		}
	}
	if of < 0 {
		f.groups = append(f.groups, []*site{s})
		return
	}
	f.groups[of] = append(f.groups[of], s)
}

// leadsTo reports whether a statement can be executed after a site.
func (s *site) leadsTo(n ast.Node) bool {
	return slices.ContainsFunc(s.follows, func(e extent) bool { return e.from <= n.Pos() && n.Pos() < e.to })
}

// planReturns decides which return statements are jumps: the compiler writes the deferred calls at
// each, and not at all if that is too much. Those that no site leads to become one, and so do those
// with which the function is left for a checkpoint: nothing is called there. The others stay
// returns, so that stack traces show their lines; but not in each of the three copies that there
// can be, if these are too many. It reports whether the compiler can do so then.
func (c *function) planReturns(f *sites, returns []*ast.ReturnStmt) bool {
	f.end = c.localName("leave")
	var own []*ast.ReturnStmt
	for _, r := range returns {
		if slices.ContainsFunc(f.list, func(s *site) bool { return s.leadsTo(r) }) {
			own = append(own, r)
		} else {
			f.returns[r] = f.end
		}
	}
	one := min(c.functionType().Results.NumFields(), 1) // a function without results has an end
	copies := func(exits int) int { return (exits + one) * len(f.groups) }
	if len(f.groups) > most || copies(len(own)) > mostExits {
		return false
	}
	if copies(3*len(own)) > mostExits {
		for i, r := range own {
			f.returns[r] = c.localName(fmt.Sprint("return", i+1))
		}
	}
	return true
}

// jumps are the gotos and the like of a function.
type jumps struct {
	back  []extent // from a label to the goto that jumps back to it
	falls bool     // there are fallthrough statements
}

func (p *pkg) jumps(body *ast.BlockStmt) *jumps {
	j := &jumps{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			switch n.Tok {
			case token.GOTO:
				if to := p.info.Uses[n.Label]; to != nil && to.Pos() < n.Pos() {
					j.back = append(j.back, extent{to.Pos(), n.End()})
				}
			case token.FALLTHROUGH:
				j.falls = true
			}
		}
		return true
	})
	return j
}

// repeats reports whether a statement can be executed again by way of a goto.
func (j *jumps) repeats(n ast.Node) bool {
	return slices.ContainsFunc(j.back, func(e extent) bool { return e.from <= n.Pos() && n.Pos() < e.to })
}

// following returns what can be executed after a statement that is in no loop, and whether it is
// one of the body itself. A goto can't jump into a block, so that it leads to what follows in any
// case.
func following(body *ast.BlockStmt, s ast.Stmt, j *jumps) (list []extent, sure bool) {
	if j.falls {
		return []extent{{s.End(), body.End()}}, slices.Contains(body.List, s)
	}
	// The lists of statements that it is in, the outermost first.
	var lists [][]ast.Stmt
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || n.Pos() > s.Pos() || n.End() < s.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			lists = append(lists, n.List)
		case *ast.CaseClause:
			lists = append(lists, n.Body)
		case *ast.CommClause:
			lists = append(lists, n.Body)
		}
		return true
	})
	for _, l := range slices.Backward(lists) {
		i := slices.IndexFunc(l, func(t ast.Stmt) bool { return t.Pos() <= s.Pos() && s.End() <= t.End() })
		switch l[i].(type) {
		case *ast.CaseClause, *ast.CommClause:
			continue // none leads to another
		}
		end := l[len(l)-1].End()
		list = append(list, extent{l[i].End(), end})
		if ends(l[i:]) {
			break
		}
	}
	return list, slices.Contains(body.List, s)
}

// ends reports whether nothing is executed after a list of statements.
func ends(list []ast.Stmt) bool {
	if _, ok := list[len(list)-1].(*ast.ReturnStmt); !ok {
		return false
	}
	leaves := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			if _, ok := n.(*ast.BranchStmt); ok {
				leaves = true
			}
			return !leaves
		})
	}
	return !leaves
}

// findShared finds the variables that can stay variables of the function although deferred literals
// capture them: their addresses are in no frame, as they are known again when a function is called
// again. Nothing else may capture them, and they have to be variables of the function as a whole.
func (c *function) findShared(body *ast.BlockStmt) {
	own := make(map[types.Object]bool)
	declares := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.Ident:
				if v, ok := c.p.info.Defs[n].(*types.Var); ok && !v.IsField() {
					own[v] = true
				}
			}
			return true
		})
	}
	t := c.functionType()
	for _, l := range []*ast.FieldList{t.Params, t.Results} {
		if l != nil {
			declares(l)
		}
	}
	var results []types.Object
	if t.Results != nil {
		for _, l := range t.Results.List {
			for _, id := range l.Names {
				results = append(results, c.p.info.Defs[id])
			}
		}
	}
	if d, ok := c.node.(*ast.FuncDecl); ok && d.Recv != nil {
		declares(d.Recv)
	}
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				declares(l)
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, id := range v.Names {
						declares(id)
					}
				}
			}
		}
	}
	f := c.p.facts
	deferred := make(map[*ast.FuncLit]bool)
	for _, s := range c.sites.list {
		if s.literal != nil {
			deferred[s.literal] = true
		}
	}
	others := make(map[types.Object]bool)
	var visit func(root ast.Node, shares, hides bool)
	visit = func(root ast.Node, shares, hides bool) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				if n != root {
					visit(n, deferred[n], hides || shares || !deferred[n])
					return false
				}
			case *ast.RangeStmt:
				if n != root && c.p.overFunction(n) {
					visit(n, false, true)
					return false
				}
			case *ast.ReturnStmt:
				if _, ok := root.(*ast.RangeStmt); ok { // the body of a loop over a function assigns to the results
					for _, v := range results {
						others[v] = true
					}
				}
			case *ast.Ident:
				v, _ := c.p.info.Uses[n].(*types.Var)
				switch {
				case v == nil || !own[v]:
				case hides:
					others[v] = true
				case shares:
					c.sites.shared[v] = c.sites.shared[v] || f.byReference(v) && !f.addressed[v]
				}
			}
			return true
		})
	}
	visit(body, false, false)
	for v, ok := range c.sites.shared {
		if !ok || others[v] || f.addressed[v] {
			delete(c.sites.shared, v)
		}
	}
}

// isShared reports whether deferred literals share a variable with the function, which keeps it.
func (c *function) isShared(obj types.Object) bool { return c.sites != nil && c.sites.shared[obj] }

// share makes a variable one that the function's deferred calls know by its address.
func (c *function) share(v *variable) {
	v.kept = true
	c.sites.sharing = append(c.sites.sharing, v)
}
