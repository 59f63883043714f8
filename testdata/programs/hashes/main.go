// A table that hashes by package hash/maphash is still the same table in another process.
package main

import (
	"fmt"
	"hash/maphash"
	"runtime"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type table[K comparable] struct {
	seed  maphash.Seed
	hash  func(maphash.Seed, K) uint64
	slots []slot[K]
}

type slot[K comparable] struct {
	used  bool
	key   K
	value int
}

func (t *table[K]) find(key K) *slot[K] {
	i := t.hash(t.seed, key) % uint64(len(t.slots))
	for range 3 { // no further: in a table that is lost, most keys are not found
		s := &t.slots[i]
		if !s.used || s.key == key {
			return s
		}
		i = (i + 1) % uint64(len(t.slots))
	}
	return nil
}

type point struct {
	x, y int
	name string
}

func main() {
	words := &table[string]{maphash.MakeSeed(), maphash.String, make([]slot[string], 8192)}
	points := &table[point]{maphash.MakeSeed(), maphash.Comparable[point], make([]slot[point], 8192)}
	var running maphash.Hash
	running.WriteString("so far")
	for i := range 40 {
		word := fmt.Sprint("word", i)
		*words.find(word) = slot[string]{true, word, i}
		p := point{i, -i, word}
		*points.find(p) = slot[point]{true, p, i * i}
		ckp.Checkpoint()
		running.WriteString(word)
	}
	sum, missing := 0, 0
	for i := range 40 {
		word := fmt.Sprint("word", i)
		w, p := words.find(word), points.find(point{i, -i, word})
		if w == nil || !w.used || p == nil || !p.used {
			missing++
			continue
		}
		sum += w.value + p.value
	}
	fmt.Println(sum, missing)
	again := maphash.Hash{}
	again.SetSeed(running.Seed())
	again.WriteString("so far")
	for i := range 40 {
		again.WriteString(fmt.Sprint("word", i))
	}
	fmt.Println(again.Sum64() == running.Sum64())
	fmt.Println(allocates(words, fmt.Sprint("word", sum)), allocates(points, point{1, 2, "name"}))
}

// allocates tells whether it takes memory to hash a key: a table that is read often would fill it.
func allocates[K comparable](t *table[K], key K) bool {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 2000 {
		maphash.Comparable(t.seed, key)
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs-before.Mallocs > 1000
}
