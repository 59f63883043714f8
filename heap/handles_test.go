package heap

//lint:file-ignore U1000 many fields are there only to be saved

import (
	"errors"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"unique"
	"weak"
)

type cached struct {
	name string
	next *cached
	part [4]int
}

func TestWeakPointers(t *testing.T) {
	type vars struct {
		live        *cached
		to, same    weak.Pointer[cached]
		part        *int // keeps the whole alive
		whole       weak.Pointer[cached]
		gone, gone2 weak.Pointer[cached]
		lost        weak.Pointer[cached] // alive, but not by the variables
		zero        weak.Pointer[cached]
		field       weak.Pointer[[4]int]
		bytes       weak.Pointer[byte]
		buf         []byte
		cache       map[weak.Pointer[cached]]string
		held        any
		empty       weak.Pointer[struct{}]
		chain       weak.Pointer[weak.Pointer[cached]]
		link        *weak.Pointer[cached]
		inList      []weak.Pointer[cached]
		behind      weak.Pointer[cached]
	}
	other, whole, away := &cached{name: "other"}, &cached{name: "whole", part: [4]int{1, 2, 3, 4}}, &cached{name: "away"}
	behind := &cached{name: "behind"}
	whole.next = behind
	v := &vars{live: &cached{name: "live", next: &cached{name: "next"}}, buf: []byte("text")}
	v.to, v.same, v.field, v.bytes = weak.Make(v.live), weak.Make(v.live), weak.Make(&v.live.part), weak.Make(&v.buf[2])
	v.part, v.whole, v.behind = &whole.part[2], weak.Make(whole), weak.Make(behind)
	whole = nil
	v.lost, v.gone, v.gone2 = weak.Make(other), weak.Make(&cached{name: "gone"}), weak.Make(&cached{name: "gone2"})
	v.held, v.empty = weak.Make(v.live.next), weak.Make(new(struct{}))
	v.link = &[]weak.Pointer[cached]{v.to}[0]
	v.chain = weak.Make(v.link)
	v.inList = []weak.Pointer[cached]{v.to, v.gone, v.lost}
	v.cache = map[weak.Pointer[cached]]string{v.to: "to", v.gone: "gone", v.gone2: "gone2", v.lost: "lost", {}: "zero", weak.Make(away): "away"}
	runtime.GC()
	check(t, v.gone.Value() == nil && v.gone2.Value() == nil && v.whole.Value() != nil)

	w := again(t, v)
	runtime.KeepAlive(other)
	runtime.KeepAlive(away)
	check(t, w.live != v.live && w.to.Value() == w.live && w.same == w.to && w.to == weak.Make(w.live))
	check(t, w.field.Value() == &w.live.part && w.bytes.Value() == &w.buf[2])
	check(t, w.whole.Value() != nil && w.whole.Value().name == "whole" && &w.whole.Value().part[2] == w.part && *w.part == 3)
	check(t, w.behind.Value() == w.whole.Value().next && w.behind.Value().name == "behind")
	check(t, w.gone.Value() == nil && w.gone2.Value() == nil && w.lost.Value() == nil && w.zero == weak.Pointer[cached]{})
	check(t, w.gone != w.gone2 && w.gone != w.zero && w.gone != w.lost)
	check(t, w.held.(weak.Pointer[cached]).Value() == w.live.next)
	check(t, w.empty.Value() != nil)
	check(t, w.chain.Value() == w.link && w.link.Value() == w.live)
	check(t, w.inList[0] == w.to && w.inList[1] == w.gone && w.inList[2] == w.lost)
	equal(t, 6, len(w.cache))
	equal(t, []string{"to", "gone", "gone2", "lost", "zero"}, []string{w.cache[w.to], w.cache[w.gone], w.cache[w.gone2], w.cache[w.lost], w.cache[w.zero]})
	w.live = nil
	runtime.GC()
	check(t, w.same.Value() == nil, "what nothing else refers to goes")
	check(t, w.whole.Value() != nil, "what something refers to stays")
	runtime.KeepAlive(w)
}

// TestWeakVariable has weak pointers to variables, which stay.
func TestWeakVariable(t *testing.T) {
	type vars struct{ table, part weak.Pointer[int] }
	v := vars{weak.Make(&tableVar[0]), weak.Make(&tableVar[2])}
	_, err := Capture([]Root{{"v", &v}}, Options{})
	var u *UnsupportedError
	check(t, errors.As(err, &u) && u.Path == "v.table.u", err)
	var w vars
	throughWith(t, []Root{{"v", &v}, {"table", &tableVar}}, []Root{{"v", &w}, {"table", &tableVar}}, Options{})
	check(t, w == v)
	w = vars{}
	throughWith(t, []Root{{"v", &v}}, []Root{{"v", &w}}, Options{Named: []Root{{"table", &tableVar}}})
	check(t, w == v)
}

