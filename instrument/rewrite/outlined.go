package rewrite

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// Into a function of more than 5000 nodes the compiler inlines next to nothing (cmd/compile/internal/inline, IsBigFunc). The loop of an interpreter is
// such a function, or half of one: with three copies of the loop it is too large, and what it calls for each instruction, to push
// and to pop, becomes a call. So a function that would be too large keeps its first copy only. A test in it leads to the saving of the frame, and
// back to behind the test; and the third copy, the rest of the iteration in which a checkpoint was taken, is in a function of its own. It takes the variables
// from the frame, and where it leaves the iteration, hands over those that are alive there:
//
//		if shadow.Busy != 0 {
//			if fr := shadow.Enter(&run_code); fr != nil {
//				fr := fr.(*run_frame)
//				var home run_home
//				result = run_restored(fr, &home)
//				if home.At == 0 {
//					return
//				}
//				i = home.i
//				goto loop1_home
//			}
//		}
//		i = 0
//	loop1_home:
//	loop1:
//		if !(i < n) { goto done1 }
//		step(i)
//		if shadow.Busy == 0 { goto on1 }
//		if shadow.Unwinding() { run_save1(1, i); return }
//	on1:
//		i++
//		goto loop1
//	done1:
//		return
//
//	func run_restored(fr *run_frame, home *run_home) (result int) {
//		var i int
//		i = fr.i
//		switch fr.At { case 1: goto resume1 }
//	resume1:
//		step(i)
//		if shadow.Unwinding() { run_save1(1, i); return }
//		i++
//		goto loop1_home
//	loop1_home:
//		*home = run_home{At: 1, i: i}
//		return
//	}
//
// If there are several ways out, a switch tells them apart. As long as it runs, there is one frame more on the stack, which runtime.Callers tells of.

// What the compiler makes of a function has about so many nodes: some for each word of its text, with all copies, and some for each resume point, for
// what is written at it. (Measured with twelve functions of 4000 to 9000 nodes in public modules, which were within 20%, but for one.)
const (
	nodesOfTenWords = 14
	nodesOfPoint    = 40
	largeNodes      = 4800 // from which on a function is too large
)

// An outlined is the third copy of the loops of a function where that is a function of its own.
type outlined struct {
	home  string // the variable for where it leads to
	exits []*exitPoint
	ends  []int  // the instructions that something in the loops leads to outside of them, and the headers, in order
	block *block // for what its resume points share
}

// An exitPoint is where an iteration leads to: the label before the header of a loop, or one behind the loop.
type exitPoint struct {
	label string // in the outlined function
	index int    // of the instruction
}

// outlines reports whether the third copy of the loops is to be a function of its own: where the function would be too large otherwise. What a
// function with deferred calls does is its own.
func (a *again) outlines() bool {
	c := a.c
	if _, ok := c.node.(*ast.FuncDecl); !ok || len(a.outer) == 0 || c.defers != nil || c.sites != nil || c.loop != nil || c.resultCells {
		return false
	}
	words := 0
	for _, in := range c.code {
		words += wordsOf(in)
	}
	for _, y := range a.outer {
		words += 2 * a.copied(y, wordsOf)
	}
	return words*nodesOfTenWords/10+len(c.points)*nodesOfPoint > largeNodes
}

// wordsOf returns the number of names, keywords and literals in an instruction.
func wordsOf(in *instruction) (n int) {
	for range strings.FieldsFuncSeq(in.text, func(r rune) bool { return !isLetterOrDigit(r) }) {
		n++
	}
	return n
}

// outline makes the function's third copy one of its own.
func (a *again) outline() {
	clear(a.turned)
	clear(a.apart)
	a.outlined = &outlined{home: a.c.localName("home"), block: new(block)}
	ends := make(map[int]bool)
	for _, y := range a.outer {
		for _, in := range a.c.code[y.from : y.to+1] {
			for _, t := range in.targets {
				if to, ok := a.labels[t.name]; ok && (to == y.from || !y.contains(to)) {
					ends[to] = true
				}
			}
		}
	}
	a.outlined.ends = slices.Sorted(maps.Keys(ends))
}

// isOutlined reports whether instruction i is in a loop of which the third copy is a function of its own.
func (a *again) isOutlined(i int) bool { return a.outlined != nil && a.loopAround(i) >= 0 }

// exit returns the label in the outlined function for an instruction that the iteration leads to.
func (a *again) exit(i int) string {
	o := a.outlined
	if a.isHome(i) {
		i = a.header(i)
	}
	k := slices.IndexFunc(o.exits, func(e *exitPoint) bool { return e.index == i })
	if k < 0 {
		k = len(o.exits)
		o.exits = append(o.exits, &exitPoint{a.c.numbered("exit"), i})
	}
	return o.exits[k].label
}

// staying returns what the first copy does at a resume point if more is asked for than going on, which is behind label on. That stands where it is: what comes
// elsewhere takes jumps, and each statement counts.
func (a *again) staying(p *resumePoint, on, shadow, frame string) string {
	saved := func(p *resumePoint) string {
		return a.c.saveIfUnwinding(p, shadow, frame) + "\n"
	}
	made := func(p *resumePoint) string { return marked(a.c.code[p.index].text, nil) + "\n" + saved(p) }
	text := saved(p)
	if p.poll {
		text = made(p)
	} else if poll := a.pollAfter(p.index); poll != nil {
		text += fmt.Sprintf("if %s.Wanted.Load() == 0 { goto %s }\n", shadow, on) + made(poll)
	}
	return text
}

