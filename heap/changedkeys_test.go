package heap

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// TestChangedKeys captures maps of which the program has changed the bytes of keys: in another
// process they could not be made again, or would find what this one does not.
func TestChangedKeys(t *testing.T) {
	buffers := make([][4]byte, 10) // that of each key: by chance a map finds one that has changed
	word := func(i int, s string) string {
		copy(buffers[i][:], s)
		return unsafe.String(&buffers[i][0], len(s))
	}
	change := func() {
		for i := range buffers {
			word(i, "new")
		}
	}
	refused := func(v any) string {
		_, err := Capture([]Root{{"v", v}}, Options{})
		var unsupported *UnsupportedError
		if err == nil {
			return ""
		}
		check(t, errors.As(err, &unsupported), err)
		check(t, strings.Contains(err.Error(), "it has a key that it does not find"), err)
		return unsupported.Path
	}
	type pair struct {
		name string
		x    float64
	}
	var v struct {
		first  int
		counts map[string]int
		pairs  map[pair]int
		anys   map[any]int
	}
	v.counts = make(map[string]int)
	v.pairs = map[pair]int{{"x", math.NaN()}: 1, {"y", 2}: 2}
	v.anys = map[any]int{"a": 1, pair{"b", 1}: 2, math.NaN(): 3}
	change()
	for i := range buffers {
		v.counts[word(i, strconv.Itoa(i))]++
	}
	equal(t, "", refused(&v))
	change()
	equal(t, "v.counts", refused(&v))
	v.counts[word(0, "new")]++ // all are found, at the place of one
	equal(t, "v.counts", refused(&v))
	v.counts = nil
	for i := range buffers {
		v.pairs[pair{word(i, "old"), float64(i)}] = i
	}
	equal(t, "", refused(&v))
	change()
	equal(t, "v.pairs", refused(&v))
	v.pairs = nil
	for i := range buffers {
		v.anys[pair{word(i, "old"), float64(i)}] = i
	}
	equal(t, "", refused(&v))
	change()
	equal(t, "v.anys", refused(&v))
}
