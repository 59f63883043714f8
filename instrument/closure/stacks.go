package closure

import (
	"cmp"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/polls"
	"github.com/ckpgen/ckpgen/instrument/standard"
)

// If it was measured which functions are on stacks (package polls), frames are saved of no others.
// What a function that was not seen there calls can poll, or wait, but a checkpoint is refused
// then, or not joined.
//
// What leads to checkpoint calls is rewritten as ever: they can't be passed over. So are functions
// with which goroutines begin, as a goroutine that the runtime does not know of would be missing
// from checkpoints.

// keepStacks leaves in the closure those functions of which frames are saved. It has all that lead
// to points, polls and waits.
func (c *Closure) keepStacks(choice *polls.Choice, points, polled []context) {
	declared := make(map[polls.Function]bool)
	for fn := range c.graph.nodes {
		if c.graph.kind(fn) == user {
			declared[c.graph.declared(fn)] = true
		}
	}
	c.stacks = make(map[polls.Function]bool)
	for i, f := range choice.Stacks {
		if !declared[f] && c.misplaced == nil && !c.declares(polls.Place{Path: f.Path, Func: f.Name}) {
			c.misplaced = choice.StackErrorf(i, "package %s has no function %s; take the line out, or measure again", f.Path, f.Name)
		}
		c.stacks[f] = true
	}
	var waiting []*callgraph.Node
	all := c.saved
	for n := range all {
		if _, waits := c.operation(n.Func.Syntax(), blocking.Operation.Waits); waits && c.graph.kind(n.Func) == user && c.wasOnStack(n) {
			waiting = append(waiting, n)
		}
	}
	slices.SortFunc(waiting, func(a, b *callgraph.Node) int { return cmp.Compare(c.graph.key(a.Func), c.graph.key(b.Func)) })
	c.saved, c.contexts = make(map[*callgraph.Node]*callgraph.Edge), newContexts()
	c.walkBack(c.saved, c.contexts, points, true)
	c.walkBack(c.saved, c.contexts, polled, false)
	c.walkBack(c.saved, c.contexts, anyhow(waiting), false)
	for n, e := range all {
		if _, in := c.saved[n]; !in && c.graph.kind(n.Func) == user && (begins(n) || slices.Contains(c.graph.roots, n)) {
			c.saved[n] = e
		}
	}
}

// wasOnStack reports whether a frame can be of a function, by what was measured: it was seen on a
// stack, or is one of those of the standard library that are rewritten in any case.
func (c *Closure) wasOnStack(n *callgraph.Node) bool {
	return c.stacks == nil || c.graph.kind(n.Func) != user || standard.Has(packagePath(n.Func)) || c.stacks[c.graph.declared(n.Func)]
}

// declared returns the declared function that a function is, or is a literal in.
func (g *graph) declared(fn *ssa.Function) polls.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	_, name, _ := strings.Cut(g.name(fn), ".")
	return polls.Function{Path: packagePath(fn), Name: name}
}

// OnStacks returns the functions that were on the stack where one of the places was visited, or on
// that of a goroutine that waited, as far as they can be rewritten. They are ordered.
func (c *Closure) OnStacks(v *polls.Visits, places []polls.Place) []polls.Function {
	calls := make(map[polls.Call]bool)
	note := func(list []polls.Call) {
		for _, l := range list {
			calls[l] = true
		}
	}
	for _, p := range places {
		note(v.Stack(p))
	}
	note(v.Waiting)
	x := c.graph.indexed()
	found := make(map[polls.Function]bool)
	for l := range calls {
		x.add(found, l)
	}
	var list []polls.Function
	for f := range found {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b polls.Function) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name)) })
	return list
}

// An index finds functions by what the runtime says of them. That is not quite what the source
// says: a literal in a function that is inlined has the name of one in the caller, and paths of
// files can be shortened. So it goes by lines and by names, and may find more than there was.
type index struct {
	names map[polls.Function]polls.Function // the path of a main package is "main"
	lines map[string][]extent               // by the last two elements of the path of a file
}

// An extent is where a function stands in a file.
type extent struct {
	from, to int
	f        polls.Function
}

func (g *graph) indexed() *index {
	x := &index{make(map[polls.Function]polls.Function), make(map[string][]extent)}
	for fn := range g.nodes {
		switch k := g.kind(fn); {
		case k == user:
		case k == outside && standard.OnDemand(packagePath(fn), false): // it may be rewritten when polls are below, or for a pipe
		default:
			continue
		}
		f := g.declared(fn)
		as := f
		if pkg := fn.Pkg; pkg != nil && pkg.Pkg.Name() == "main" {
			as.Path = "main"
		}
		x.names[as] = f
		if fn.Syntax() == nil {
			continue
		}
		from, to := g.fset.Position(fn.Syntax().Pos()), g.fset.Position(fn.Syntax().End())
		name := lastTwo(filepath.ToSlash(from.Filename))
		x.lines[name] = append(x.lines[name], extent{from.Line, to.Line, f})
	}
	return x
}

func lastTwo(file string) string { return path.Base(path.Dir(file)) + "/" + path.Base(file) }

// add adds the functions that a call may be in.
func (x *index) add(found map[polls.Function]bool, call polls.Call) {
	for _, e := range x.lines[lastTwo(filepath.ToSlash(call.File))] {
		if e.from <= call.Line && call.Line <= e.to {
			found[e.f] = true
		}
	}
	for _, f := range namedAs(call.Function) {
		if f, ok := x.names[f]; ok {
			found[f] = true
		}
	}
}

// namedAs returns the declared functions that one the runtime names can be, or be a literal in.
func namedAs(function string) []polls.Function {
	text := strings.ReplaceAll(function, "[...]", "")
	slash := strings.LastIndexByte(text, '/') + 1
	last, rest, ok := strings.Cut(text[slash:], ".")
	if !ok {
		return nil
	}
	if plain, err := url.PathUnescape(last); err == nil {
		last = plain // a dot in the last element is escaped
	}
	of := func(name string) polls.Function { return polls.Function{Path: text[:slash] + last, Name: name} }
	words := strings.Split(rest, ".")
	for i, w := range words {
		words[i], _, _ = strings.Cut(w, "-") // F-range1, T.M-fm
	}
	if words[0] == "glob" {
		return []polls.Function{of("init")}
	}
	list := []polls.Function{of(words[0])}
	if len(words) > 1 {
		list = append(list, of(words[0]+"."+words[1]))
	}
	return list
}
