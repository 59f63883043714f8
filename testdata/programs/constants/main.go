// Constants has variables that are declared with a number and have no other value, and some that look alike, with checkpoints around.
package main

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

type celsius float32

type weekday uint8

const shift = 3

// kinds has one of each kind of number.
func kinds() {
	n, mask := 12, uint64(math.MaxUint64)
	var low int64 = math.MinInt64
	third, tenth := 1.0/3, float32(0.1)
	var whole float64 = 7
	letter, day, temperature := 'ß', weekday(6), celsius(-40.3)
	pause := 3 * time.Second / 2
	tiny, huge := math.SmallestNonzeroFloat64, math.MaxFloat64
	const local = 5
	computed := local<<shift | 1
	for i := range pt(3) {
		fmt.Println(pt(i), n, mask, low, third, tenth, whole, letter, day, temperature, pause, tiny, huge, computed)
		fmt.Println(third*3 == 1, float64(tenth) == 0.1, tenth*10 == 1, pt(n)/5, mask>>60)
	}
}

// scopes has several of the same name and type, and one that is declared anew in each turn.
func scopes() (sum int) {
	if pt(true) {
		n := 5
		sum += pt(n) * n
	}
	if pt(true) {
		n := 7
		sum += pt(n) * n
	}
	for i := 0; i < 3; i++ {
		n := 11
		sum += pt(n) + i
		n++
		sum += pt(n)
	}
	for i := 0; i < 3; i++ {
		n := 13
		sum += pt(n) + i
		{
			n := pt(n) + i
			sum += pt(n)
		}
	}
	return sum
}

// others have other values, too, by assignments, addresses and literals.
func others() []int {
	a, b, c, d, e, f := 1, 2, 3, 4, 5, 6
	set := func() { c = 30 }
	get := func() int { return f * 2 }
	p := &b
	for k := range pt(3) {
		a += k
		*p += pt(k)
		d, e = e, d
	}
	for e = range pt(2) {
		pt(e)
	}
	set()
	var zero int
	zero += pt(1)
	a, g := pt(a), 8
	return []int{pt(a), b, c, d, e, get(), pt(f), zero, g}
}

// captured are read by literals that are at checkpoints themselves.
func captured() (sum float64) {
	rate, turns := 0.25, 4
	step := func(x float64) float64 { return pt(x) + rate*float64(turns) }
	list := []func() int{func() int { return pt(turns) }, func() int { return turns * pt(2) }}
	for i := range turns {
		sum = step(sum) + float64(list[pt(i)%2]())
	}
	return sum
}

// deferred is known to a deferred call, and to what recovers.
func deferred() (err error) {
	limit := 3
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v at %d", r, pt(limit))
		}
	}()
	for i := 0; ; i++ {
		if pt(i) == limit {
			panic(errors.New("end"))
		}
	}
}

// generic has one that depends on no type parameter, and one that does.
func generic[T ~int | ~float64](list []T) (sum T) {
	offset, scale := 2, T(3)
	for i, x := range list {
		sum += pt(x)*scale + T(i+offset)
	}
	return sum
}

// goes comes back to before the declaration.
func goes() (sum int) {
	i := 0
again:
	weight := 17
	sum += pt(weight) * i
	if i++; i < pt(4) {
		goto again
	}
	switch base := 10; {
	case sum > base:
		sum += pt(base)
		fallthrough
	default:
		sum -= base
	}
	return sum
}

func main() {
	kinds()
	fmt.Println(scopes(), others(), captured(), deferred(), generic([]int{1, 2, 3}), generic([]float64{1.5, 2.5}), goes())
}
