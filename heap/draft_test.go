package heap

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// texts are strings that share allocations in all ways, among many that do not.
type texts struct {
	all   []string
	bytes []byte
	wide  []struct{} // makes the words of the image long if it is large
	after []string
}

func newTexts(grow bool) *texts {
	v := new(texts)
	add := func(s ...string) { v.all = append(v.all, s...) }
	filler := func() {
		for i := range 500 {
			add(fmt.Sprint("filler ", len(v.all), strings.Repeat("x", i%40)))
		}
	}
	for _, size := range []int{40, 254, 255, 256, 300, 1000, sharing - 1, sharing, 3 * mostSlab} {
		filler()
		s := strings.Repeat(fmt.Sprint(size, "."), size)[:size]
		if grow {
			add(s[:size/2], s[:size-1])
		}
		add(s, s[:3])
		s = strings.Repeat(fmt.Sprint(size, "-"), size)[:size]
		add(s[2:size/2], s[size/4:size-3]) // two overlap
		s = strings.Repeat(fmt.Sprint(size, "+"), size)[:size]
		add(s[1:10], s[20:30], s[31:]) // some lie beside each other
		s = strings.Repeat(fmt.Sprint(size, "!"), size)[:size]
		for i := range mostRegions + 3 {
			add(s[2*i : 2*i+1])
		}
	}
	s := strings.Repeat("bytes", 20)
	add(s, s[5:])
	v.bytes = unsafe.Slice(unsafe.StringData(s), len(s))
	filler()
	v.after = append(v.after, v.all...)
	return v
}

func (v *texts) check(t *testing.T, w *texts) {
	t.Helper()
	check(t, reflect.DeepEqual(v.all, w.all) && reflect.DeepEqual(v.bytes, w.bytes) && reflect.DeepEqual(v.after, w.after) && len(v.wide) == len(w.wide))
	at := func(s string) uintptr { return uintptr(unsafe.Pointer(unsafe.StringData(s))) }
	for i := range v.all {
		check(t, at(w.all[i]) == at(w.after[i]))
		if strings.HasPrefix(v.all[i], "filler") || i == 0 {
			continue
		}
		if off := at(v.all[i]) - at(v.all[i-1]); off < uintptr(len(v.all[i-1])) {
			equal(t, off, at(w.all[i])-at(w.all[i-1]))
		}
	}
}

// TestTexts captures strings whose bytes are written when the first of them is met, and turn out to
// be part of something else or longer afterwards.
func TestTexts(t *testing.T) {
	for _, grow := range []bool{false, true} {
		v := newTexts(grow)
		v.check(t, again(t, v))
		v.wide = make([]struct{}, min(1<<33, math.MaxInt))
		v.check(t, again(t, v))
	}
}

// TestGrownArrays captures arrays of references that are found to be longer after they were
// written, or parts of others, or in the way of one.
func TestGrownArrays(t *testing.T) {
	type node struct {
		name  string
		list  []*node
		value any
		next  *node
	}
	type vars struct {
		first *node
		all   []*node
		wide  []struct{}
	}
	v := new(vars)
	for i := range 3000 {
		n := &node{name: fmt.Sprint(i), next: v.first}
		switch i % 5 {
		case 0:
			n.value = n.next
		case 1:
			n.value = i
		case 2:
			n.value = n.name
		case 3:
			n.value = *n
		}
		v.all = append(v.all, n)
		v.first = n
	}
	whole := make([]*node, 300)
	copy(whole, v.all)
	for i, n := range v.all {
		switch {
		case i%3 == 0:
			n.list = whole[: i%300+1 : i%300+1] // grows
		case i%3 == 1 && i > 1000:
			n.list = whole[i%200 : i%200+20 : i%200+30] // overlaps
		default:
			n.list = []*node{v.all[i/2], nil, n}
		}
	}
	same := func(w *vars) {
		t.Helper()
		equal(t, len(v.all), len(w.all))
		number := make(map[*node]int)
		for i, n := range w.all {
			number[n] = i
		}
		equal(t, len(v.all), len(number))
		at := make(map[*node]int)
		for i, n := range v.all {
			at[n] = i
		}
		for i, n := range v.all {
			m := w.all[i]
			check(t, n.name == m.name && len(n.list) == len(m.list) && cap(n.list) == cap(m.list) && reflect.TypeOf(n.value) == reflect.TypeOf(m.value))
			for k := range n.list {
				check(t, (n.list[k] == nil) == (m.list[k] == nil) && (n.list[k] == nil || number[m.list[k]] == at[n.list[k]]))
			}
			if i%3 == 0 {
				check(t, &m.list[0] == &w.all[0].list[0])
			}
			switch x := n.value.(type) {
			case *node:
				check(t, x == nil && m.value.(*node) == nil || at[x] == number[m.value.(*node)])
			case node:
				check(t, x.name == m.value.(node).name)
			case int, string:
				check(t, n.value == m.value)
			}
		}
	}
	same(again(t, v))
	v.wide = make([]struct{}, min(1<<33, math.MaxInt))
	same(again(t, v))
}

// TestPartsFirst captures structs that are found after parts of them, which wait to be written.
func TestPartsFirst(t *testing.T) {
	type part struct {
		name string
		next *part
		n    int
	}
	type whole struct {
		n    int
		part part
	}
	type pair struct {
		part  *part
		whole *whole
	}
	type vars struct{ all []pair }
	v := new(vars)
	for i := range 1000 {
		p := pair{part: &part{name: fmt.Sprint(i), n: i}}
		if i%3 == 0 {
			p.whole = &whole{n: i, part: *p.part}
			p.part = &p.whole.part
		}
		if i > 0 {
			p.part.next = v.all[i/2].part
		}
		v.all = append(v.all, p)
	}
	w := again(t, v)
	for i, p := range w.all {
		check(t, p.part.n == i && p.part.name == fmt.Sprint(i) && (i == 0 || p.part.next == w.all[i/2].part))
		check(t, i%3 > 0 || p.whole.n == i && &p.whole.part == p.part)
	}
}
