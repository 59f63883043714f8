package rewrite

import (
	"slices"
	"strings"
)

// The clauses of a flattened switch stand behind it, so that the entry of the function can jump
// into them:
//
//	switch op { case a: goto case1; case b: goto case2; default: goto done1 }
//	case1:
//		x++
//		goto done1
//	case2:
//		step(x)
//		(the test)
//		goto done1
//	done1:
//
// One without resume points and labels, that only the switch leads to, needs no label, and stands
// in the switch:
//
//	switch op { case a: x++; goto done1; case b: goto case2; default: goto done1 }
//	case2: ...
//
// So there is less for the compiler, and more loops of interpreters are below the size from which
// it inlines next to nothing. (If the clauses came together behind the switch to go on from there,
// that would be a jump more for each.)

// A plain is such a clause: the jump to it in the switch, and the text that takes its place.
type plain struct{ jump, text string }

// foldClauses puts such clauses into their switches.
func (a *again) foldClauses(top *block) {
	a.folded, a.switches, a.plain = make(map[int]bool), make(map[int]string), make(map[int][]plain)
	code := a.c.code
	jumps := make(map[string]int)
	for _, in := range code {
		for _, t := range in.targets {
			jumps[t.name]++
		}
	}
	for i, in := range code {
		if !in.chooses {
			continue
		}
		k := top.innermost(i)
		text := in.text
		for _, t := range in.targets {
			from, ok := a.labels[t.name]
			if !ok || jumps[t.name] != 1 || from <= i || code[from-1].falls {
				continue
			}
			to := from + 1
			for to < len(code) && a.isPlain(code[to]) && code[to].falls {
				to++
			}
			if to == len(code) || !a.isPlain(code[to]) || code[to].falls || top.divides(k, from, to) {
				continue
			}
			before := "goto " + t.name + labelMark
			if !strings.Contains(text, before) {
				continue
			}
			inside := a.together(code[from+1 : to+1])
			text = strings.Replace(text, before, inside, 1)
			a.plain[i] = append(a.plain[i], plain{before, inside})
			for to+1 < len(code) && a.isPlain(code[to+1]) && !slices.ContainsFunc(code[to+1].targets, func(t *label) bool { return jumps[t.name] == 1 }) {
				to++ // nothing comes to it
				for _, t := range code[to].targets {
					jumps[t.name]--
				}
			}
			for j := from; j <= to; j++ {
				a.folded[j] = true
			}
		}
		if text != in.text {
			a.switches[i] = text
		}
	}
}

// A clause is one with resume points. Where nothing jumps into the first copy (outlined.go), it
// stands in its switch there:
//
//	switch op { case a: x++; case b: step(x); (the test) }
//	goto done1
//
// What most of them end with stands behind the switch then.
type clause struct {
	label    *label
	from, to int // the instructions behind the label
}

// foldPoints puts such clauses into their switches.
func (a *again) foldPoints(top *block) {
	a.clauses, a.within = make(map[int][]clause), make(map[int]int)
	if a.outlined == nil {
		return
	}
	code := a.c.code
	jumps := make(map[*label][]int) // where they come from
	for i, in := range code {
		for _, t := range in.targets {
			jumps[t] = append(jumps[t], i)
		}
	}
	for i, in := range code {
		if !in.chooses || !a.stays(i) || a.folded[i] {
			continue
		}
		var list []clause
		for _, t := range in.targets {
			from, ok := a.labels[t.name]
			if !ok || len(jumps[t]) != 1 || from <= i || a.folded[from] || code[from-1].falls || !strings.Contains(a.instruction(i).text, "goto "+t.name+labelMark+"\n") {
				continue
			}
			from++
			to := a.closed(from, jumps)
			entered := func(y cycle) bool { return from <= y.from && y.from <= to } // from elsewhere, where its first copy begins
			if to >= from && !slices.ContainsFunc(a.outer, entered) && !top.divides(top.innermost(i), from, to) {
				list = append(list, clause{t, from, to})
			}
		}
		for _, cl := range list {
			for j := cl.from - 1; j <= cl.to; j++ {
				a.within[j] = i + 1
			}
		}
		if list != nil {
			a.clauses[i] = list
		}
	}
}

