package closure

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// A loop that ends soon has no poll, and neither has another one in it (nested.go). That must also
// hold for the loops of the functions that it calls: what is in one function as
//
//	for i := range all { for j := range all { ... } }
//
// is in two
//
//	for i := range all { attract(&all[i], all) }
//
// and in three or four as long as the program. So a loop polls as well if it calls what loops
// without a poll, itself or in what it calls in turn. Such a function is said to linger. What is
// brief does not make it linger, and what it calls on its way out, to return, is called once. A
// loop that polls only if it counts far (mayBeShort) makes it linger, too, and the loop around it
// poll. But brief loops that call each other's functions are as good as one in the other: the fifth
// around four polls, as does the third around what lingers.
//
// A loop that polls only because what its function is handed may linger (contexts.go) does not make
// a call a resume point that hands over something else.
//
// Functions of packages that have no polls linger if they loop or recur, or call what lingers. So
// do those of a few packages of the standard library: a loop polls that calls a function which
// hashes a password or draws a picture, or one that goes over all of what it is given (over.go).
//
// The functions of the standard library that call the program back have no polls. What they call,
// such as the comparison of a sort or the body of a loop over an iterator, polls on entry if it
// lingers, and what is called for each file of a tree in any case.
//
// A loop that polls may be run in strips of a million iterations with a poll after each (package
// rewrite), of fewer if there are brief loops in it. It must not be if the iterations are other
// loops themselves, or call what is not rewritten and may take long: it is noted as slow.

// nests finds functions that linger, callees first, and makes loops poll that call them.
type nests struct {
	c       *Closure
	callees map[token.Pos][]*callgraph.Node // of the call with this opening parenthesis
	handed  map[token.Pos]bool              // calls of what a function is handed: see contexts.go
	known   map[*callgraph.Node]bool        // whether a function lingers; while that is being found out what was known before
	before  map[*callgraph.Node]bool        // what was found out the last time
	levels  map[*callgraph.Node]int         // how many brief loops are in one another in a call of a function, without a poll
	polls   map[token.Pos]bool              // functions with loops that poll
}

// findNests makes loops poll that call functions which linger, and adds the functions that they are
// in to polls.
func (c *Closure) findNests(polls map[token.Pos]bool) {
	n := &nests{c, make(map[token.Pos][]*callgraph.Node), make(map[token.Pos]bool), make(map[*callgraph.Node]bool), nil, make(map[*callgraph.Node]int), polls}
	var list []*callgraph.Node
	for fn, node := range c.graph.nodes {
		if c.graph.mayPoll(fn) {
			list = append(list, node)
		}
		for _, e := range node.Out {
			if pos := sitePos(e); pos.IsValid() && stays(e) && c.graph.kind(fn) == user {
				n.callees[pos] = append(n.callees[pos], e.Callee)
				others, known := n.handed[pos] // in another instance the same may be a call by name
				n.handed[pos] = whatever(e.Callee).handedIn(e) && (others || !known)
			}
		}
	}
	// Where functions call each other, it matters which is the first.
	slices.SortFunc(list, func(a, b *callgraph.Node) int { return cmp.Compare(c.graph.key(a.Func), c.graph.key(b.Func)) })
	for {
		loops := len(c.loops)
		for _, node := range list {
			n.lingers(node)
		}
		if n.before != nil && len(c.loops) == loops {
			break
		}
		// Of functions that call each other it was not known whether the first lingers when the
		// others were looked at.
		n.before, n.known, n.levels = n.known, make(map[*callgraph.Node]bool), make(map[*callgraph.Node]int)
	}
	for _, node := range list {
		for _, e := range node.Out {
			if n.handed[sitePos(e)] && n.lingers(e.Callee) {
				from, _ := whatever(e.Callee).before(e)
				c.lingering[node] = append(c.lingering[node], from)
			}
		}
	}
	callingBack := n.callingBack(list)
	for _, node := range list {
		body := BodyOf(node.Func.Syntax())
		if body != nil && n.calledBack(node, n.known[node], callingBack[node] || holdsLoop(body), make(map[*callgraph.Node]bool)) {
			c.entries[node.Func.Pos()] = true
		}
	}
}

// calledBack reports whether a function is called by one that is, or can be, rewritten and has no
// polls; and that may go on for long even if the function does not linger. What is quick calls back
// as often as there are elements, or a little more: that matters if the function has loops itself,
// and not if it looks for something in a string, unless that is such a function that calls back in
// turn. Wrappers that were looked at are in seen: the method of a struct with an embedded interface
// may call itself, of another struct.
func (n *nests) calledBack(node *callgraph.Node, lingers, loops bool, seen map[*callgraph.Node]bool) bool {
	return slices.ContainsFunc(node.In, func(e *callgraph.Edge) bool {
		caller := e.Caller.Func
		lingers := lingers && (loops || !quick[packagePath(caller)])
		switch n.c.graph.kind(caller) {
		case user:
			return (lingers || walks(caller)) && !n.c.graph.mayPoll(caller)
		case outside:
			return (lingers || walks(caller)) && n.c.graph.ofLibrary(caller)
		case synthetic:
			if seen[e.Caller] {
				return false
			}
			seen[e.Caller] = true
			return n.calledBack(e.Caller, lingers, loops, seen)
		}
		return false
	})
}

