package main

import (
	"fmt"
	"strings"
)

// A tally is large enough for a block that has variables of its own.
type tally struct {
	letters [26]int
	others  [8]int
}

func (t *tally) count(s string) int {
	n := 0
	for _, c := range s {
		switch {
		case 'a' <= c && c <= 'z':
			t.letters[c-'a']++
		default:
			t.others[c&7]++
			n += pt(int(c) & 3)
		}
	}
	return n
}

func (t tally) total() int {
	sum := 0
	for i, n := range t.letters {
		sum += i * n
	}
	for i, n := range t.others {
		sum += i * pt(n)
	}
	return sum
}

// large is too long to be written twice as a whole: only its loops are.
func large(n int, text string) (sum int, report string) {
	for i := 0; i < n; i++ {
		sum += pt(i)
	}
	c := &tally{}
	sum += c.count(text)
	switch {
	case n == 0:
		var t tally
		for _, w := range strings.Fields(text) {
			sum += t.count(w)
			if sum > 1000 {
				break
			}
		}
		u := &tally{letters: t.letters}
		for i := range 3 {
			u.others[i] = pt(u.letters[i] + i)
			for u.others[i] > 0 {
				u.others[i] -= pt(1)
				sum++
			}
		}
		keep := func(s string) string { return pt(s) + fmt.Sprint(u.total()) }
		report += keep("first ")
		report += fmt.Sprintln(t.total(), u.total(), len(report))
	case n == 1:
		var t, v tally
		for i := range text {
			if text[i] == ' ' {
				continue
			}
			sum += t.count(text[i : i+1])
			v = t
			if pt(i) > 20 {
				goto done
			}
		}
		report += fmt.Sprint("not reached", v)
	case n == 2:
		t := tally{}
		words := make(map[string]int)
		for _, w := range strings.Fields(text) {
			words[pt(w)] += t.count(w)
		}
		list := make([]string, 0, 4)
		for _, w := range []string{"of", "and", "4", "none"} {
			if n, ok := words[w]; ok {
				list = append(list, fmt.Sprint(pt(w), n))
			}
		}
		p := &list
		for range *p {
			sum += pt(len(*p))
		}
		report += strings.Join(*p, ",") + fmt.Sprint(t.total())
	case n == 3:
		var t, v tally
		rows := [][]string{strings.Fields(text), strings.Split(text, "e"), {"one", "more"}}
	rows:
		for y, row := range rows {
			for x, w := range row {
				switch {
				case strings.HasPrefix(w, "("):
					continue
				case len(w) > 9 && y > 0:
					sum += v.count(w[:3]) + v.total()*len(row)
					continue rows
				case x == 5:
					t.letters[y] += pt(len(w)) + t.count(w)
				case strings.ContainsAny(w, "xyz,"):
					for i := range w {
						t.others[(x+i)%len(t.others)] += pt(y*10) + v.letters[(i*y+x)%len(v.letters)]
						v.letters[(x+y*i)%len(v.letters)] += pt(i)
					}
				default:
					report += strings.ToUpper(w[:min(len(w), pt(1))])
				}
			}
			u := &tally{letters: v.letters, others: t.others}
			report += fmt.Sprint(" row ", y, ": ", u.total(), u.count(strings.Join(row, "+")), " ")
		}
		w := &tally{letters: t.letters, others: v.others}
		x := w
		for i := len(w.others) - 1; i >= 0; i-- {
			w.others[i] += pt(w.letters[i]) + x.others[(i+1)%len(x.others)]
			if w.others[i] > 200 {
				x = &tally{letters: w.letters, others: x.others}
				report += fmt.Sprint("another at ", i, " with ", x.total(), " and ", w.total(), "; ")
			}
		}
		parts := []func(string) int{t.count, v.count, w.count, x.count, func(s string) int { return len(s) + w.total() }}
		for i, part := range parts {
			sum += part(rows[pt(i)%len(rows)][0])
			report += fmt.Sprint(i, ": ", sum, " ")
		}
		report += fmt.Sprint(t.total(), v.total(), w.total(), x.total(), "\n")
	default:
		t := new(tally)
		for t.total() < 100 {
			sum += t.count(text)
		}
		report += fmt.Sprint(t.letters, t.others)
	}
	for i := 0; i < 3; i++ {
		d := &tally{}
		sum += d.count(text[i:])
		report += fmt.Sprint(" ", pt(d.total()))
	}
done:
	e := &tally{letters: c.letters}
	for i := range e.others {
		e.others[i] = pt(i)
	}
	sum += e.total()
	type pair struct{ a, b *tally }
	both := pair{c, e}
	for i := range 2 {
		both.a, both.b = both.b, both.a
		sum += both.a.count(text) - pt(i)
	}
	return sum, report + fmt.Sprint(" ", both.a == e, both.b.total())
}
