package closure

import (
	"go/token"
	"go/types"

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
func connectReceives(reachable map[*ssa.Function]bool) {
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
			b := to.Block()
			for _, x := range values {
				b.Instrs = append(b.Instrs, &ssa.Store{Addr: to, Val: x})
			}
		}
	})
}

// element returns the element type of a channel, or nil.
func element(ch ssa.Value) types.Type {
	if t, ok := ch.Type().Underlying().(*types.Chan); ok {
		return t.Elem()
	}
	return nil
}