// callingBack returns the functions that, themselves or in what they call in turn, hand the
// standard library a function that lingers, to be called back: what is called for each element of
// one list then goes over two more.
//
//	slices.ContainsFunc(a, func(x int) bool {
//		return slices.ContainsFunc(b, func(y int) bool { return slices.Contains(c, x+y) })
//	})
func (n *nests) callingBack(list []*callgraph.Node) map[*callgraph.Node]bool {
	lingers := func(arg ssa.Value) bool {
		fn := n.c.graph.nodes[functionOf(arg)]
		return fn != nil && n.known[fn]
	}
	found := make(map[*callgraph.Node]bool)
	var queue []*callgraph.Node
	add := func(node *callgraph.Node) {
		if !found[node] {
			found[node] = true
			queue = append(queue, node)
		}
	}
	for _, node := range list {
		for _, e := range node.Out {
			if e.Site != nil && stays(e) && n.c.graph.std[packagePath(e.Callee.Func)] && slices.ContainsFunc(e.Site.Common().Args, lingers) {
				add(node)
			}
		}
	}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		if n.c.entries[node.Func.Pos()] {
			continue
		}
		for _, e := range node.In {
			if e.Site != nil && stays(e) && n.c.graph.mayPoll(e.Caller.Func) {
				add(e.Caller)
			}
		}
	}
	return found
}

// functionOf returns the function that a value certainly is, or nil.
func functionOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return functionOf(v.Fn)
	case *ssa.ChangeType:
		return functionOf(v.X)
	}
	return nil
}

// walking are packages of the standard library with functions that call the program back for each
// of any number of files.
var walking = map[string]bool{"io/fs": true, "path/filepath": true}

// walks reports whether a function may be one that goes over files. Methods do not: those of io/fs
// hand on what is asked of one file or directory, and a PathError the message of the error in it,
// which could be any of the program's.
func walks(fn *ssa.Function) bool {
	return walking[packagePath(fn)] && fn.Signature.Recv() == nil
}

// lingers reports whether a call of a function may loop without a poll. One that polls on entry
// does not.
func (n *nests) lingers(node *callgraph.Node) bool {
	if lingers, ok := n.known[node]; ok {
		return lingers
	}
	n.known[node] = n.before[node]
	fn := node.Func
	switch kind, body := n.c.graph.kind(fn), BodyOf(fn.Syntax()); {
	case n.c.graph.std[packagePath(fn)] && kind == outside:
		n.known[node] = lasting[packagePath(fn)]
	case n.c.graph.std[packagePath(fn)] && kind == user: // it calls back
		n.known[node] = false
	case kind == outside, kind == user && !n.c.graph.mayPoll(fn):
		n.known[node] = true // if it calls itself
		n.known[node] = body == nil || holdsLoop(body) || slices.ContainsFunc(node.Out, func(e *callgraph.Edge) bool { return stays(e) && n.lingers(e.Callee) })
	case kind == synthetic:
		n.known[node] = slices.ContainsFunc(node.Out, func(e *callgraph.Edge) bool { return n.lingers(e.Callee) })
	case body != nil && n.c.graph.mayPoll(fn):
		l := n.c.counted(outermost(fn), body.Pos(), nil)
		if l.info != nil {
			w := n.look(l, fn, false, body)
			n.known[node] = (w.calls || w.handed || w.loops || w.leaving || n.c.graph.descends(node)) && !n.c.entries[fn.Pos()]
			if !n.c.entries[fn.Pos()] {
				n.levels[node] = w.levels
			}
		}
	}
	return n.known[node]
}

// lasting are packages of the standard library that have functions which take much longer than it
// takes to walk what they are given.
var lasting = map[string]bool{
	"archive/tar": true, "archive/zip": true, "compress/bzip2": true, "compress/flate": true, "compress/gzip": true, "compress/lzw": true, "compress/zlib": true,
	"crypto/dsa": true, "crypto/ecdh": true, "crypto/ecdsa": true, "crypto/ed25519": true, "crypto/elliptic": true, "crypto/mlkem": true, "crypto/pbkdf2": true,
	"crypto/rand": true, "crypto/rsa": true, "crypto/x509": true, "encoding/gob": true, "encoding/json": true, "encoding/xml": true,
	"go/build": true, "go/format": true, "go/parser": true, "go/printer": true, "go/types": true, "html/template": true,
	"image/draw": true, "image/gif": true, "image/jpeg": true, "image/png": true, "index/suffixarray": true,
	"math/big": true, "net": true, "net/http": true, "os/exec": true, "regexp": true, "text/template": true,
}

// A waiting is what a part of a function does without a poll.
type waiting struct {
	calls   bool // it calls what lingers
	handed  bool // so may be what it is handed
	loops   bool // it loops
	leaving bool // it does so on its way out of a loop
	levels  int  // how many brief loops are in one another
	short   bool // there is a loop in it that polls only if it counts far
}