// TestWeakKeepsNothing has a weak pointer to something big that nothing else needs.
func TestWeakKeepsNothing(t *testing.T) {
	big := &struct{ a [1 << 20]byte }{}
	v := weak.Make(big)
	check(t, len(imageOf(t, &v)) < 2000)
	runtime.KeepAlive(big)
}

func TestUniqueHandles(t *testing.T) {
	type inner struct{ name string }
	type outer struct {
		h unique.Handle[inner]
		x any
	}
	type vars struct {
		a, b, zero unique.Handle[string]
		in         unique.Handle[inner]
		out        unique.Handle[outer]
		none       unique.Handle[struct{}]
		held       any
		keys       map[unique.Handle[string]]int
		anys       map[any]int
		any        unique.Handle[any]
		list       [20]unique.Handle[string]
	}
	make := func() *vars {
		v := &vars{a: unique.Make("a" + strings.Repeat("x", 3)), in: unique.Make(inner{"in"}), none: unique.Make(struct{}{})}
		v.b, v.held = unique.Make("b"), unique.Make("held")
		v.out = unique.Make(outer{v.in, unique.Make("inside")})
		v.keys = map[unique.Handle[string]]int{v.a: 1, v.b: 2}
		v.anys = map[any]int{v.a: 1, v.in: 2, struct{ h unique.Handle[string] }{v.b}: 3}
		v.any = unique.Make(any([2]any{1, v.out}))
		v.list[3], v.list[19] = v.a, v.b
		return v
	}
	v := make()
	_, err := Capture([]Root{{"v", v}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "v.in (unique.Handle[") && strings.Contains(err.Error(), "RegisterUnique"), err)
	RegisterUnique[inner]()
	RegisterUnique[outer]()
	RegisterUnique[struct{}]()
	w := again(t, v)
	equal(t, v, w)
	check(t, w.a == v.a && w.b == v.b && w.in == v.in && w.out == v.out && w.none == v.none && w.held == v.held && w.any == v.any && w.list == v.list)
	equal(t, []int{1, 2}, []int{w.keys[v.a], w.keys[v.b]})
	equal(t, []int{1, 2, 3}, []int{w.anys[v.a], w.anys[v.in], w.anys[struct{ h unique.Handle[string] }{v.b}]})
}

// A cons is a list of which there is one of each.
type cons struct {
	head any
	tail unique.Handle[cons]
}

func TestLongHandles(t *testing.T) {
	RegisterUnique[cons]()
	type lists struct{ a, b, nilTail unique.Handle[cons] }
	list := func(n int) (l unique.Handle[cons]) {
		for i := range n {
			l = unique.Make(cons{i % 3, l})
		}
		return l
	}
	v := &lists{a: list(10000)}
	v.b = unique.Make(cons{[2]any{v.a, "b"}, v.a.Value().tail})
	w := again(t, v)
	check(t, *w == *v && w.a == list(10000) && w.a.Value().tail == list(9999))
}

func TestHandleInItself(t *testing.T) {
	RegisterUnique[cons]()
	l := unique.Make(cons{"innermost", unique.Handle[cons]{}})
	v := unique.Make(cons{"outer", l})
	s, err := Capture([]Root{{"v", &v}}, Options{})
	must(t, err)
	im, err := Parse(written(t, s))
	must(t, err)
	// Each leads to the other.
	_, root := split(im.roots[0].at)
	_, b := im.content(root)
	_, outer := split(im.reference(b))
	const second = 2 * shortWord // the handle behind the string
	_, b = im.content(outer)
	_, inner := split(im.reference(b[second:]))
	_, c := im.content(inner)
	putReference(c[second:], im.word, reference(tagObject, outer))
	im, err = Parse(written(t, &Snapshot{sections: im.sections()}))
	must(t, err)
	err = im.Rebuild([]Root{{"v", &v}}, Options{})
	var damage *FormatError
	check(t, errors.As(err, &damage), err)
}

func TestAddresses(t *testing.T) {
	type vars struct {
		list  []netip.Addr
		nets  map[netip.Prefix]string
		ports map[netip.AddrPort]*int
	}
	n := 1
	v := &vars{nets: map[netip.Prefix]string{}, ports: map[netip.AddrPort]*int{netip.MustParseAddrPort("[fe80::1%eth0]:80"): &n}}
	v.list = []netip.Addr{{}, netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("::1"), netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("fe80::1%eth1")}
	for _, a := range v.list[1:3] {
		v.nets[netip.PrefixFrom(a, 8)] = a.String()
	}
	w := again(t, v)
	for i := range v.list {
		check(t, v.list[i] == w.list[i], i)
	}
	equal(t, v.nets, w.nets)
	equal(t, 1, *w.ports[netip.MustParseAddrPort("[fe80::1%eth0]:80")])
}
