package heap

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

type titled struct{ Text string }

type titledꓸfirst struct{ n int }

type titledꓸsecond struct{ all []float64 }

type holdingꓸfirst struct {
	titledꓸfirst `key:"value"`
	Pointer      *titledꓸsecond
}

type exportsꓸfirst struct {
	Titled
	*Titledꓸfirst `json:",omitempty"`
}

type Titled struct{}

type Titledꓸfirst struct{ N int }

type aListWithANameThatIsSoLongThatItsLengthTakesTwoBytesꓸbecauseWhatTellsItApartIsAFunctionWhoseNameIsLongerThanAnybodyWouldLikeToReadOrWrite struct{}

type shelves[E any] struct{ list []E }

// TestMarks takes the marks out of names of types, and what stands behind them: where they have
// tags and packages, in the midst of others, and in long ones. The types are told apart in images
// all the same.
func TestMarks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names of types are changed on Linux only")
	}
	values := []any{
		holdingꓸfirst{}, exportsꓸfirst{}, map[titledꓸfirst]*titled{}, []*titledꓸfirst{}, []*titledꓸsecond{}, []*titled{}, shelves[titledꓸsecond]{},
		func(titledꓸfirst, ...titled) chan<- titledꓸsecond { return nil }, struct{ titledꓸsecond }{}, []holdingꓸfirst{},
		&aListWithANameThatIsSoLongThatItsLengthTakesTwoBytesꓸbecauseWhatTellsItApartIsAFunctionWhoseNameIsLongerThanAnybodyWouldLikeToReadOrWrite{},
	}
	Unmark("ꓸ")
	for i, want := range []string{
		"heap.holding", "heap.exports", "map[heap.titled]*heap.titled", "[]*heap.titled", "[]*heap.titled", "[]*heap.titled", "heap.shelves[github.com/ckpgen/ckpgen/heap.titled]",
		"func(heap.titled, ...heap.titled) chan<- heap.titled", "struct { heap.titled }", "[]heap.holding",
		"*heap.aListWithANameThatIsSoLongThatItsLengthTakesTwoBytes",
	} {
		equal(t, want, fmt.Sprintf("%T", values[i]))
		equal(t, want, reflect.TypeOf(values[i]).String())
	}
	holding := reflect.TypeFor[holdingꓸfirst]()
	equal(t, "holding", holding.Name())
	f := holding.Field(0)
	equal(t, "titled value github.com/ckpgen/ckpgen/heap true", fmt.Sprint(f.Name, " ", f.Tag.Get("key"), " ", f.PkgPath, " ", f.Anonymous))
	f, found := reflect.TypeFor[exportsꓸfirst]().FieldByName("N")
	check(t, found && f.Type.Kind() == reflect.Int)
	f = reflect.TypeFor[exportsꓸfirst]().Field(1)
	equal(t, `Titled json:",omitempty" true`, fmt.Sprint(f.Name, " ", f.Tag, " ", f.IsExported()))

	// Package reflect finds the types of the binary, which it looks for by name.
	check(t, reflect.SliceOf(reflect.TypeFor[*titledꓸfirst]()) == reflect.TypeFor[[]*titledꓸfirst]())
	check(t, reflect.SliceOf(reflect.TypeFor[*titledꓸsecond]()) == reflect.TypeFor[[]*titledꓸsecond]())
	check(t, reflect.SliceOf(reflect.TypeFor[*titled]()) == reflect.TypeFor[[]*titled]())
	check(t, reflect.MapOf(reflect.TypeFor[titledꓸfirst](), reflect.TypeFor[*titled]()) == reflect.TypeFor[map[titledꓸfirst]*titled]())
	sections, offsets := typelinks()
	for i, list := range offsets {
		before := ""
		for _, off := range list {
			s := described(unsafe.Add(sections[i], int(off))).String()
			check(t, before <= s, before, s)
			before = s
		}
	}

	all := []any{titled{"a"}, titledꓸfirst{2}, &titledꓸsecond{[]float64{3}}, shelves[titledꓸfirst]{[]titledꓸfirst{{4}}}, holdingꓸfirst{titledꓸfirst{5}, nil}}
	equal(t, all, *again(t, &all))
}
