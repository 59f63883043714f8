package heap

//lint:file-ignore U1000 many fields are there only to be saved

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unique"
	"unsafe"
	"weak"

	"pgregory.net/rapid"
)

// Types that reflect can't make: recursive, named, generic, with methods.
type tree struct {
	left, right *tree
	key         int
	tag         string
	up          any
}

type pair[A, B any] struct {
	a A
	b B
	c *pair[B, A]
}

type celsius float32

func (c celsius) String() string { return fmt.Sprint(float32(c), "C") }

type ring []ring

type byName map[string]*node

type node struct {
	kids  [2]*node
	all   []*node
	vals  []node
	named byName
	str   fmt.Stringer
	any   any
	flag  bool
	t     celsius
	p     *celsius
	pp    **node
	in    struct {
		x int8
		y *int8
		z struct{}
	}
	empty struct{}
}

func f1(int) int { return 1 }
func f2(int) int { return 2 }

var basics = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
	reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](),
	reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](), reflect.TypeFor[complex128](), reflect.TypeFor[string](), reflect.TypeFor[any](),
	reflect.TypeFor[struct{}](), reflect.TypeFor[celsius](), reflect.TypeFor[func(int) int](), reflect.TypeFor[fmt.Stringer](),
	reflect.TypeFor[tree](), reflect.TypeFor[*tree](), reflect.TypeFor[ring](), reflect.TypeFor[node](), reflect.TypeFor[*node](),
	reflect.TypeFor[pair[int, string]](), reflect.TypeFor[*pair[*int, any]](), reflect.TypeFor[byName](),
	reflect.TypeFor[marked](), reflect.TypeFor[*marked](), reflect.TypeFor[embedding](), reflect.TypeFor[watched](), reflect.TypeFor[*watched](), reflect.TypeFor[atomic.Pointer[tree]](),
	reflect.TypeFor[weak.Pointer[tree]](), reflect.TypeFor[weak.Pointer[node]](), reflect.TypeFor[unique.Handle[string]](), reflect.TypeFor[time.Time](),
	reflect.TypeFor[sync.Mutex](), reflect.TypeFor[[]byte](), reflect.TypeFor[reflect.Type](),
}

var keyTypes = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[float64](), reflect.TypeFor[[2]int8](), reflect.TypeFor[bool](),
	reflect.TypeFor[any](), reflect.TypeFor[celsius](), reflect.TypeFor[struct{}](), reflect.TypeFor[*marked](), reflect.TypeFor[fmt.Stringer](),
	reflect.TypeFor[unique.Handle[string]](),
}

// A marked is told from all others by its mark, so that pointers to it can be keys.
type marked struct {
	mark uint64
	next *marked
	tree *tree
}

func (m *marked) String() string { return fmt.Sprint("mark ", m.mark) }

// embedding embeds others.
type embedding struct {
	fmt.Stringer
	*node
	tree
	z struct{}
}

func (w embedding) String() string { return "embedding" }

// watched has weak pointers to what is there, by itself or as a part.
type watched struct {
	tree  *tree
	key   *int // of a tree
	weak  [2]weak.Pointer[tree]
	nodes []node
	part  weak.Pointer[node]
}

func drawType(t *rapid.T, depth int) reflect.Type {
	kind := 0
	if depth > 0 {
		kind = rapid.IntRange(0, 9).Draw(t, "kind")
	}
	switch kind {
	case 4:
		return reflect.PointerTo(drawType(t, depth-1))
	case 5:
		return reflect.SliceOf(drawType(t, depth-1))
	case 6:
		return reflect.ArrayOf(rapid.IntRange(0, 11).Draw(t, "len"), drawType(t, depth-1))
	case 7:
		return reflect.MapOf(rapid.SampledFrom(keyTypes).Draw(t, "key"), drawType(t, depth-1))
	case 8:
		return reflect.ChanOf(reflect.BothDir, drawType(t, depth-1))
	case 9:
		fields := make([]reflect.StructField, rapid.IntRange(0, 5).Draw(t, "fields"))
		for i := range fields {
			fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: drawType(t, depth-1)}
			if rapid.Bool().Draw(t, "unexported") {
				fields[i].Name = fmt.Sprint("f", i)
				fields[i].PkgPath = "github.com/ckpgen/ckpgen/heap"
			}
		}
		return reflect.StructOf(fields)
	}
	return rapid.SampledFrom(basics).Draw(t, "basic")
}

// A drawing fills variables with a random graph.
type drawing struct {
	t      *rapid.T
	cells  map[reflect.Type][]reflect.Value // addressable values made so far
	refs   map[reflect.Type][]reflect.Value // slices, maps, channels made so far
	budget int
	marks  *uint64
}

func (d *drawing) pick(n int, what string) int { return rapid.IntRange(0, n-1).Draw(d.t, what) }

