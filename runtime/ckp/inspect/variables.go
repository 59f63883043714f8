package inspect

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ckpgen/ckpgen/heap"
)

// What the variables of an image reach, and what has changed since an older one. A variable is the
// same in both if its goroutine has the same number, its function is the same and as far from the
// outermost one, and it has the same name there.

// each calls f for all variables of a process, each once, with what people know it by.
func (p *Process) each(f func(name string, v *Variable)) {
	goroutines := p.Goroutines
	if goroutines == nil {
		goroutines = []Goroutine{{Stack: p.Stack}}
	}
	for _, g := range goroutines {
		prefix := ""
		if g.Number > 0 {
			prefix = fmt.Sprintf("goroutine %d, ", g.Number)
		}
		times := make(map[string]int)
		for _, fr := range g.Stack {
			times[fr.Function]++
		}
		for i, fr := range g.Stack {
			function := prefix + fr.Function
			if times[fr.Function] > 1 {
				function += fmt.Sprintf(" (frame %d)", i)
			}
			for k := range fr.Variables {
				v := &fr.Variables[k]
				f(function+": "+v.Name, v)
			}
		}
	}
	for i := range p.Variables {
		f(p.Variables[i].Name, &p.Variables[i])
	}
	for i := range p.Libraries {
		f("library "+p.Libraries[i].Name, &p.Libraries[i])
	}
}

// measure fills in what the variables reach, and what has changed since an older checkpoint, which
// may be nil.
func (p *Process) measure(old *Process, opt Options) {
	was := make(map[string]heap.Value)
	if old != nil {
		old.each(func(_ string, v *Variable) { was[v.key] = v.value })
	}
	var values []heap.Value
	var pairs [][2]heap.Value
	p.each(func(name string, v *Variable) {
		p.Sizes = append(p.Sizes, VariableSize{Name: name})
		values, pairs = append(values, v.value), append(pairs, [2]heap.Value{v.value, was[v.key]})
		v.value, v.key = heap.Value{}, ""
	})
	var d *heap.Difference
	if old != nil {
		d = p.image.Compare(old.image, pairs)
		p.Since, p.Gone = old.Seq, d.Gone()
	}
	reach := p.image.Reach(values, d)
	p.image = nil
	p.Rest = p.HeapBytes
	for i := range p.Sizes {
		v := &p.Sizes[i]
		v.Bytes, v.Alone, v.Changed = reach.Own[i], reach.Own[i], reach.OwnChanged[i]
		p.Changed += v.Changed
		p.Rest -= v.Bytes
	}
	for _, part := range reach.Parts {
		shared := Shared{Objects: part.Objects, Bytes: part.Bytes, Changed: part.Changed, New: part.New}
		for _, i := range part.Variables {
			v := &p.Sizes[i]
			v.Bytes += part.Bytes
			v.Changed += part.Changed
			v.New += part.New
			if len(part.Variables) == 1 {
				v.Alone += part.Bytes
			}
			shared.Variables = append(shared.Variables, v.Name)
		}
		if len(part.Variables) > 1 {
			p.Shared = append(p.Shared, shared)
		}
		p.Changed += part.Changed
		p.New += part.New
		p.Rest -= part.Bytes
	}
	slices.SortStableFunc(p.Sizes, func(a, b VariableSize) int { return cmp.Compare(b.Bytes, a.Bytes) })
	if max := opt.types(); max >= 0 {
		p.Sizes, p.Shared = p.Sizes[:min(max, len(p.Sizes))], p.Shared[:min(max, len(p.Shared))]
	}
	var changes map[int][2]int
	if d != nil {
		changes = d.ByType()
	}
	for i := range p.Types {
		t := &p.Types[i]
		t.Changed, t.New, t.id = changes[t.id][0], changes[t.id][1], 0
	}
}
