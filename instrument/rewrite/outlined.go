package rewrite

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// A function that is too long to be written twice as a whole (again.go) has its third copy, into
// which the entry jumps, in a function of its own: that of the loops, and of all code around them.
// It takes the variables from the frame, and goes on to the end of the function; where it comes to
// the header of an outermost loop, it hands over those that are alive there, as the first copy is
// the one to be in for long. What stands outside of loops has no second copy. The test behind a
// resume point there leads to the saving of the frame, and back to behind the test:
//
//		if shadow.Busy != 0 {
//			if fr := shadow.Enter(&run_code); fr != nil {
//				var home *run_home
//				result = run_restored(fr.(*run_frame), &home)
//				if home == nil {
//					return
//				}
//				i, p = home.i, home.p
//				goto loop1_home
//			}
//		}
//		p = open(name)
//		if shadow.Busy == 0 { goto on1 }
//		if shadow.Unwinding() { run_save1(1, name); return }
//	on1:
//		i = 0
//	loop1_home:
//	loop1:
//		if !(i < n) { goto done1 }
//		step(p, i)
//		(the test, which leads into the second copy)
//		i++
//		goto loop1
//	done1:
//		return
//
//	func run_restored(fr *run_frame, home **run_home) (result int) {
//		var i int
//		var p *part
//		i, p = fr.i, fr.p
//		switch fr.At { case 1: goto resume1; case 2: goto resume2 }
//	resume1:
//		p = open(name)
//		(saving the frame, if there is a checkpoint)
//		i = 0
//		goto exit1
//	resume2:
//		step(p, i)
//		(saving the frame, if there is a checkpoint)
//		i++
//		goto exit1
//	exit1:
//		*home = &run_home{At: 1, i: i, p: p}
//		return
//	}
//
// What is handed over is on the heap, and not on the stack of the function, which has no use for it
// as a rule.
//
// If the entry jumped to a resume point in the function itself, each variable that is alive there
// would have two values that come together: the one that it has and the one from the frame. The
// compiler gives each of these a place on the stack, and where they come together, a third; in a
// long function, with one resume point behind the other, it copied all that is alive from place to
// place behind each call. (The function that compares two values of go-cty, which calls twenty
// others, executed 554 instructions for the 216 of the plain program, and executes 248 now.)
//
// A loop has a second copy, but for the loops of a function that would be too large with all
// copies: into one of more than 5000 nodes the compiler inlines next to nothing
// (cmd/compile/internal/inline, IsBigFunc). The loop of an interpreter is such a function, or half
// of one: with a copy of the loop it is too large, and what it calls for each instruction, to push
// and to pop, becomes a call. There, the tests lead to the saving of the frame as they do outside
// of loops.
//
// Calls that the function defers at most once each (sites.go) are deferred by the outlined
// function, too. It makes those that are to come if it leaves the function, and the function none;
// if it comes to a loop, it hands them over with the variables that they share, and makes none
// itself.
//
// If there are several ways out, a switch tells them apart. As long as it runs, there is one frame
// more on the stack, which runtime.Callers tells of.

// What the compiler makes of a function has about so many nodes: some for each word of its text,
// with all copies, and some for each resume point, for what is written at it. (Measured with twelve
// functions of 4000 to 9000 nodes in public modules, which were within 20%, but for one.)
const (
	nodesOfTenWords = 14
	nodesOfPoint    = 40
	largeNodes      = 4800 // from which on a function is too large
)

// mostMeetings is how many variables may have how many resume points in a function that is not too
// large. For each variable, the compiler looks through all of the function: 2500 calls one after
// the other, each with a variable of its own, took it four times as long in two functions as in
// one.
const mostMeetings = 400_000

// An outlined is the third copy, if it is a function of its own.
type outlined struct {
	alone bool   // the loops have no second copy
	home  string // the variable for where it leads to
	exits []*exitPoint
	block *block // for what its resume points share
}

// An exitPoint is an outermost loop that it leads to.
type exitPoint struct {
	label string // in the outlined function
	index int    // of the instruction where the first copy is entered
}

