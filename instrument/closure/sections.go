package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A critical section is what a goroutine does between the lock of a mutex and its unlock. If it can
// neither take nor join a checkpoint in any of those of a mutex, no checkpoint finds the mutex
// locked. A goroutine that waits for such a mutex need not be able to join there: whoever has
// locked it goes on, unlocks it, and so the other one goes on, too, to a place where it can join.
// So these locks are no operations. A program that does nothing under a lock but to note a message
// would otherwise be rewritten wherever it does so, which is nearly everywhere.
//
// Which mutexes there are, and which can be told apart, is in mutexes.go; the locks of the others
// stay what they were. A section is followed through the function that locks, and no further: one
// that returns with the mutex locked, or unlocks what others have locked, as in a deferred function
// literal, has a mutex that stays what it was.
//
// It is a greatest fixed point: no lock is an operation at first, and those become ones that have a
// section in which a function of the closure is called. That makes the closure larger, so the
// others are looked at again.

// addWaiting adds the functions with operations at which a goroutine can wait.
func (c *Closure) addWaiting() {
	mutexes, all := c.mutexes()
	for _, m := range mutexes {
		for _, pos := range m.where {
			delete(c.operations, pos)
		}
	}
	for {
		waiting := c.waiting()
		c.walkBack(c.saved, c.contexts, anyhow(waiting), false)
		c.walkBack(c.next, c.reached, anyhow(waiting), false)
		var open []*mutex
		for _, m := range mutexes {
			if m.shut && !c.staysShut(m) {
				open = append(open, m)
			}
		}
		if open == nil {
			break
		}
		for _, m := range open {
			m.shut = false
			for _, pos := range m.where {
				c.operations[pos] = all[pos]
			}
		}
	}
	c.shut = make(map[token.Pos]blocking.Operation)
	for _, m := range mutexes {
		for _, pos := range m.where {
			if m.shut {
				c.shut[pos] = all[pos]
			}
		}
	}
}

// staysShut reports whether no goroutine takes or joins a checkpoint while it has locked the mutex.
func (c *Closure) staysShut(m *mutex) bool {
	for _, l := range m.locks {
		s := section{c: c, lockCall: l, callees: make(map[ssa.CallInstruction]bool), seen: make(map[place]bool)}
		if !s.passes() {
			return false
		}
	}
	return true
}

// A section is what comes after a lock.
type section struct {
	c *Closure
	lockCall
	callees map[ssa.CallInstruction]bool // calls of functions that can be found on the stack
	loops   []region                     // of loops that poll, without the lock in them
	around  bool                         // there is one that polls, with the lock in it
	seen    map[place]bool
	work    []place
}

// A place is where a walk through a function begins a block.
type place struct {
	block    *ssa.BasicBlock
	from     int  // of its instructions
	deferred bool // the unlock was deferred
}

// passes reports whether the section is left, by an unlock, on all ways before anything happens
// that a checkpoint can find.
func (s *section) passes() bool {
	fn := s.call.Parent()
	for _, e := range s.c.graph.nodes[fn].Out {
		if _, in := s.c.saved[e.Callee]; in && e.Site != nil && s.c.contexts.leads(e) {
			s.callees[e.Site] = true
		}
	}
	s.findLoops(fn)
	s.work = append(s.work, s.start())
	for len(s.work) > 0 {
		p := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if s.seen[p] {
			continue
		}
		s.seen[p] = true
		if !s.walk(p) {
			return false
		}
	}
	return true
}

// start returns where the section begins: behind the lock, and if that is tried in a condition,
// where the condition holds.
func (s *section) start() place {
	block := s.call.Block()
	at := slices.Index(block.Instrs, ssa.Instruction(s.call))
	if branch, ok := block.Instrs[at+1].(*ssa.If); ok && branch.Cond == s.call {
		return place{block: block.Succs[0]}
	}
	return place{block: block, from: at + 1}
}

// A region is a piece of source.
type region struct{ from, to token.Pos }

func (r region) contains(pos token.Pos) bool { return r.from <= pos && pos < r.to }

// findLoops finds the loops of the function that poll.
func (s *section) findLoops(fn *ssa.Function) {
	body := BodyOf(fn.Syntax())
	if body == nil || len(s.c.loops) == 0 {
		return
	}
	info := s.c.graph.infoAt(body.Pos())
	ast.Inspect(body, func(n ast.Node) bool {
		loop, ok := n.(ast.Stmt)
		if at := forOf(loop); !ok || !at.IsValid() || !s.c.loops[at] {
			return true
		}
		e := region{loop.Pos(), loop.End()}
		if back, ok := loop.(*ast.BranchStmt); ok {
			e.from = backTo(info, back)
		}
		if e.contains(s.call.Pos()) {
			s.around = true
		} else {
			s.loops = append(s.loops, e)
		}
		return true
	})
}

// polls reports whether an instruction of the section belongs to a loop that polls; or stands
// before the lock, if that is in one, which may have been gone round.
func (s *section) polls(in ssa.Instruction) bool {
	pos := in.Pos()
	if !pos.IsValid() {
		return false
	}
	if slices.ContainsFunc(s.loops, func(l region) bool { return l.contains(pos) }) {
		return true
	}
	return s.around && pos < s.call.Pos()
}

// walk follows a section through a block. It reports whether nothing happens there that a
// checkpoint can find.
func (s *section) walk(p place) bool {
	for _, in := range p.block.Instrs[p.from:] {
		method, at := ofMutex(in)
		unlocks := method != "" && !locks(method) && s.same(at, s.at)
		if s.polls(in) && !unlocks {
			return false
		}
		switch in := in.(type) {
		case *ssa.Call:
			if unlocks {
				return true
			}
			if s.callees[in] || s.c.operations[in.Call.Pos()].Waits() {
				return false
			}
		case *ssa.Defer:
			if unlocks && in.DeferStack == nil { // another function's, in the body of a loop over a function
				p.deferred = true
			} else if s.callees[in] || s.c.operations[in.Call.Pos()].Waits() {
				return false
			}
		case *ssa.Send:
			return false
		case *ssa.UnOp:
			if in.Op == token.ARROW {
				return false
			}
		case *ssa.Select:
			if in.Blocking || s.tries(in) {
				return false
			}
		case *ssa.Return:
			if !p.deferred {
				return false
			}
		}
	}
	for _, to := range p.block.Succs {
		s.work = append(s.work, place{to, 0, p.deferred})
	}
	return true
}

// tries reports whether a goroutine joins a checkpoint before a select statement with a default, as
// it does in functions of the closure.
func (s *section) tries(in *ssa.Select) bool {
	_, saved := s.c.saved[s.c.graph.nodes[in.Parent()]]
	return saved && s.c.operations[in.Pos()].Kind == blocking.Try
}

// same reports whether two addresses of a function are the same, if what is read on the way to them
// is never written by the function.
func (s *section) same(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && types.Identical(a.X.Type(), b.X.Type()) && s.same(a.X, b.X)
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		if !ok || a.Op != token.MUL || b.Op != token.MUL || !s.same(a.X, b.X) {
			return false
		}
		return !writes(s.call.Parent(), a.X)
	}
	return false
}

// writes reports whether a function stores into the variable or field at an address, or may do so,
// other than first of all.
func writes(fn *ssa.Function, at ssa.Value) bool {
	key := variableAt(at)
	if key == nil {
		return true
	}
	_, own := at.(*ssa.Alloc)
	stores := 0
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if store, ok := in.(*ssa.Store); ok && variableAt(store.Addr) == key {
				if stores++; stores > 1 || !own || b.Index != 0 {
					return true
				}
			}
		}
	}
	return false
}
