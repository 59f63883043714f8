package heap

import (
	"bytes"
	"hash/crc32"
	"io"
	"os"
	"reflect"
	"runtime"
	"testing"
	"time"
)

// world has about everything that an image can have.
type world struct {
	List  *mixed
	Tree  *tree
	Node  node
	Any   []any
	Keys  map[any]int
	Odd   map[float64]string
	Ch    chan *tree
	Sem   chan struct{}
	Fn    func(int) int
	Cl    func(int) int
	Types []reflect.Type
	Bools [3]bool
	Big   []float64
	Zero  *struct{}
	ZZ    []struct{}
	Arr   [12]*int
	E     error
	When  time.Time
	It    *reflect.MapIter
}

func newWorld() *world {
	n := 3
	w := &world{
		List: &mixed{val: 1, next: &mixed{val: 2}, s: []int{1, 2, 3}, e: io.EOF, w: os.Stdout},
		Tree: &tree{key: 1, tag: "root", left: &tree{key: 2, tag: "left"}},
		Any:  []any{1, "two", 3.0, point{4, 5}, &point{6, 7}, nil, [2]any{1, "x"}, celsius(8), struct{}{}, []int{9}, map[string]int{"ten": 10}},
		Keys: map[any]int{1: 1, "a": 2, [2]any{"b", 3}: 3, celsius(4): 4},
		Odd:  map[float64]string{1: "one"},
		Ch:   make(chan *tree, 3), Sem: make(chan struct{}, 9),
		Fn: double, Cl: (&counter_closure1{&n}).call,
		Types: []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[map[string]*tree](), nil},
		Bools: [3]bool{true, false, true},
		Big:   []float64{1, 2, 3},
		Zero:  new(struct{}), ZZ: make([]struct{}, 3, 5),
		E: io.ErrUnexpectedEOF, When: time.Date(2004, 1, 2, 3, 4, 5, 6, time.UTC),
	}
	w.List.next.next = w.List
	w.List.sub = w.List.s[1:2]
	w.List.p = &w.List.next.val
	w.Tree.left.up = w.Tree
	w.Node.kids[0] = &w.Node
	w.Node.in.y = &w.Node.in.x
	w.Node.named = byName{"self": &w.Node}
	w.Node.str = celsius(1)
	w.Ch <- w.Tree
	w.Sem <- struct{}{}
	w.Sem <- struct{}{}
	close(w.Sem)
	w.Arr[3] = &n
	w.Arr[11] = &n
	return w
}

// iterating returns a world in which nothing is but an iterator over a map.
func iterating() *world {
	it := reflect.ValueOf(map[any]int{1: 1, "a": 2, [2]any{"b", 3}: 3}).MapRange()
	it.Next()
	return &world{It: it}
}

func imageOf(t testing.TB, v any) []byte {
	t.Helper()
	s, err := Capture([]Root{{"world", v}}, Options{Named: StandardNamed()})
	must(t, err)
	s.Attach("program", []byte("fingerprint"))
	return written(t, s)
}

func written(t testing.TB, s *Snapshot) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := s.WriteTo(&b)
	must(t, err)
	return b.Bytes()
}

// reseal corrects the checksums, so that what is behind them is tried too.
func reseal(b []byte) []byte {
	b = bytes.Clone(b)
	if len(b) < headerSize {
		return b
	}
	count, size := le.Uint32(b[12:]), int(le.Uint32(b[16:]))
	if size < 0 || size > len(b)-headerSize {
		return b
	}
	dir, rest := b[headerSize:headerSize+size], b[headerSize+size:]
	for range count {
		if len(dir) < 16 {
			break
		}
		n, name := le.Uint64(dir), le.Uint32(dir[12:])
		if n > uint64(len(rest)) || roundUp(n, 8) > uint64(len(rest)) || roundUp(16+uint64(name), 8) > uint64(len(dir)) {
			break
		}
		le.PutUint32(dir[8:], crc32.Checksum(rest[:n], castagnoli()))
		rest = rest[roundUp(n, 8):]
		dir = dir[roundUp(16+uint64(name), 8):]
	}
	le.PutUint32(b[20:], crc32.Update(crc32.Checksum(b[:20], castagnoli()), castagnoli(), b[headerSize:headerSize+size]))
	return b
}

// FuzzParse changes whole files, with the checksums as they come and with the right ones.
func FuzzParse(f *testing.F) {
	f.Add(imageOf(f, newWorld()))
	f.Add(imageOf(f, &world{}))
	f.Add(imageOf(f, iterating()))
	f.Add(imageOf(f, &world{Any: []any{map[any]any{[2]any{1, 2}: 3}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > largestEnemy {
			t.Skip()
		}
		endure(t, b, new(world))
		endure(t, reseal(b), new(world))
	})
}

// TestEveryByte damages each byte of an image: no damage goes unnoticed, and
// none that the checksums are made to accept does harm.
func TestEveryByte(t *testing.T) {
	for _, w := range []*world{newWorld(), iterating()} {
		everyByte(t, imageOf(t, w))
	}
}

func everyByte(t *testing.T, good []byte) {
	check(t, endure(t, good, new(world)))
	t.Logf("image of %d bytes", len(good))
	step := 5
	if *long {
		step = 1
	}
	for i := 0; i < len(good); i += step {
		b := bytes.Clone(good)
		b[i] ^= 1 << (i % 8)
		if endure(t, b, new(world)) {
			t.Fatalf("damage at byte %d went unnoticed", i)
		}
	}
	for n := 0; n < len(good); n += step {
		if endure(t, good[:n], new(world)) {
			t.Fatalf("%d of %d bytes were accepted", n, len(good))
		}
	}
	for i := 0; i < len(good); i += step {
		b := bytes.Clone(good)
		b[i] = []byte{0, 1, 255, good[i] + 1, good[i] ^ 0x80}[i%5]
		endure(t, reseal(b), new(world))
		if i%1000 == 0 {
			runtime.GC()
		}
	}
}
