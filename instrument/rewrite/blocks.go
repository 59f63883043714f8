package rewrite

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// A variable that stands at the top of a function is zero when the function begins, and one that
// the compiler has in memory is cleared there. In a long function most of them belong to a branch
// that a call does not come to: an interpreter or a visitor, which is a switch with a hundred
// clauses, would clear kilobytes for each node. And none of them could have the place of another in
// the stack frame. So the variables that nothing but a flattened block uses are declared in that
// block, if there is enough of them. The block stays one in the new text, and a goto can't jump
// into a block: a frame that is taken up inside goes to the label before it, and the block itself
// takes its variables from the frame and goes to the resume point.
//
//		if shadow.Busy != 0 {
//			if fr := ...; fr != nil {
//				p = fr.p
//				switch fr.At { case 7: goto block1 }
//			}
//		}
//		...
//	block1:
//		{
//			var scope largeStruct
//			if fr != nil {
//				scope = fr.scope
//				switch fr.At { case 7: fr = nil; goto resume7 }
//			}
//			scope = p.push(n)
//	resume7:
//			p.visit(n)
//			...
//		}
//
// Where the third copy is a function of its own (outlined.go), what leads into a block is that it
// hands over a loop of the block.
//
// Blocks may stand in blocks. The copies of a loop (again.go) are in the block that the loop is in;
// no block is in such a loop, since the copies have its variables in common, nor in a small
// function, which is copied as a whole.

// A block is a part of the flattened function that has variables of its own. The outermost is the
// function.
type block struct {
	from, to  int // the first and the last instruction
	inner     []*block
	variables []*variable
	savings   savings
	label     string // before it, if there is a resume point in it
	end       string // behind it, if something jumps there
}

func (k *block) contains(i int) bool { return k.from <= i && i <= k.to }

// around returns the block in k, and in no other in k, that instruction i is in, or nil.
func (k *block) around(i int) *block {
	for _, in := range k.inner {
		if in.contains(i) {
			return in
		}
	}
	return nil
}

// innermost returns the innermost block around instruction i: k or one in it.
func (k *block) innermost(i int) *block {
	for in := k.around(i); in != nil; in = in.around(i) {
		k = in
	}
	return k
}

// A span is the first and the last instruction of a flattened block.
type span struct{ first, last *instruction }

// blockWords is for how much memory, in words, a block is worth the test at its beginning.
const blockWords = 8

// planBlocks decides which variables are declared where. alive is what is so before each
// instruction.
func (c *function) planBlocks(a *again, alive [][]uint64) *block {
	top := &block{from: 0, to: len(c.code) - 1}
	for _, v := range c.all {
		if !v.param {
			top.variables = append(top.variables, v)
		}
	}
	memory := 0
	for _, v := range top.variables {
		memory += v.memory()
	}
	if a.whole || c.defers != nil && c.sites == nil || memory < blockWords {
		return top
	}
	top.inner = c.candidates(a)
	occurrences := c.occurrences(top)
	top.variables = nil
	for _, v := range c.all {
		if !v.param {
			top.take(v, occurrences[v], alive)
		}
	}
	top.dissolve()
	top.keepOnce(make(map[*variable]bool))
	for _, i := range a.entries() {
		for k := top.around(i); k != nil; k = k.around(i) {
			if k.label == "" {
				k.label = c.numbered("block")
			}
		}
	}
	return top
}

// entries returns the instructions that a jump from the beginning of the function leads to, by way
// of the blocks around them.
func (a *again) entries() (list []int) {
	if a.outlined != nil {
		for _, e := range a.outlined.exits {
			list = append(list, e.index)
		}
		return list
	}
	for _, p := range a.c.points {
		if p.label != "" {
			list = append(list, p.index)
		}
	}
	return list
}

