// Hiddentypes holds values across checkpoints whose types another package of the module does not
// export, generic ones too.
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

func main() {
	promoted()
	c := other.NewCounter()
	p := other.Pair("a", 2)
	add := func() { c.Add(p.Second) }
	for _, q := range other.Pairs() {
		ckp.Checkpoint()
		add()
		fmt.Println(c.N, p.First, q)
	}
}
