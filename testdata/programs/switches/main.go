// Switches has calls in tags and cases, fallthrough, and switches without tags.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

var trace []string

func value(name string, v int) int {
	ckp.Checkpoint()
	trace = append(trace, name)
	return v
}

func classify(n int) string {
	switch x := value("tag", n); x {
	case 0:
		return "zero"
	case value("one", 1), value("two", 2):
		ckp.Checkpoint()
		return "small"
	case value("three", 3):
		fallthrough
	case 4:
		ckp.Checkpoint()
		return "middle"
	default:
		if x < 0 {
			break
		}
		return "large"
	case 5:
		return "five"
	}
	return "negative"
}

func grade(points int) (g string) {
	switch {
	case points > 90:
		ckp.Checkpoint()
		g = "A"
	case points > 50 && value("fifty", 1) == 1:
		g = "B"
	default:
		g = "C"
	}
	return g + "!"
}

func first[T any](a, b T, pick bool) T {
	switch pick {
	case true:
		ckp.Checkpoint()
		return a
	}
	return b
}

func nested(v any, n int) (s string) {
	switch t := v.(type) {
	case interface{ Len() int }:
		return "len"
	case []int:
		for _, x := range t {
			switch {
			case x == n:
				ckp.Checkpoint()
				return fmt.Sprint("found ", x)
			case x > 100:
				break
			default:
				s += fmt.Sprint(x)
			}
		}
	case *int:
		*t += value("pointer", n)
		s = fmt.Sprint(*t)
	}
	return s
}

// labelled has fallthrough statements that something jumps to.
func labelled(n int) (s string) {
	switch {
	case n == value("two", 2):
		if n == value("more", n) {
			s += "jumps "
			goto through
		}
		s += "not here "
	through:
		fallthrough
	case n == 1:
		s += "one "
		fallthrough

	default:
		s += fmt.Sprint(value("default", n))
	}
	return s
}

type card struct{ suit, rank int }

// play has cases that are composite literals, or have such, and interfaces in a switch without a tag.
func play(c card, a any) string {
	switch c {
	case card{1, value("one", 1)}:
		return "aces"
	case card{1, 2}:
		ckp.Checkpoint()
		return "deuce"
	}
	switch {
	case value("rank", c.rank) == 5, card{3, 3} == c, (card{4, 4}.suit) == c.suit:
		ckp.Checkpoint()
		return "literal"
	case a:
		return "true"
	}
	return "none"
}

func main() {
	fmt.Println(play(card{1, 1}, 0), play(card{1, 2}, 0), play(card{3, 3}, 0), play(card{4, 1}, 0), play(card{}, true), play(card{}, 1))
	fmt.Println(labelled(1), labelled(2), labelled(3))
	for n := -1; n < 7; n++ {
		fmt.Println(n, classify(n))
	}
	fmt.Println(grade(95), grade(60), grade(10))
	fmt.Println(first("a", "b", true), first(1, 2, false))
	i := 3
	fmt.Println(nested([]int{1, 200, 2, 3}, 3), nested([]int{1}, 9), nested(&i, 4), i, nested(nil, 0))
	fmt.Println(trace)
}
