package callback

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"
)

func texts() {
	n := 0
	upper := func(r rune) rune {
		at(&n)
		if r == 'x' {
			return -1
		}
		return unicode.ToUpper(r)
	}
	show("strings.Map", strings.Map(upper, "exäxmple"), string(bytes.Map(upper, []byte("axb"))), n)
	vowel := func(r rune) bool { at(&n); return strings.ContainsRune("aeiou", r) }
	show("strings.FieldsFunc", strings.FieldsFunc("what is this", vowel), n)
	show("strings.IndexFunc", strings.IndexFunc("xyzab", vowel), strings.LastIndexFunc("xaby", vowel), strings.TrimFunc("aaxyzii", vowel), n)
	show("bytes.FieldsFunc", bytes.FieldsFunc([]byte("what is"), vowel), bytes.IndexFunc([]byte("xyze"), vowel), n)
	for part := range strings.FieldsFuncSeq("one more time", vowel) {
		at(&n)
		show("strings.FieldsFuncSeq", part, n)
	}
	for line := range strings.Lines("one\ntwo\nthree") {
		at(&n)
		show("strings.Lines", line, n)
	}
}

func maps_() {
	n := 0
	m := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}
	sum := 0
	for k, v := range maps.All(m) {
		at(&n)
		sum += v * len(k)
	}
	show("maps.All", sum, n)
	maps.DeleteFunc(m, func(k string, v int) bool { at(&n); return v%2 == 0 })
	show("maps.DeleteFunc", m, n)
	show("maps.EqualFunc", maps.EqualFunc(m, map[string]int{"a": 2, "c": 6}, func(a, b int) bool { at(&n); return 2*a == b }), n)
	show("slices.Sorted", slices.Sorted(maps.Keys(m)))
	show("maps.Collect", maps.Collect(pairs(&n, 3)), n)
}

// pairs yields the first squares.
func pairs(n *int, limit int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := range limit {
			at(n)
			if !yield(i, i*i) {
				return
			}
			at(n)
		}
	}
}

// squares yields them alone.
func squares(n *int, limit int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, square := range pairs(n, limit) {
			if !yield(square) {
				return
			}
		}
	}
}

func sequences() {
	n := 0
	show("slices.Collect", slices.Collect(squares(&n, 5)), n)
	show("slices.SortedFunc", slices.SortedFunc(squares(&n, 5), func(a, b int) int { at(&n); return b - a }), n)
	for i, v := range slices.Backward(slices.AppendSeq([]int{7}, squares(&n, 3))) {
		at(&n)
		show("slices.Backward", i, v, n)
	}
	for part := range slices.Chunk([]int{1, 2, 3, 4, 5}, 2) {
		at(&n)
		if part[0] == 3 {
			continue
		}
		show("slices.Chunk", part, n)
	}
	all := slices.Values([]int{1, 2, 3})
	for v := range all { // a func value of the standard library in a variable
		at(&n)
		for w := range all {
			if w == v {
				break
			}
			at(&n)
			show("slices.Values", v, w, n)
		}
	}
}

func pulling() {
	n := 0
	next, stop := iter.Pull(squares(&n, 4))
	for {
		v, ok := next()
		at(&n)
		show("iter.Pull", v, ok, n)
		if !ok {
			break
		}
	}
	stop()
	next2, stop2 := iter.Pull2(pairs(&n, 10))
	k, v, ok := next2()
	at(&n)
	k2, v2, _ := next2()
	stop2()
	_, _, ok2 := next2()
	show("iter.Pull2", k, v, ok, k2, v2, ok2, n)

	next, stop = iter.Pull(func(yield func(int) bool) {
		at(&n)
		if yield(1) {
			at(&n)
			panic("lost")
		}
	})
	defer func() {
		at(&n)
		show("iter.Pull", recover(), n)
		stop()
	}()
	next()
	next()
}
