package heap

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

type punnedNode struct {
	at     int
	next   *punnedNode
	weight int
	id     uintptr
	counts [3]int
}

type punnedItem struct {
	at     int
	next   *punnedItem
	name   *string
	id     *int
	values []int
}

// TestPunned captures structs that are others, of which the program keeps pointers to the first:
// these have references where the first have numbers.
func TestPunned(t *testing.T) {
	opt := Options{Punned: []string{reflect.TypeFor[punnedNode]().PkgPath() + ".punnedNode"}}
	capture := func(v any, opt Options) string {
		_, err := Capture([]Root{{"v", v}}, opt)
		var unsupported *UnsupportedError
		if err != nil && errors.As(err, &unsupported) && strings.Contains(unsupported.Why, "an address where the type has a number") {
			return unsupported.Path
		}
		must(t, err)
		return ""
	}
	punned := func(item *punnedItem) *punnedNode {
		return *(**punnedNode)(unsafe.Pointer(&item)) // a conversion of the pointer itself is refused by the race detector
	}
	node := &punnedNode{at: 1, weight: 1 << 29, id: 7, counts: [3]int{1 << 30, -1}}
	name := strings.Repeat("name", 100)
	var far [2][]int // the second begins in an arena without anything that is saved
	for i := range far {
		far[i] = make([]int, 1<<arenaBits/strconv.IntSize*8)
	}
	for _, test := range []struct {
		what string
		list []*punnedNode
		want string
	}{
		{"only nodes", []*punnedNode{node, {next: node, weight: -1}}, ""},
		{"an item without references of its own", []*punnedNode{node, punned(&punnedItem{at: 1})}, ""},
		{"with one", []*punnedNode{node, punned(&punnedItem{next: new(punnedItem), name: &name, id: new(int)})}, "v[1]"},
		{"with one at the end", []*punnedNode{node, {next: punned(&punnedItem{values: make([]int, 3)})}}, "v[1].next"},
		{"with one to somewhere else", []*punnedNode{node, punned(&punnedItem{values: far[1]})}, "v[1]"},
	} {
		if got := capture(&test.list, opt); got != test.want && (strconv.IntSize == 64 || got != "") { // see disguised
			t.Errorf("%s: %q, not %q", test.what, got, test.want)
		}
		check(t, capture(&test.list, Options{}) == "", test.what)
	}
	arrays := struct{ all []punnedNode }{unsafe.Slice(punned(&[]punnedItem{{}, {name: &name}}[0]), 2)}
	if got := capture(&arrays, opt); got != "v.all" && strconv.IntSize == 64 {
		t.Errorf("array: %q", got)
	}
}
