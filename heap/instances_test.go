package heap

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

type instance[A, B any] struct {
	p unsafe.Pointer // *B
	q []unsafe.Pointer
}

type instanceItem[A any] struct {
	a    A
	next unsafe.Pointer
}

// TestTypesByName finds the types that the names of type arguments tell.
func TestTypesByName(t *testing.T) {
	type local struct{ _ int }
	equal(t, []string{"map[string][]int", "struct { A int \"text:\\\"a,b]\\\"\"; B func(int, string) bool }"},
		typeArguments(reflect.TypeFor[instance[map[string][]int, struct {
			A int `text:"a,b]"`
			B func(int, string) bool
		}]]()))
	equal(t, "x[*int,y]$", instantiated("x[*$1,$0]", []string{"y", "int"})+"$")
	equal(t, "", instantiated("$2", []string{"y", "int"}))
	for _, rt := range []reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[*string](), reflect.TypeFor[any](), reflect.TypeFor[error](), reflect.TypeFor[Options](), reflect.TypeFor[*[]map[string]*Type](),
		reflect.TypeFor[instanceItem[int]](), reflect.TypeFor[map[[2]int]instance[instanceItem[string], *Type]]().Elem(),
		reflect.TypeFor[[3]*[2]int](),
	} {
		equal(t, rt, typeNamed(typeText(rt)))
	}
	for _, args := range []struct {
		instance reflect.Type
		want     []reflect.Type
	}{
		{reflect.TypeFor[instance[[2]int, struct{}]](), []reflect.Type{reflect.TypeFor[[2]int](), reflect.TypeFor[struct{}]()}},
		{reflect.TypeFor[instance[chan struct{}, [3]<-chan *Type]](), []reflect.Type{reflect.TypeFor[chan struct{}](), reflect.TypeFor[[3]<-chan *Type]()}},
		{reflect.TypeFor[instance[chan (<-chan int), chan<- chan int]](), []reflect.Type{reflect.TypeFor[chan (<-chan int)](), reflect.TypeFor[chan<- chan int]()}},
		{reflect.TypeFor[instance[<-chan (chan<- int), map[[2]int]any]](), []reflect.Type{reflect.TypeFor[<-chan (chan<- int)](), reflect.TypeFor[map[[2]int]any]()}},
	} {
		for i, name := range typeArguments(args.instance) {
			equal(t, args.want[i], typeNamed(name))
		}
	}
	args := typeArguments(reflect.TypeFor[instance[local, *local]]())
	for _, name := range append(args, "func()", "chan func()", "[2]local", "[-1]int", "[2", "struct { a int }", "map[", "map[int", "map[[]int]int", "*", "", "nothing") {
		equal(t, nil, typeNamed(name))
	}
}

// TestPointeesOfInstances captures what nothing but the unsafe pointers of generic structs lead to.
func TestPointeesOfInstances(t *testing.T) {
	type vars struct {
		words instance[int, string]
		items instance[bool, instanceItem[float64]]
		array instance[bool, [2]*int]
		ready instance[bool, chan int]
		empty instance[bool, struct{}]
		other instance[string, struct{ a int }]
	}
	of := reflect.TypeFor[instance[int, int]]().PkgPath()
	opt := Options{Pointees: []Pointee{
		{Generic: of + ".instance", Field: "p", Leads: "$1"},
		{Generic: of + ".instance", Field: "q", Leads: of + ".instanceItem[$0]"},
		{Generic: of + ".instanceItem", Field: "next", Leads: of + ".instanceItem[$0]"},
	}}
	text := "text"
	last := &instanceItem[float64]{a: 1.5}
	v := &vars{
		words: instance[int, string]{p: unsafe.Pointer(&text), q: []unsafe.Pointer{nil, unsafe.Pointer(&instanceItem[int]{a: 3})}},
		items: instance[bool, instanceItem[float64]]{p: unsafe.Pointer(&instanceItem[float64]{2.5, unsafe.Pointer(last)}), q: []unsafe.Pointer{unsafe.Pointer(&instanceItem[bool]{a: true})}},
	}
	number, ready := 5, make(chan int, 3)
	v.array.p, v.ready.p, v.empty.p = unsafe.Pointer(&[2]*int{1: &number}), unsafe.Pointer(&ready), unsafe.Pointer(new(struct{}))
	w := new(vars)
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	equal(t, "text", *(*string)(w.words.p))
	equal(t, 5, *(*[2]*int)(w.array.p)[1])
	equal(t, 3, cap(*(*chan int)(w.ready.p)))
	equal(t, v.empty.p, w.empty.p)
	equal(t, 3, (*instanceItem[int])(w.words.q[1]).a)
	first := (*instanceItem[float64])(w.items.p)
	equal(t, []float64{2.5, 1.5}, []float64{first.a, (*instanceItem[float64])(first.next).a})
	check(t, (*instanceItem[bool])(w.items.q[0]).a)

	v.other.p = unsafe.Pointer(&struct{ a int }{1}) // no name tells this type
	_, err := Capture([]Root{{"v", v}}, opt)
	check(t, err != nil)
}

