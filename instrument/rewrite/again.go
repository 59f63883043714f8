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
// resume point is written three times.
//
// The first copy is what runs. Its resume points have no labels, and it is entered at its header
// only. The second is the rest of the iteration in which a checkpoint was asked for: the tests of
// the first copy lead into it, and where it goes back to the header, it goes back to the first. The
// third is the rest of the iteration in which a checkpoint was taken: the entry of the function
// jumps into it, and it too goes back to the first. It stands in the same function if that is a
// literal or defers calls in a loop, and in one of its own otherwise (outlined.go). (If the entry
// jumped into the second copy, that and the first together were a loop with two entries.) Inside of
// these two, an inner loop is one that can be gone on with. It is entered at its header, too, where
// the variable at tells that, and where.
//
// They go back to a label of their own before the header. What they bring along and what the
// function had are one value from there on, outside of the loop. At the header that would be a new
// value of each variable in each iteration, changed or not, and the compiler would store it again.
//
//		if shadow.Busy != 0 {
//			if fr := ... { i, j = fr.i, fr.j; switch fr.At { case 1: at = fr.At; goto loop2_restored } }
//		}
//		i = 0
//	loop1_home:
//	loop1:
//		if !(i < n) { goto done1 }
//		j = 0
//	loop2:
//		if !(j < n) { goto done2 }
//		step(i, j)
//		(the test, which leads to cold1)
//		j++
//		goto loop2
//	done2:
//		i++
//		goto loop1
//	done1:
//		return
//	cold1:
//		at = -1
//	loop2_again:
//		if at != 0 { switch at { case -1: at = 0; goto called1 } }
//		if !(j < n) { goto done2_again }
//		step(i, j)
//	called1:
//		(saving the frame, if there is a checkpoint)
//		j++
//		goto loop2_again
//	done2_again:
//		i++
//		goto loop1_home
//	loop2_restored:
//		if at != 0 { switch at { case 1: at = 0; goto resume1 } }
//		if !(j < n) { goto done2_restored }
//	resume1:
//		step(i, j)
//		(saving the frame, if there is a checkpoint)
//		j++
//		goto loop2_restored
//	done2_restored:
//		i++
//		goto loop1_home
//
// A frame is the same wherever it was left.

// labelMark follows each label in the text of an instruction. A Go file can't contain it.
const labelMark = "\x00"

// A cycle is a stretch of code from a label to the last jump back to it: a loop, or
// several that gotos have tied together.
type cycle struct{ from, to int }

func (y cycle) contains(i int) bool { return y.from <= i && i <= y.to }

// again is the second copy: of the outermost loops of a function that contain resume
// points, or of the whole of a small function; and the third copy of these loops.
type again struct {
	c        *function
	whole    bool
	start    string         // the label of the second copy of a whole function
	labels   map[string]int // where in the code the labels of the function are
	outer    []cycle        // outermost ones with resume points, in order
	inner    []cycle        // those inside, in order
	at       string         // the variable that tells an inner loop where to go on
	second   *edition
	third    *edition // of the outermost loops, if they are written three times
	ways     []way
	all      *copying                  // the second copy of a whole function, and
	rest     int                       // the instruction from which on it is still to be written
	after    map[int]map[int]bool      // see comesTo
	switches map[int]string            // the texts of switches with clauses that stand in them
	folded   map[int]bool              // what these clauses were
	plain    map[int][]plain           // they
	clauses  map[int][]clause          // those that stand in switches in the first copy
	fails    map[int]bool              // calls that have no test behind them: see failing.go
	within   map[int]int               // what they were: the innermost of the switches, plus 1
	inSwitch int                       // that of which clauses are being written, plus 1
	turned   map[int]turn              // by their headers, outermost loops that are entered in the middle
	apart    map[int]*apart            // by their headers, outermost loops with statements of their own
	outlined *outlined                 // the third copy, if it is a function of its own
	alive    [][]uint64                // the variables before each instruction
	homes    map[int]string            // the label before the header of an outermost loop, for the other copies
	entry    map[*resumePoint]entrance // how the point is reached from the entry
	called   map[*resumePoint]string   // how what follows the call is reached from the first copy
	polled   map[*resumePoint]string   // how a poll is reached from the first copy
	chain    map[*resumePoint]int      // the header by which a point in an inner loop is reached, plus 1
	below    map[int][]uint64          // the variables needed at any point that is reached by such a header
}

