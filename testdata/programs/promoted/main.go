// Command promoted is a test program: methods of embedded fields that are called by way of interfaces,
// and change these fields.
package main

import (
	"errors"
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A runner has more methods than the states of a machine.
type runner interface {
	Run(n int, words ...string) (string, error)
	Name() string
}

type state interface {
	Run(n int, words ...string) (string, error)
}

// A machine runs as its state does, and that changes while it does.
type machine struct {
	state
	runs int
}

func (m *machine) Name() string { return fmt.Sprint("machine ", m.runs) }

type idle struct{ m *machine }

type busy struct {
	m *machine
	k int
}

func (s *idle) Run(n int, words ...string) (string, error) {
	s.m.state = busy{s.m, n}
	ckp.Checkpoint()
	s.m.runs++
	return fmt.Sprint("idle", n, words), nil
}

// Run has a receiver that is a value, and calls what its machine is by then.
func (s busy) Run(n int, words ...string) (string, error) {
	s.m.state = &idle{s.m}
	text := ""
	for i := range n {
		ckp.Checkpoint()
		text += fmt.Sprint(i, s.k)
	}
	if n > 2 {
		var r runner = s.m
		inner, err := r.Run(n-1, "inner")
		text += "(" + inner + ")"
		s.m.state = nil
		ckp.Checkpoint()
		s.m.state = &idle{s.m}
		return text, errors.Join(err, fmt.Errorf("of %d", n))
	}
	return text, nil
}

// An outer has a machine in turn, and a deeper one a value with that.
type (
	outer  struct{ *machine }
	deeper struct {
		outer
		name string
	}
)

type summer interface{ Sum(int) int }

type counter[T ~int] struct{ n T }

func (c *counter[T]) Sum(k int) (t int) {
	whole := held.counter
	defer func() { held.counter = whole }()
	for range k {
		held.counter = nil
		ckp.Checkpoint()
		t += int(c.n)
		c.n++
	}
	return t
}

type holder struct{ *counter[int] }

var held = &holder{&counter[int]{3}}

// A point is a value with a method, and moved has a pointer to one that is lost.
type point struct{ x, y int }

func (p point) Sum(k int) int {
	lost.point = nil
	ckp.Checkpoint()
	return p.x*k + p.y
}

type moved struct{ *point }

var lost = &moved{&point{5, 6}}

func main() {
	m := &machine{}
	m.state = &idle{m}
	for i, r := range []runner{m, outer{m}, &outer{m}, deeper{outer{m}, "d"}, &deeper{outer{m}, "e"}, m} {
		fmt.Println(r.Run(i, "a", "b"))
		fmt.Println(r.Name())
	}

	var s summer = held
	fmt.Println(s.Sum(2), s.Sum(1))
	value := s.Sum
	fmt.Println(value(2))
	expression := (*holder).Sum
	fmt.Println(expression(held, 2))
	inInterface := summer.Sum
	fmt.Println(inInterface(held, 2))
	func() {
		defer fmt.Println("deferred", held.n)
		defer s.Sum(2)
	}()
	for i := range 2 {
		defer func() { fmt.Println(i, held.n) }()
		defer s.Sum(1)
	}
	done := make(chan int)
	go func() { done <- s.Sum(1) }()
	fmt.Println(<-done)

	s = lost
	fmt.Println(s.Sum(2), lost.point == nil)
	lost.point = &point{7, 8}
	func() {
		defer func() { fmt.Println(lost.point) }()
		defer summer(lost).Sum(1)
	}()
}