// outline decides whether the third copy is a function of its own. That a function recovers a panic
// is its own.
func (a *again) outline() {
	c := a.c
	decl, ok := c.node.(*ast.FuncDecl)
	if !ok || len(c.points) == 0 || c.defers != nil && c.sites == nil || c.loop != nil || c.resultCells || c.p.callsRecover(decl.Body) {
		return
	}
	outside := false
	for i, in := range c.code {
		outside = outside || in.resume != nil && a.loopAround(i) < 0
	}
	// The interpreter of Starlark, which defers a call, executed 1.2 times as many instructions
	// with the first copy alone, others fewer.
	alone := len(a.outer) > 0 && c.sites == nil && a.isLarge()
	switch {
	case alone:
		clear(a.turned)
		clear(a.apart)
	case !outside, len(c.points)*len(c.all) > mostMeetings:
		return
	}
	a.outlined = &outlined{alone: alone, home: c.localName("home"), block: new(block)}
	for _, i := range slices.Sorted(maps.Keys(a.homesFrom(a.thirdOfAll()))) {
		a.outlined.exits = append(a.outlined.exits, &exitPoint{c.numbered("exit"), i})
	}
}

// isLarge reports whether a function would be too large with all copies of its loops.
func (a *again) isLarge() bool {
	words := 0
	for _, in := range a.c.code {
		words += wordsOf(in)
	}
	for _, y := range a.outer {
		words += 2 * a.copied(y, wordsOf)
	}
	return words*nodesOfTenWords/10+len(a.c.points)*nodesOfPoint > largeNodes
}

// wordsOf returns the number of names, keywords and literals in an instruction.
func wordsOf(in *instruction) (n int) {
	for range strings.FieldsFuncSeq(in.text, func(r rune) bool { return !isLetterOrDigit(r) }) {
		n++
	}
	return n
}

// thirdOfAll returns what the outlined function is a copy of.
func (a *again) thirdOfAll() stretch {
	y := cycle{0, len(a.c.code) - 1}
	return stretch{y, a.entered(a.third, y)}
}

// isOutlined reports whether a copy is a function of its own.
func (a *again) isOutlined(e *edition) bool { return a.outlined != nil && e == a.third }

// staysIn reports whether the first copy is alone in the function.
func (a *again) staysIn() bool { return a.outlined != nil && a.outlined.alone }

// stays reports whether there is no second copy of instruction i for the first to lead to.
func (a *again) stays(i int) bool {
	return a.staysIn() || a.outlined != nil && a.loopAround(i) < 0
}

// exit returns the label in the outlined function for the header of an outermost loop.
func (a *again) exit(i int) string {
	k := slices.IndexFunc(a.outlined.exits, func(e *exitPoint) bool { return e.index == a.header(i) })
	return a.outlined.exits[k].label
}

// staying returns what the first copy does at a resume point if more is asked for than going on,
// which is behind label on. That stands where it is: what comes elsewhere takes jumps, and each
// statement counts.
func (a *again) staying(p *resumePoint, on, shadow, frame string) string {
	saved := func(p *resumePoint) string {
		return a.c.saveIfUnwinding(p, shadow, frame) + "\n"
	}
	made := func(p *resumePoint) string { return marked(a.c.code[p.index].text, nil) + "\n" + saved(p) }
	text := saved(p)
	if p.poll {
		text = made(p)
	} else if poll := a.pollAfter(p.index); poll != nil {
		text += fmt.Sprintf("if %s.Quiet() { goto %s }\n", shadow, on) + made(poll)
	}
	return text
}

