// Interfaces calls through interfaces, embedded interfaces and promoted methods
// with checkpoints inside, and keeps dynamic values alive.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type shape interface {
	area() float64
	scale(float64) shape
}

type square struct{ side float64 }
type circle struct{ r float64 }
type group struct {
	shapes []shape
	name   string
}

func (s square) area() float64          { ckp.Checkpoint(); return s.side * s.side }
func (s square) scale(k float64) shape  { return square{s.side * k} }
func (c *circle) area() float64         { return 3 * c.r * c.r }
func (c *circle) scale(k float64) shape { ckp.Checkpoint(); c.r *= k; return c }
func (g group) area() (total float64) {
	for _, s := range g.shapes {
		total += s.area()
	}
	return
}
func (g group) scale(k float64) shape {
	for i, s := range g.shapes {
		g.shapes[i] = s.scale(k)
	}
	return g
}

type base struct{ log []string }

func (b *base) note(s string) { ckp.Checkpoint(); b.log = append(b.log, s) }

type middle struct{ *base }
type outer struct {
	middle
	shape
	n int
}

type failure struct{ code int }

func (f *failure) Error() string { return fmt.Sprint("failure ", f.code) }

func attempt(n int) error {
	ckp.Checkpoint()
	switch n {
	case 0:
		return nil
	case 1:
		return io.EOF
	case 2:
		return &failure{2}
	}
	return fmt.Errorf("attempt %d: %w", n, attempt(n-2))
}

func describe(v any) string {
	switch x := v.(type) {
	case nil:
		ckp.Checkpoint()
		return "nil"
	case int, int64:
		ckp.Checkpoint()
		return fmt.Sprintf("integer %v", x)
	case string:
		ckp.Checkpoint()
		return "string " + x
	case error:
		ckp.Checkpoint()
		return "error " + x.Error()
	case shape:
		return fmt.Sprintf("shape %g", x.area())
	case func(int) int:
		ckp.Checkpoint()
		return fmt.Sprint("func ", x(3))
	default:
		ckp.Checkpoint()
		return fmt.Sprintf("other %v", x)
	}
}

func main() {
	g := group{name: "g", shapes: []shape{square{2}, &circle{1}, group{shapes: []shape{square{1}}}}}
	var s shape = g
	fmt.Println(s.area())
	fmt.Println(s.scale(2).area())
	o := &outer{middle: middle{&base{}}, shape: square{3}, n: 1}
	o.note("one")
	o.middle.note("two")
	fmt.Println(o.area(), o.scale(2).area(), o.log, len(o.base.log))
	for i := range 5 {
		err := attempt(i)
		var f *failure
		fmt.Println(i, err, errors.Is(err, io.EOF), errors.As(err, &f))
	}
	for _, v := range []any{nil, 1, int64(2), "x", io.EOF, square{4}, 2.5, []int{1}, func(i int) int { return i * i }} {
		fmt.Println(describe(v))
	}
	var w io.Writer = os.Stdout
	var e error = io.ErrUnexpectedEOF
	ckp.Checkpoint()
	fmt.Fprintln(w, "written", e == io.ErrUnexpectedEOF, w == os.Stdout)
}