// An edition is what tells the second copy from the third.
type edition struct {
	suffix  string            // of labels
	names   map[string]string // of labels
	headers map[int][]step    // what an inner loop's header leads to
}

func newEdition(suffix string) *edition {
	return &edition{suffix, make(map[string]string), make(map[int][]step)}
}

// An entrance is how a place in another copy is reached: at is the variable that the place is to be
// in, "" if there is none.
type entrance struct{ jump, at string }

// text returns the statements for it.
func (e entrance) text(place string) string {
	if e.at == "" {
		return e.jump
	}
	return e.at + " = " + place + "\n" + e.jump
}

// A way leads from the first copy into the second.
type way struct{ label, jump string }

// A step is what the header of an inner loop does if the variable at has a value.
type step struct {
	at   int
	text string
}

// smallFunction is the length of a function's text below which it is written twice as
// a whole. What is longer takes the compiler too long.
const smallFunction = 4000

// planAgain finds what is to be written twice, and how the resume points are reached.
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
	size := 0
	for _, in := range c.code {
		size += len(in.text)
	}
	if len(c.points) > 0 && size < smallFunction {
		a.whole = true
		a.start = c.localName("again")
	} else {
		a.turnLoops()
	}
	a.setApart()
	if !a.whole {
		a.outline()
	}
	for i, in := range c.code {
		if in.resume != nil {
			a.lead(i, in.resume)
		}
	}
	a.findHomes()
	return a
}

// findHomes finds the outermost loops that the second copy goes back to.
func (a *again) findHomes() {
	a.homes = make(map[int]string)
	var list []stretch
	if !a.staysIn() {
		list = a.stretches(&block{to: len(a.c.code) - 1})
	}
	if a.outlined != nil {
		list = append(list, a.thirdOfAll())
	}
	for _, s := range list {
		for home := range a.homesFrom(s) {
			a.homes[home] = ""
		}
	}
	for _, y := range a.outer {
		if _, ok := a.homes[a.homeOf(y)]; ok {
			a.homes[a.homeOf(y)] = a.c.localName(a.c.code[y.from].label.name + "_home")
		}
	}
}

// homesFrom returns the outermost loops that a stretch of a copy leads to, by where their first
// copies are entered.
func (a *again) homesFrom(s stretch) map[int]bool {
	list := make(map[int]bool)
	for i := range a.reached(s.cycle, s.starts...) {
		if a.isHome(i) {
			list[a.header(i)] = true
		}
		for _, t := range a.c.code[i].targets {
			if to, ok := a.labels[t.name]; ok && a.isHome(to) {
				list[a.header(to)] = true
			}
		}
	}
	return list
}

// findCycles finds the loops with resume points.
func (c *function) findCycles() *again {
	a := &again{
		c:      c,
		labels: make(map[string]int),
		second: newEdition("_again"),
		third:  newEdition("_restored"),
		entry:  make(map[*resumePoint]entrance),
		called: make(map[*resumePoint]string),
		polled: make(map[*resumePoint]string),
		chain:  make(map[*resumePoint]int),
		below:  make(map[int][]uint64),
		after:  make(map[int]map[int]bool),
		turned: make(map[int]turn),
		apart:  make(map[int]*apart),
	}
	for i, in := range c.code {
		if in.label != nil {
			a.labels[in.label.name] = i
		}
	}
	last := make(map[int]int)
	for i, in := range c.code {
		for _, t := range in.targets {
			if h, ok := a.labels[t.name]; ok && h <= i && a.comesTo(h, i) {
				last[a.header(h)] = i // the later, the farther
			}
		}
	}
	for i := range c.code {
		end, ok := last[i]
		if !ok {
			continue
		}
		if n := len(a.outer); n > 0 && i <= a.outer[n-1].to {
			a.inner = append(a.inner, cycle{i, end})
			a.outer[n-1].to = max(a.outer[n-1].to, end)
		} else {
			a.outer = append(a.outer, cycle{i, end})
		}
	}
	for i := range a.outer {
		if y := &a.outer[i]; c.code[y.to].falls && y.to+1 < len(c.code) && !c.code[y.to+1].falls {
			y.to++ // see planAgain
		}
	}
	pointless := func(y cycle) bool {
		return !slices.ContainsFunc(c.code[y.from:y.to+1], func(in *instruction) bool { return in.resume != nil })
	}
	a.outer = slices.DeleteFunc(a.outer, pointless)
	a.inner = slices.DeleteFunc(a.inner, pointless)
	return a
}

