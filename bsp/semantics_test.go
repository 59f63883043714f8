package bsp_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/bsp"
)

// semantics tries the fine points of BSPlib, sentence by sentence.
func semantics() {
	bsp.Begin()
	n, me := bsp.NProcs(), bsp.PID()
	right := (me + 1) % n

	// The newest registration of a slice counts, whichever Reg is used; removing
	// removes the newest, and the one before counts again.
	a := make([]int32, 10)
	short := bsp.PushRegister(a[:4])
	bsp.Sync()
	long := bsp.PushRegister(a)
	check(short == long, "two names for one slice")
	bsp.Put(right, []int32{7}, short, 3) // the short one still counts
	bsp.Sync()
	check(a[3] == 7, "put: %v", a)
	bsp.Put(right, []int32{8}, short, 9)
	bsp.PopRegister(long)
	bsp.Put(right, []int32{9}, long, 8) // still there until Sync
	bsp.Sync()
	check(a[9] == 8 && a[8] == 9, "put: %v", a)
	bsp.Put(right, []int32{5}, long, 3)
	bsp.PopRegister(short)
	bsp.Sync()
	check(a[3] == 5, "put: %v", a)

	// Registered and removed in one superstep: it never was there. A slice that
	// was removed can be registered again.
	once := bsp.PushRegister(a)
	bsp.PopRegister(once)
	again := bsp.PushRegister(a)
	bsp.Sync()
	bsp.Put(right, []int32{6}, again, 0)
	bsp.Sync()
	check(a[0] == 6, "put: %v", a)
	bsp.PopRegister(again)
	bsp.Sync()

	// Lengths may differ, and be nothing.
	var mine []float64
	if me == n-1 {
		mine = make([]float64, n)
	}
	last := bsp.PushRegister(mine)
	nothing := bsp.PushRegister([]struct{}{})
	bsp.Sync()
	bsp.Put(n-1, []float64{math.Pi * float64(me)}, last, me)
	bsp.Put(n-1, []struct{}{{}, {}}, nothing, 100) // zero bytes: a no-op
	bsp.Put(0, []float64{}, last, 100)
	bsp.Get(0, last, -1, nil)
	bsp.Sync()
	for i := range mine {
		check(mine[i] == math.Pi*float64(i), "put: %v", mine)
	}

	// Gets read before anything is written, and are written before Puts.
	type pair struct {
		a int8
		b complex128
	}
	x, y := []pair{{1, complex(float64(me), 1)}}, []pair{{2, 2}}
	rx, ry := bsp.PushRegister(x), bsp.PushRegister(y)
	bsp.Sync()
	bsp.Get(right, ry, 0, x) // x := y of the right one
	bsp.Get(right, rx, 0, y) // y := x as it was
	bsp.Sync()
	check(x[0] == pair{2, 2}, "get: %v", x)
	check(y[0] == pair{1, complex(float64(right), 1)}, "get: %v", y)
	bsp.Get(right, ry, 0, x)
	bsp.Put(right, []pair{{3, 3}}, rx, 0)
	bsp.Put(right, []pair{{4, 4}}, rx, 0) // later, so it stays
	bsp.Sync()
	check(x[0] == pair{4, 4}, "put after get: %v", x)

	// The size of tags is a pipeline: set, send, receive.
	check(bsp.SetTagSize(8) == 0, "tag size")
	bsp.Send(right, struct{}{}, []byte("untagged"))
	bsp.Sync()
	check(bsp.SetTagSize(1) == 8, "tag size")
	_, size, ok := bsp.GetTag[struct{}]()
	check(ok && size == 8, "tag")
	bsp.Send(right, float64(me), []byte("tagged"))
	bsp.Send(right, float64(me), []byte(nil))
	bsp.Send(right, float64(me), []byte("unread"))
	bsp.Sync()
	check(bsp.SetTagSize(0) == 1, "tag size")
	m, total := bsp.QSize()
	check(m == 3 && total == 12, "%d messages of %d bytes", m, total)
	tag, size, ok := bsp.GetTag[float64]()
	check(ok && size == 6 && tag == float64((me+n-1)%n), "tag %v %d", tag, size)
	two := make([]byte, 2)
	check(bsp.Move(two) == 2 && string(two) == "ta", "move") // as far as there is room
	_, empty, ok := bsp.HPMove[float64, uint16]()
	check(ok && len(empty) == 0, "an empty message")
	m, total = bsp.QSize()
	check(m == 1 && total == 6, "%d messages of %d bytes", m, total)
	bsp.Send(right, uint8(me), []int64{1, 2, 3})
	bsp.Sync()
	m, _ = bsp.QSize() // what was not read is gone
	check(m == 1, "%d messages", m)
	one, payload, ok := bsp.HPMove[uint8, int64]()
	check(ok && int(one) == (me+n-1)%n && payload[2] == 3, "message %v %v", one, payload)
	// Messages can be read while the next ones are sent, also to oneself.
	bsp.SetTagSize(0)
	for i := range 3 {
		bsp.Send(me, struct{}{}, []int{i})
	}
	bsp.Sync()
	for i := range 3 {
		bsp.Send(me, struct{}{}, []int{i + 10, 0, 0, 0})
		got := []int{-1}
		check(bsp.Move(got) == 1 && got[0] == i, "message %d: %v", i, got)
	}
	bsp.Sync()
	bsp.Sync()
	m, total = bsp.QSize()
	check(m == 0 && total == 0, "messages out of nowhere")
	check(bsp.Time() > 0, "no time has passed")

	// What was asked for before End happens.
	bsp.Put(right, []pair{{5, 5}}, rx, 0)
	bsp.End()
	if x[0] != (pair{5, 5}) {
		fmt.Println("put before End:", x)
	}
	if me == 0 {
		fmt.Println("as it should be")
	}
}

func init() { programs["semantics"] = semantics }

func TestSemantics(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		require.Equal(t, "as it should be", succeed(t, "semantics", n))
	})
}
