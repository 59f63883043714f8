// Words counts the words of a text in a map and sorts them by frequency.
package main

import (
	"bufio"
	"fmt"
	"sort"
	"strings"
)

type entry struct {
	word string
	n    int
}

func text() string {
	var b strings.Builder
	x := uint32(1)
	for i := 0; i < 600000; i++ {
		x = x*1664525 + 1013904223
		k := int(x>>24)%5 + 1
		y := x
		for j := 0; j < k; j++ {
			b.WriteByte('a' + byte(y%7))
			y /= 7
		}
		b.WriteByte(" \n,."[x>>12&3])
	}
	return b.String()
}

func split(line string, yield func(string)) {
	start := -1
	for i := 0; i < len(line); i++ {
		if c := line[i]; c >= 'a' && c <= 'z' {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			yield(line[start:i])
			start = -1
		}
	}
	if start >= 0 {
		yield(line[start:])
	}
}

func main() {
	t := text()
	count := map[string]int{}
	for r := 0; r < 3; r++ {
		sc := bufio.NewScanner(strings.NewReader(t))
		for sc.Scan() {
			split(sc.Text(), func(w string) { count[w]++ })
		}
	}
	var list []entry
	for w, n := range count {
		list = append(list, entry{w, n})
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].n != list[j].n {
			return list[i].n > list[j].n
		}
		return list[i].word < list[j].word
	})
	for _, e := range list[:5] {
		fmt.Println(e.word, e.n)
	}
}
