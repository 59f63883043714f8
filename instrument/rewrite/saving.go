package rewrite

import (
	"fmt"
	"strings"
)

// Behind the call of a resume point the frame is saved, if there is a checkpoint. Most points of a function save the same variables as
// another one, and in the other copies of loops each is written twice. Such points share one statement at the end of the function:
//
//	n = walk(t.left)
//	if shadow.Unwinding() {
//		saved = 2
//		goto save1
//	}
//	...
//	save1:
//		walk_save1(saved, t)
//		return
//
// That is a good part of what the compiler has to do for large functions. What makes the frame is a function of its own, for each set of variables:
//
//	//go:noinline
//	func walk_save1(at int, v0 *node) {
//		shadow.Push(&walk_frame{At: at, t: v0})
//	}
//
// Push has the frame copied to the heap, with what its variables refer to on the stack (package heap, Lift). The compiler does not see that, so
// what a function would have on its stack without checkpoints stays there. The frame, too, is on the stack until then: in walk
// itself each of them would have a place of its own there.

// The savings of a function are the statements that resume points share.
type savings struct {
	at     string            // the variable with the number of the point
	sites  map[string]int    // by what is saved, how often that is written
	labels map[string]string // of the statements that are shared
	calls  map[string]string // of those that save, without the number of the point
	order  []string
}

func (s *savings) used() bool { return len(s.order) > 0 }

// planSaving counts which resume points save the same.
func (c *function) planSaving(a *again) {
	c.savings = savings{sites: make(map[string]int), labels: make(map[string]string), calls: make(map[string]string)}
	for i, in := range c.code {
		if in.resume == nil {
			continue
		}
		c.savings.sites[in.resume.saves()]++
		if a.loopAround(i) >= 0 { // in the second and third copy
			c.savings.sites[in.resume.saves()]++
		}
	}
}

// saves returns the fields of the frame of a resume point.
func (p *resumePoint) saves() string {
	var b strings.Builder
	for _, v := range p.live {
		b.WriteString(", " + v.name + ": " + v.name)
	}
	return b.String()
}

// writeSaving writes what follows the call of a resume point: the frame is saved if there is a checkpoint.
// called is a label for it, if there is to be one.
func (c *function) writeSaving(b *strings.Builder, in *instruction, rename func(string) string, called, shadow, frame string) {
	p := in.resume
	var labels string
	if called != "" {
		labels += called + ": "
	}
	if p.test != nil {
		labels += marked(p.test.name+labelMark, rename) + ": "
	}
	fields := p.saves()
	c.writeSave(p, fields, shadow, frame)
	var saving string
	if s := &c.savings; s.sites[fields] > 1 {
		if s.labels[fields] == "" {
			if s.at == "" {
				s.at = c.localName("saved")
			}
			s.labels[fields] = c.numbered("save")
			s.order = append(s.order, fields)
		}
		saving = fmt.Sprintf("%s = %d; goto %s", s.at, p.number, s.labels[fields])
	} else {
		saving = c.saving(fmt.Sprint(p.number), fields)
	}
	// A call behind a test of its own would be one behind which values are live that are stored
	// nowhere else: the compiler then gives each a place in the stack frame for the whole of the function.
	c.writeAdded(b, fmt.Sprintf("%sif %s.Unwinding() { %s }", labels, shadow, saving))
}

// saving saves a frame and leaves the function.
func (c *function) saving(at, fields string) string {
	leave := ""
	if c.site != nil {
		leave = fmt.Sprintf("%s.leave(%s, recover()); ", c.env.name, c.site.until())
	}
	return fmt.Sprintf(c.savings.calls[fields], at) + "; " + leave + c.leave()
}

// writeSave writes the function that saves what a resume point does, the first time.
func (c *function) writeSave(p *resumePoint, fields, shadow, frame string) {
	calls := c.savings.calls
	if calls[fields] != "" {
		return
	}
	if len(p.live) == 0 {
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
	c.file.append(fmt.Sprintf("//go:noinline\nfunc %s%s(%s) {\n%s.Push(&%s{%s})\n}\n\n", name, params, signature, shadow, frame, values))
}

// writeSavings writes what resume points share.
func (c *function) writeSavings(b *strings.Builder) {
	s := &c.savings
	if !s.used() {
		return
	}
	b.WriteString("//line <ckpgen>:1:1\n")
	for _, fields := range s.order {
		fmt.Fprintf(b, "%s:\n%s\n", s.labels[fields], c.saving(s.at, fields))
	}
}
