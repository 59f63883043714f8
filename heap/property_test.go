package heap

//lint:file-ignore U1000 many fields are there only to be saved

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"testing"

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
}

var keyTypes = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[float64](), reflect.TypeFor[[2]int8](), reflect.TypeFor[bool](),
	reflect.TypeFor[any](), reflect.TypeFor[celsius](), reflect.TypeFor[struct{}](),
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
}

func (d *drawing) pick(n int, what string) int { return rapid.IntRange(0, n-1).Draw(d.t, what) }

func (d *drawing) fill(v reflect.Value) {
	if v.CanAddr() {
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
		d.cells[v.Type()] = append(d.cells[v.Type()], v)
	}
	d.budget--
	small := d.budget < 0
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
				tmp := &drawing{d.t, d.cells, d.refs, d.budget}
				cells := d.cells[val.Type()]
				tmp.fill(val)
				d.budget = tmp.budget
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
			if how > 2 {
				v.Set(reflect.ValueOf(celsius(how)))
			}
			return
		}
		switch {
		case how == 0 || small:
		case how == 1:
			v.Set(reflect.ValueOf(how))
		case how == 2:
			have := d.cells[reflect.TypeFor[node]()]
			if len(have) > 0 {
				v.Set(have[d.pick(len(have), "node")].Addr())
			}
		default:
			x := reflect.New(drawType(d.t, 2)).Elem()
			tmp := &drawing{d.t, map[reflect.Type][]reflect.Value{}, d.refs, 10}
			tmp.fill(x)
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
	switch v.Kind() {
	case reflect.Interface:
		switch d.pick(4, "key") {
		case 0:
			v.Set(reflect.ValueOf(d.pick(9, "int")))
		case 1:
			v.Set(reflect.ValueOf(rapid.StringN(0, 3, 3).Draw(d.t, "string")))
		case 2:
			v.Set(reflect.ValueOf([2]any{d.pick(3, "int"), celsius(1)}))
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat(d.float())
	default:
		tmp := &drawing{d.t, map[reflect.Type][]reflect.Value{}, d.refs, 10}
		tmp.fill(v)
	}
}

func (d *drawing) slice(v reflect.Value, small bool) {
	have := d.refs[v.Type()]
	how := d.pick(5, "slice")
	switch {
	case how == 0:
	case how < 3 && len(have) > 0: // part of one that exists
		s := have[d.pick(len(have), "which")]
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

// TestAnyGraph rebuilds random graphs of random types and compares.
func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var from, to []Root
		d := &drawing{t, map[reflect.Type][]reflect.Value{}, map[reflect.Type][]reflect.Value{}, 300}
		var as, bs []reflect.Value
		for i := range rapid.IntRange(1, 3).Draw(t, "roots") {
			typ := drawType(t, 4)
			a, b := reflect.New(typ), reflect.New(typ)
			d.fill(a.Elem())
			from = append(from, Root{fmt.Sprint("v", i), a.Interface()})
			to = append(to, Root{fmt.Sprint("v", i), b.Interface()})
			as, bs = append(as, a), append(bs, b)
		}
		s, err := Capture(from, Options{})
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
		if err := im.Rebuild(to, Options{}); err != nil {
			t.Fatal(err)
		}
		if rapid.IntRange(0, 9).Draw(t, "gc") == 0 {
			runtime.GC()
		}
		c := newComparison()
		for i := range as {
			if !c.same(as[i].Elem(), bs[i].Elem(), from[i].Name) {
				t.Fatal(c.why, as[i].Type())
			}
		}
	})
}
