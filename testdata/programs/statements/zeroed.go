package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// Large variables are zero where they are declared, also for the second time.

func counted(n int) int {
	ckp.Checkpoint()
	return n + 1
}

type zeroedState struct {
	table [64]int
	name  string
	next  *zeroedState
}

func zeroedIn(n int) int {
	n = counted(n)
	if n < 2 {
		return n
	}
	var s zeroedState
	var a [100]string
	for i := range n {
		n = counted(n)
		s.table[i%64] += n
		a[i%100] += "x"
	}
	s.name = fmt.Sprint(n)
	n = counted(n)
	if n > 5 {
		var b [100]string
		for i := range 3 {
			b[i] += fmt.Sprint(counted(i))
		}
		n += len(b[2]) + len(b[3])
	}
	{
		var b [100]string
		n += len(b[2])
		b[2] = "yy"
		n = counted(n)
		n += len(b[2])
	}
	for range 3 {
		var t zeroedState
		n += t.table[3]
		t.table[3] = counted(n)
		n = counted(n)
	}
	return n + s.table[3] + len(s.name) + len(a[1])
}

func zeroedAgain(n int) (r int) {
again:
	var t zeroedState
	r += t.table[n]
	t.table[n] = counted(n)
	r += t.table[n]
	if n--; n > 0 {
		goto again
	}
	return r
}

func zeroed() {
	for i := range 5 {
		fmt.Println(zeroedIn(i), zeroedAgain(i))
	}
}