func (w *waiting) add(v waiting) {
	w.calls, w.handed, w.loops, w.leaving, w.short = w.calls || v.calls, w.handed || v.handed, w.loops || v.loops, w.leaving || v.leaving, w.short || v.short
	w.levels = max(w.levels, v.levels)
}

// mostLevels is how many brief loops may be in one another, by way of the functions that they call,
// without a poll: together they have about as many iterations as what counts as a length. What
// lingers stands for some.
const (
	mostLevels      = 4
	lingeringLevels = 2
)

// look looks at parts of a function, in a loop or not, and the loops in them.
func (n *nests) look(l counted, fn *ssa.Function, inLoop bool, parts ...ast.Node) (w waiting) {
	leaving := func(list []ast.Stmt) bool {
		if !inLoop || !l.leaves(list) {
			return false
		}
		for _, s := range list {
			v := n.look(l, fn, false, s)
			w.leaving = w.leaving || v.calls || v.handed || v.loops || v.leaving
		}
		return true
	}
	visit := func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			return !leaving(m.List)
		case *ast.CaseClause:
			if leaving(m.Body) {
				for _, e := range m.List {
					w.add(n.look(l, fn, inLoop, e))
				}
				return false
			}
		case *ast.ForStmt:
			if m.Init != nil {
				w.add(n.look(l, fn, inLoop, m.Init))
			}
			parts := []ast.Node{m.Body}
			if m.Cond != nil {
				parts = append(parts, m.Cond)
			}
			if m.Post != nil {
				parts = append(parts, m.Post)
			}
			w.add(n.loop(l, fn, m, m.For, parts))
			return false
		case *ast.RangeStmt:
			w.add(n.look(l, fn, inLoop, m.X))
			if !n.c.overFunction(m) {
				w.add(n.loop(l, fn, m, m.For, []ast.Node{m.Body}))
				return false
			}
			w.calls = w.calls || slices.ContainsFunc(n.callees[m.For], n.lingers)
			w.loops = w.loops || slices.ContainsFunc(n.callees[m.For], func(iterator *callgraph.Node) bool { return n.c.graph.std[packagePath(iterator.Func)] })
		case *ast.CallExpr:
			lingers := slices.ContainsFunc(n.callees[m.Lparen], n.lingers)
			w.calls = w.calls || l.goesOver(m) || lingers && !n.handed[m.Lparen]
			w.handed = w.handed || lingers && n.handed[m.Lparen]
			for _, callee := range n.callees[m.Lparen] {
				n.lingers(callee)
				w.levels = max(w.levels, n.levels[callee])
			}
		case *ast.BranchStmt:
			w.loops = w.loops || backTo(l.info, m).IsValid() && !n.c.loops[m.TokPos]
		}
		return true
	}
	for _, part := range parts {
		ast.Inspect(part, visit)
	}
	return w
}

// loop looks at a loop, and makes it poll if it is to.
func (n *nests) loop(l counted, fn *ssa.Function, loop ast.Stmt, at token.Pos, parts []ast.Node) waiting {
	w := n.look(l, fn, true, parts...)
	brief, grows := l.brief(loop), l.grows(loop)
	much, same := l.handlesMuch(loop)
	if brief {
		if w.calls || w.handed || w.loops {
			w.levels = max(w.levels, lingeringLevels)
		}
		w.levels++
	}
	deep := w.levels > mostLevels
	polls := (w.calls || grows || same) && !brief || w.short && !l.hasFew(loop) || deep
	if !n.c.loops[at] && (polls || w.handed && !brief) {
		n.c.loops[at], n.c.sometimes[at], n.polls[fn.Pos()] = true, true, true
	}
	if polls {
		delete(n.c.sometimes, at)
	}
	if n.c.loops[at] {
		n.c.slow[at] = w.calls || w.handed || grows || w.loops || l.callsOut(loop) || much || deep || w.levels > 1
		w.levels = 0
		w.short = !n.c.slow[at] && l.mayBeShort(loop)
		w.loops = w.loops || w.short
		return w
	}
	w.loops = w.loops || !brief
	return w
}

// mayBeShort reports whether a loop that polls may be one that counts, and has no poll where that
// is not far (package rewrite): a thousand times is little, but not for each element of something.
func (l counted) mayBeShort(loop ast.Stmt) bool {
	if holdsLoop(BodyOf(loop)) {
		return false
	}
	switch loop := loop.(type) {
	case *ast.ForStmt:
		_, steps := loop.Post.(*ast.IncDecStmt)
		return steps && loop.Init != nil
	case *ast.RangeStmt:
		b, ok := l.info.TypeOf(loop.X).Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0
	}
	return false
}

// Slow reports whether the iterations of a loop that polls, a *ast.ForStmt or *ast.RangeStmt, may
// be loops without a poll.
func (c *Closure) Slow(loop ast.Stmt) bool { return c.slow[forOf(loop)] }
