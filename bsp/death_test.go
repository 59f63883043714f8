package bsp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/bsp"
)

// total exchanges 16 MB: every process sends every other its share.
func total() {
	bsp.Begin()
	n, me := bsp.NProcs(), bsp.PID()
	share := (16 << 20) / n / n / 8
	in := make([]uint64, n*share)
	reg := bsp.PushRegister(in)
	bsp.Sync()
	out := make([]uint64, share)
	back := make([]uint64, share)
	for round := range 5 {
		for to := range n {
			for i := range out {
				out[i] = uint64(round)<<48 | uint64(me)<<40 | uint64(to)<<32 | uint64(i)
			}
			bsp.Put(to, out, reg, me*share)
			bsp.Send(to, struct{}{}, out[:share/2])
		}
		bsp.Get((me+1)%n, reg, 0, back)
		bsp.Sync()
		for from := range n {
			for i := range share {
				want := uint64(round)<<48 | uint64(from)<<40 | uint64(me)<<32 | uint64(i)
				check(in[from*share+i] == want, "element %d from %d: %x", i, from, in[from*share+i])
			}
			_, payload, ok := bsp.HPMove[struct{}, uint64]()
			check(ok && len(payload) == share/2 && payload[1]>>32 == uint64(round)<<16|uint64(from)<<8|uint64(me), "message from %d", from)
		}
		if round > 0 {
			check(back[1]>>48 == uint64(round-1), "get: %x", back[1])
		}
	}
	bsp.End()
	if me == 0 {
		fmt.Println("done")
	}
}

// endless exchanges until somebody dies.
func endless() {
	bsp.Begin()
	n := bsp.NProcs()
	fmt.Println("ready")
	out := make([]byte, 1<<20)
	for {
		for to := range n {
			bsp.Send(to, struct{}{}, out)
		}
		bsp.Sync()
	}
}

// computing never calls the library again.
func computing() {
	bsp.Begin()
	fmt.Println("ready")
	for x := 1; ; x++ {
		if x == 0 {
			fmt.Println(x)
		}
	}
}

func init() {
	programs["total"] = total
	programs["endless"] = endless
	programs["computing"] = computing
}

func TestTotalExchange(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		require.Equal(t, "done", succeed(t, "total", n))
	})
}

// Without a launcher the death of a process ends the others, soon.
func TestDeath(t *testing.T) {
	for _, program := range []string{"endless", "computing"} {
		t.Run(program, func(t *testing.T) {
			const n, victim = 4, 2
			j := start(t, program, n)
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			awaitReady(ctx, t, j)
			time.Sleep(50 * time.Millisecond)
			require.NoError(t, j.processes[victim].Process.Kill())
			killed := time.Now()
			for rank, r := range j.wait() {
				if rank == victim {
					require.Equal(t, -1, r.status)
					continue
				}
				require.Equal(t, 1, r.status, r.err)
				require.Regexp(t, fmt.Sprintf(`^bsp: process %d: the connection to process \d is lost`, rank), r.err)
			}
			require.Less(t, time.Since(killed), 5*time.Second)
		})
	}
}

// awaitReady waits until all processes of j have written their first line.
func awaitReady(ctx context.Context, t *testing.T, j *job) {
	for i := range j.out {
		for !strings.Contains(j.out[i].String(), "ready\n") {
			require.NoError(t, ctx.Err())
			time.Sleep(5 * time.Millisecond)
		}
	}
}
