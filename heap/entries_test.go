package heap

import (
	"fmt"
	"reflect"
	"testing"
)

// TestEntries copies the entries of maps in the way that is left if package reflect keeps them
// elsewhere.
func TestEntries(t *testing.T) {
	check(t, mapItersKnown())
	known := mapItersKnown
	defer func() { mapItersKnown = known }()
	for _, is := range []bool{true, false} {
		mapItersKnown = func() bool { return is }
		type vars struct {
			a map[string]int
			b map[[40]int]*string
			c map[struct{}]struct{}
			d map[any][200]byte
			e map[int32][0]int
		}
		s := "s"
		v := &vars{map[string]int{}, map[[40]int]*string{{1}: &s, {2}: nil}, map[struct{}]struct{}{{}: {}}, map[any][200]byte{1: {1}, "1": {2}, 2.5: {199: 3}}, map[int32][0]int{1: {}, 2: {}}}
		for i := range 1000 {
			v.a[fmt.Sprint(i)] = i
		}
		w := again(t, v)
		check(t, reflect.DeepEqual(v, w))
	}
}
