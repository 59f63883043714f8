package rewrite

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// To the compiler what comes behind a label to which the function jumps back is in a loop, to the
// end of the statement that has the label inside: a block alone is none
// (cmd/compile/internal/escape, looping). A variable that is declared before the label is outside
// of that loop, and what it refers to is on the heap, as it could be another one in each iteration:
//
//	var c *context
//	...
//	loop1:
//		...
//		goto loop1
//	done1:
//		c = &context{n}
//		c.walk()
//
// So where something of the kind comes behind an outermost loop, and in no other, the loop is in a
// clause of a switch statement, with its second copy. A goto can't jump into that. The third copy,
// into which the entry jumps, has such a statement of its own, which begins with jumps to the
// resume points; and all of what is written for the loop stands where the loop stood, not behind
// the function, so that nothing has to jump back to it. For the same reason the second copy of a
// function that is written twice as a whole stands, up to the loop, before it:
//
//		if shadow.Busy != 0 {
//			if fr := ... { c, i = fr.c, fr.i; switch fr.At { case 1: at = fr.At; goto loop1_restore } }
//		}
//		i = 0
//		goto loop1_enter
//		(the ways into the second copy from here, and that itself, if the function is written twice)
//	loop1_restore:
//		switch {
//		default:
//			switch at { case 1: at = 0; goto resume1 }
//		resume1:
//			step(i)
//			(saving the frame, if there is a checkpoint)
//			i++
//			goto loop1_enter
//		}
//	loop1_enter:
//		switch {
//		default:
//		loop1_home:
//		loop1:
//			if !(i < n) { goto done1 }
//			step(i)
//			(the test, which leads to cold1)
//			i++
//			goto loop1
//		cold1:
//			goto called1
//		called1:
//			(saving the frame, if there is a checkpoint)
//			i++
//			goto loop1_home
//		}
//	done1:
//		c = &context{n}
//
// So it is, too, where something that stands before a loop is made of what the function refers to,
// if the function is written twice as a whole. The second copy of that would stand behind the label
// of the loop, and so be on the heap to the compiler, with all that it leads to; which is what the
// first copy refers to as well:
//
//	b := bytes.NewBuffer(room[:])
//	for b.Len() > 0 { ... }
//
// But not if the loop appends to a slice: the compiler has room on the stack for the first elements
// at one place in a function, the first in the source, which would be in the third copy.
//
// What a loop itself makes for its variables is on the heap all the same.

// An apart is an outermost loop with a statement of its own around it.
type apart struct {
	cycle
	before   string // the label before the statement
	entered  bool   // something jumps to that
	again    bool   // something in the statement goes back to where the first copy is entered
	restored string // the label before the statement around the third copy
	steps    []step // to where that leads
}

// enter returns the label before the statement, for a jump.
func (y *apart) enter() string {
	y.entered = true
	return y.before
}

// setApart decides which of the outermost loops have statements of their own. If one can't have it,
// those behind it need none.
func (a *again) setApart() {
	var list []cycle
	needed, behind := 0, 0
	for k, y := range a.outer {
		if !a.canBeApart(y) {
			break
		}
		list = append(list, y)
		if a.whole && slices.ContainsFunc(a.c.code[behind:y.from], (*instruction).lends) && !slices.ContainsFunc(a.c.code[list[0].from:y.to+1], (*instruction).appends) {
			needed = len(list)
		}
		behind = y.to + 1
		next := len(a.c.code)
		if k+1 < len(a.outer) {
			next = a.outer[k+1].from
		}
		if slices.ContainsFunc(a.c.code[y.to+1:next], (*instruction).makes) {
			needed = len(list)
		}
	}
	for _, y := range list[:needed] {
		name := a.c.code[y.from].label.name
		a.apart[y.from] = &apart{cycle: y, before: a.c.localName(name + "_enter"), restored: a.c.localName(name + "_restore")}
	}
}

// canBeApart reports whether what comes before a loop falls into its header, nothing else leads
// into it, and what goes back in it goes back to the header.
func (a *again) canBeApart(y cycle) bool {
	if _, turned := a.turned[y.from]; turned {
		return false
	}
	row := y.from // the first of the labels before it
	for row > 0 && a.c.code[row-1].label != nil {
		row--
	}
	for i, in := range a.c.code {
		for _, t := range in.targets {
			to, ok := a.labels[t.name]
			if ok && (y.contains(to) && !y.contains(i) || row <= to && to < y.from && i > to) {
				return false
			}
		}
	}
	return true
}