// lead decides how a resume point in the other copies is reached.
func (a *again) lead(i int, p *resumePoint) {
	a.entry[p] = entrance{jump: "goto " + p.label}
	if !a.twice(i) {
		return
	}
	a.called[p] = "goto " + a.calledLabel(p)
	a.polled[p] = a.entry[p].jump
	outer := a.loopAround(i)
	if outer < 0 {
		return
	}
	back := a.reached(a.body(a.outer[outer]), i)
	var chain []int // headers
	for _, y := range a.inner {
		if y.contains(i) && back[y.from] {
			chain = append(chain, y.from)
		}
	}
	if len(chain) > 0 {
		a.chain[p] = chain[0] + 1
	}
	a.entry[p] = a.lower(a.third, chain, p.number, a.entry[p].jump)
	if y := a.apart[a.outer[outer].from]; y != nil && a.outlined == nil {
		a.entry[p] = a.inside(y, p.number, a.entry[p])
	}
	switch {
	case p.poll && a.joined(i): // the way there is that of the call
		return
	case p.poll:
		a.polled[p] = a.lower(a.second, chain, p.number, "goto "+a.polledLabel(p)).text(fmt.Sprint(p.number))
		return
	}
	a.called[p] = a.lower(a.second, chain, -p.number, a.called[p]).text(fmt.Sprint(-p.number))
}

// loopAround returns the number of the outermost loop that instruction i is in, or -1.
func (a *again) loopAround(i int) int {
	return slices.IndexFunc(a.outer, func(y cycle) bool { return y.contains(i) })
}

// lower makes the way to a place inside of inner loops, which begins at the header of the
// outermost.
func (a *again) lower(e *edition, chain []int, at int, goOn string) entrance {
	if len(chain) == 0 {
		return entrance{jump: goOn}
	}
	if a.at == "" {
		a.at = a.c.localName("at")
	}
	jump := func(header int) string { return "goto " + a.name(e, a.c.code[header].label.name) }
	for k, header := range chain {
		text := a.at + " = 0\n" + goOn
		if k+1 < len(chain) {
			text = jump(chain[k+1])
		}
		e.headers[header] = append(e.headers[header], step{at, text})
	}
	return entrance{jump(chain[0]), a.at}
}

// reached returns which instructions of a stretch of the second copy can be executed
// after those in starts. The header of an outermost loop leads to the first copy.
func (a *again) reached(stretch cycle, starts ...int) map[int]bool {
	seen := make(map[int]bool)
	for work := starts; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[i] || !stretch.contains(i) {
			continue
		}
		seen[i] = true
		if a.isHome(i) {
			continue
		}
		in := a.c.code[i]
		if in.falls {
			work = append(work, i+1)
		}
		for _, t := range in.targets {
			if to, ok := a.labels[t.name]; ok && !a.isHome(to) {
				work = append(work, to)
			}
		}
	}
	return seen
}

// comesTo reports whether a jump back to a label, from instruction i, can be executed again then.
// The code behind the label can be a way out instead, which stands before the loops that lead
// there.
func (a *again) comesTo(h, i int) bool {
	if a.after[h] == nil {
		a.after[h] = a.reached(cycle{0, len(a.c.code) - 1}, h) // there are no outermost loops yet, at which it would end
	}
	return a.after[h][i]
}

// header returns where a loop begins that jumps back to instruction i: the last of several labels
// in a row, as those of a for statement and of a goto statement's that has the same loop go on.
func (a *again) header(i int) int {
	for i+1 < len(a.c.code) && a.c.code[i].label != nil && a.c.code[i+1].label != nil {
		i++
	}
	return i
}

// isHome reports whether instruction i is the header of an outermost loop, or a label that leads
// there.
func (a *again) isHome(i int) bool {
	h := a.header(i)
	return slices.ContainsFunc(a.outer, func(y cycle) bool { return a.homeOf(y) == h })
}

