package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A jump from the entry of a function into the middle of a loop gives the loop a second
// entry. The compiler then takes no loop of the whole function for one: it rotates none,
// and places spills and values as if nothing were ever repeated. So a loop that contains a
// resume point is written twice.
//
// The first copy is what runs. Its resume points have no labels, and it is entered at
// its header only. The second is the rest of the iteration in which a checkpoint was
// taken: the entry of the function jumps into it, and where it goes back to the header, it
// goes back to that of the first. Inside of it, an inner loop is one that can be gone on
// with. It is entered at its header, too, where the variable at tells that, and where.
//
//		if shadow.Busy.Load() != 0 {
//			if fr := ... { i, j = fr.i, fr.j; switch fr.At { case 1: at = 1; goto loop2_again } }
//		}
//		i = 0
//	loop1:
//		if !(i < n) { goto done1 }
//		j = 0
//	loop2:
//		if !(j < n) { goto done2 }
//		step(i, j)
//		(the test after every resume point)
//		j++
//		goto loop2
//	done2:
//		i++
//		goto loop1
//	done1:
//		return
//	loop2_again:
//		if at != 0 { switch at { case 1: at = 0; goto resume1 } }
//		if !(j < n) { goto done2_again }
//	resume1:
//		step(i, j)
//		(the test after every resume point)
//		j++
//		goto loop2_again
//	done2_again:
//		i++
//		goto loop1
//
// A frame is the same wherever it was left.

// labelMark follows each label in the text of an instruction. A Go file can't contain it.
const labelMark = "\x00"

// A cycle is a stretch of code from a label to the last jump back to it: a loop, or
// several that gotos have tied together.
type cycle struct{ from, to int }

func (y cycle) contains(i int) bool { return y.from <= i && i <= y.to }

// again is the second copy of the outermost loops of a function that contain resume
// points.
type again struct {
	c       *function
	labels  map[string]int // where in the code the labels of the function are
	outer   []cycle        // outermost ones with resume points, in order
	inner   []cycle        // those inside, in order
	at      string         // the variable that tells an inner loop where to go on
	names   map[string]string
	headers map[int][]*resumePoint // the points that an inner loop's header leads to
	entry   map[*resumePoint]string
	step    map[int]map[*resumePoint]string // what a header does for a point
}

// planAgain finds the loops that are to be written twice, and how their resume points
// are reached.
func (c *function) planAgain() *again {
	a := c.findCycles()
	for k := range a.outer {
		y := &a.outer[len(a.outer)-1-k]
		if !c.code[y.to].falls {
			continue
		}
		// A jump back under a condition, of the user's. The second copy goes on
		// behind the first.
		after := c.newLabel("after")
		text := c.jump(after)
		c.code = slices.Insert(c.code, y.to+1,
			&instruction{text: text, targets: c.takeJumps()},
			&instruction{label: after, falls: true})
	}
	a = c.findCycles()
	for i, in := range c.code {
		if in.resume != nil {
			a.lead(i, in.resume)
		}
	}
	return a
}

// findCycles finds the loops with resume points.
func (c *function) findCycles() *again {
	a := &again{
		c:       c,
		labels:  make(map[string]int),
		names:   make(map[string]string),
		headers: make(map[int][]*resumePoint),
		entry:   make(map[*resumePoint]string),
		step:    make(map[int]map[*resumePoint]string),
	}
	for i, in := range c.code {
		if in.label != nil {
			a.labels[in.label.name] = i
		}
	}
	last := make(map[int]int)
	for i, in := range c.code {
		for _, t := range in.targets {
			if h, ok := a.labels[t.name]; ok && h <= i {
				last[h] = i // the later, the farther
			}
		}
	}
	var cycles []cycle
	for i := range c.code {
		if end, ok := last[i]; ok {
			cycles = append(cycles, cycle{i, end})
		}
	}
	for _, y := range cycles {
		switch n := len(a.outer); {
		case n > 0 && y.from <= a.outer[n-1].to:
			a.inner = append(a.inner, y)
			a.outer[n-1].to = max(a.outer[n-1].to, y.to)
		default:
			a.outer = append(a.outer, y)
		}
	}
	for i := range a.outer {
		if y := &a.outer[i]; c.code[y.to].falls && y.to+1 < len(c.code) && !c.code[y.to+1].falls {
			y.to++ // see planAgain
		}
	}
	resumes := func(y cycle) bool {
		return slices.ContainsFunc(c.code[y.from:y.to+1], func(in *instruction) bool { return in.resume != nil })
	}
	a.outer = slices.DeleteFunc(a.outer, func(y cycle) bool { return !resumes(y) })
	a.inner = slices.DeleteFunc(a.inner, func(y cycle) bool { return !resumes(y) })
	return a
}

