package rewrite

import (
	"go/ast"
	"go/token"
)

// poll writes a poll at the back edge of a loop or on entry of a function, if there
// are to be polls:
//
//		if shadow.Wanted.Load() == 0 { goto polled1 }
//	resume1:
//		shadow.Poll()
//		(the test after every resume point)
//	polled1:
func (c *function) poll(at ast.Node) {
	if !c.p.Closure.Auto() {
		return
	}
	shadow := c.shadow()
	done := c.newLabel("polled")
	c.emit(token.NoPos, "if "+shadow+".Wanted.Load() == 0 { "+c.jump(done)+" }")
	p := &resumePoint{
		number: len(c.points) + 1,
		line:   c.p.fset.PositionFor(at.Pos(), false),
		text:   "poll",
		label:  c.numbered("resume"),
	}
	c.points = append(c.points, p)
	c.code = append(c.code, &instruction{text: shadow + ".Poll()", falls: true, resume: p})
	c.place(done)
}
