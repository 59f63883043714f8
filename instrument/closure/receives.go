package closure

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// connectReceives makes the type flow analysis see what a receive with two results delivers.
// It forgets it: v, ok := <-ch and loops that range over a channel yield a pair,
// and it lets nothing flow from the channel into the first of the pair. A call of a function
// that came through a channel so would be a call of nothing.
//
// The analysis takes all channels of one element type for one channel. So it is as
// good to say that each value that is sent is stored in each variable that receives, and
// that is what the instructions say that are added here. Nothing executes them.
func (f *flows) connectReceives(reachable map[*ssa.Function]bool) {
	var sent, received typeutil.Map // element type -> []ssa.Value or []*ssa.Extract
	send := func(ch, x ssa.Value) {
		if t := element(ch); t != nil {
			list, _ := sent.At(t).([]ssa.Value)
			sent.Set(t, append(list, x))
		}
	}
	for fn := range reachable {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Send:
					send(in.Chan, in.X)
				case *ssa.Select:
					for _, s := range in.States {
						if s.Dir == types.SendOnly {
							send(s.Chan, s.Send)
						}
					}
				case *ssa.Extract:
					u, ok := in.Tuple.(*ssa.UnOp)
					if !ok || u.Op != token.ARROW || in.Index != 0 {
						continue
					}
					if t := element(u.X); t != nil {
						list, _ := received.At(t).([]*ssa.Extract)
						received.Set(t, append(list, in))
					}
				}
			}
		}
	}
	received.Iterate(func(t types.Type, value any) {
		values, _ := sent.At(t).([]ssa.Value)
		for _, to := range value.([]*ssa.Extract) {
			for _, x := range values {
				f.add(to, x)
			}
		}
	})
}

// flows are instructions that are added to what the type flow analysis looks at, and to nothing
// else: their blocks are as before when it is over.
type flows struct {
	before map[*ssa.BasicBlock][]ssa.Instruction
}

// add adds one that says that x flows to a value.
func (f *flows) add(to interface {
	ssa.Value
	ssa.Instruction
}, x ssa.Value) {
	b := to.Block()
	if _, ok := f.before[b]; !ok {
		if f.before == nil {
			f.before = make(map[*ssa.BasicBlock][]ssa.Instruction)
		}
		f.before[b] = slices.Clip(b.Instrs)
		b.Instrs = slices.Clone(b.Instrs)
	}
	b.Instrs = append(b.Instrs, &ssa.Store{Addr: to, Val: x})
}

// remove takes them away again.
func (f *flows) remove() {
	for b, instrs := range f.before {
		b.Instrs = instrs
	}
}

// element returns the element type of a channel, or nil.
func element(ch ssa.Value) types.Type {
	if t, ok := ch.Type().Underlying().(*types.Chan); ok {
		return t.Elem()
	}
	return nil
}
