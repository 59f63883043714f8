package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A link is a field of what is in a list, and all that leads to it.
type link struct{ next, prev *link }

func (l *link) insert(n *link) { n.next, n.prev, l.next.prev, l.next = l.next, l, n, n }

type parcel struct {
	name string
	link
	weight float32
	more   *int
}

type container struct {
	name [70]string
	by   struct {
		n    int
		hook link
	}
	after []int
}

func parcelOf(l *link) *parcel {
	return (*parcel)(unsafe.Add(unsafe.Pointer(l), -int(unsafe.Offsetof(parcel{}.link))))
}

func containerOf(l *link) *container {
	return (*container)(unsafe.Pointer(uintptr(unsafe.Pointer(l)) - unsafe.Offsetof(container{}.by) - unsafe.Offsetof(container{}.by.hook)))
}

// In several steps.

type label struct {
	text string
	link
}

func labelOf(l *link) *label {
	p := unsafe.Pointer(l)
	return (*label)(unsafe.Add(p, -int(unsafe.Offsetof(label{}.link))))
}

// A meter is found by a number.
type meter struct {
	name  string
	more  *int
	count int32
}

func meterOf(n *int32) *meter {
	return (*meter)(unsafe.Pointer(uintptr(unsafe.Pointer(n)) - unsafe.Offsetof(meter{}.count)))
}

func linked(n int, add func(at *link, i int)) *link {
	head := new(link)
	head.next, head.prev = head, head
	for i := range n {
		add(head.prev, i)
	}
	return head
}

func holders() {
	parcels := linked(4, func(at *link, i int) {
		p := parcel{name: fmt.Sprint("parcel ", i), weight: float32(i), more: new(int)}
		at.insert(&p.link)
	})
	containers := linked(3, func(at *link, i int) {
		c := &container{after: []int{i}}
		c.name[69] = fmt.Sprint("container ", i)
		at.insert(&c.by.hook)
	})
	labels := linked(3, func(at *link, i int) { at.insert(&(&label{text: fmt.Sprint("label ", i)}).link) })
	var onStack link
	onStack.next, onStack.prev = &onStack, &onStack
	a, b := parcel{name: "a"}, parcel{name: "b"}
	onStack.insert(&a.link)
	onStack.insert(&b.link)
	var counts []*int32
	for i := range 3 {
		counts = append(counts, &(&meter{name: fmt.Sprint("meter ", i), more: new(int)}).count)
	}
	for range 2 {
		for _, n := range counts {
			*n++
			ckp.Checkpoint()
			*meterOf(n).more++
			fmt.Print(meterOf(n).name, *meterOf(n).more == int(*n), " ")
		}
		for _, list := range []*link{parcels, &onStack} {
			for l := list.next; l != list; l = l.next {
				p := parcelOf(l)
				p.name += "."
				ckp.Checkpoint()
				if p.more != nil {
					*p.more++
				}
				fmt.Print(p.name, p.weight, p.more != nil && *p.more == len(p.name)-8, " ")
			}
		}
		for l := containers.next; l != containers; l = l.next {
			c := containerOf(l)
			c.after = append(c.after, len(c.after))
			ckp.Checkpoint()
			fmt.Print(c.name[69], c.after, " ")
		}
		for l := labels.next; l != labels; l = l.next {
			labelOf(l).text += "!"
			ckp.Checkpoint()
			fmt.Print(labelOf(l).text, " ")
		}
		fmt.Println()
	}
}
