package heap

//lint:file-ignore U1000 many fields are there only to be saved

import (
	"io"
	"net/netip"
	"os"
	"reflect"
	"runtime"
	"runtime/metrics"
	"sync"
	"testing"
	"time"
	"unique"
	"weak"
)

// An image that an enemy has made is refused, or harmless: in either case for no more memory and
// time than its size justifies.

const (
	largestEnemy = 1 << 16
	parseMemory  = 256  // bytes that Parse may take for each byte of the image
	buildMemory  = 4096 // and a rebuild: a type that it makes takes some kilobytes
	freeMemory   = 16 << 20
	longestTime  = 20 * time.Second // on a machine with other things to do
)

// A shape is a small variable with a bit of everything of one kind.
type shape struct {
	name string
	make func() any // a pointer to a new one
}

var shapes = []shape{
	{"numbers", func() any {
		return &struct {
			B    bool
			I    [3]int16
			F    []float64
			S, T string
			C    complex64
		}{true, [3]int16{1, 2, 3}, []float64{1, 2}, "text", "t", 1}
	}},
	{"cycle", func() any {
		n := &ringNode{n: 7}
		n.next = &ringNode{next: n}
		return &n
	}},
	{"interfaces", func() any {
		s := []any{1, "two", point{3, 4}, &point{5, 6}, nil, [2]any{7, "eight"}, celsius(9), struct{}{}, []int{10}, [12]*int{new(int)}}
		return &s
	}},
	{"maps", func() any {
		return &struct {
			A map[any]any
			F map[float64]struct{}
			S map[string][]int
			Z map[struct{}]int
		}{map[any]any{1: "a", [2]any{"b", 3}: nil, celsius(4): 5}, map[float64]struct{}{1: {}}, map[string][]int{"x": {1}}, map[struct{}]int{{}: 1}}
	}},
	{"channels", func() any {
		c := make(chan any, 3)
		c <- "x"
		z := make(chan struct{}, 5)
		z <- struct{}{}
		close(z)
		return &struct {
			C chan any
			R <-chan any
			Z chan struct{}
			N chan *int
		}{c, c, z, nil}
	}},
	{"interior", func() any {
		v := &struct {
			A       [4]point
			P, Q, R *int
			S, T    []point
			Arr     *[2]point
			F       *float64
		}{}
		v.P, v.Q, v.S = &v.A[1].x, &v.A[3].y, v.A[1:2:3]
		v.T = make([]point, 2, 5)
		v.Arr, v.R = (*[2]point)(v.T), &v.T[:5][4].y
		return v
	}},
	{"functions", func() any {
		n := 3
		return &struct {
			F, G func(int) int
			H    *holder[string]
			N    *int
		}{double, (&counter_closure1{&n}).call, &holder[string]{f: newGather(&[]string{"a"})}, &n}
	}},
	{"named", func() any {
		return &struct {
			E error
			P *error
			W io.Writer
			L *time.Location
			T time.Time
		}{io.EOF, &io.ErrUnexpectedEOF, os.Stdout, time.Local, time.Unix(1, 2)}
	}},
	{"library", func() any {
		v := &struct {
			M     sync.Map
			Mu    sync.RWMutex
			Pool  sync.Pool
			V     reflect.Value
			T     reflect.Type
			Once  sync.Once
			Clock *time.Timer
			C     <-chan time.Time
		}{V: reflect.ValueOf(&point{1, 2}).Elem(), T: reflect.TypeFor[map[string]*tree]()}
		v.M.Store("x", 1)
		v.Clock = time.NewTimer(time.Hour)
		v.C = v.Clock.C
		return v
	}},
	{"handles", func() any {
		n := &ringNode{n: 1}
		v := &struct {
			A, B unique.Handle[string]
			M    map[unique.Handle[string]]int
			X    unique.Handle[any]
			I    any
			Addr netip.Addr
			W, G weak.Pointer[ringNode]
			L    *ringNode
			K    map[weak.Pointer[ringNode]]int
		}{A: unique.Make("a"), I: unique.Make("i"), Addr: netip.MustParseAddr("fe80::1%eth0"), W: weak.Make(n), G: weak.Make(new(ringNode)), L: n}
		v.M, v.K = map[unique.Handle[string]]int{v.A: 1}, map[weak.Pointer[ringNode]]int{v.W: 1, v.G: 2}
		v.X = unique.Make(any([2]any{v.A, "x"}))
		return v
	}},
}

// images returns the image of each shape.
func images(t testing.TB) (list [][]byte) {
	for _, s := range shapes {
		list = append(list, imageOf(t, s.make()))
	}
	return list
}

// allocated returns the number of bytes that the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// withstand is a step with bytes of unknown origin that must be bounded.
func withstand(t testing.TB, what string, size, factor int, step func()) {
	t.Helper()
	before, began := allocated(), time.Now()
	step()
	if used, most := allocated()-before, uint64(freeMemory+factor*size); used > most {
		t.Fatalf("%s of %d bytes takes %d bytes of memory, more than %d", what, size, used, most)
	}
	if d := time.Since(began); d > longestTime {
		t.Fatalf("%s of %d bytes takes %v", what, size, d)
	}
}

// endure parses bytes of unknown origin. What is accepted must be printable,
// and rebuild to something that can be captured.
func endure(t testing.TB, b []byte, into any) (accepted bool) { return endureAs(t, b, "world", into) }

func endureAs(t testing.TB, b []byte, name string, into any) (accepted bool) {
	t.Helper()
	var im *Image
	var err error
	withstand(t, "parsing an image", len(b), parseMemory, func() { im, err = Parse(b) })
	if err != nil {
		return false
	}
	withstand(t, "printing an image", len(b), buildMemory, func() {
		for _, v := range im.Roots() {
			_ = v.Value.String()
		}
		im.ByType()
	})
	withstand(t, "rebuilding an image", len(b), buildMemory, func() {
		roots, opt := []Root{{name, into}}, Options{Named: StandardNamed(), Later: func(func() error) {}}
		if im.Rebuild(roots, opt) == nil {
			_, _ = Capture(roots, opt)
		}
	})
	runtime.KeepAlive(into)
	return true
}

// FuzzTables makes images of nine sections with the right checksums, so that nothing but what is in
// them decides.
func FuzzTables(f *testing.F) {
	for i, b := range images(f) {
		sections, err := openSections(b, magic)
		must(f, err)
		f.Add(byte(i), sections[0].data, sections[1].data, sections[2].data, sections[3].data, sections[4].data,
			sections[5].data, sections[6].data, sections[7].data, sections[8].data)
	}
	f.Fuzz(func(t *testing.T, which byte, types, names, roots, groups, interior, maps, chans, funcs, data []byte) {
		list := [][]byte{types, names, roots, groups, interior, maps, chans, funcs, data}
		s := &Snapshot{}
		for i, b := range list {
			s.sections = append(s.sections, section{name: ownSections[i], data: b})
		}
		b := written(t, s)
		if len(b) > largestEnemy {
			t.Skip()
		}
		endure(t, b, shapes[int(which)%len(shapes)].make())
	})
}