func (d *drawing) fill(v reflect.Value) {
	if v.CanAddr() {
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
		d.cells[v.Type()] = append(d.cells[v.Type()], v)
	}
	d.budget--
	small := d.budget < 0
	if d.special(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.pick(2, "bool") == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(d.t, "int"))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(rapid.Uint64().Draw(d.t, "uint"))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(d.float())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(rapid.Float64().Draw(d.t, "re"), 1))
	case reflect.String:
		v.SetString(rapid.StringN(0, 6, 12).Draw(d.t, "string"))
	case reflect.Func:
		switch d.pick(3, "func") {
		case 1:
			v.Set(reflect.ValueOf(f1))
		case 2:
			v.Set(reflect.ValueOf(f2))
		}
	case reflect.Array:
		for i := range v.Len() {
			d.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.fill(v.Field(i))
		}
	case reflect.Pointer:
		have := d.cells[v.Type().Elem()]
		how := d.pick(4, "pointer")
		switch {
		case how == 0:
		case len(have) > 0 && (small || how < 3):
			v.Set(have[d.pick(len(have), "target")].Addr())
		case !small:
			p := reflect.New(v.Type().Elem())
			v.Set(p)
			d.fill(p.Elem())
		}
	case reflect.Slice:
		d.slice(v, small)
	case reflect.Map:
		have := d.refs[v.Type()]
		how := d.pick(4, "map")
		switch {
		case how == 0:
		case how == 1 && len(have) > 0:
			v.Set(have[d.pick(len(have), "which")])
		default:
			m := reflect.MakeMap(v.Type())
			v.Set(m)
			d.refs[v.Type()] = append(d.refs[v.Type()], m)
			for range d.pick(5, "entries") {
				if small {
					break
				}
				key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				d.key(key)
				// What is in a map has no address.
				cells := d.cells[val.Type()]
				d.fill(val)
				d.cells[val.Type()] = cells
				m.SetMapIndex(key, val)
			}
		}
	case reflect.Chan:
		have := d.refs[v.Type()]
		how := d.pick(4, "chan")
		switch {
		case how == 0:
		case how == 1 && len(have) > 0:
			v.Set(have[d.pick(len(have), "which")])
		default:
			n := d.pick(4, "cap")
			c := reflect.MakeChan(v.Type(), n)
			v.Set(c)
			d.refs[v.Type()] = append(d.refs[v.Type()], c)
			for i := range n {
				x := reflect.New(v.Type().Elem()).Elem()
				if !small && i > 0 {
					d.fill(x)
				}
				c.Send(x)
				if i == 1 {
					c.Recv()
				}
			}
		}
	case reflect.Interface:
		how := d.pick(8, "interface")
		if v.NumMethod() > 0 {
			switch {
			case how > 3:
				v.Set(reflect.ValueOf(celsius(how)))
			case how > 2 && v.Type() == reflect.TypeFor[fmt.Stringer]():
				m := new(marked)
				d.fill(reflect.ValueOf(m).Elem())
				v.Set(reflect.ValueOf(m))
			}
			return
		}
		switch {
		case how == 0 || small:
		case how == 1:
			v.Set(reflect.ValueOf(how))
		case how == 2 && d.pick(2, "held") == 0: // a value that is a pointer itself, or not
			have := []any{weak.Make(new(tree)), unique.Make("held"), reflect.ValueOf(5), struct{ p *int }{}}
			v.Set(reflect.ValueOf(have[d.pick(len(have), "which")]))
		case how == 2:
			have := d.cells[reflect.TypeFor[node]()]
			if len(have) > 0 {
				v.Set(have[d.pick(len(have), "node")].Addr())
			}
		default:
			x := reflect.New(drawType(d.t, 2)).Elem()
			d.apart().fill(x)
			if x.Kind() != reflect.Interface {
				v.Set(x)
			}
		}
	default:
		d.t.Fatalf("kind %s", v.Kind())
	}
}

func (d *drawing) float() float64 {
	switch d.pick(6, "float") {
	case 0:
		return math.NaN()
	case 1:
		return math.Copysign(0, -1)
	}
	return rapid.Float64().Draw(d.t, "float64")
}

func (d *drawing) key(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Interface && v.NumMethod() == 0:
		switch d.pick(4, "key") {
		case 0:
			v.Set(reflect.ValueOf(d.pick(9, "int")))
		case 1:
			v.Set(reflect.ValueOf(rapid.StringN(0, 3, 3).Draw(d.t, "string")))
		case 2:
			v.Set(reflect.ValueOf([2]any{d.pick(3, "int"), celsius(1)}))
		}
	case v.CanFloat():
		v.SetFloat(d.float())
	case v.Kind() == reflect.Pointer: // to a marked
		if d.pick(4, "key") > 0 {
			m := new(marked)
			d.fill(reflect.ValueOf(m).Elem())
			v.Set(reflect.ValueOf(m))
		}
	default:
		d.apart().fill(v)
	}
}

// apart returns a drawing of something whose parts nothing else leads to.
func (d *drawing) apart() *drawing {
	return &drawing{d.t, map[reflect.Type][]reflect.Value{}, d.refs, 10, d.marks}
}