// lead decides how a resume point is reached from the entry.
func (a *again) lead(i int, p *resumePoint) {
	a.entry[p] = "goto " + p.label
	outer := slices.IndexFunc(a.outer, func(y cycle) bool { return y.contains(i) })
	if outer < 0 {
		return
	}
	back := a.reached(a.outer[outer], i)
	var chain []int // headers
	for _, y := range a.inner {
		if y.contains(i) && back[y.from] {
			chain = append(chain, y.from)
		}
	}
	if len(chain) == 0 {
		return
	}
	if a.at == "" {
		a.at = a.c.localName("at")
	}
	jump := func(header int) string { return "goto " + a.name(a.c.code[header].label.name) }
	a.entry[p] = fmt.Sprintf("%s = %d\n%s", a.at, p.number, jump(chain[0]))
	for k, header := range chain {
		a.headers[header] = append(a.headers[header], p)
		if a.step[header] == nil {
			a.step[header] = make(map[*resumePoint]string)
		}
		if k+1 < len(chain) {
			a.step[header][p] = jump(chain[k+1])
		} else {
			a.step[header][p] = a.at + " = 0\ngoto " + p.label
		}
	}
}

// reached returns which instructions of the second copy of an outermost loop can be
// executed after those in starts.
func (a *again) reached(outer cycle, starts ...int) map[int]bool {
	seen := make(map[int]bool)
	for work := starts; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[i] || i <= outer.from || i > outer.to {
			continue
		}
		seen[i] = true
		in := a.c.code[i]
		if in.falls {
			work = append(work, i+1)
		}
		for _, t := range in.targets {
			if to, ok := a.labels[t.name]; ok {
				work = append(work, to)
			}
		}
	}
	return seen
}

// name returns the name of a label in the second copy.
func (a *again) name(label string) string {
	if a.names[label] == "" {
		a.names[label] = a.c.localName(label + "_again")
	}
	return a.names[label]
}

// twice reports whether instruction i is in a loop that is written twice.
func (a *again) twice(i int) bool {
	return slices.ContainsFunc(a.outer, func(y cycle) bool { return y.contains(i) })
}

// write writes the second copies.
func (a *again) write(b *strings.Builder, shadow, frame string) {
	for _, y := range a.outer {
		a.writeLoop(b, y, shadow, frame)
	}
}

func (a *again) writeLoop(b *strings.Builder, y cycle, shadow, frame string) {
	code := a.c.code
	var starts []int
	for i := y.from; i <= y.to; i++ {
		if code[i].resume != nil {
			starts = append(starts, i)
		}
	}
	reached := a.reached(y, starts...)
	// A label of the copy, or the text's own, is renamed; one outside is that of the first.
	rename := func(label string) string {
		if i, ok := a.labels[label]; ok && (i <= y.from || i > y.to) {
			return label
		}
		return a.name(label)
	}
	used := make(map[string]bool)
	for i := range reached {
		for _, t := range code[i].targets {
			used[t.name] = true
		}
	}
	for i := y.from + 1; i <= y.to; i++ {
		in := code[i]
		if !reached[i] {
			continue
		}
		if in.label == nil {
			a.c.writeInstruction(b, in, rename, true, shadow, frame)
			continue
		}
		points := a.headers[i]
		if used[in.label.name] || len(points) > 0 {
			b.WriteString(a.name(in.label.name) + ":\n")
		}
		if len(points) > 0 {
			fmt.Fprintf(b, "if %s != 0 {\nswitch %s {\n", a.at, a.at)
			for _, p := range points {
				fmt.Fprintf(b, "case %d:\n%s\n", p.number, a.step[i][p])
			}
			b.WriteString("}\n}\n")
		}
	}
}

// marked returns the text of an instruction with its labels renamed, or without their
// marks if rename is nil.
func marked(text string, rename func(string) string) string {
	if rename == nil {
		return strings.ReplaceAll(text, labelMark, "")
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, labelMark)
		if !found {
			b.WriteString(text)
			return b.String()
		}
		start := strings.LastIndexFunc(before, func(r rune) bool { return !isLetterOrDigit(r) }) + 1
		b.WriteString(before[:start] + rename(before[start:]))
		text = after
	}
}

func isLetterOrDigit(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
