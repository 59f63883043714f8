package heap

import (
	"hash/maphash"
	"sync"
)

// A nameIndex finds things of the binary by their names. A binary has thousands of them, of which
// an image names a few, and each process that restores one looks for these. So it keeps a hash of
// each name, and asks again for the names of things with the right hash.
type nameIndex[T any] struct {
	name   func(T) string
	seed   maphash.Seed
	last   []int32 // by the low bits of the hash, the last of the things, -1 if there is none
	things []indexedThing[T]
	found  sync.Map // string to []T, of names that were asked for
}

type indexedThing[T any] struct {
	thing  T
	hash   uint32
	before int32 // the one before with the same low bits, -1 if there is none
}

// newNameIndex returns the index of the things that each calls add with, for about most of which it
// has room at once: memory that is not used is not touched.
func newNameIndex[T any](name func(T) string, most int, each func(add func(thing T, name string))) *nameIndex[T] {
	x := &nameIndex[T]{name: name, seed: maphash.MakeSeed(), things: make([]indexedThing[T], 0, most)}
	each(func(thing T, name string) {
		x.things = append(x.things, indexedThing[T]{thing: thing, hash: x.hash(name)})
	})
	size := 1
	for size < len(x.things) {
		size *= 2
	}
	x.last = make([]int32, size)
	for i := range x.last {
		x.last[i] = -1
	}
	for i := range x.things {
		last := &x.last[int(x.things[i].hash)&(size-1)]
		x.things[i].before, *last = *last, int32(i)
	}
	return x
}

func (x *nameIndex[T]) hash(name string) uint32 { return uint32(maphash.String(x.seed, name)) }

// find returns the things of a name, in no certain order, in a slice that is not to be changed.
func (x *nameIndex[T]) find(name string) []T {
	if known, ok := x.found.Load(name); ok {
		return known.([]T)
	}
	var things []T
	hash := x.hash(name)
	for i := x.last[int(hash)&(len(x.last)-1)]; i >= 0; i = x.things[i].before {
		if t := &x.things[i]; t.hash == hash && x.name(t.thing) == name {
			things = append(things, t.thing)
		}
	}
	x.found.Store(name, things)
	return things
}
