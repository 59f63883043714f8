package rewrite

import (
	"fmt"
	"strings"
)

// Behind the call of a resume point the frame is saved, if there is a checkpoint. Most points of a
// function save the same variables as another one, and in the other copies of loops each is written
// twice. Such points share one statement at the end of the function:
//
//	n = walk(t.left)
//	if shadow.Busy != 0 && shadow.Unwinding() {
//		saved = 2
//		goto save1
//	}
//	...
//	save1:
//		walk_save1(saved, t)
//		return
//
// That is a good part of what the compiler has to do for large functions. What makes the frame is a
// function of its own, for each set of variables:
//
//	//go:noinline
//	func walk_save1(at int, v0 *node) {
//		shadow.Push(&walk_frame{At: at, t: v0})
//	}
//
// It returns the error that the function returns then, if that returns one (failing.go).
//
// Push has the frame copied to the heap, with what its variables refer to on the stack (package
// heap, Lift). The compiler does not see that, so what a function would have on its stack without
// checkpoints stays there. The frame, too, is on the stack until then: in walk itself each of them
// would have a place of its own there.

// smallFrame is the size of a frame, in words, that the function itself may have one of for each
// set of variables.
const smallFrame = 16

// The savings of a block are the statements that resume points in it share.
type savings struct {
	sites  map[string]int    // by what is saved, how often that is written
	labels map[string]string // of the statements that are shared
	order  []string
}

func (s *savings) used() bool { return len(s.order) > 0 }

// planSaving counts which resume points save the same.
func (c *function) planSaving(a *again, top *block, fields []*variable) {
	c.saveCalls = make(map[string]string)
	for _, v := range fields {
		c.frameWords += v.size()
	}
	for i, in := range c.code {
		if in.resume == nil {
			continue
		}
		first := top.innermost(i)
		first.savings.count(in.resume)
		switch {
		case a.outlined != nil:
			a.outlined.block.savings.count(in.resume)
		case a.loopAround(i) >= 0: // in the second and third copy
			first.savings.count(in.resume)
		}
	}
}

// count counts a place where what a resume point saves is written.
func (s *savings) count(p *resumePoint) {
	if s.sites == nil {
		s.sites, s.labels = make(map[string]int), make(map[string]string)
	}
	s.sites[p.saves()]++
}

// saves returns the fields of the frame of a resume point.
func (p *resumePoint) saves() string {
	var b strings.Builder
	for _, v := range p.live {
		b.WriteString(", " + v.name + ": " + v.name)
	}
	return b.String()
}

// writeSaving writes what follows the call of a resume point: the frame is saved if there is a
// checkpoint. called is a label for it, if there is to be one, and tests is set if whether there is
// one is not known.
func (c *function) writeSaving(b *strings.Builder, in *instruction, rename func(string) string, called string, tests bool, shadow, frame string) {
	p := in.resume
	var labels string
	if called != "" {
		labels += called + ": "
	}
	if p.test != nil {
		labels += marked(p.test.name+labelMark, rename) + ": "
	}
	saving := c.saveIfUnwinding(p, shadow, frame)
	if tests {
		saving = c.testAndSave(p, shadow, frame)
	}
	c.writeAdded(b, labels+saving)
}

// saveIfUnwinding returns the statement that saves the frame at a resume point if the goroutine is
// saving.
func (c *function) saveIfUnwinding(p *resumePoint, shadow, frame string) string {
	return fmt.Sprintf("if %s.Unwinding() { %s }", shadow, c.save(p, shadow, frame))
}

// testAndSave is saveIfUnwinding where it is not known whether any goroutine is. In one condition,
// the compiler would make a value of it.
func (c *function) testAndSave(p *resumePoint, shadow, frame string) string {
	return fmt.Sprintf("if %s.Busy != 0 { %s }", shadow, c.saveIfUnwinding(p, shadow, frame))
}

// save returns the statements that save the frame at a resume point.
func (c *function) save(p *resumePoint, shadow, frame string) string {
	fields := p.saves()
	c.writeSave(p, fields, shadow, frame)
	s := &c.block.savings
	if s.sites[fields] < 2 {
		return c.saving(fmt.Sprint(p.number), fields)
	}
	if s.labels[fields] == "" {
		if c.saved == "" {
			c.saved = c.localName("saved")
		}
		s.labels[fields] = c.numbered("save")
		s.order = append(s.order, fields)
	}
	return fmt.Sprintf("%s = %d; goto %s", c.saved, p.number, s.labels[fields])
}

// saving saves a frame and leaves the function.
func (c *function) saving(at, fields string) string {
	leave := ""
	if c.site != nil {
		leave = fmt.Sprintf("%s.leave(%s, recover()); ", c.env.name, c.site.until())
	}
	return c.unwinds(fmt.Sprintf(c.saveCalls[fields], at)) + "; " + leave + c.leave()
}

// writeSave writes the function that saves what a resume point does, the first time.
func (c *function) writeSave(p *resumePoint, fields, shadow, frame string) {
	calls := c.saveCalls
	if calls[fields] != "" {
		return
	}
	if len(p.live) == 0 && c.frameWords < smallFrame {
		calls[fields] = fmt.Sprintf("%s.Push(&%s{At: %%s})", shadow, frame)
		return
	}
	params, err := c.typeParameters(c.typeParams)
	if err != nil {
		c.p.refuse(c.node, "code whose type parameters can't be written here: "+err.Error(), "")
	}
	name := c.p.packageName(fmt.Sprintf("%s_save%d", c.base, len(calls)+1))
	signature, values, args := "at int", "At: at", "%s"
	for i, v := range p.live {
		signature += fmt.Sprintf(", v%d %s", i, v.goType())
		values += fmt.Sprintf(", %s: v%d", v.name, i)
		args += ", " + v.name
	}
	calls[fields] = name + c.p.typeArguments(c.typeParams) + "(" + args + ")"
	result, returns := "", ""
	if c.fails() {
		result, returns = shadow+".Error ", "return "
	}
	c.file.append(fmt.Sprintf("//go:noinline\nfunc %s%s(%s) %s{\n%s%s.Push(&%s{%s})\n}\n\n", name, params, signature, result, returns, shadow, frame, values))
}

// writeSavings writes what the resume points of a block share.
func (c *function) writeSavings(b *strings.Builder, s *savings) {
	if !s.used() {
		return
	}
	b.WriteString("//line <ckpgen>:1:1\n")
	for _, fields := range s.order {
		fmt.Fprintf(b, "%s:\n%s\n", s.labels[fields], c.saving(c.saved, fields))
	}
}
