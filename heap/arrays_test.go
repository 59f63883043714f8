package heap

import (
	"math"
	"reflect"
	"testing"
)

type terrain struct {
	kind   uint8
	height float32
	n      int
}

type landscape struct {
	cells [40][30]terrain
	pairs [1000]struct{ a, b int64 }
	name  string
}

// TestArraysOfStructs checks that a struct with large arrays of structs comes back, and that its
// plan is not as large as the arrays.
func TestArraysOfStructs(t *testing.T) {
	v := &landscape{name: "a"}
	for i := range v.cells {
		for k := range v.cells[i] {
			v.cells[i][k] = terrain{uint8(i + k), 1 / float32(i+1), -k}
		}
	}
	for i := range v.pairs {
		v.pairs[i].a, v.pairs[i].b = int64(i)<<40, math.MinInt64+int64(i)
	}
	type inside struct {
		whole *landscape
		n     *int
	}
	w := again(t, &inside{v, &v.cells[7][8].n})
	if *w.whole != *v || w.n != &w.whole.cells[7][8].n {
		t.Error("it is another one")
	}
	for _, word := range []uint64{shortWord, longWord} {
		p := newPlanner(nil, word).of(reflect.TypeFor[landscape]())
		if n := len(p.moves) + len(p.leaves); n > 4 {
			t.Errorf("the numbers of a landscape are copied in %d steps", n)
		}
	}
}