// home returns the label before the header that isHome tells of, for a jump that stands in the
// statement of a loop, or in none.
func (a *again) home(i int, in *apart) string {
	i = a.header(i)
	switch y := a.apart[i]; {
	case y == nil:
	case y == in:
		y.again = true
	default:
		return y.enter()
	}
	return a.homes[i]
}

// name returns the name of a label in a copy.
func (a *again) name(e *edition, label string) string {
	if e.names[label] == "" {
		e.names[label] = a.c.localName(label + e.suffix)
	}
	return e.names[label]
}

// calledLabel returns the label of what follows the call of a resume point.
func (a *again) calledLabel(p *resumePoint) string {
	if p.called == "" {
		p.called = a.c.localName(fmt.Sprintf("called%d", p.number))
	}
	return p.called
}

// polledLabel returns the label of a poll in the second copy of a loop.
func (a *again) polledLabel(p *resumePoint) string {
	if p.polled == "" {
		p.polled = a.c.localName(fmt.Sprintf("polled%d", p.number))
	}
	return p.polled
}

// twice reports whether instruction i is written twice.
func (a *again) twice(i int) bool {
	return a.whole || a.outlined != nil || a.loopAround(i) >= 0
}

// writeFirst writes instruction i for the first copy.
func (a *again) writeFirst(b *strings.Builder, i int, shadow, frame string) {
	if a.folded[i] || a.within[i] != a.inSwitch {
		return
	}
	in := a.instruction(i)
	if i == 0 && a.pollsFirst() {
		return
	}
	if home := a.homes[i]; home != "" {
		if y := a.apart[i]; y == nil || y.again {
			b.WriteString(home + ":\n")
		}
		b.WriteString(a.known(i))
		b.WriteString(a.unload(i, shadow))
	}
	a.writeDetour(b, i)
	switch twice := a.twice(i); {
	case !twice && a.fails[i]:
		b.WriteString(in.resume.label + ":\n")
		a.c.writeText(b, in, a.detour(i))
		b.WriteString("\n")
	case !twice && a.fails[i-1]:
		a.c.writeInstruction(b, in.testing(a.c.testAndSave(in.fails, shadow, frame)), a.detour(i), shadow, frame)
	case !twice:
		a.c.writeInstruction(b, in, a.detour(i), shadow, frame)
	case in.polls != nil && in.label == nil && a.joined(i):
	case in.polls != nil && in.label == nil:
		b.WriteString(a.wayFrom(in.polls, shadow+".Quiet()", shadow, frame) + "\n")
	case a.clauses[i] != nil:
		a.writeClauses(b, i, in, shadow, frame)
	case in.polls != nil: // where the poll is skipped to
	case in.resume != nil && in.resume.poll:
	case in.resume != nil:
		if in.pos.IsValid() {
			a.c.writeLine(b, in.pos)
		}
		b.WriteString(marked(in.text, a.detour(i)))
		if a.fails[i] {
			b.WriteString("\n")
			return
		}
		test := ""
		if in.resume.test != nil {
			test = in.resume.test.name + ": "
		}
		condition := shadow + ".Busy == 0"
		if a.pollAfter(i) != nil {
			condition = shadow + ".Quiet()"
		}
		a.c.writeAdded(b, test+a.wayFrom(in.resume, condition, shadow, frame))
	case a.fails[i-1]:
		a.c.writeInstruction(b, in.testing(a.failing(in.fails, shadow, frame)), a.detour(i), shadow, frame)
	default:
		a.c.writeInstruction(b, in, a.detour(i), shadow, frame)
	}
}

// forget writes zero into variables on the way to a resume point in an inner loop: those that are
// not live there, but at another point that the same header leads to. The compiler does not know
// that the variable at tells the points apart. Without this, all that an inner loop uses would be
// alive wherever a way leads to that header from, and so all the time in the first copy: the loops
// there would carry those variables along, on the stack.
func (a *again) forget(p *resumePoint) string {
	header := a.chain[p]
	if header == 0 {
		return ""
	}
	all := a.below[header]
	if all == nil {
		all = make([]uint64, len(p.needed))
		for _, q := range a.c.points {
			if a.chain[q] == header {
				union(all, q.needed)
			}
		}
		a.below[header] = all
	}
	var b strings.Builder
	for _, v := range a.c.all {
		if word, bit := v.number/64, uint64(1)<<(v.number%64); (all[word]&^p.needed[word])&bit != 0 && !v.kept {
			fmt.Fprintf(&b, "%s = *new(%s)\n", v.name, v.goType())
		}
	}
	return b.String()
}

