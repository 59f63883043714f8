// Found holds programs that random ones (package instrument/random) were reduced to, each
// of which did something else once it was restored from a checkpoint.
package main

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

func sequence(n int) func(func(int) bool) {
	ckp.Checkpoint()
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// A checkpoint in the operand of a loop over a function was no resume point.
func operandOfLoopOverFunction() {
	for i := range sequence(pt(2)) {
		fmt.Println(i)
	}
	for i := range pt(sequence(3)) {
		fmt.Println(pt(i))
	}
}

// A loop over a string without the runes declared a variable for them and did not use it.
func runesNotUsed() {
	for i := range "aß" {
		fmt.Println(pt(i))
	}
	for range "aß" {
		fmt.Println(pt("round"))
	}
}

// A generic function with a deferred literal that recovers was taken for one that recovers
// itself, which can't be deferred.
func deferredInstance() {
	defer recovering[int]()
	ckp.Checkpoint()
}

func recovering[T any]() (zero T) {
	defer func() {
		fmt.Println("recovered", recover())
	}()
	panic(pt("in a generic function"))
}

// A function that came out of a channel by a loop, or together with ok, was taken to reach no
// checkpoint.
func functionsFromChannels() {
	ch := make(chan func() int, 3)
	for i := range 3 {
		ch <- func() int { return pt(i) }
	}
	if f, ok := <-ch; ok {
		fmt.Println(f())
	}
	close(ch)
	for f := range ch {
		fmt.Println(f())
	}
}

// A checkpoint in a deferred call that had recovered was taken for one that a frame was missing
// from, if the panic came from a deferred call that had deferred calls of its own.
func panicInDeferred() {
	defer func() {
		fmt.Println("recovered", recover())
		ckp.Checkpoint()
	}()
	between(2)
}

func between(n int) {
	if n > 0 {
		between(n - 1)
		return
	}
	func() {
		defer func() {
			defer fmt.Println("deferred by a deferred call")
			panic(pt("in a deferred call"))
		}()
	}()
}

// An array of which only the length counts was evaluated, although the pointer to it may be nil.
func lengthOfNothing(p *[3]int, s *struct{ list *[2]int }) {
	for i := range *p {
		ckp.Checkpoint()
		fmt.Print(i, " ")
	}
	for i := range p {
		ckp.Checkpoint()
		fmt.Print(i, " ")
	}
	for range s.list {
		ckp.Checkpoint()
		fmt.Print("again ")
	}
	fmt.Println()
}

type hooks struct{ scale func(int) int }

// A call of a function that package reflect or an atomic.Value had stored was taken for none that comes to a checkpoint.
// On a line of its own the checkpoint was refused, and beside a resume point the program broke down.
func unseenFunctions() {
	h := new(hooks)
	reflect.ValueOf(&h.scale).Elem().Set(reflect.ValueOf(func(i int) int { return pt(i) * 3 }))
	fmt.Println(h.scale(pt(1)), pt(2)+h.scale(3))
	var v atomic.Value
	v.Store(func(s string) string { return pt(s) + "." })
	fmt.Println(v.Load().(func(string) string)(pt("a")), pt("b")+v.Load().(func(string) string)("c"))
}

var zeroer = reflect.TypeFor[interface{ IsZero() bool }]()

// The description of an interface type without a name could not be saved, as nothing else led to it in the binary.
func describedInterfaces() {
	adder := reflect.TypeFor[interface {
		Add(time.Duration) time.Time
		Sub(time.Time) time.Duration
	}]()
	ckp.Checkpoint()
	for _, t := range []reflect.Type{zeroer, adder} {
		fmt.Println(t, reflect.TypeFor[time.Time]().Implements(t), t == pt(zeroer))
	}
	year, unix := both[interface{ Year() int }, interface{ Unix() int64 }]()
	failed := failedAssertion(time.Second)
	ckp.Checkpoint()
	fmt.Println(year, unix, failed)
}

// Of several type arguments only the first was looked at.
func both[A, B any]() (a, b reflect.Type) { return reflect.TypeFor[A](), reflect.TypeFor[B]() }

// What a failed type assertion panics with describes the type that was asserted.
func failedAssertion(v any) (failed error) {
	defer func() { failed = recover().(error) }()
	fmt.Println(v.(interface{ Weekday() time.Weekday }))
	return nil
}

type (
	namedPointer          *string
	genericPointer[T any] *T
)

// Types that a generic function declares depend on its type parameters, and can't be written where packages are registered.
func localsOfGeneric[T any](v T) {
	type other int
	type same *T
	x := any(same(&v)) // at checkpoints it is elsewhere, as such a type is not found by its name
	fmt.Println(*x.(same))
	x = nil
	t := reflect.TypeFor[interface{ M(other) }]()
	n := t.NumMethod()
	t = nil
	ckp.Checkpoint()
	fmt.Println(v, n, other(3))
}

// A type that is a pointer could not be found by its name, as the binary lists pointers to other named types only.
func namedPointers() {
	type local *int
	s, n := "pointed", 7
	list := []any{namedPointer(&s), local(&n), genericPointer[int](&n)}
	ckp.Checkpoint()
	*list[1].(local) = pt(8)
	fmt.Println(*list[0].(namedPointer), n, *list[2].(genericPointer[int]))
}

func main() {
	describedInterfaces()
	namedPointers()
	localsOfGeneric("generic")
	lengthOfNothing(nil, nil)
	panicInDeferred()
	functionsFromChannels()
	deferredInstance()
	runesNotUsed()
	operandOfLoopOverFunction()
	unseenFunctions()
}
