package heap

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// taken returns the image of variables.
func taken(t require.TestingT, roots []Root) *Image {
	s, err := Capture(roots, Options{})
	require.NoError(t, err)
	var b bytes.Buffer
	_, err = s.WriteTo(&b)
	require.NoError(t, err)
	im, err := Parse(b.Bytes())
	require.NoError(t, err)
	return im
}

// values returns the variables of an image and of an older one.
func values(im, old *Image) (list []Value, pairs [][2]Value) {
	for _, v := range im.Roots() {
		was, _ := old.Root(v.Name)
		list, pairs = append(list, v.Value), append(pairs, [2]Value{v.Value, was})
	}
	return list, pairs
}

// TestReachAndDifference compares what random variables reach with a walk for each of them, and a
// graph with itself as it is captured a second time, with the entries of maps in another order.
func TestReachAndDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t, map[reflect.Type][]reflect.Value{}, map[reflect.Type][]reflect.Value{}, 300, new(uint64)}
		var roots []Root
		for i := range rapid.IntRange(1, 70).Draw(t, "roots") {
			a := reflect.New(drawType(t, 3))
			d.fill(a.Elem())
			roots = append(roots, Root{fmt.Sprint("v", i), a.Interface()})
		}
		old, im := taken(t, roots), taken(t, roots)
		for _, m := range im.maps {
			if k := m.typ.Key.Kind; k == reflect.Float64 || k == reflect.Float32 {
				t.Skip("entries whose keys are not numbers can't be told apart")
			}
			if k := m.typ.Key; k.Kind == reflect.Pointer || k.Kind == reflect.Interface && k.Name == "fmt.Stringer" || k.isHandle() {
				t.Skip("nor those whose keys lead to what nothing else leads to")
			}
		}
		list, pairs := values(im, old)
		diff := im.Compare(old, pairs)
		require.Empty(t, diff.differ)
		require.Empty(t, diff.ByType())
		require.Zero(t, diff.Gone())

		r := im.Reach(list, diff)
		var all []bool
		for i, v := range list {
			want := int(im.begin(v, func(uint64) {}))
			all = im.reached([]Value{v})
			for n, is := range all {
				if is {
					want += int(im.groupOf(uint64(n)).bytes(uint64(n)))
				}
			}
			got := r.Own[i]
			for _, p := range r.Parts {
				require.Zero(t, p.Changed+p.New)
				if slices.Contains(p.Variables, i) {
					got += p.Bytes
				}
			}
			require.Equal(t, want, got, roots[i].Name)
		}
		bytes, total := 0, 0
		for n, is := range im.reached(list) {
			if is {
				total += int(im.groupOf(uint64(n)).bytes(uint64(n)))
			}
		}
		for _, p := range r.Parts {
			bytes += p.Bytes
		}
		require.Equal(t, total, bytes)
	})
}

// TestDifference changes a graph in ways of which the bytes can be counted. Words have four bytes:
// a slice has twelve, a string eight.
func TestDifference(t *testing.T) {
	type cell struct {
		n    int32
		next *cell
	}
	type state struct {
		list    *cell
		array   []int64
		tail    []int64
		text    string
		any     any
		byCell  map[*cell]int16
		byChan  map[chan int]int64
		key     chan int
		empty   map[struct{}]int64
		channel chan int64
		pointer *int64
	}
	fresh := func() (*state, int64) {
		c, key := &cell{1, &cell{2, nil}}, make(chan int)
		s := &state{list: c, array: []int64{1, 2, 3, 4}, text: "text", any: int64(5), byCell: map[*cell]int16{c: 1, c.next: 2, nil: 3},
			key: key, byChan: map[chan int]int64{key: 1, nil: 2}, empty: map[struct{}]int64{{}: 1}, channel: make(chan int64, 3)}
		s.tail = s.array[2:]
		s.pointer = &s.array[0]
		s.channel <- 7
		return s, 0
	}
	for _, c := range []struct {
		name               string
		change             func(s *state)
		changed, new, gone int
	}{
		{"nothing", func(s *state) {}, 0, 0, 0},
		{"number", func(s *state) { s.list.next.n = 3 }, 4, 0, 0},
		{"appended", func(s *state) { s.list.next.next = &cell{3, nil} }, 4, 8, 0},
		{"removed", func(s *state) { delete(s.byCell, s.list.next); s.list.next = nil }, 4, 0, 8},
		{"element by another slice", func(s *state) { s.tail[1]++ }, 8, 0, 0},
		{"grown", func(s *state) { s.array = append(s.array, 5)[:5:5]; s.tail = s.array[2:4]; s.pointer = &s.array[0] }, 12 + 12 + 8, 0, 0},
		{"head left", func(s *state) { s.array = nil; s.pointer = nil }, 12 + 4, 0, 0},
		{"text", func(s *state) { s.text = "texts" }, 8 + 5, 0, 4},
		{"same text", func(s *state) { s.text = string([]byte("text")) }, 0, 0, 0},
		{"box", func(s *state) { s.any = int64(6) }, 8, 0, 0},
		{"type", func(s *state) { s.any = "x" }, 8, 1 + 8, 8},
		{"value of a pointer", func(s *state) { s.byCell[s.list]++ }, 2, 0, 0},
		{"value of nil", func(s *state) { s.byCell[nil]++ }, 2, 0, 0},
		{"entry", func(s *state) { s.byCell[&cell{}] = 4 }, 4 + 2, 8, 0},
		{"channel key", func(s *state) { s.byChan[nil]++ }, 8, 0, 0},
		{"empty key", func(s *state) { s.empty[struct{}{}]++ }, 8, 0, 0},
		{"sent", func(s *state) { s.channel <- 8 }, 4, 24, 24},
		{"pointer", func(s *state) { s.pointer = &s.array[1] }, 4, 0, 0},
	} {
		s, other := fresh()
		roots := []Root{{"s", s}, {"other", &other}}
		old := taken(t, roots)
		c.change(s)
		im := taken(t, roots)
		list, pairs := values(im, old)
		d := im.Compare(old, pairs)
		changed, added := 0, 0
		for i, p := range im.Reach(list, d).Parts {
			changed, added = changed+p.Changed, added+p.New
			require.True(t, i == 0 || p.Changed == 0)
		}
		require.Equal(t, []int{c.changed, c.new, c.gone}, []int{changed, added, d.Gone()}, c.name)
	}
}