// writeOutlined writes the third copy as a function of its own, and returns what the function does
// first with a frame. With blocks, that is told to them by a variable that is declared here.
func (w *writing) writeOutlined(b *strings.Builder, results string) string {
	a, o := w.again, w.again.outlined
	params, err := w.typeParameters(w.typeParams)
	if err != nil {
		return "" // refused where frames are written
	}
	saved := w.saved
	w.saved, w.block = "", o.block
	var text strings.Builder
	all := a.thirdOfAll()
	third := a.copyOf(a.third, all)
	third.write(&text, all.from, all.to, nil, w.shadow, w.frame)
	if a.c.code[all.to].falls && third.reached[all.to] {
		text.WriteString(w.leave() + "\n")
	}
	var kept []*variable // of the deferred calls
	if w.sites != nil {
		kept = w.leavingVariables()
	}
	base := strings.TrimSuffix(w.tells, "_code")
	name, home := w.p.packageName(base+"_restored"), w.p.packageName(base+"_home")
	targs := w.p.typeArguments(w.typeParams)
	w.rest = w.p.runtimePath() + "." + name
	if targs != "" {
		w.rest += "[...]"
	}

	var handed []*variable // those that are alive at some exit
	for k, e := range o.exits {
		fmt.Fprintf(&text, "//line <ckpgen>:1:1\n%s:\n*%s = &%s%s{At: %d", e.label, o.home, home, targs, k+1)
		for _, v := range w.all {
			if !v.isIn(w.alive[e.index]) && !slices.Contains(kept, v) {
				continue
			}
			if !slices.Contains(handed, v) {
				handed = append(handed, v)
			}
			fmt.Fprintf(&text, ", %[1]s: %[1]s", v.name)
		}
		text.WriteString("}\n")
		if w.sites != nil {
			fmt.Fprintf(&text, "%s.pending = 0\n", w.defers.name)
		}
		text.WriteString(w.leave() + "\n")
	}
	w.writeSavings(&text, &o.block.savings)
	w.writeEnd(&text, text.String())

	var enter strings.Builder
	if w.sites != nil {
		w.writeSites(&enter, w.shadow, "") // the function has asked whether it is suppressed
	}
	live := make(map[*variable]bool)
	var steps []step
	for _, p := range w.points {
		for _, v := range p.live {
			live[v] = true
		}
		if p.label == "" {
			steps = append(steps, w.leftStep(p))
			continue
		}
		steps = append(steps, step{p.number, a.entry[p].text(w.fr + ".At")})
	}
	for _, v := range w.fields {
		if live[v] {
			fmt.Fprintf(&enter, "%[1]s = %[2]s.%[1]s\n", v.name, w.fr)
		}
	}
	for _, v := range w.all { // which the function around it returns, but perhaps this one does not: see keepsErrors
		if w.isGivenBack(v) && !v.cell { // a cell need not be there yet, and what is assigned by a pointer is on the heap anyway
			fmt.Fprintf(&enter, "%s.KeepError(%s)\n", w.shadow, v.access)
		}
	}
	fmt.Fprintf(&enter, "switch %s.At {\n", w.fr)
	writeCases(&enter, steps)
	fmt.Fprintf(&enter, "}\n%s.Nowhere(%s)\nselect {}\n", w.shadow, w.fr)

	var list []string
	for _, r := range w.results {
		list = append(list, r.name)
	}
	call := strings.Join(list, ", ")
	if call != "" {
		call += " = "
	}
	call += fmt.Sprintf("%s%s(%s.(*%s)", name, targs, w.fr, w.frame)
	fmt.Fprintf(b, "// %s is the rest of %s from a resume point on, to the next of its loops.\nfunc %s%s(%s *%s", name, w.base, name, params, w.fr, w.frame)
	switch {
	case len(o.exits) == 0:
		call += ")\n"
	case w.arrives(): // with a variable of which nobody has the address
		to := w.localName("to")
		fmt.Fprintf(b, ", %s **%s%s", o.home, home, targs)
		call = fmt.Sprintf("var %[1]s *%[2]s%[3]s\n%[4]s, &%[1]s)\n%[5]s = %[1]s\n", to, home, targs, call, o.home)
		w.declared += fmt.Sprintf("var %s *%s%s\n", o.home, home, targs)
	default:
		fmt.Fprintf(b, ", %s **%s%s", o.home, home, targs)
		call = fmt.Sprintf("var %[1]s *%[2]s%[3]s\n%[4]s, &%[1]s)\n", o.home, home, targs, call)
	}
	fmt.Fprintf(b, ") %s {\n//line <ckpgen>:1:1\n", results)
	w.writeNamed(b, enter.String()+text.String())
	if len(a.third.headers) > 0 {
		fmt.Fprintf(b, "var %s int\n", a.at)
	}
	if w.saved != "" {
		fmt.Fprintf(b, "var %s int\n", w.saved)
	}
	b.WriteString(enter.String() + text.String() + "}\n\n")
	if len(o.exits) > 0 {
		fmt.Fprintf(b, "// %s is a loop that the rest of %s leads to, and what is alive there.\ntype %s%s struct {\nAt int\n", home, w.base, home, params)
		for _, v := range handed {
			fmt.Fprintf(b, "%s %s\n", v.name, v.goType())
		}
		b.WriteString("}\n\n")
	}
	w.saved = saved
	return call
}