// wayFrom returns the test of the first copy at a resume point.
func (a *again) wayFrom(p *resumePoint, test, shadow, frame string) string {
	if a.stays(p.index) {
		on := a.c.numbered("on")
		return fmt.Sprintf("if %s { goto %s }; %s%s:", test, on, a.staying(p, on, shadow, frame), on)
	}
	return a.way(test, func() string {
		if p.poll {
			return a.forget(p) + a.polled[p]
		}
		return a.forget(p) + a.called[p]
	})
}

// way returns a test of the first copy: the way into the second is taken if it fails. The compiler
// judges a call by the first successor of what follows it, which is therefore the one that stays in
// the first copy.
func (a *again) way(test string, jump func() string) string {
	cold, on := a.c.numbered("cold"), a.c.numbered("on")
	w := way{cold, jump()}
	a.ways = append(a.ways, w)
	return fmt.Sprintf("if %s { goto %s }; goto %s; %s:", test, on, w.label, on)
}

// writeWays writes the ways into the second copy. The compiler takes what calls something for rarer
// than what does not, and keeps it out of the way: so each way does.
func (a *again) writeWays(b *strings.Builder, shadow string) {
	b.WriteString("//line <ckpgen>:1:1\n")
	for _, w := range a.ways {
		fmt.Fprintf(b, "%s:\n%s.Cold()\n%s\n", w.label, shadow, w.jump)
	}
	a.ways = nil
}

// A stretch is a part of the second copy, and the instructions at which it is entered.
type stretch struct {
	cycle
	starts []int
}

// stretches returns the parts of the second copy that are in block k.
func (a *again) stretches(k *block) []stretch {
	if !a.whole {
		return a.loops(a.second, k)
	}
	y := cycle{0, len(a.c.code) - 1}
	return []stretch{{y, append(a.entered(a.second, y), 0)}}
}

// loops returns the parts of a copy that the bodies of the outermost loops are which stand in block
// k, and in none inside of it.
func (a *again) loops(e *edition, k *block) []stretch {
	var list []stretch
	for _, y := range a.outer {
		if !k.contains(y.from) || k.around(y.from) != nil {
			continue
		}
		body := a.body(y)
		starts := a.entered(e, body)
		if _, turned := a.turned[y.from]; turned && e == a.second {
			starts = append(starts, body.from)
		}
		list = append(list, stretch{body, starts})
	}
	return list
}

// copies reports whether something in block k, and in none inside of it, is written more than once,
// behind the block.
func (a *again) copies(k *block) bool {
	return a.whole || len(a.ways) > 0 || !a.staysIn() && slices.ContainsFunc(a.loops(a.second, k), a.amongOthers)
}

// entered returns the instructions at which a part of a copy is entered.
func (a *again) entered(e *edition, y cycle) (list []int) {
	for i := y.from; i <= y.to; i++ {
		if p := a.c.code[i].resume; p != nil {
			if a.behind(e, i) {
				list = append(list, i+1)
				continue
			}
			list = append(list, i)
		}
	}
	return list
}

// behind reports whether a copy is entered behind the call that instruction i is, and only there.
func (a *again) behind(e *edition, i int) bool {
	return e == a.second && !a.c.code[i].resume.poll && a.loopAround(i) >= 0
}

// writeSecond writes the second copies of what is in block k, and the third ones, but for what has
// been written before, see apart.go.
func (a *again) writeSecond(b *strings.Builder, k *block, shadow, frame string) {
	editions := []*edition{a.second, a.third}
	switch {
	case a.staysIn():
		return
	case a.outlined != nil:
		editions = editions[:1]
	}
	if a.whole {
		a.copyOfAll().write(b, a.rest, k.to, nil, shadow, frame)
		if a.c.code[len(a.c.code)-1].falls {
			b.WriteString(a.c.leave() + "\n")
		}
		editions = editions[1:]
	}
	for _, e := range editions {
		for _, s := range a.loops(e, k) {
			if a.amongOthers(s) {
				a.copyOf(e, s).write(b, s.from, s.to, nil, shadow, frame)
			}
		}
	}
}

