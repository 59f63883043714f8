// Bodies has loops and comparisons that the standard library calls back, which loop in turn without a poll: so they poll on entry.
package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

type pair struct{ a, b int }

func linger(list []int, k int) (s int) {
	for _, x := range list {
		s = s*31 + x*k
	}
	return s
}

func nested(a []int) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("recovered %v", v)
		}
	}()
outer:
	for i, x := range slices.All(a) {
		for j, y := range slices.Backward(a) {
			if y == 3 && x == 2 {
				continue outer
			}
			if x == 5 {
				break outer
			}
			for z := range slices.Values(a) {
				if z == 6 {
					continue
				}
				n = n*7 + x*i ^ y*j ^ z
			}
		}
	}
	for x := range slices.Values(a) {
		n += linger(a, x)
		if n%13 == 5 {
			panic(n)
		}
	}
	return n, nil
}

var global int

func assigned(a []int) (s []int) {
	var k int
	var p pair
	for k, global = range slices.All(a) {
		s = append(s, k, global, linger(a, k))
	}
	for p.a, p.b = range slices.All(a) {
		s = append(s, p.a, p.b, linger(a, k))
	}
	for k = range slices.Values(a) {
		func() {
			defer func() { s = append(s, linger(a, k)) }()
			s = append(s, k)
		}()
	}
	for range slices.Values(a) {
		s = append(s, linger(a, 9))
	}
	return s
}

func find[T comparable](a []T, x T, more func(T) int) (at int, ok bool) {
	for i, y := range slices.All(a) {
		n := 0
		for _, z := range a {
			n += more(z)
		}
		if y == x {
			return i + n, true
		}
	}
	return -1, false
}

func defers(a []int) (s []string) {
	for x := range slices.Values(a) {
		defer func() { s = append(s, fmt.Sprint("deferred ", x, linger(a, x))) }()
		for y := range slices.Values(a) {
			s = append(s, fmt.Sprint(x*y))
		}
	}
	return s
}

func closures(a []int) (list []func() int) {
	for i, x := range slices.All(a) {
		list = append(list, func() int { i++; x += linger(a, i); return x })
		i += 10
	}
	return list
}

func gotos(a []int) (n int) {
	for x := range slices.Values(a) {
		i := 0
	again:
		n += linger(a, x)
		if i++; i < 3 {
			goto again
		}
		switch {
		case x == 4:
			break
		case x == 5:
			continue
		default:
			n ^= x
			fallthrough
		case x == 7:
			n++
		}
	}
	return n
}

func main() {
	a := []int{1, 2, 3, 4, 5, 6, 7, 8}
	fmt.Println(nested(a))
	fmt.Println(nested(a[1:4]))
	fmt.Println(assigned(a))
	fmt.Println(find(a, 5, func(x int) int { return linger(a, x) }))
	fmt.Println(find([]string{"x", "y"}, "z", func(x string) int { return len(x) }))
	for _, s := range defers(a[:4]) {
		fmt.Println(s)
	}
	for _, f := range closures(a) {
		fmt.Println(f(), f())
	}
	fmt.Println(gotos(a))
	m := map[string]int{"b": 2, "a": 1, "c": 3}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Println(k, m[k], linger(a, m[k]))
	}
	sort.Slice(a, func(i, j int) bool { return linger(a, a[i])%17 < linger(a, a[j])%17 })
	fmt.Println(a)
	slices.SortFunc(a, func(x, y int) int { return linger(a[:1], y) - linger(a[:1], x) + y - x })
	fmt.Println(a)
	fmt.Println(strings.Map(func(r rune) rune {
		if linger(a, int(r))%2 == 0 {
			return r + 1
		}
		return -1
	}, "hello, world"))
	var e error
	for w := range strings.SplitSeq("a b c d", " ") {
		e = errors.Join(e, errors.New(w+fmt.Sprint(linger(a, len(w)))))
	}
	fmt.Println(e)
	fmt.Println(sort.Search(100, func(i int) bool { return linger(a, i) > 1000000 }))
}
