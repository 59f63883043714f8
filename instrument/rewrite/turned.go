package rewrite

import (
	"fmt"
	"slices"
	"strings"
)

// The loop of an interpreter is a large switch, and what comes before it in each iteration is
// little: the next instruction is fetched, or somebody is asked whether to go on. If there is a
// resume point in that little, then all of the switch is in the rest of the iteration, and so in
// each copy of the loop (again.go). Such a loop is entered in the middle: its first copy begins
// with the switch, and the other copies go back to there. What comes before the switch is executed
// for the first time in the second copy.
//
//		i = 0
//		goto loop1_again
//	loop1:
//		if !(i < n) { goto done1 }
//		check()
//		(the test, which leads to cold1)
//	loop1_home:
//		switch code[i] { ... }
//		i++
//		goto loop1
//	...
//	loop1_again:
//		if !(i < n) { goto done1 }
//		check()
//	called1:
//		(saving the frame, if there is a checkpoint)
//		goto loop1_home
//
// The compiler inlines next to nothing into functions of more than 5000 nodes, and such a function
// often has more with whole copies.

// A turn is how a loop is entered in the middle.
type turn struct {
	start int // the label at which an iteration begins, before which the way into the loop leads to the second copy
	home  int // the instruction at which the first copy is entered
}

const (
	manyClauses = 8    // of a switch for the sake of which a loop is turned, if they stand elsewhere, or
	muchText    = 1500 // of a statement
	lessText    = 500  // that is in a copy then
)

// turnLoops decides which of the outermost loops are entered in the middle.
func (a *again) turnLoops() {
	for _, y := range a.outer {
		before := a.copied(y, textOf)
		for i := y.from; i <= y.to; i++ {
			in := a.c.code[i]
			if !hasLargeSwitch(in) {
				continue
			}
			start, ok := a.iteration(y)
			if !ok || a.repeats(y, i) {
				break
			}
			a.turned[y.from] = turn{start, i}
			if before-a.copied(y, textOf) < max(lessText, before/4) || a.passedBy(y) {
				delete(a.turned, y.from)
			}
			break
		}
	}
}

// hasLargeSwitch reports whether an instruction is a statement for the sake of which a loop is
// turned: a large switch.
func hasLargeSwitch(in *instruction) bool {
	return in.resume == nil && in.label == nil && (len(in.text) >= muchText || len(in.targets) >= manyClauses && strings.HasPrefix(in.text, "switch "))
}

// unload returns what empties the registers where the first copy of a loop is entered, if that has
// a large switch. What the compiler has in registers there, it has in the same ones at the end of
// each iteration; and the clauses, of which each uses others, then fetch from the stack what the
// next iteration may not use at all. Where the first copy is alone (outlined.go), the compiler does
// better by itself.
func (a *again) unload(home int, shadow string) string {
	if a.staysIn() {
		return ""
	}
	for _, y := range a.outer {
		if a.homeOf(y) == home && slices.ContainsFunc(a.c.code[y.from:y.to+1], hasLargeSwitch) {
			return shadow + ".Unload()\n"
		}
	}
	return ""
}

// passedBy reports whether an iteration can go on behind where the first copy is entered without
// having been there: the loop could be in the second copy for long then, which is slower.
func (a *again) passedBy(y cycle) bool {
	t := a.turned[y.from]
	for i := range a.reached(a.body(y), t.start) {
		if i == t.home {
			continue
		}
		for _, label := range a.c.code[i].targets {
			if to, ok := a.labels[label.name]; ok && t.home < to && to <= y.to {
				return true
			}
		}
	}
	return false
}

// textOf returns the length of an instruction's text.
func textOf(in *instruction) int { return len(in.text) }

// copied returns how much of a loop is in a copy of it.
func (a *again) copied(y cycle, size func(*instruction) int) int {
	body := a.body(y)
	starts := a.entered(a.second, body)
	if _, turned := a.turned[y.from]; turned {
		starts = append(starts, body.from)
	}
	n := 0
	for i := range a.reached(body, starts...) {
		if !a.isHome(i) {
			n += size(a.c.code[i])
		}
	}
	return n
}

// iteration returns the label at which each iteration of a loop begins, the first of those in a row
// at its header that something in the loop jumps to. Other code may jump into the loop there, if it
// is in no loop and no resume point itself, and nowhere else.
func (a *again) iteration(y cycle) (start int, ok bool) {
	start = y.from
	for start > 0 && a.c.code[start-1].label != nil {
		start--
	}
	inside := func(i int) bool { return y.contains(i) }
	for start < y.from && !slices.ContainsFunc(a.jumps(start), inside) {
		start++
	}
	for i := start; i <= y.to; i++ {
		if a.c.code[i].label == nil {
			continue
		}
		if slices.ContainsFunc(a.jumps(i), func(from int) bool {
			return !y.contains(from) && (i > y.from || a.twice(from) || a.c.code[from].resume != nil || !slices.ContainsFunc(a.jumps(i), inside))
		}) {
			return 0, false
		}
	}
	return start, true
}

// jumps returns the instructions that jump to a label.
func (a *again) jumps(to int) (list []int) {
	for i, in := range a.c.code {
		if slices.Contains(in.targets, a.c.code[to].label) {
			list = append(list, i)
		}
	}
	return list
}

// repeats reports whether an instruction can be executed twice in an iteration of a loop.
func (a *again) repeats(y cycle, i int) bool {
	var starts []int
	if a.c.code[i].falls {
		starts = append(starts, i+1)
	}
	for _, t := range a.c.code[i].targets {
		if to, ok := a.labels[t.name]; ok && !a.isHome(to) {
			starts = append(starts, to)
		}
	}
	return a.reached(cycle{y.from + 1, y.to}, starts...)[i]
}

// homeOf returns the instruction at which the first copy of an outermost loop is entered: its
// header, as a rule.
func (a *again) homeOf(y cycle) int {
	if t, turned := a.turned[y.from]; turned {
		return t.home
	}
	return y.from
}

// body returns what the other copies of a loop are made of.
func (a *again) body(y cycle) cycle {
	if t, turned := a.turned[y.from]; turned {
		return cycle{t.start, y.to}
	}
	return cycle{y.from + 1, y.to}
}

// writeDetour writes, in the first copy, the way into a loop that is entered in the middle, before
// the label where it would be entered otherwise.
func (a *again) writeDetour(b *strings.Builder, i int) {
	for _, t := range a.turned {
		if t.start == i {
			fmt.Fprintf(b, "goto %s\n", a.name(a.second, a.c.code[i].label.name))
		}
	}
}

// detour returns how the labels in an instruction outside of the loops are renamed: those at which
// a loop would be entered that is entered in the middle.
func (a *again) detour(i int) func(string) string {
	if len(a.turned) == 0 || len(a.c.code[i].targets) == 0 || a.loopAround(i) >= 0 {
		return nil
	}
	return func(label string) string {
		to, ok := a.labels[label]
		for from, t := range a.turned {
			if ok && t.start <= to && to <= from {
				return a.name(a.second, a.c.code[t.start].label.name)
			}
		}
		return label
	}
}
