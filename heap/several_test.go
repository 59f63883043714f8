package heap

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

type severalVars struct{ first, second, third unsafe.Pointer }

// severalIn are the options of a program in which the first pointer leads to the first of several.
func severalIn(to reflect.Type) Options {
	return Options{Pointees: []Pointee{
		{Of: reflect.TypeFor[severalVars](), Field: "first", To: to, Several: true},
		{Of: reflect.TypeFor[severalVars](), Field: "third", To: to, Several: true},
	}}
}

// throughSeveral rebuilds a list of which nothing but its first element is known.
func throughSeveral[T any](t *testing.T, list []T) []T {
	t.Helper()
	v, w := &severalVars{first: unsafe.Pointer(unsafe.SliceData(list))}, new(severalVars)
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, severalIn(reflect.TypeFor[T]()))
	check(t, w.first != v.first)
	return unsafe.Slice((*T)(w.first), len(list))
}

type severalItem struct {
	text string
	next *int
	n    [3]int
}

// TestSeveral captures lists of which the program has the first element by an unsafe pointer.
func TestSeveral(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 11, 100, 5000} {
		items, numbers, pairs := make([]severalItem, n), make([]int32, n), make([][2]bool, n)
		for i := range n {
			items[i] = severalItem{text: fmt.Sprint("item ", i), next: &items[(i+1)%n].n[1], n: [3]int{i, i + 1}}
			numbers[i], pairs[i] = int32(i), [2]bool{i%2 == 0, i%3 == 0}
		}
		equal(t, numbers, throughSeveral(t, numbers))
		equal(t, pairs, throughSeveral(t, pairs))
		got := throughSeveral(t, items)
		for i := range n {
			equal(t, items[i].text, got[i].text)
			check(t, got[i].next == &got[(i+1)%n].n[1] && got[i].n == items[i].n)
		}
	}
}

// TestSeveralKnown captures lists of which typed pointers lead to parts, or to the whole that they
// are a part of, and what is too small to have an element.
func TestSeveralKnown(t *testing.T) {
	type vars struct {
		severalVars
		field  *string
		number *int
		item   *severalItem
		small  []byte
		whole  *struct {
			items [3]severalItem
			last  *int
		}
	}
	opt := severalIn(reflect.TypeFor[severalItem]())
	items := make([]severalItem, 4)
	for i := range items {
		items[i].text = fmt.Sprint(i)
	}
	v, w := &vars{field: &items[2].text, number: &items[1].n[2], item: &items[0], small: make([]byte, 8)}, new(vars)
	*v.number = 7
	v.first, v.second = unsafe.Pointer(&items[0]), unsafe.Pointer(&items[3])
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	got := unsafe.Slice((*severalItem)(w.first), 4)
	check(t, w.field == &got[2].text && w.number == &got[1].n[2] && w.item == &got[0] && w.second == unsafe.Pointer(&got[3]))
	equal(t, "237", got[2].text+got[3].text+fmt.Sprint(got[1].n[2]))

	v = &vars{small: make([]byte, 8)}
	v.whole = new(struct {
		items [3]severalItem
		last  *int
	})
	v.first, v.third = unsafe.Pointer(&v.whole.items[1]), unsafe.Pointer(&v.small[0])
	v.whole.items[2].text, v.whole.last = "last", &v.whole.items[0].n[0]
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	check(t, w.first == unsafe.Pointer(&w.whole.items[1]) && w.third == unsafe.Pointer(&w.small[0]) && w.whole.last == &w.whole.items[0].n[0])
	equal(t, "last", w.whole.items[2].text)
}

type severalLed struct {
	text string
	n    *int
}

// A severalHeld begins with elements, and has something else behind them.
type severalHeld struct {
	items  [2]severalLed
	number uintptr
	other  *int
}

type severalLarge struct {
	items [100]severalLed
	texts [20]string
}

// TestSeveralRefused captures what can be a list, or something that begins with one.
func TestSeveralRefused(t *testing.T) {
	opt := severalIn(reflect.TypeFor[severalLed]())
	held, large := &severalHeld{items: [2]severalLed{{text: "a"}}, number: 7, other: new(int)}, &severalLarge{texts: [20]string{"b"}}
	items := make([]severalLed, 200)
	type vars struct {
		severalVars
		item *severalLed
	}
	for _, v := range []*vars{
		{severalVars{first: unsafe.Pointer(&held.items[0])}, nil},
		{severalVars{first: unsafe.Pointer(&held.items[0])}, &held.items[0]},
		{severalVars{first: unsafe.Pointer(&large.items[0])}, nil},
		{severalVars{first: unsafe.Pointer(&large.items[0])}, &large.items[0]},
		{severalVars{first: unsafe.Pointer(&items[1])}, nil},
		{severalVars{first: unsafe.Pointer(&items[1])}, &items[1]},
		{severalVars{first: unsafe.Pointer(&staticItems[0])}, &staticItems[0]},
	} {
		_, err := Capture([]Root{{"v", v}}, opt)
		check(t, err != nil && strings.Contains(err.Error(), "v.severalVars.first"), err)
		check(t, v.item != nil || strings.HasSuffix(err.Error(), "nothing tells how many"), err)
	}
	// With the whole they are saved.
	throughWith(t, []Root{{"v", &vars{severalVars{first: unsafe.Pointer(&held.items[0])}, nil}}, {"h", &held}}, []Root{{"v", new(vars)}, {"h", new(*severalHeld)}}, opt)
}

var staticItems = []severalLed{{text: "a"}, {text: "b"}, {text: "c"}}
