package bsp_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/bsp"
)

func check(ok bool, format string, args ...any) {
	if !ok {
		bsp.Abort(format, args...)
	}
}

// ring passes a token around with each of the three ways of communication.
func ring() {
	bsp.Begin()
	n, me := bsp.NProcs(), bsp.PID()
	right := (me + 1) % n
	box := make([]int64, 3)
	reg := bsp.PushRegister(box)
	check(bsp.SetTagSize(4) == 0, "the tag size was not 0")
	bsp.Sync()
	for round := range 50 {
		v := []int64{int64(me*1000 + round), 1}
		bsp.Put(right, v, reg, 1)
		v[0] = -1 // was copied
		got := make([]int64, 1)
		bsp.Get(right, reg, 1, got) // as it was before the put
		bsp.Send(right, int32(round), []int16{int16(me), int16(round)})
		bsp.Sync()
		left := (me + n - 1) % n
		check(box[1] == int64(left*1000+round) && box[2] == 1, "put: %v", box)
		want := int64(0)
		if round > 0 {
			want = int64(me*1000 + round - 1)
		}
		check(got[0] == want, "get: %d, want %d", got[0], want)
		m, size := bsp.QSize()
		check(m == 1 && size == 4, "%d messages of %d bytes", m, size)
		tag, size, ok := bsp.GetTag[int32]()
		check(ok && tag == int32(round) && size == 4, "tag %d %d %v", tag, size, ok)
		p := make([]int16, 5)
		check(bsp.Move(p) == 2 && p[0] == int16(left) && p[1] == int16(round), "payload %v", p)
		_, _, ok = bsp.GetTag[int32]()
		check(!ok, "the message is still there")
	}
	bsp.PopRegister(reg)
	bsp.Sync()
	bsp.End()
	if me == 0 {
		fmt.Println("round", n)
	}
}

func init() { programs["ring"] = ring }

func TestRing(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		require.Equal(t, fmt.Sprintf("round %d", n), succeed(t, "ring", n))
	})
}

// A process that nobody started as part of a job is a job of its own, and needs
// nothing: no directory, no socket.
func TestAlone(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = []string{programVariable + "=ring"}
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "round 1\n", string(out))
}

// Half an environment is an error, not a guess.
func TestHalfAnEnvironment(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = []string{programVariable + "=ring", "CKP_RANK=0", "CKP_SIZE=2"}
	out, err := c.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "bsp: process 0: variable CKP_RUNDIR is not set")
}
