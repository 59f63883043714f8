// Package guard has functions that other packages defer.
package guard

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// Recover makes an error of a panic.
func Recover(err *error) {
	switch v := recover().(type) {
	case nil:
	case string:
		*err = fmt.Errorf("recovered %s", v)
	default:
		panic(fmt.Sprint("again ", v))
	}
}

// Slowly does so with a checkpoint before and after.
func Slowly(err *error) {
	ckp.Checkpoint()
	v := recover()
	ckp.Checkpoint()
	if v != nil {
		*err = fmt.Errorf("slowly %v", v)
	}
}

// Into makes an error of a panic with a value of one type.
func Into[T any](err *error) {
	if v, ok := recover().(T); ok {
		*err = fmt.Errorf("%T %v", v, v)
	}
}

// Tell has a result, which nobody sees.
func Tell(err *error) bool {
	v := recover()
	if v != nil {
		*err = fmt.Errorf("told %v", v)
	}
	return v != nil
}

// A Handler may recover.
type Handler interface{ Handle(err *error) }

// A Catcher does.
type Catcher struct{ Name string }

func (c Catcher) Handle(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("%s caught %v", c.Name, v)
	}
}

// A Watcher does not.
type Watcher struct{ Seen int }

func (w *Watcher) Handle(*error) { w.Seen++ }

// A Keeper is one of two that do.
type Keeper interface{ Keep(err *error) }

type Box struct{ Kept []any }

func (b *Box) Keep(err *error) {
	v := recover()
	ckp.Checkpoint()
	if v != nil {
		b.Kept = append(b.Kept, v)
		*err = fmt.Errorf("kept %d", len(b.Kept))
	}
}

type Bin struct{ n *int }

func NewBin() Bin { return Bin{new(int)} }

func (b Bin) Keep(err *error) {
	ckp.Checkpoint()
	if v := recover(); v != nil {
		*b.n++
		*err = fmt.Errorf("binned %v %d", v, *b.n)
	}
}

// Report tells of a panic, and returns what it was of no use for.
func Report(what string, err *error) (any, bool) {
	v := recover()
	ckp.Checkpoint()
	if v != nil {
		*err = fmt.Errorf("%s: %v", what, v)
	}
	return v, v != nil
}

// Named is never at a checkpoint.
func Named(err *error) (v any) {
	if v = recover(); v != nil {
		*err = fmt.Errorf("named: %v", v)
	}
	return v
}

// A Tally is generic, so that values of its methods are not the compiler's.
type Tally[T any] struct {
	Value T
	Times int
}

// NewTally makes one.
func NewTally[T any](value T) *Tally[T] { return &Tally[T]{Value: value} }

// Clean recovers from nothing.
func (t *Tally[T]) Clean(text string, more ...int) {
	ckp.Checkpoint()
	t.Times++
	fmt.Println(t.Value, t.Times, text, more)
}

// Recover does.
func (t *Tally[T]) Recover(text string, more ...int) {
	ckp.Checkpoint()
	v := recover()
	ckp.Checkpoint()
	t.Times++
	fmt.Println(t.Value, t.Times, text, more, v)
}
