package main

import (
	"fmt"
	"iter"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// counter's methods are iterators themselves, which loops range over as method values.
type counter struct{ from, to int }

func (c counter) up(yield func(int) bool) {
	for i := c.from; i < c.to; i++ {
		ckp.Checkpoint()
		if !yield(i) {
			return
		}
	}
}

func (c *counter) down(yield func(int, *counter) bool) {
	if c == nil {
		return
	}
	for c.to > c.from {
		c.to--
		ckp.Checkpoint()
		if !yield(c.to, c) {
			return
		}
	}
}

type (
	within struct{ counter }
	shared struct {
		*counter
		inner within
	}
	upward      interface{ up(func(int) bool) }
	pair[T any] struct{ a, b T }
)

func (p pair[T]) both(yield func(T) bool) {
	ckp.Checkpoint()
	_ = yield(p.a) && yield(p.b)
}

func (p *pair[T]) swapped(yield func(T) bool) {
	p.a, p.b = p.b, p.a
	ckp.Checkpoint()
	_ = yield(p.a) && yield(p.b)
}

func sum[T upward](x T) (n int) {
	for i := range x.up {
		n += i
	}
	return n
}

func depth(p pair[[]counter]) (n int) {
	for list := range p.both {
		for i := range list {
			for k := range list[i].up {
				if k == 3 {
					break
				}
				n += depth(pair[[]counter]{a: list[:i]}) + 1
			}
		}
	}
	return n
}

// late is at a checkpoint before its loop, and has no other use of the receiver.
func late(c counter, p pair[int]) (n int) {
	ckp.Checkpoint()
	for i := range c.up {
		n += i
	}
	for x := range p.both {
		n = n*10 + x
	}
	return n
}

func methods() {
	first, second := counter{2, 5}, pair[int]{3, 4} // not alive when the call is made again
	fmt.Println(late(first, second))
	c := counter{0, 5}
	for i := range c.up {
		c.to, c.from = 100, 50 // the receiver is a copy
		fmt.Print(i, c, " ")
	}
	c = counter{0, 4}
	for i, d := range c.down {
		d.from++
		fmt.Print(i, c, " ")
	}
	p, list := &counter{2, 4}, []counter{{0, 1}, {5, 7}}
	for i := range p.up {
		p = &counter{9, 9}
		for j := range list[1].up {
			list = append(list, counter{i, j})
			for k, l := range list[j-5].down {
				fmt.Print(k, *l, " ")
			}
		}
	}
	fmt.Println(list, *p)
	s := shared{&counter{1, 3}, within{counter{7, 9}}}
	for i := range s.up {
		for j := range s.inner.up {
			for k := range s.inner.down {
				fmt.Print(i, j, k, " ")
			}
		}
		s.counter = nil
	}
	for range s.down {
		fmt.Print("never")
	}
	var u upward = within{counter{3, 6}}
	for i := range u.up {
		u = nil
		if i == 5 {
			break
		}
		fmt.Print(i, " ")
	}
	fmt.Println(sum(counter{1, 4}), sum(upward(&counter{2, 5})), sum(within{counter{5, 6}}))
	q := pair[string]{"a", "b"}
	for x := range q.both {
		for y := range q.swapped {
			fmt.Print(x, y, " ")
		}
	}
	fmt.Println(depth(pair[[]counter]{[]counter{{0, 2}, {1, 4}}, []counter{{0, 9}}}))
	defer func() {
		fmt.Println(recover())
		var all iter.Seq[int] = c.up
		for range all {
		}
	}()
	for range s.up { // of a nil pointer
		fmt.Print("never")
	}
}