// amongOthers reports whether the loop of which a stretch is a copy has no statement of its own.
func (a *again) amongOthers(s stretch) bool {
	for _, y := range a.apart {
		if y.contains(s.to) {
			return false
		}
	}
	return true
}

// inside returns how a place in the third copy of such a loop is reached from outside; e is how it
// is inside.
func (a *again) inside(y *apart, number int, e entrance) entrance {
	if a.at == "" {
		a.at = a.c.localName("at")
	}
	text := e.jump
	if e.at == "" {
		text = a.at + " = 0\n" + text
	}
	y.steps = append(y.steps, step{number, text})
	return entrance{"goto " + y.restored, a.at}
}

// writeApart writes all copies of a loop with a statement of its own. Before it comes the second
// copy of what stands before the loop, if there is one.
func (w *writing) writeApart(b *strings.Builder, k *block, y *apart) {
	a, code := w.again, w.function.code
	if y.from == k.from || code[y.from-1].falls {
		b.WriteString("goto " + y.enter() + "\n")
	}
	if a.whole {
		w.writeStart(b)
		all := a.copyOfAll()
		all.write(b, a.rest, y.from-1, nil, w.shadow, w.frame)
		if all.reached[y.from] {
			b.WriteString("goto " + y.enter() + "\n")
		}
		a.rest = y.to + 1
	}
	body := a.body(y.cycle)
	again := a.all
	if !a.whole {
		again = a.copyOf(a.second, stretch{body, a.entered(a.second, body)})
	}
	var second strings.Builder
	again.write(&second, body.from, body.to, y, w.shadow, w.frame)
	if a.outlined == nil {
		fmt.Fprintf(b, "//line <ckpgen>:1:1\n%s:\nswitch {\ndefault:\nswitch %s {\n", y.restored, a.at)
		writeCases(b, y.steps)
		b.WriteString("}\n")
		a.copyOf(a.third, stretch{body, a.entered(a.third, body)}).write(b, body.from, body.to, nil, w.shadow, w.frame)
		b.WriteString("}\n")
	}
	if y.entered {
		b.WriteString(y.before + ":\n")
	}
	b.WriteString("//line <ckpgen>:1:1\nswitch {\ndefault:\n")
	for i := y.from; i <= y.to; i++ {
		a.writeFirst(b, i, w.shadow, w.frame)
	}
	a.writeWays(b, w.shadow)
	b.WriteString(second.String() + "}\n")
}

// makes reports whether an instruction may make memory that a variable of the function refers to.
// That of a call may be on the stack, too, if the compiler inlines it.
func (in *instruction) makes() bool {
	_, value, ok := strings.Cut(in.text, " = ")
	return ok && in.resume == nil && !in.zeroes && callOrLiteral.MatchString(value) &&
		slices.ContainsFunc(in.defines, (*variable).refers)
}

// lends reports whether what an instruction makes may lead to what a variable of the function
// refers to.
func (in *instruction) lends() bool {
	return in.makes() && slices.ContainsFunc(in.uses, (*variable).refers)
}

// appends reports whether an instruction appends to a slice.
func (in *instruction) appends() bool { return strings.Contains(in.text, "append(") }

// A call, a conversion or a composite literal in source text.
var callOrLiteral = regexp.MustCompile(`[\pL\pN_\])][({]`)

// refers reports whether the Go variable can refer to memory that is the function's own: a cell,
// or the environment of a literal, which has no type of the program.
func (v *variable) refers() bool {
	return v.cell || v.typ == nil && strings.HasPrefix(v.text, "*") || v.typ != nil && refers(v.typ)
}

// refers reports whether a value of the type can refer to memory that is the function's own. An
// error hardly does.
func refers(t types.Type) bool {
	if isTypeParam(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Signature:
		return true
	case *types.Interface:
		return !isError(t)
	case *types.Array:
		return refers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if refers(f.Type()) {
				return true
			}
		}
	}
	return false
}