// closed returns the end of the longest stretch of instructions from one on to which nothing comes
// but by its beginning, and that does not fall out of its end; the one before if there is none.
func (a *again) closed(from int, jumps map[*label][]int) int {
	code := a.c.code
	to := len(code) - 1
	for again := true; again; {
		again = false
		for j := from; j <= to; j++ {
			if l := code[j].label; l != nil && slices.ContainsFunc(jumps[l], func(at int) bool { return at < from || to < at }) {
				to, again = j-1, true
			}
		}
	}
	for to >= from && (code[to].falls || a.folded[to]) {
		to--
	}
	return to
}

// writeClauses writes a switch with clauses that have resume points, for the first copy.
func (a *again) writeClauses(b *strings.Builder, i int, in *instruction, shadow, frame string) {
	around := a.inSwitch
	a.inSwitch = i + 1
	defer func() { a.inSwitch = around }()
	code, text, end := a.c.code, a.c.code[i].text, a.end(i)
	for _, p := range a.plain[i] {
		inside := p.text
		if before, last := cutLine(inside); last == end {
			inside = before
		}
		text = strings.Replace(text, p.jump, inside, 1)
	}
	for _, cl := range a.clauses[i] {
		var inside strings.Builder
		for j := cl.from; j <= cl.to; j++ {
			if j < cl.to || code[j].text != end {
				a.writeFirst(&inside, j, shadow, frame)
			}
		}
		if strings.HasSuffix(inside.String(), ":\n") {
			inside.WriteString(";\n") // a label at the end of a clause must have a statement
		}
		text = strings.Replace(text, "goto "+cl.label.name+labelMark+"\n", inside.String(), 1)
	}
	if all, ok := strings.CutSuffix(text, "default:\n"+end+"\n}"); ok {
		text = all + "}"
	}
	written := *in
	written.text = text + "\n" + end
	a.c.writeInstruction(b, &written, nil, shadow, frame)
}

// end returns the jump with which most clauses of a switch end that stand in it. It stands once,
// behind the switch.
func (a *again) end(i int) (most string) {
	ends := make(map[string]int)
	note := func(last string) {
		if strings.HasPrefix(last, "goto ") {
			if ends[last]++; ends[last] > ends[most] {
				most = last
			}
		}
	}
	for _, p := range a.plain[i] {
		_, last := cutLine(p.text)
		note(last)
	}
	for _, cl := range a.clauses[i] {
		note(a.c.code[cl.to].text)
	}
	return most
}

// cutLine returns what comes before the last line of a text, and that.
func cutLine(text string) (before, last string) {
	i := strings.LastIndexByte(text, '\n') + 1
	return text[:i], text[i:]
}

// instruction returns instruction i as it is written.
func (a *again) instruction(i int) *instruction {
	text, ok := a.switches[i]
	if !ok {
		return a.c.code[i]
	}
	in := *a.c.code[i]
	in.text = text
	return &in
}

// isPlain reports whether an instruction is nothing but its text, which stays as it is.
func (a *again) isPlain(in *instruction) bool {
	return in.label == nil && in.resume == nil && in.polls == nil && !in.chooses
}

// together returns the text of instructions.
func (a *again) together(list []*instruction) string {
	var b strings.Builder
	for _, in := range list {
		if in.text == "" {
			continue
		}
		if in.pos.IsValid() {
			a.c.writeLine(&b, in.pos)
		}
		b.WriteString(in.text + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// divides reports whether instructions are not all in block k, and in none inside of it.
func (top *block) divides(k *block, from, to int) bool {
	for i := from; i <= to; i++ {
		if top.innermost(i) != k {
			return true
		}
	}
	return false
}
