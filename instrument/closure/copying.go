package closure

import (
	"golang.org/x/tools/go/callgraph"
)

// What copies a stream goes on for as long as there is something to read, and has no poll:
//
//	io.Copy(hash, generator)
//
// So the methods Read and Write of the program that it comes to poll on entry, also if they don't
// loop: by way of readers and writers of the standard library that stand between, too.

// copying are the functions of the standard library that copy streams.
var copying = map[string]bool{
	"io.copyBuffer": true, "(io.discard).ReadFrom": true, "(*bufio.Reader).WriteTo": true, "(*bufio.Writer).ReadFrom": true,
}

// findCopied adds to the functions that poll on entry those that copies of streams read and write
// by.
func (c *Closure) findCopied() {
	g := c.graph
	var work []*callgraph.Node
	seen := make(map[*callgraph.Node]bool)
	for fn, n := range g.nodes {
		if g.ofLibrary(fn) && copying[fn.String()] {
			work = append(work, n)
			seen[n] = true
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range n.Out {
			fn := e.Callee.Func
			switch k := g.kind(fn); {
			case seen[e.Callee] || !stays(e):
				continue
			case k == synthetic, g.ofLibrary(fn):
				seen[e.Callee] = true
				work = append(work, e.Callee)
			case k == user && g.mayPoll(fn) && fn.Signature.Recv() != nil && (fn.Name() == "Read" || fn.Name() == "Write") && BodyOf(fn.Syntax()) != nil:
				c.entries[fn.Pos()] = true
			}
		}
	}
}