type instancePair[A, B any] struct {
	a A
	b B
}

// A tagged has pointers that may be numbers.
type tagged struct {
	a string
	p unsafe.Pointer
}

type typedTag struct {
	a string
	p *int
}

// TestPointeesAmongInstances captures what unsafe pointers lead to that can be of several types.
func TestPointeesAmongInstances(t *testing.T) {
	type vars struct{ list [9]unsafe.Pointer }
	of := reflect.TypeFor[instance[int, int]]().PkgPath()
	among := func(names ...string) (opt Options) {
		for _, name := range names {
			opt.Pointees = append(opt.Pointees, Pointee{Of: reflect.TypeFor[vars](), Field: "list", Leads: of + "." + name})
		}
		return opt
	}
	text := instancePair[string, int]{"text", 1}
	number := instancePair[int, string]{2, "number"}
	large := instancePair[[50]int64, any]{b: "large"}
	larger := instancePair[[100]any, int]{b: 3}
	v, w := new(vars), new(vars)
	v.list = [9]unsafe.Pointer{unsafe.Pointer(&text), unsafe.Pointer(&number), 5: unsafe.Pointer(&large), 8: unsafe.Pointer(&larger)}
	opt := among("instancePair[string,int]", "instancePair[int,string]", "instancePair[[50]int64,interface {}]", "instancePair[[100]interface {},int]")
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	equal(t, text, *(*instancePair[string, int])(w.list[0]))
	equal(t, number, *(*instancePair[int, string])(w.list[1]))
	equal(t, large, *(*instancePair[[50]int64, any])(w.list[5]))
	equal(t, 3, (*instancePair[[100]any, int])(w.list[8]).b)

	refused := func(why string, opt Options) {
		t.Helper()
		_, err := Capture([]Root{{"v", v}}, opt)
		check(t, err != nil && strings.Contains(err.Error(), why), err)
	}
	same := instancePair[string, *int]{"same", nil}
	v.list = [9]unsafe.Pointer{3: unsafe.Pointer(&same)}
	refused("it leads to a "+of+".instancePair[string,*int] or a "+of+".instancePair[string,*string], and nothing tells which",
		among("instancePair[string,*int]", "instancePair[string,*string]"))
	refused("it leads to nothing", among("instancePair[string,*int]", "instancePair[string,nothing]"))
	mark := tagged{a: "mark"}
	*(*uintptr)(unsafe.Pointer(&mark.p)) = 1
	v.list = [9]unsafe.Pointer{3: unsafe.Pointer(&mark)}
	refused("and nothing tells which", among("instancePair[string,int]", "tagged"))
	typed := typedTag{"typed", nil}
	*(*uintptr)(unsafe.Pointer(&typed.p)) = 1
	v.list = [9]unsafe.Pointer{3: unsafe.Pointer(&typed)}
	refused("and nothing tells which", among("instancePair[string,int]", "typedTag"))
	check(t, reflect.TypeFor[instancePair[string, *string]]().NumField() == 2)
}
