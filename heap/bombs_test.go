package heap

//lint:file-ignore U1000 many fields are there only to be saved

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"
)

// TestBombs reads images of few bytes that describe what is large: types with many parts, of which
// there are no values.
func TestBombs(t *testing.T) {
	type eight[T any] struct{ a, b, c, d, e, f, g, h T }
	for _, value := range []any{
		[1]time.Time{}, [1]sync.Mutex{}, [1]sync.Cond{}, [1]*int{}, [1]any{}, [1]string{}, [1]tree{}, [1]int{}, [1]bool{}, [1]struct{ t [100]time.Time }{},
		[1]eight[eight[eight[*int]]]{}, [1]eight[eight[eight[time.Time]]]{}, [1][1]*int{}, [1]sync.RWMutex{}, [1]struct{}{},
	} {
		v := []any{value}
		s, err := Capture([]Root{{"v", &v}}, Options{})
		must(t, err)
		im, err := Parse(written(t, s))
		must(t, err)
		// More types of arrays, of other lengths.
		for _, size := range []uint64{1 << 20, 1 << 24, 1 << 40, 3 << 10} {
			more := *im
			more.types = append([]*Type(nil), im.types...)
			for _, array := range im.types {
				if array.Kind == reflect.Array && array.Len == 1 && array.dynamic {
					for i := range 1000 {
						n := 1 << 20
						if array.size > 0 {
							n = int(size / array.size)
						}
						more.types = append(more.types, &Type{ID: len(more.types), Kind: reflect.Array, Len: n - i, Elem: array.Elem, dynamic: true})
					}
				}
			}
			b := written(t, &Snapshot{sections: more.sections()})
			t.Run(fmt.Sprintf("%T %d", value, size), func(t *testing.T) {
				endureAs(t, b, "v", new([]any))
			})
		}
	}
}

// TestLargeTypes has types of large values, of which there are none.
func TestLargeTypes(t *testing.T) {
	v := []any{reflect.TypeFor[[1 << 26]time.Time](), (*[1 << 27]int)(nil), map[string][1 << 24]string{}, reflect.TypeFor[[1 << 26][2]*int]()}
	equal(t, v, *again(t, &v))
}
