package rewrite

import "slices"

// liveness computes for each resume point the variables that are live when it is re-entered, by the
// usual backward data flow over the instructions of the flattened function: live-in = uses +
// (live-out - definitions). Of an instruction of several statements exposed.go tells what it uses
// and defines. It returns what is live before each instruction, as bits by the numbers of
// variables.
func liveness(code []*instruction, variables []*variable) [][]uint64 {
	for i, v := range variables {
		v.number = i
	}
	// What a deferred literal knows the variables of the function around it by is in no frame, nor
	// is what has one value always.
	held := func(v *variable) bool { return v.number < len(variables) && variables[v.number] == v && v.fixed == "" }
	at := make(map[*label]int)
	for i, in := range code {
		if in.label != nil {
			at[in.label] = i
		}
	}
	words := (len(variables) + 63) / 64
	in := make([][]uint64, len(code)+1)
	for i := range in {
		in[i] = make([]uint64, words)
	}
	out := make([]uint64, words)
	after := func(i int, out []uint64) {
		clear(out)
		if code[i].falls {
			union(out, in[i+1])
		}
		for _, t := range code[i].targets {
			union(out, in[at[t]])
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(code) - 1; i >= 0; i-- {
			ins := code[i]
			after(i, out)
			for _, v := range ins.defines {
				if held(v) {
					out[v.number/64] &^= 1 << (v.number % 64)
				}
			}
			for _, v := range ins.uses {
				if held(v) {
					out[v.number/64] |= 1 << (v.number % 64)
				}
			}
			if union(in[i], out) {
				changed = true
			}
		}
	}
	for i, ins := range code {
		if ins.resume == nil {
			continue
		}
		ins.resume.index = i
		for _, v := range variables {
			if v.isIn(in[i]) {
				ins.resume.live = append(ins.resume.live, v)
			}
		}
		after(i, out)
		union(out, in[i])
		ins.resume.needed = slices.Clone(out)
	}
	return in
}

// isIn reports whether the variable is in a set.
func (v *variable) isIn(set []uint64) bool { return set[v.number/64]&(1<<(v.number%64)) != 0 }

// union adds b to a and reports whether a changed.
func union(a, b []uint64) bool {
	changed := false
	for i, w := range b {
		if a[i]|w != a[i] {
			a[i] |= w
			changed = true
		}
	}
	return changed
}
