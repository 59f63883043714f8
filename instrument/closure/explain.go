package closure

import (
	"fmt"
	"go/token"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/callgraph"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// An UnknownError is a name that no function of the program has.
type UnknownError struct {
	Name string
	Near []string // names that are like it
}

// Error names the function and those that may have been meant.
func (e *UnknownError) Error() string {
	s := "the program has no function " + e.Name
	if len(e.Near) > 0 {
		s += "; did you mean " + strings.Join(e.Near, ", ") + "?"
	}
	return s
}

// Explain says for each function with the given name why it is, or is not, in the
// closure, with file names relative to dir. Names are main.f, f, (*T).M, T.M, M, pkg.F,
// pkg.T.M, import/path.F, and main.f.func1 for the first literal in main.f. The error
// is an *UnknownError.
func (c *Closure) Explain(name, dir string) (string, error) {
	var found []symbol
	all := c.graph.symbols()
	for _, s := range all {
		if s.means(name) {
			found = append(found, s)
		}
	}
	byUser := func(s symbol) bool { return c.graph.user[s.path] }
	if !slices.ContainsFunc(found, byUser) {
		for _, s := range all { // the bare name of a method
			if byUser(s) && strings.HasSuffix(s.name, "."+name) {
				found = append(found, s)
			}
		}
	}
	if len(found) == 0 {
		return "", &UnknownError{Name: name, Near: c.near(name, all)}
	}
	// What the user wrote hides namesakes in packages that are not rewritten.
	if slices.ContainsFunc(found, byUser) {
		found = slices.DeleteFunc(found, func(s symbol) bool { return !byUser(s) })
	}
	nodes := make(map[token.Pos][]*callgraph.Node)
	for fn, n := range c.graph.nodes {
		if fn.Syntax() != nil {
			nodes[fn.Pos()] = append(nodes[fn.Pos()], n)
		}
	}
	var b strings.Builder
	for i, s := range found {
		if i > 0 {
			b.WriteByte('\n')
		}
		c.explain(&b, s, nodes[s.pos], dir)
	}
	return b.String(), nil
}

func (c *Closure) explain(b *strings.Builder, s symbol, nodes []*callgraph.Node, dir string) {
	g := c.graph
	show := func(pos token.Position) string { return load.Position(pos, dir) }
	at := show(g.fset.Position(s.pos))
	if len(nodes) == 0 {
		how := "no call of it can be reached from main"
		if !g.mains {
			how = "nothing in these packages calls it"
		}
		fmt.Fprintf(b, "%s (%s) is not in the closure: %s.\n", s.name, at, how)
		return
	}
	var way []*callgraph.Edge
	var last *callgraph.Node
	in, saved := false, false
	for _, n := range nodes {
		_, ok := c.saved[n]
		_, reaches := c.next[n]
		if !ok && (saved || !reaches) {
			continue
		}
		next := c.reached
		if ok {
			next = c.contexts
		}
		if edges := next.path(n); !in || ok && !saved || len(edges) < len(way) {
			way, in, saved, last = edges, true, ok, n
			if len(edges) > 0 {
				last = edges[len(edges)-1].Callee
			}
		}
	}
	kind := g.kind(nodes[0].Func)
	switch {
	case kind == point:
		fmt.Fprintf(b, "%s (%s) is a checkpoint call: it has the directive %s. It handles the saving and restoring itself and is never rewritten.\n", s.name, at, Directive)
	case kind == machinery:
		fmt.Fprintf(b, "%s (%s) is not in the closure: it belongs to ckpgen's own runtime.\n", s.name, at)
	case kind == initial, kind == user && !slices.ContainsFunc(nodes, c.runsLate):
		fmt.Fprintf(b, "%s (%s) is not in the closure: it runs before main, where no checkpoint can be taken.\n", s.name, at)
	case in && c.unseen[last]:
		fmt.Fprintf(b, "%s (%s) is in the closure: methods that can reach a checkpoint call may be called by way of package reflect, where a checkpoint is refused.\n", s.name, at)
	case !in:
		fmt.Fprintf(b, "%s (%s) is not in the closure: it can run, but no checkpoint call can be reached from it.\n", s.name, at)
		if e := c.starts(nodes); e != nil {
			fmt.Fprintf(b, "It starts a goroutine at %s that can reach one, but doesn't wait for it.\n", show(g.sitePosition(e)))
		}
		if lock, ok := operationIn(nodes[0].Func.Syntax(), c.shut, blocking.Operation.Waits); ok {
			fmt.Fprintf(b, "It waits for a mutex at %s that is never locked where a checkpoint can be taken or joined: a checkpoint waits until it has had it.\n",
				show(g.fset.Position(blocking.Pos(lock))))
		}
	default:
		switch {
		case kind == outside:
			fmt.Fprintf(b, "%s (%s) can reach a checkpoint call, but package %s is not rewritten: a checkpoint below it is refused.\n", s.name, at, s.path)
		case !saved:
			fmt.Fprintf(b, "%s (%s) is not in the closure: it can %s, but only by way of a package that is not rewritten, below which no checkpoint is taken.\n", s.name, at, c.reason(last))
		default:
			fmt.Fprintf(b, "%s (%s) is in the closure: it can %s.\n", s.name, at, c.reason(last))
		}
		path := g.pathOf(way)
		for i := range len(path) - 1 {
			fmt.Fprintf(b, "\t%s: %s calls %s\n", show(path[i].Call), path[i].Function, path[i+1].Function)
		}
		if g.kind(last.Func) != point {
			c.explainEnd(b, last, show)
		}
	}
}

// reason says what makes the function a part of the closure to which a path leads.
func (c *Closure) reason(last *callgraph.Node) string {
	switch {
	case c.graph.kind(last.Func) == point:
		return "reach a checkpoint call"
	case c.polls(last):
		return "reach a poll for checkpoints"
	}
	return "wait for other goroutines, and join a checkpoint there"
}

// polls reports whether the function at the end of a path polls; if not, it waits.
func (c *Closure) polls(last *callgraph.Node) bool { return c.takes[last] && c.next[last] == nil }

// explainEnd tells where a function that is no checkpoint call ends a path.
func (c *Closure) explainEnd(b *strings.Builder, last *callgraph.Node, show func(token.Position) string) {
	g := c.graph
	if c.polls(last) {
		fmt.Fprintf(b, "\t%s: %s polls\n", show(g.fset.Position(last.Func.Pos())), g.name(last.Func))
		return
	}
	if n, ok := c.operation(last.Func.Syntax(), blocking.Operation.Waits); ok {
		fmt.Fprintf(b, "\t%s: %s %s\n", show(g.fset.Position(blocking.Pos(n))), g.name(last.Func), c.operations[blocking.Pos(n)])
	}
}

// starts returns a go statement in one of the functions that starts what can reach
// a checkpoint.
func (c *Closure) starts(nodes []*callgraph.Node) *callgraph.Edge {
	for _, n := range nodes {
		for _, e := range c.graph.out(n) {
			if c.takes[e.Callee] && !stays(e) {
				return e
			}
		}
	}
	return nil
}

// near returns the names of at most five functions of the user's that are like name.
func (c *Closure) near(name string, all []symbol) []string {
	type candidate struct {
		name     string
		distance int
	}
	last := func(name string) string {
		name = strings.ToLower(undecorated.Replace(name))
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	query := last(name)
	var list []candidate
	for _, s := range all {
		if !c.graph.user[s.path] {
			continue
		}
		if d := distance(query, last(s.name)); d <= max(1, len(query)/2) {
			list = append(list, candidate{s.name, d})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].distance < list[j].distance })
	var names []string
	for _, x := range list {
		if len(names) < 5 && !slices.Contains(names, x.name) {
			names = append(names, x.name)
		}
	}
	return names
}

// distance returns the Levenshtein distance of two strings, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
