package callback

import (
	"cmp"
	"container/heap"
	"slices"
	"sort"
	"strings"
)

type person struct {
	name string
	age  int
}

type byAge struct {
	people []person
	count  *int
}

func (b byAge) Len() int           { return len(b.people) }
func (b byAge) Less(i, j int) bool { some(b.count); return b.people[i].age < b.people[j].age }
func (b byAge) Swap(i, j int)      { b.people[i], b.people[j] = b.people[j], b.people[i] }

func people() []person {
	var list []person
	for i, name := range strings.Fields("ann bob cid dan eva fay gus hal ida joe kim leo mia ned oda pam") {
		list = append(list, person{name, i * 7 % 16})
	}
	return list
}

func sorting() {
	n := 0
	list := people()
	sort.Slice(list, func(i, j int) bool { some(&n); return list[i].age < list[j].age })
	show("sort.Slice", list, n)
	sort.SliceStable(list, func(i, j int) bool { some(&n); return list[i].age%3 < list[j].age%3 })
	show("sort.SliceStable", list, n, sort.SliceIsSorted(list, func(i, j int) bool { at(&n); return false }))
	for _, swapped := range []any{[]int8{3, 1, 2}, []int16{3, 1, 2}, []int32{3, 1, 2}, []int{3, 1, 2}} {
		switch s := swapped.(type) {
		case []int8:
			sort.Slice(s, func(i, j int) bool { some(&n); return s[i] < s[j] })
		case []int16:
			sort.Slice(s, func(i, j int) bool { some(&n); return s[i] < s[j] })
		case []int32:
			sort.Slice(s, func(i, j int) bool { some(&n); return s[i] < s[j] })
		case []int:
			sort.Slice(s, func(i, j int) bool { some(&n); return s[i] < s[j] })
		}
		show("sort.Slice", swapped)
	}
	words, pointers := strings.Fields("q w e r t y"), []*int{new(int), &n}
	sort.Slice(words, func(i, j int) bool { some(&n); return words[i] < words[j] })
	sort.Slice(pointers, func(i, j int) bool { some(&n); return *pointers[i] > *pointers[j] })
	show("sort.Slice", words, *pointers[0] == n, *pointers[1])

	list = people()
	sort.Sort(byAge{list, &n})
	show("sort.Sort", list, n)
	sort.Sort(sort.Reverse(byAge{list, &n}))
	show("sort.Reverse", list, n, sort.IsSorted(byAge{list, &n}))
	sort.Stable(byAge{list, &n})
	show("sort.Stable", list, n)

	list = people()
	slices.SortFunc(list, func(a, b person) int { some(&n); return cmp.Compare(a.age, b.age) })
	show("slices.SortFunc", list, n)
	slices.SortStableFunc(list, func(a, b person) int { some(&n); return cmp.Compare(a.age%3, b.age%3) })
	show("slices.SortStableFunc", list, n)
	long := make([]int, 200)
	for i := range long {
		long[i] = i * 77 % 211
	}
	slices.SortFunc(long, func(a, b int) int {
		if n++; n%97 == 0 {
			point()
		}
		return a - b
	})
	show("slices.SortFunc", long, n)
}

func searching() {
	n := 0
	list := people()
	i := sort.Search(len(list), func(i int) bool { at(&n); return list[i].name >= "ida" })
	j, found := sort.Find(len(list), func(i int) int { at(&n); return cmp.Compare("joe", list[i].name) })
	show("sort.Search", i, j, found, n)
	i, found = slices.BinarySearchFunc(list, "kim", func(p person, name string) int { at(&n); return cmp.Compare(p.name, name) })
	show("slices.BinarySearchFunc", i, found, n)
	older := func(p person) bool { at(&n); return p.age > 12 }
	show("slices.IndexFunc", slices.IndexFunc(list, older), slices.ContainsFunc(list, older), n)
	show("slices.DeleteFunc", slices.DeleteFunc(slices.Clone(list), older), n)
	show("slices.CompactFunc", slices.CompactFunc(list, func(a, b person) bool { at(&n); return a.age > b.age }), n)
	show("slices.MaxFunc", slices.MaxFunc(people(), func(a, b person) int { at(&n); return a.age - b.age }), n)
	show("slices.EqualFunc", slices.EqualFunc(people(), people(), func(a, b person) bool { at(&n); return a == b }), n)
}

type queue struct {
	items []int
	count *int
}

func (q *queue) Len() int           { return len(q.items) }
func (q *queue) Less(i, j int) bool { at(q.count); return q.items[i] < q.items[j] }
func (q *queue) Swap(i, j int)      { q.items[i], q.items[j] = q.items[j], q.items[i] }
func (q *queue) Push(x any)         { at(q.count); q.items = append(q.items, x.(int)) }
func (q *queue) Pop() any {
	at(q.count)
	x := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return x
}

func heaps() {
	n := 0
	q := &queue{items: []int{9, 4, 7, 1, 8}, count: &n}
	heap.Init(q)
	heap.Push(q, 3)
	q.items[2] = 0
	heap.Fix(q, 2)
	show("heap.Remove", heap.Remove(q, 3))
	for q.Len() > 0 {
		show("heap.Pop", heap.Pop(q), n)
	}
}
