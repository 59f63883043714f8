// Behind takes checkpoints in loops behind which memory is made, and with that memory on the stack.
package main

import (
	"fmt"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

type list struct {
	n    int
	next *list
	word [4]int
}

func (l *list) sum(depth int) int {
	if l == nil || depth == 0 {
		return pt(0)
	}
	return pt(l.n) + l.word[l.n&3] + l.next.sum(depth-1)
}

// nested is written twice as a whole.
func nested(rows [][]int) (sum int) {
	for _, row := range rows {
		for i := 0; i < len(row); i++ {
			sum += pt(row[i])
			for x := row[i]; x > 0; x /= 3 {
				sum += pt(x)
			}
		}
	}
	l := &list{n: sum & 3, word: [4]int{1, 2, 3, 4}}
	l.next = &list{n: 2}
	sum += l.sum(5)
	for i := range 3 {
		l.word[i] += pt(i)
		sum += l.sum(i)
	}
	var total int
	add := func(n int) { total += pt(n) }
	for i := range 3 {
		add(l.word[i])
		l = l.next
		if l == nil {
			break
		}
	}
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte('a' + pt(i))
	}
	return sum + total + len(strings.ToUpper(string(b)))
}

// ways has loops in branches, which are left in many ways.
func ways(text string) (result string, err error) {
	defer func() { result += pt("!") }()
	depth := 0
	if len(text) > 2 {
	outer:
		for i, c := range text {
			switch c {
			case ' ':
				continue
			case '(':
				for range 2 {
					depth = pt(depth + 1)
					if depth > 6 {
						continue outer
					}
				}
			case ')':
				if depth--; depth < 0 {
					break outer
				}
			case '?':
				goto failed
			case '.':
				return fmt.Sprint("ends at ", pt(i)), nil
			default:
				pt(0)
			}
		}
	} else {
		for depth < 3 {
			depth += pt(len(text) + 1)
		}
	}
	{
		words := strings.Fields(text)
		lengths := []int{depth, len(words)}
		for _, w := range words {
			lengths = append(lengths, pt(len(w)))
		}
		return fmt.Sprint(lengths), nil
	}
failed:
	e := &failure{text: text}
	for e.count < 3 {
		e.count += pt(depth + 1)
	}
	return "", e
}

type failure struct {
	text  string
	count int
}

func (f *failure) Error() string { return fmt.Sprint(pt(f.text), f.count) }

// gotos makes its loops by labels, of which one has the way out before it.
func gotos(n int) int {
	l := &list{n: n & 3}
	i, sum := 0, 0
	goto begin
out:
	return sum + l.sum(4)
begin:
	if i == n {
		l = &list{n: 1, next: l}
		goto out
	}
	i++
	sum += pt(i)
	if i%3 != 0 {
		goto begin
	}
	l = &list{n: i & 3, next: l}
again:
	for i < n {
		i += pt(1)
		if i%4 == 0 {
			goto again
		}
		sum ^= i
	}
	l = &list{n: 3, next: l, word: [4]int{9, 8, 7, 6}}
	for range 2 {
		sum += l.sum(pt(3))
	}
	return sum
}

// last ends with a loop, and search with none that ends.
func last(l *list) {
	for l.n < 3 {
		l.n += pt(1)
	}
	m := &list{n: 2, next: l}
	for l.n < 9 {
		l.n += m.sum(2) + 1
	}
}

func search(n int) int {
	for n%2 == 0 {
		n = pt(n / 2)
	}
	steps := &list{}
	for {
		if steps.n++; n == 1 {
			return steps.n
		}
		if n%2 == 0 {
			n /= 2
		} else {
			n = pt(3*n + 1)
		}
	}
}

func main() {
	fmt.Println(nested([][]int{{1, 20, 3}, {}, {400}}))
	for _, text := range []string{"a (b c) d", "((((((x)))) y", ")))", "what?", "now (then). more", "x", ""} {
		result, err := ways(text)
		fmt.Printf("%q %v\n", result, err)
	}
	for n := range 9 {
		fmt.Println(gotos(n))
	}
	l := &list{}
	last(l)
	fmt.Println(l.n, search(24), search(7))
	for n := range 5 {
		fmt.Println(large(n, "some words of (different) lengths, 17 and 4"))
	}
}
