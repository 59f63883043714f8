// Passing has functions that pass a call on, and need no frame for that.
package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type tree struct {
	left, right *tree
	key         int
}

func (t *tree) walk(depth int, visit func(int)) { t.descend(depth, visit, true) }

func (t *tree) descend(depth int, visit func(int), ordered bool) {
	if t == nil {
		return
	}
	t.left.walk(depth+1, visit)
	ckp.Checkpoint()
	visit(t.key*10 + depth)
	t.right.walk(depth+1, visit)
	ckp.Checkpoint()
}

func (t *tree) insert(key int) *tree { return insertInto(t, key) }

func insertInto(t *tree, key int) *tree {
	if t == nil {
		ckp.Checkpoint()
		return &tree{key: key}
	}
	if key < t.key {
		t.left = t.left.insert(key)
	} else {
		t.right = t.right.insert(key)
	}
	return t
}

type list[T any] struct{ items []T }

func (l *list[T]) add(x T) int                      { return l.put(x, 1) }
func (l *list[T]) addTwice(x T) (n int)             { return l.put(x, 2) }
func (l *list[T]) first() (x T, err error)          { return l.at(0) }
func each[T any](l *list[T], f func(T) error) error { return eachFrom(l, 0, f) }

func (l *list[T]) put(x T, times int) int {
	for range times {
		ckp.Checkpoint()
		l.items = append(l.items, x)
	}
	return len(l.items)
}

func (l *list[T]) at(i int) (x T, err error) {
	ckp.Checkpoint()
	if i >= len(l.items) {
		return x, errors.New("out of range")
	}
	return l.items[i], nil
}

func eachFrom[T any](l *list[T], from int, f func(T) error) error {
	for _, x := range l.items[from:] {
		if err := f(x); err != nil {
			return err
		}
	}
	ckp.Checkpoint()
	return nil
}

// A value receiver, whose fields are operands, and an interface that is kept by one.
type scale struct {
	name string
	by   int
}

func (s scale) String() string { return s.text(s.by*2, s.name+"!") }
func (s scale) text(n int, name string) string {
	ckp.Checkpoint()
	return fmt.Sprint(name, n, s.by)
}

// A method that is promoted, by a field that another one is assigned to meanwhile.
type runner interface{ run(n int) string }

type outer struct{ runner }

type promoted struct{ runner }

type engine struct{ name string }

var promotes = &promoted{&engine{"first"}}

func (e *engine) run(n int) string { return e.runOn(n, "on") }

func (e *engine) runOn(n int, s string) string {
	promotes.runner = nil
	ckp.Checkpoint()
	promotes.runner = &engine{"second"}
	ckp.Checkpoint()
	return fmt.Sprint(e.name, n, s)
}

// Values of instances.
func apply[T any](f func(T, int) T, x T, n int) T { return applyTimes(f, x, n) }

func applyTimes[T any](f func(T, int) T, x T, n int) T {
	for i := range n {
		x = f(x, i)
		ckp.Checkpoint()
	}
	return x
}

func sum[T int | string](a T, n int) T {
	ckp.Checkpoint()
	return a + T(rune(n))
}

// Room of its own, and a result that is converted.
func format(n int) string { return string(appendTo(make([]byte, 0, 8), n)) }

func appendTo(b []byte, n int) []byte {
	for i := range n {
		ckp.Checkpoint()
		b = append(b, byte('a'+i))
	}
	return b
}

// A parameter that lends what it leads to.
func total(sums *[4]int, n int) { add(sums, n) }

func add(sums *[4]int, n int) {
	for i := range sums {
		ckp.Checkpoint()
		sums[i] += n
	}
}

// Deferred, in goroutines, as values, and left by a panic.
func finish(l *list[string], s string) { finishWith(l, s, "end") }

func finishWith(l *list[string], s, t string) {
	ckp.Checkpoint()
	l.add(s + t)
	ckp.Checkpoint()
}

func failing(n int) error { return failingAt(n) }

func failingAt(n int) error {
	ckp.Checkpoint()
	if n > 2 {
		panic(fmt.Sprint("at ", n))
	}
	return nil
}

func deferring(l *list[string], n int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			ckp.Checkpoint()
			err = fmt.Errorf("recovered: %v", v)
		}
	}()
	for i := range n {
		defer finish(l, fmt.Sprint("deferred ", i, " "))
	}
	return failing(n)
}

func deferringOnce(l *list[string]) string {
	defer finish(l, "once ")
	ckp.Checkpoint()
	return "done"
}

func working(group *sync.WaitGroup, l *list[string]) { work(group, l) }

func work(group *sync.WaitGroup, l *list[string]) {
	defer group.Done()
	ckp.Checkpoint()
	l.add("worked")
}

func main() {
	fmt.Println(compared(left, right), noted(left == right, "left and right"))
	var root *tree
	for _, k := range []int{5, 2, 8, 1, 9, 3} {
		root = root.insert(k)
	}
	root.walk(0, func(n int) { fmt.Print(n, " ") })
	fmt.Println()

	words := &list[string]{}
	_, err := words.first()
	fmt.Println(err, words.add("a"), words.addTwice("b"))
	s, err := words.first()
	fmt.Println(s, err)
	fmt.Println(each(words, func(s string) error {
		ckp.Checkpoint()
		if len(s) > 1 {
			return errors.New(s)
		}
		return nil
	}))
	failures := &list[error]{}
	failures.add(errors.New("kept"))
	kept, err := failures.first()
	fmt.Println(kept, err)

	var named fmt.Stringer = scale{"scale", 3}
	fmt.Println(named, scale{"other", 4})

	var by runner = outer{promotes}
	fmt.Println(by.run(1), by.run(2))
	fmt.Println(format(3), format(12))
	values := []any{apply[string], sum[int], applyTimes[string]}
	fmt.Println(apply(sum[int], 1, 3), apply(sum[string], "s", 70)[66:], values[1].(func(int, int) int)(2, 3))

	fmt.Println(visited(), (&stack[string]{}).size(3), results())

	var sums [4]int
	for i := range 5 {
		total(&sums, i)
	}
	fmt.Println(sums)

	fmt.Println(deferring(words, 2), deferring(words, 4), deferringOnce(words))
	put := words.add
	fmt.Println(put("value"), (*list[string]).add(words, "expression"))
	var group sync.WaitGroup
	for range 3 {
		group.Add(1)
		go working(&group, words)
	}
	group.Wait()
	for _, s := range words.items {
		fmt.Println(s)
	}
}

type boxed struct{ x any }

var left, right = boxed{1}, boxed{2}

// What is compared is nothing that can be compared any more when the process goes on.
func compared(a, b boxed) string { return noted(a == b, "a and b") }

func noted(same bool, what string) string {
	left.x, right.x = []int{1}, []int{2}
	ckp.Checkpoint()
	left.x, right.x = 1, 2
	return fmt.Sprint(same, what)
}