// candidates returns the flattened blocks that could have variables, in a tree.
func (c *function) candidates(a *again) []*block {
	at := make(map[*instruction]int)
	for i, in := range c.code {
		at[in] = i
	}
	var list []*block
	for _, s := range c.spans {
		k := &block{from: at[s.first], to: at[s.last]}
		apart := func(y cycle) bool {
			return k.contains(y.from) && k.contains(y.to) || y.to < k.from || k.to < y.from
		}
		if !slices.ContainsFunc(a.outer, func(y cycle) bool { return !apart(y) }) {
			list = append(list, k)
		}
	}
	list = slices.DeleteFunc(list, func(k *block) bool {
		for i, in := range c.code {
			for _, t := range in.targets {
				to, ok := a.labels[t.name]
				if ok && a.loopAround(i) >= 0 && a.isHome(to) { // to where a copy of that loop would jump instead
					to = a.header(to)
				}
				if ok && k.contains(to) && !k.contains(i) {
					return true
				}
			}
		}
		return false
	})
	slices.SortStableFunc(list, func(x, y *block) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(y.to, x.to))
	})
	top := &block{from: 0, to: len(c.code)}
	for _, k := range list {
		around := top.innermost(k.from)
		if around.from == k.from && around.to == k.to {
			continue
		}
		around.inner = append(around.inner, k)
	}
	return top.inner
}

// occurrences returns the blocks in which each variable occurs directly.
func (c *function) occurrences(top *block) map[*variable]map[*block]bool {
	byName := make(map[string]*variable)
	for _, v := range c.all {
		byName[v.name] = v
	}
	list := make(map[*variable]map[*block]bool)
	for i, in := range c.code {
		k := top.innermost(i)
		occurs := func(vs ...*variable) {
			for _, v := range vs {
				if list[v] == nil {
					list[v] = make(map[*block]bool)
				}
				list[v][k] = true
			}
		}
		occurs(in.uses...)
		occurs(in.defines...)
		if p := in.resume; p != nil {
			occurs(p.live...)
			for _, v := range c.all {
				if v.isIn(p.needed) {
					occurs(v)
				}
			}
		}
		for word := range strings.FieldsFuncSeq(in.text, func(r rune) bool { return !isLetterOrDigit(r) }) {
			if v := byName[word]; v != nil {
				occurs(v)
			}
		}
	}
	return list
}

// take declares a variable in the innermost blocks that it can be declared in: where it occurs, and
// has no value yet at the beginning.
func (k *block) take(v *variable, occurrences map[*block]bool, alive [][]uint64) {
	var inside []*block
	for _, b := range k.inner {
		if b.isAmong(occurrences) {
			inside = append(inside, b)
		}
	}
	comes := func(b *block) bool { return v.isIn(alive[b.from]) }
	if v.kept || occurrences[k] || len(inside) == 0 || slices.ContainsFunc(inside, comes) {
		k.variables = append(k.variables, v)
		return
	}
	for _, b := range inside {
		b.take(v, occurrences, alive)
	}
}

// isAmong reports whether the block or one in it is among those.
func (k *block) isAmong(those map[*block]bool) bool {
	return those[k] || slices.ContainsFunc(k.inner, func(b *block) bool { return b.isAmong(those) })
}

// dissolve leaves those blocks in k that have enough variables in memory.
func (k *block) dissolve() {
	var left []*block
	for _, b := range k.inner {
		b.dissolve()
		memory := 0
		for _, v := range b.variables {
			memory += v.memory()
		}
		if memory >= blockWords {
			left = append(left, b)
			continue
		}
		k.variables = append(k.variables, b.variables...)
		left = append(left, b.inner...)
	}
	k.inner = left
}

// keepOnce takes out of blocks what one around them declares.
func (k *block) keepOnce(around map[*variable]bool) {
	var own []*variable
	for _, v := range k.variables {
		if !around[v] {
			around[v] = true
			own = append(own, v)
		}
	}
	slices.SortFunc(own, func(x, y *variable) int { return cmp.Compare(x.number, y.number) })
	k.variables = own
	for _, b := range k.inner {
		b.keepOnce(around)
	}
	for _, v := range own {
		delete(around, v)
	}
}

