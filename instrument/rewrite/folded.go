package rewrite

import (
	"slices"
	"strings"
)

// The clauses of a flattened switch stand behind it, so that the entry of the function can jump into them:
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
// One without resume points and labels, that only the switch leads to, needs no label, and stands in the switch:
//
//	switch op { case a: x++; goto done1; case b: goto case2; default: goto done1 }
//	case2: ...
//
// So there is less for the compiler, and more loops of interpreters are below the size from which it inlines next to nothing. (If the clauses came together
// behind the switch to go on from there, that would be a jump more for each.)

// foldClauses puts such clauses into their switches.
func (a *again) foldClauses(top *block) {
	a.folded, a.switches = make(map[int]bool), make(map[int]string)
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
			text = strings.Replace(text, before, a.together(code[from+1:to+1]), 1)
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