// writeOutlined writes the third copy of the loops as a function of its own, and returns what the function does with a frame
// of theirs.
func (w *writing) writeOutlined(b *strings.Builder, results string) string {
	a, o := w.again, w.again.outlined
	params, err := w.typeParameters(w.typeParams)
	if err != nil {
		return "" // refused where frames are written
	}
	saved := w.saved
	w.saved, w.block = "", o.block
	var text strings.Builder
	for _, y := range a.outer {
		body := a.body(y)
		a.copyOf(a.third, stretch{body, a.entered(a.third, body)}).write(&text, body.from, body.to, nil, w.shadow, w.frame)
	}
	base := strings.TrimSuffix(w.tells, "_code")
	name, home := w.p.packageName(base+"_restored"), w.p.packageName(base+"_home")
	targs := w.p.typeArguments(w.typeParams)
	w.rest = w.p.runtimePath() + "." + name
	if targs != "" {
		w.rest += "[...]"
	}

	var all []*variable // that are alive at some exit
	var back strings.Builder
	fmt.Fprintf(&back, "var %s %s%s\n", o.home, home, targs)
	for i, r := range w.results {
		if i > 0 {
			back.WriteString(", ")
		}
		back.WriteString(r.name)
		if i == len(w.results)-1 {
			back.WriteString(" = ")
		}
	}
	fmt.Fprintf(&back, "%s%s(%s, &%s)\n", name, targs, w.fr, o.home)
	if w.place != "" {
		fmt.Fprintf(&back, "%s = nil\n", w.fr)
	}
	one := len(o.exits) == 1 // then a condition is less than a switch
	if one {
		fmt.Fprintf(&back, "if %s.At == 0 {\n%s\n}\n", o.home, w.leave())
	} else {
		fmt.Fprintf(&back, "switch %s.At {\ncase 0:\n%s\n", o.home, w.leave())
	}
	for k, e := range o.exits {
		fmt.Fprintf(&text, "//line <ckpgen>:1:1\n%s:\n*%s = %s%s{At: %d", e.label, o.home, home, targs, k+1)
		if !one {
			fmt.Fprintf(&back, "case %d:\n", k+1)
		}
		for _, v := range w.all {
			if !v.isIn(w.alive[e.index]) {
				continue
			}
			if !slices.Contains(all, v) {
				all = append(all, v)
			}
			fmt.Fprintf(&text, ", %[1]s: %[1]s", v.name)
			fmt.Fprintf(&back, "%[1]s = %[2]s.%[1]s\n", v.name, o.home)
		}
		fmt.Fprintf(&text, "}\n%s\n", w.leave())
		label := a.homes[e.index]
		if label == "" {
			label = w.code[e.index].label.name
		}
		fmt.Fprintf(&back, "goto %s\n", label)
	}
	if !one {
		back.WriteString("}\n")
	}
	w.writeSavings(&text, &o.block.savings)

	var enter strings.Builder
	live := make(map[*variable]bool)
	var steps []step
	for _, p := range w.points {
		if p.label == "" || !a.isOutlined(p.index) {
			continue
		}
		for _, v := range p.live {
			live[v] = true
		}
		steps = append(steps, step{p.number, a.entry[p].text(w.fr + ".At")})
	}
	for _, v := range w.fields {
		if live[v] {
			fmt.Fprintf(&enter, "%[1]s = %[2]s.%[1]s\n", v.name, w.fr)
		}
	}
	for _, v := range w.all { // which the function around it returns, but perhaps this one does not: see keepsErrors
		if w.isGivenBack(v) {
			fmt.Fprintf(&enter, "%s.KeepError(%s)\n", w.shadow, v.access)
		}
	}
	fmt.Fprintf(&enter, "switch %s.At {\n", w.fr)
	writeCases(&enter, steps)
	fmt.Fprintf(&enter, "}\n%s.Nowhere(%s)\nselect {}\n", w.shadow, w.fr)

	fmt.Fprintf(b, "// %s is the rest of an iteration in which %s was at a resume point.\n", name, w.base)
	fmt.Fprintf(b, "func %s%s(%s *%s, %s *%s%s) %s {\n//line <ckpgen>:1:1\n", name, params, w.fr, w.frame, o.home, home, targs, results)
	w.writeNamed(b, enter.String()+text.String())
	if a.at != "" {
		fmt.Fprintf(b, "var %s int\n", a.at)
	}
	if w.saved != "" {
		fmt.Fprintf(b, "var %s int\n", w.saved)
	}
	b.WriteString(enter.String() + text.String() + "}\n\n")
	fmt.Fprintf(b, "// %s is where an iteration of %s leads to, and what is alive there.\ntype %s%s struct {\nAt int\n", home, w.base, home, params)
	for _, v := range all {
		fmt.Fprintf(b, "%s %s\n", v.name, v.goType())
	}
	b.WriteString("}\n\n")
	w.saved = saved
	return back.String()
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