// arrives reports whether a loop that the outlined function leads to stands in a block.
func (w *writing) arrives() bool {
	return slices.ContainsFunc(w.top.inner, func(k *block) bool { return k.label != "" })
}

// writeArrival writes what the function does at its beginning, or that of a block, when the
// outlined function has led to a loop: the variables that are alive there are what they were, and
// it goes on at the loop, or at the block inside that has it.
func (w *writing) writeArrival(b *strings.Builder, k *block) {
	o := w.again.outlined
	var steps []step
	for n, e := range o.exits {
		if !k.contains(e.index) {
			continue
		}
		var text strings.Builder
		for _, v := range w.all {
			if (v.isIn(w.alive[e.index]) || w.sites != nil && slices.Contains(w.leavingVariables(), v)) && w.declares(k, v, e.index) {
				fmt.Fprintf(&text, "%[1]s = %[2]s.%[1]s\n", v.name, o.home)
			}
		}
		switch in := k.around(e.index); {
		case in != nil:
			text.WriteString("goto " + in.label)
		case w.arrives():
			fmt.Fprintf(&text, "%s = nil\ngoto %s", o.home, w.again.home(e.index, nil))
		default:
			text.WriteString("goto " + w.again.home(e.index, nil))
		}
		steps = append(steps, step{n + 1, text.String()})
	}
	switch {
	case k != w.top:
		fmt.Fprintf(b, "if %[1]s != nil {\nswitch %[1]s.At {\n", o.home)
		writeCases(b, steps)
		b.WriteString("}\n}\n")
	case len(steps) == 0:
		b.WriteString(w.leave() + "\n")
	case len(steps) == 1 && !w.arrives(): // a condition is less than a switch
		fmt.Fprintf(b, "if %s == nil {\n%s\n}\n%s\n", o.home, w.leave(), steps[0].text)
	default:
		fmt.Fprintf(b, "if %[1]s == nil {\n%[2]s\n}\nswitch %[1]s.At {\n", o.home, w.leave())
		writeCases(b, steps)
		b.WriteString("}\nselect {}\n") // nothing comes there
	}
}

// declares reports whether block k declares a variable that instruction i uses. What no block
// declares, the function does.
func (w *writing) declares(k *block, v *variable, i int) bool {
	if k != w.top {
		return slices.Contains(k.variables, v)
	}
	for in := w.top.around(i); in != nil; in = in.around(i) {
		if slices.Contains(in.variables, v) {
			return false
		}
	}
	return true
}

// writeNamed declares the variables that a text names, but for the results.
func (w *writing) writeNamed(b *strings.Builder, text string) {
	named := make(map[string]bool)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isLetterOrDigit(r) }) {
		named[word] = true
	}
	k := &block{to: -1} // in which no variable is read, so that it doesn't matter whether this function reads it
	for _, v := range w.all {
		if named[v.name] && !slices.Contains(w.results, v) {
			k.variables = append(k.variables, v)
		}
	}
	w.writeVariables(b, k)
}
