// Hiddentypes holds values across checkpoints whose types another package of the module does not
// export, generic ones too, or that it can't import.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/hiddentypes/other"
)

func pt(n int) func() int {
	return func() int {
		ckp.Checkpoint()
		return n
	}
}

var gauge = new(other.Gauge)

// promoted calls methods through embedded fields, the last of which can't be written in this package.
func promoted() {
	far := other.Far{Gauge: gauge}
	var own other.Gauge
	list := []other.Gauge{own, own}
	fmt.Println(gauge.Add(pt(1)), far.Add(pt(2)), own.Add(pt(3)), own.Inner.Add(pt(4)), list[1].Add(pt(5)))
	fmt.Println(gauge.Get(pt(1)), far.Get(pt(2)), own.Get(pt(3)), own.Inner.Get(pt(4)), list[1].Get(pt(5)))
	add, get := far.Add, own.Get
	fmt.Println(add(pt(6)), get(pt(7)), gauge.Get(pt(8)))
	defer func(g *other.Gauge) { fmt.Println(g.Get(pt(0))) }(&own)
	defer own.Add(pt(9))
	for range gauge.Add(pt(-7)) {
		fmt.Println(gauge.Add(pt(10)))
	}
}

// internal holds values of types that a package has which this one can't import, with a name elsewhere and without.
func internal() {
	c, m := other.NewCount(), other.NewMeter()
	for i := range 3 {
		c.Up(pt(i)())
		s := m.Step(c.N)
		ckp.Checkpoint()
		by, total := s.Sum(m)
		fmt.Println(pt(by)(), total, s)
	}
}

func main() {
	promoted()
	internal()
	c := other.NewCounter()
	p := other.Pair("a", 2)
	add := func() { c.Add(p.Second) }
	for _, q := range other.Pairs() {
		ckp.Checkpoint()
		add()
		fmt.Println(c.N, p.First, q)
	}
}
