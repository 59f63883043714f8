// Known has loops of which the compiler is told what their counters and lengths are, where a checkpoint restores them, and others that look alike, of which that is
// not true: whose counter something else assigns, or comes to the end of its range, and whose lengths change.
package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

var calls int

func point() int {
	calls++
	ckp.Checkpoint()
	return calls
}

// limits has a length in a variable, and another of the same name and type in a scope of its own.
func limits(rows [][]int, shift int) (sum int) {
	for _, row := range rows {
		n := len(row)
		for i := 0; i < n; i++ {
			point()
			sum += row[i] * (i + 1)
		}
	}
	{
		row := rows[0]
		n := len(row) - shift
		for i := 1; i < n; i++ {
			point()
			sum = sum*3 + row[i] - row[i-1]
		}
	}
	{
		row := append([]int{sum & 7}, rows[1]...)
		n := len(row)
		row = row[shift:]
		for i := range n {
			point()
			if i < len(row) {
				sum += row[i]
			}
		}
	}
	return sum
}

// farFrom begins with a length and a number that is near the end of the range.
func farFrom(list []int) (sum int) {
	first := len(list) + (math.MaxInt - 8)
	for i := first; i > 0 || i < math.MinInt+3; i++ {
		point()
		sum += list[i&1] + first&1
	}
	last := len(list) - math.MaxInt
	for i := last; i < 0 || i > math.MaxInt-3; i-- {
		point()
		sum += list[i&1] + last&1
	}
	return sum
}

// begun declares the same variables again, by a goto back.
func begun(text string) (found []string) {
	turn := 0
again:
	rest := strings.Repeat(text, turn+1)
	n := len(rest)
	for i := n - 1; i >= 0; i -= 2 {
		if point()%5 == 0 {
			continue
		}
		found = append(found, rest[i:i+1])
	}
	if turn++; turn < 3 {
		goto again
	}
	return found
}

func made(n int, m int) string {
	line, other := make([]byte, n), make([]rune, m+1, n+m)
	for i := 0; i < n; i++ {
		line[i] = byte('a' + point()%26)
	}
	for i := 1; i <= m; i++ {
		other[i] = other[i-1] + rune(point())
	}
	m = -1
	for i := m; i < len(line)-1; i++ {
		point()
		line[i+1] ^= 1
	}
	grown := make([]int, m+2)
	for i := 0; i < 4; i++ {
		grown = append(grown, i*point())
	}
	return fmt.Sprint(string(line), other, grown, m)
}

// moved assigns counters in the midst of their loops.
func moved(s []int) (list []int) {
	back := true
	for i := 2; i < len(s); i++ {
		point()
		list = append(list, i*s[i&3])
		if i == 3 && back {
			i, back = -1, false
		}
	}
	for i := len(s) - 1; i >= 0; i-- {
		if point(); i == 2 && !back {
			i, back = len(s)+2, true
			continue
		}
		list = append(list, s[i&3])
	}
	p := new(int)
	for i := 0; i < len(s); i++ {
		p = &i
		if point(); i == 1 && back {
			*p, back = -4, false
		}
		list = append(list, i*s[i&3])
	}
	for i := 0; i < 5; i++ {
		f := func() { i -= 3 }
		if point(); i == 2 && !back {
			f()
			back = true
		}
		list = append(list, i*s[i&3])
	}
	for i := 5; ; i -= 3 {
		point()
		if list = append(list, i*s[i&3]); i < 0 {
			break
		}
	}
	return append(list, *p)
}

// closed has a length that a literal changes.
func closed(s []int) (sum int) {
	n := len(s)
	cut := func() { s = s[1:] }
	for i := 0; i < n && i < len(s); i++ {
		if point(); i == 1 {
			cut()
		}
		sum += n*10 + s[i]
	}
	m := len(s)
	grow := func() { m++ }
	for i := range s {
		grow()
		point()
		sum += m + s[i]
	}
	return sum
}

// outside leaves the range of what it indexes.
func outside(s []int, by int) (err error) {
	defer func() { err = fmt.Errorf("%v at %d", recover(), by) }()
	n := len(s)
	for i := 0; i < n; i++ {
		point()
		s[i+by]++
	}
	for i := range s {
		point()
		s[i-by]++
	}
	return nil
}

func generic[S ~[]E, E any](s S, f func(E) E) (t S) {
	n := len(s)
	t = make(S, n)
	for i := range n {
		point()
		t[i] = f(s[n-1-i])
	}
	local := make(S, n)
	for i, x := range t {
		point()
		local[i] = x
	}
	return local
}

// labelled goes on with an outer loop, whose header has two labels.
func labelled(grid [][]byte) (seen string) {
	h := len(grid)
rows:
	for y := 0; y < h; y++ {
		row := grid[y]
		w := len(row)
		for x := w - 1; x >= 0; x-- {
			point()
			switch seen += string(row[x]); row[x] {
			case '.':
				continue rows
			case '#':
				break rows
			}
		}
	}
	return seen
}

// round goes over the end of the range of its counters.
func round(s []int, up, down int) (list []int) {
	for i := up; ; i++ {
		if point(); i-up == 5 {
			break
		}
		list = append(list, s[i&3])
	}
	for i := down; i-down <= 0 || i > up; i-- {
		if point(); down-i == 5 {
			break
		}
		list = append(list, s[i&3])
	}
	sum := 0
	for i := up; i <= math.MaxInt; i++ {
		if i-up == 5 {
			break
		}
		sum += s[i&3]
	}
	for i := down; down <= i && i <= up || i < 0; i-- {
		if point(); down-i == 3 {
			break
		}
		sum += s[i&3]
	}
	return append(list, sum)
}

func main() {
	fmt.Println(farFrom([]int{1, 2}))
	fmt.Println(limits([][]int{{1, 2, 3}, {4}, nil, {5, 6}}, 1))
	fmt.Println(begun("xyz"))
	fmt.Println(made(7, 4))
	fmt.Println(moved([]int{9, 8, 7, 6}))
	fmt.Println(closed([]int{5, 4, 3, 2, 1}))
	fmt.Println(outside([]int{1, 2, 3}, 1), outside([]int{1, 2, 3}, 0), outside([]int{1}, -1))
	fmt.Println(generic([]string{"a", "b", "c"}, strings.ToUpper))
	fmt.Println(labelled([][]byte{[]byte("ab.cd"), []byte(".ef"), []byte("gh"), []byte("i#j"), []byte("k")}))
	fmt.Println(round([]int{1, 10, 100, 1000}, math.MaxInt-1, math.MinInt+1))
	fmt.Println(calls)
}