// A copying is a stretch of a copy, of which some is written at a time.
type copying struct {
	*again
	*edition
	stretch
	reached map[int]bool
	used    map[string]bool // labels
}

// copyOf returns a stretch of a copy.
func (a *again) copyOf(e *edition, s stretch) *copying {
	p := &copying{a, e, s, a.reached(s.cycle, s.starts...), make(map[string]bool)}
	code := a.c.code
	if label := code[s.from].label; label != nil && e == a.second && !a.whole {
		p.used[label.name] = true // see turnLoops
	}
	for i := range p.reached {
		if a.isHome(i) {
			continue // the copy has a jump in its place
		}
		for _, t := range code[i].targets {
			p.used[t.name] = true
		}
	}
	return p
}

// copyOfAll returns the second copy of a whole function.
func (a *again) copyOfAll() *copying {
	if a.all == nil {
		a.all = a.copyOf(a.second, a.stretches(nil)[0])
	}
	return a.all
}

// write writes instructions of it, which are in the statement of a loop, or in none.
func (p *copying) write(b *strings.Builder, from, to int, inside *apart, shadow, frame string) {
	a, e := p.again, p.edition
	// A label of the copy, or the text's own, is renamed; one outside is that of the first.
	rename := func(label string) string {
		i, ok := a.labels[label]
		switch {
		case ok && a.isHome(i) && a.isOutlined(e):
			return a.exit(i)
		case ok && a.isHome(i):
			return a.home(i, inside)
		case ok && !p.contains(i):
			return label
		}
		return a.name(e, label)
	}
	for i := from; i <= to; i++ {
		switch in := a.instruction(i); {
		case a.folded[i]:
		case in.resume != nil && a.behind(e, i):
			if p.reached[i] {
				a.c.writeText(b, in, rename)
			}
			a.c.writeSaving(b, in, rename, a.calledLabel(in.resume), false, shadow, frame)
		case !p.reached[i]:
		case in.resume != nil:
			if label := a.before(e, i); label != "" {
				b.WriteString(label + ":\n")
			}
			a.c.writeText(b, in, rename)
			called := ""
			if e == a.second && !in.resume.poll {
				called = a.calledLabel(in.resume)
			}
			a.c.writeSaving(b, in, rename, called, false, shadow, frame)
		case a.isHome(i) && a.isOutlined(e):
			b.WriteString("goto " + a.exit(i) + "\n")
		case a.isHome(i):
			b.WriteString("goto " + a.home(i, inside) + "\n")
		case in.label == nil:
			a.c.writeInstruction(b, in, rename, shadow, frame)
		default:
			a.writeHeader(b, e, in, e.headers[i], p.used[in.label.name])
		}
	}
}

// before returns the label before a resume point in a copy, "" if nothing leads there.
func (a *again) before(e *edition, i int) string {
	p := a.c.code[i].resume
	if e == a.second && a.loopAround(i) >= 0 {
		if p.poll && a.joined(i) {
			return ""
		}
		return a.polledLabel(p)
	}
	return p.label
}

// writeHeader writes a label of a copy, and where it leads to.
func (a *again) writeHeader(b *strings.Builder, e *edition, in *instruction, steps []step, used bool) {
	if used || len(steps) > 0 {
		b.WriteString(a.name(e, in.label.name) + ":\n")
	}
	if len(steps) > 0 {
		fmt.Fprintf(b, "if %s != 0 {\nswitch %s {\n", a.at, a.at)
		writeCases(b, steps)
		b.WriteString("}\n}\n")
	}
}

// writeCases writes the clauses of a switch statement. Places that are reached in the same way
// share one: each way by which variables come to a label is code that puts them where the compiler
// expects them there.
func writeCases(b *strings.Builder, steps []step) {
	cases := make(map[string]string)
	var texts []string
	for _, s := range steps {
		if cases[s.text] == "" {
			texts = append(texts, s.text)
			cases[s.text] = fmt.Sprint(s.at)
			continue
		}
		cases[s.text] += fmt.Sprintf(", %d", s.at)
	}
	for _, text := range texts {
		fmt.Fprintf(b, "case %s:\n%s\n", cases[text], text)
	}
}

// marked returns the text of an instruction with its labels renamed, or without their
// marks if rename is nil.
func marked(text string, rename func(string) string) string {
	text = strings.ReplaceAll(text, failure, "")
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
