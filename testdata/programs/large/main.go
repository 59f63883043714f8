// Large takes checkpoints in loops of functions that are so large that the rest of an iteration is a function of its own.
package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

// A machine has a stack, and calls itself.
type machine struct {
	stack []int
	calls int
	text  strings.Builder
}

func (m *machine) push(x int) { m.stack = append(m.stack, x) }

func (m *machine) pop() int {
	x := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return x
}

var errEmpty = errors.New("empty")

// run has returns, breaks and gotos in its loop, variables that something else has the addresses of, and one that is alive behind the
// loop only, and arrays. The loop is left in four ways.
func (m *machine) run(code []byte, a, b int) (acc int, err error) {
	c := len(code)
	var last byte
	counts := [3]int{}
	total := 0
	add := func(x int) { total += x }
	seen := &counts[1]
	why := ""
	m.calls++
loop:
	for pc := 0; ; pc++ {
		if pc == len(code) {
			why = "end"
			break
		}
		last = code[pc]
		switch op := code[pc]; op {
		case '0', '1', '2', '3':
			m.push(pt(int(op - '0')))
			*seen++
			goto next
		case '+':
			x, y := pt(m.pop()), m.pop()
			m.push(x + y)
			add(x)
			counts[0] += y
		case '-':
			if a&1 == 0 {
				break
			}
			counts[1]--
			total += a
		case ' ':
		case '*':
			for i := m.pop(); i > 0; i-- {
				for j := range 2 {
					acc += pt(i * j)
					if j == 1 && i%3 == 0 {
						continue loop
					}
				}
				counts[2]++
			}
		case '!':
			x, err := m.run(code[pc+1:], pt(b), a)
			m.push(x)
			add(x & 15)
			if err != nil {
				fmt.Fprintf(&m.text, "(%v %d)", pt(err), len(m.stack))
				return acc, fmt.Errorf("at %d: %w", pc, err)
			}
			why = "called"
			break loop
		case '?':
			if pt(len(m.stack)) == 0 {
				return acc, errEmpty
			}
			goto out
		case '.':
			fmt.Fprint(&m.text, pt(m.pop()), " ")
			for k, v := range map[string]int{"one": 1} {
				add(pt(v))
				fmt.Fprint(&m.text, k)
			}
		}
	next:
		pt(0)
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
	}
	acc += pt(1)
	for i := range counts {
		counts[i] *= pt(i)
		add(counts[i])
	}
	fmt.Fprint(&m.text, "[", why, total, counts, string(last), "]")
	return acc + total, nil
out:
	fmt.Fprint(&m.text, "<", why, total, counts, *seen, string(last), ">")
	return pt(acc) - total, err
}

type pair[K comparable, V any] struct {
	k K
	v V
}

type number interface{ ~int | ~uint8 }

// A table is generic, and so is the rest of an iteration of its method.
type table[K comparable, N number] struct {
	pairs []pair[K, N]
	sum   N
}

func (t *table[K, N]) walk(limit N, key func(N) K) (found []K, n N) {
	var a, b, c, acc N = 1, 2, 3, 4
	large := [20]N{}
	for i := N(0); i < limit; i++ {
		k := pt(key(i))
		t.pairs = append(t.pairs, pair[K, N]{k, i})
		for j, p := range t.pairs {
			if p.k == k && pt(j) < len(t.pairs)-1 {
				found = append(found, k)
				large[j%20] += p.v
			}
		}
		a, b, c = b, c, a+i
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		if acc == 251 {
			return found, acc
		}
	}
	for _, x := range large {
		acc += pt(x)
		t.sum += x
	}
	return found, acc
}

// collect has two outermost loops, a block with variables of its own behind the first, results without names, and none of its variables but
// one in both.
func collect(words []string) (string, int) {
	var text strings.Builder
	acc, a, c := 1, 2, 3
	for i, w := range words {
		text.WriteString(pt(w))
		n := len(w)
		b := n
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		acc ^= c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a ^ acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c + b + a + acc + c + c
		acc ^= a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c ^ b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a + acc + c + b + a + a
		if pt(n) == 0 {
			return text.String(), i
		}
	}
	if acc != 0 {
		var array [30]int
		for i := range array {
			array[i] = acc + i
		}
		text.WriteString(fmt.Sprint(pt(array[7]), array[8]-array[3]))
	}
	s := text.String()
	for rest := s; rest != ""; rest = rest[1:] {
		acc = acc*31 + pt(int(rest[0]))
	}
	return s, acc
}

func main() {
	m := &machine{}
	for i, code := range []string{"12+3*.", "12!3+?", "3*2*1!1+.", "!?", "01+.", "321!0!1+!?", "1- -2+."} {
		x, err := m.run([]byte(code), i, 5)
		fmt.Println(code, x, err, m.stack, m.calls, m.text.String())
		m.text.Reset()
		m.stack = m.stack[:0]
	}
	t := &table[string, uint8]{}
	found, n := t.walk(9, func(n uint8) string { return pt(fmt.Sprint(n * n % 7)) })
	fmt.Println(found, n, t.sum, len(t.pairs))
	u := &table[int, int]{}
	list, k := u.walk(11, func(n int) int { return n * n % 5 })
	fmt.Println(list, k, u.sum)
	fmt.Println(collect([]string{"some", "words", "here"}))
	fmt.Println(collect([]string{"none", "", "left"}))
	straight()
	deferring()
	assigned()
}