func (d *drawing) slice(v reflect.Value, small bool) {
	have := d.refs[v.Type()]
	how := d.pick(5, "slice")
	switch {
	case how == 0:
	case how == 1 && len(d.arrays(v.Type().Elem())) > 0 || how == 2 && len(have) > 0: // part of one that exists
		var s reflect.Value
		if how == 1 {
			arrays := d.arrays(v.Type().Elem())
			s = arrays[d.pick(len(arrays), "array")]
			s = s.Slice(0, s.Len()).Convert(v.Type())
		} else {
			s = have[d.pick(len(have), "which")]
		}
		s = s.Slice(0, s.Cap())
		lo := d.pick(s.Len()+1, "lo")
		hi := lo + d.pick(s.Len()-lo+1, "hi")
		max := hi + d.pick(s.Len()-hi+1, "max")
		v.Set(s.Slice3(lo, hi, max))
	default:
		n := d.pick(5, "cap")
		if small {
			n = 0
		}
		if n > 0 && d.pick(4, "long") == 0 && v.Type().Elem().Size() < 32 {
			n *= 40
		}
		s := reflect.MakeSlice(v.Type(), n, n)
		v.Set(s.Slice(0, d.pick(n+1, "len")))
		d.refs[v.Type()] = append(d.refs[v.Type()], s)
		for i := range min(n, 4) {
			d.fill(s.Index(i))
		}
	}
}

// arrays returns the arrays made so far with elements of a type.
func (d *drawing) arrays(elem reflect.Type) (list []reflect.Value) {
	for n := 1; n < 12; n++ {
		list = append(list, d.cells[reflect.ArrayOf(n, elem)]...)
	}
	return list
}

// special fills values of types that are more, or less, than their bytes.
func (d *drawing) special(v reflect.Value) bool {
	if !v.CanAddr() {
		return false
	}
	pick := func(t reflect.Type) unsafe.Pointer {
		have := d.cells[t]
		if i := d.pick(len(have)+1, "special"); i < len(have) {
			return have[i].Addr().UnsafePointer()
		}
		return nil
	}
	switch p := v.Addr().Interface().(type) {
	case *marked:
		*d.marks++
		p.mark = *d.marks
		d.fill(v.Field(1))
		d.fill(v.Field(2))
	case *atomic.Pointer[tree]:
		p.Store((*tree)(pick(reflect.TypeFor[tree]())))
	case *weak.Pointer[tree]:
		*p = weak.Make((*tree)(pick(reflect.TypeFor[tree]())))
		if d.pick(5, "gone") == 0 {
			*p = weak.Make(new(tree))
		}
	case *weak.Pointer[node]:
		*p = weak.Make((*node)(pick(reflect.TypeFor[node]())))
	case *unique.Handle[string]:
		if d.pick(4, "handle") > 0 {
			*p = unique.Make(rapid.StringN(0, 2, 4).Draw(d.t, "value"))
		}
	case *time.Time:
		*p = time.Unix(int64(d.pick(1e9, "seconds")), int64(d.pick(1e9, "nanoseconds")))
		if d.pick(2, "UTC") == 0 {
			*p = p.UTC()
		}
	case *sync.Mutex:
		if d.pick(2, "locked") == 0 {
			p.Lock()
		}
	case *reflect.Type:
		*p = basics[d.pick(len(basics), "type")]
	default:
		return false
	}
	return true
}

// TestAnyGraph rebuilds random graphs of random types and compares.
func TestAnyGraph(t *testing.T) {
	checks(t, 300, 5000)
	if os.Getenv("HEAP_TEST_ROLE") == "collect" {
		defer collecting()()
	}
	rapid.Check(t, func(t *rapid.T) {
		var from, to []Root
		d := &drawing{t: t, cells: map[reflect.Type][]reflect.Value{}, refs: map[reflect.Type][]reflect.Value{}, budget: 300, marks: new(uint64)}
		var as, bs []reflect.Value
		for i := range rapid.IntRange(1, 3).Draw(t, "roots") {
			typ := drawType(t, 4)
			a, b := reflect.New(typ), reflect.New(typ)
			d.fill(a.Elem())
			from = append(from, Root{fmt.Sprint("v", i), a.Interface()})
			to = append(to, Root{fmt.Sprint("v", i), b.Interface()})
			as, bs = append(as, a), append(bs, b)
		}
		s, err := Capture(from, Options{Named: StandardNamed()})
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		if _, err := s.WriteTo(&buf); err != nil {
			t.Fatal(err)
		}
		im, err := Parse(buf.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range im.Roots() {
			_ = v.Value.String()
		}
		if err := im.Rebuild(to, Options{Named: StandardNamed()}); err != nil {
			t.Fatal(err)
		}
		if rapid.IntRange(0, 9).Draw(t, "gc") == 0 {
			runtime.GC()
		}
		clear(buf.Bytes())
		churn()
		c := newComparison()
		same := true
		for i := range as {
			same = same && c.same(as[i].Elem(), bs[i].Elem(), from[i].Name)
		}
		if !same || !c.finish() {
			t.Fatal(c.why)
		}
		runtime.KeepAlive(d)
		runtime.KeepAlive(bs)
	})
}
