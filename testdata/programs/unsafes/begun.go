package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A stem is all that leads to what grows on it, which its kind tells.
type stem struct {
	kind, n int32
	age     int
}

type (
	leaves[T any] struct {
		stem
		list [70]T
	}
	twigs struct {
		stem
		children [70]*stem
	}
	bud struct { // as large as an allocation of a smaller one would be
		stem
		colour [9]byte
	}
	thorn struct {
		stem
		length [7]float64
	}
	sprout struct {
		stem
		of *stem
		at [2]func() string
	}
)

func (s *stem) leaf() *leaves[uint16] { return (*leaves[uint16])(unsafe.Pointer(s)) }

// foliage makes leaves of any kind.
func foliage[T any](made bool, values ...T) *stem {
	if made {
		l := new(leaves[T])
		l.n = int32(copy(l.list[:], values))
		return (*stem)(unsafe.Pointer(l))
	}
	l := &leaves[T]{stem: stem{n: int32(len(values))}}
	copy(l.list[:], values)
	return (*stem)(unsafe.Pointer(l))
}

func seen[T any](s *stem) []T { return (*leaves[T])(unsafe.Pointer(s)).list[:s.n] }

func begun() {
	tree := (*stem)(unsafe.Pointer(&twigs{stem: stem{kind: 1}}))
	grow := func(s *stem) *stem {
		t := (*twigs)(unsafe.Pointer(tree))
		t.children[t.n] = s
		t.n++
		return s
	}
	grow(foliage[uint16](true, 1, 2, 3))
	grow(foliage(false, "a", "b"))
	grow(foliage[uint16](false)).leaf().list[69] = 12
	b := &bud{colour: [9]byte{8: 7}}
	grow(&b.stem)
	l := &thorn{stem: stem{age: 3}, length: [7]float64{6: 0.5}}
	grow((*stem)(unsafe.Pointer(l)))
	name := fmt.Sprint("sprout of ", tree.n)
	u := &sprout{of: grow(foliage(true, 'x'))}
	u.at[1] = func() string { return name }
	grow(&u.stem)
	b, l, u = nil, nil, nil
	ckp.Checkpoint()
	at := (*twigs)(unsafe.Pointer(tree)).children[:tree.n]
	fmt.Println(seen[uint16](at[0]), seen[string](at[1]), at[2].leaf().list[69], (*bud)(unsafe.Pointer(at[3])).colour, (*thorn)(unsafe.Pointer(at[4])).length, at[4].age)
	ckp.Checkpoint()
	last := (*sprout)(unsafe.Pointer(at[6]))
	fmt.Println(seen[rune](last.of), last.of == at[5], last.at[1]())
}
