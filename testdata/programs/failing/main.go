// Failing calls, in all the ways there are, functions whose errors are tested right behind the call, with checkpoints below them: there is an error then that
// nobody may see, and one of the program's own afterwards, or none.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

var errOdd = errors.New("odd")

// step is at a checkpoint, and fails for odd numbers.
func step(n int) error {
	ckp.Checkpoint()
	if n%2 != 0 {
		return errOdd
	}
	return nil
}

func value(n int) (int, error) {
	if err := step(n); err != nil {
		return -n, fmt.Errorf("value %d: %w", n, err)
	}
	return n, nil
}

// named has a named result that a deferred literal changes.
func named(n int) (v int, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("named: %w", err)
		}
		v++
	}()
	if v, err = value(n); err != nil {
		return v, err
	}
	return v * 10, step(n)
}

// during is at a checkpoint in its deferred call, and fails itself, or does not.
func during(n int) (err error) {
	defer func() {
		ckp.Checkpoint()
		if n > 2 {
			err = errors.Join(err, step(n))
		}
	}()
	return step(n)
}

// silent is at a checkpoint in a deferred call, and returns no error.
func silent(n int) error {
	defer step(n)
	return nil
}

// looping defers in a loop; one of the calls is at a checkpoint.
func looping(n int) error {
	for i := range n {
		defer step(i)
	}
	if n == 3 {
		return errOdd
	}
	return nil
}

// loopingShared has a result that a literal keeps, too.
func loopingShared(n int) (err error) {
	keep = append(keep, func() error { return err })
	for i := range n {
		defer func() { err = errors.Join(err, step(i+1)) }()
	}
	return step(2 * n)
}

// shared has a result that a literal keeps.
var keep []func() error

func shared(n int) (err error) {
	keep = append(keep, func() error { return err })
	err = step(n)
	if err != nil {
		return
	}
	return nil
}

// sharedDeferred has one, and deferred calls.
func sharedDeferred(n int) (err error) {
	keep = append(keep, func() error { return err })
	defer ckp.Checkpoint()
	for i := range n {
		defer func() {
			if i == 1 {
				err = errors.Join(err, fmt.Errorf("deferred %d", i))
			}
		}()
	}
	return step(n)
}

// recovering panics at a checkpoint or behind it, and returns what it has recovered.
func recovering(n int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			ckp.Checkpoint()
			err = fmt.Errorf("recovered: %v", v)
		}
	}()
	if err := step(n); err != nil {
		panic(err)
	}
	var p *int
	if n > 2 {
		*p = n
	}
	return nil
}

// panicking is at a checkpoint in a deferred call while it panics; its caller recovers.
func panicking(n int) error {
	defer step(n)
	if n > 1 {
		panic(strconv.Itoa(n))
	}
	return nil
}

func caught(n int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("caught %v", v)
		}
	}()
	if err := panicking(n); err != nil {
		return fmt.Errorf("panicking: %w", err)
	}
	return errors.New("no panic")
}

// second returns its second argument; last returns what a function does, whose type may be error.
func second[A, B any](a A, b B) (A, B) {
	ckp.Checkpoint()
	return a, b
}

func last[T any](f func() T) T {
	defer func() { ckp.Checkpoint() }()
	return f()
}

type box[T any] struct{ v T }

func (b *box[T]) get() T {
	ckp.Checkpoint()
	return b.v
}

func (b *box[T]) kept() (v T) {
	defer func() {
		ckp.Checkpoint()
		_ = v
	}()
	return b.v
}

type getter interface{ get() error }

type outer struct{ *box[error] }

// each calls a function for numbers until that fails.
func each(n int, f func(int) error) error {
	for i := range n {
		if err := f(i); err != nil || i > 5 {
			return fmt.Errorf("each %d: %w", i, err)
		}
	}
	return nil
}

func upTo(n int) func(func(int, error) bool) {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, step(2*i)) {
				return
			}
		}
	}
}

func ranging(n int) error {
	for i, err := range upTo(5) {
		if err != nil {
			return err
		}
		if err := step(i * n); err != nil {
			return fmt.Errorf("ranging at %d: %w", i, err)
		}
	}
	return nil
}

type machine struct {
	log   []string
	limit int
}

func (m *machine) run(code []int) (sum int, err error) {
	for pc := 0; pc < len(code); pc++ {
		switch op := code[pc]; op {
		case 0:
			var v int
			v, err = value(2 * pc)
			if err != nil {
				return 0, err
			}
			sum += v
		case 1:
			if err = step(pc); err == nil {
				sum++
			} else {
				m.log = append(m.log, err.Error())
			}
		case 2:
			v, err := value(pc)
			if nil != err {
				m.log = append(m.log, "nil first")
			}
			if err != nil && v < -m.limit {
				return sum, err
			}
		case 3:
			err := step(pc)
			switch {
			case err != nil:
				m.log = append(m.log, "switched")
			}
		default:
			err := step(pc + 1)
			if err == nil || pc > 100 {
				sum += op
				continue
			}
			m.log = append(m.log, strconv.Itoa(op))
		}
	}
	return sum, nil
}

// show prints results.
func show(what string, results ...any) {
	fmt.Println(append([]any{what}, results...)...)
	ckp.Checkpoint()
}

func try(i, n int, f func(int) error) {
	if err := f(n); err != nil {
		show("fails", i, n, err)
		return
	}
	show("does not fail", i, n)
}

func main() {
	for n := range 4 {
		v, err := value(n)
		if err != nil {
			show("value fails", err)
		}
		w, err := named(n)
		if err != nil {
			show("named fails", err)
		}
		show("values", v, w)
		for i, f := range []func(int) error{during, silent, looping, loopingShared, shared, sharedDeferred, recovering, caught} {
			try(i, n, f)
		}
	}
	for _, f := range keep {
		show("kept", f())
	}

	a, b := second(1, errOdd)
	show("second", a, b)
	if _, err := second[int, error](2, nil); err != nil {
		show("second fails", err)
	}
	f := second[string, error]
	if s, err := f("x", nil); err != nil {
		show("f fails", s, err)
	}
	if err := last(func() error { return step(2) }); err != nil {
		show("last fails", err)
	}
	if err := last(func() error { return step(1) }); err != nil {
		show("last", err)
	}
	for _, g := range []getter{&box[error]{}, outer{&box[error]{errOdd}}, &outer{&box[error]{}}} {
		if err := g.get(); err != nil {
			show("get", err)
		} else {
			show("got nil")
		}
	}
	if err := (&box[error]{}).kept(); err != nil {
		show("kept fails", err)
	}
	show("kept", (&box[error]{errOdd}).kept(), (&box[int]{7}).kept())

	show("each", each(9, func(i int) error { return step(2 * i) }), each(3, step), each(4, (&machine{}).step))
	show("ranging", ranging(2), ranging(1))
	m := &machine{limit: 8}
	sum, err := m.run([]int{0, 1, 2, 3, 4, 1, 2, 3, 4, 0, 0, 2, 2})
	show("machine", sum, err, m.log)

	done := make(chan error)
	go func() {
		defer close(done)
		defer func() { done <- step(1) }()
		if err := step(2); err != nil {
			done <- err
		}
		runtime.Goexit()
	}()
	for err := range done {
		show("done", err)
	}
}

func (m *machine) step(n int) error { return step(2 * n) }