// memory returns for how many words of memory a variable is worth a block: none if the compiler can
// have it in registers. What a cell leads to is on the stack only if no loop begins between the
// declaration of the variable and where the cell is made.
func (v *variable) memory() int {
	switch {
	case v.cell:
		return blockWords
	case v.typ == nil:
		return v.words
	}
	n, registers := words(v.typ)
	if registers {
		return 0
	}
	return n
}

// size returns the size of a variable in words.
func (v *variable) size() int {
	switch {
	case v.cell:
		return 1
	case v.typ == nil:
		return max(v.words, 1)
	}
	n, _ := words(v.typ)
	return n
}

// words returns the size of a type, in words or a little more, and whether the compiler takes its
// values apart and has them in registers (cmd/compile/internal/ssa, CanSSA).
func words(t types.Type) (n int, registers bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsString|types.IsComplex) != 0 {
			return 2, true
		}
	case *types.Interface:
		if !isTypeParam(t) {
			return 2, true
		}
	case *types.Slice:
		return 3, true
	case *types.Array:
		n, registers = words(u.Elem())
		n = int(min(int64(n)*min(u.Len(), 1<<20), 1<<20))
		return n, u.Len() == 0 || u.Len() == 1 && registers
	case *types.Struct:
		registers = u.NumFields() <= 4
		for i := range u.NumFields() {
			m, in := words(u.Field(i).Type())
			n += m
			registers = registers && in
		}
		return n, registers && n <= 4
	}
	return 1, true
}

// writeBlock writes the instructions of a block, and behind them the copies of its loops and what
// its resume points share.
func (w *writing) writeBlock(b *strings.Builder, k *block) {
	w.block = k
	for i := k.from; i <= k.to; i++ {
		if in := k.around(i); in != nil {
			w.writeInner(b, in)
			i = in.to
			continue
		}
		if y := w.again.apart[i]; y != nil {
			w.writeApart(b, k, y)
			i = y.to
			continue
		}
		w.again.writeFirst(b, i, w.shadow, w.frame)
	}
	if w.again.copies(k) || k.savings.used() {
		if w.function.code[k.to].falls {
			b.WriteString(w.leaveBlock(k) + "\n")
		}
		if w.again.whole {
			w.writeStart(b)
		} else {
			w.again.writeWays(b, w.shadow)
		}
		w.again.writeSecond(b, k, w.shadow, w.frame)
		w.writeSavings(b, &k.savings)
	}
}

// writeStart writes the ways into the second copy of a whole function, and its beginning the first
// time.
func (w *writing) writeStart(b *strings.Builder) {
	w.again.writeWays(b, w.shadow)
	if w.again.rest == 0 {
		b.WriteString(w.again.start + ":\n")
		w.writeRestore(b)
		b.WriteString(w.opening)
	}
}

// leaveBlock returns the statement with which a block is left at its end.
func (w *writing) leaveBlock(k *block) string {
	if k == w.top {
		return w.leave()
	}
	k.end = w.numbered("end")
	return "goto " + k.end
}

// writeInner writes a block that stands in another.
func (w *writing) writeInner(b *strings.Builder, k *block) {
	if k.label != "" {
		b.WriteString(k.label + ":\n")
	}
	b.WriteString("//line <ckpgen>:1:1\n{\n")
	w.writeVariables(b, k)
	switch {
	case k.label == "":
	case w.again.outlined != nil:
		w.writeArrival(b, k)
	default:
		fmt.Fprintf(b, "if %s != nil {\n", w.fr)
		w.writeTakeUp(b, k)
		b.WriteString("}\n")
	}
	around, ways := w.block, w.again.ways
	w.again.ways = nil
	w.writeBlock(b, k)
	w.block, w.again.ways = around, ways
	b.WriteString("}\n")
	if k.end != "" {
		b.WriteString(k.end + ":\n")
	}
}
