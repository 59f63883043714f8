//go:build !386 && !arm && !mips && !mipsle

package heap

import "testing"

// TestWide captures a number that makes the words of the image eight bytes long, when objects have
// been written in short ones already.
func TestWide(t *testing.T) {
	type item struct {
		name string
		next *item
		list []int32
	}
	type vars struct {
		first *item
		many  []struct{}
	}
	v := &vars{many: make([]struct{}, 1<<33)}
	for i := range 1000 {
		v.first = &item{name: string(rune('a' + i%26)), next: v.first, list: make([]int32, i%7)}
	}
	w := again(t, v)
	check(t, len(w.many) == 1<<33)
	n := 0
	for a, b := v.first, w.first; a != nil; a, b = a.next, b.next {
		check(t, a.name == b.name && len(a.list) == len(b.list))
		n++
	}
	equal(t, 1000, n)
}
