package bsp_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ckpgen/ckpgen/bsp"
)

// The benchmark's work is done by processes of their own; process 0 measures.
func init() {
	programs["empty"] = func() {
		measure(func(int) {})
	}
	programs["put8"] = func() {
		box := make([]float64, 1)
		var reg bsp.Reg[float64]
		measure(func(i int) {
			if i == 0 {
				reg = bsp.PushRegister(box)
				return
			}
			bsp.Put((bsp.PID()+1)%bsp.NProcs(), box, reg, 0)
		})
	}
	programs["putcost"] = func() {
		rounds, _ := strconv.Atoi(os.Getenv("BSP_TEST_ROUNDS"))
		bsp.Begin()
		box := make([]float64, 1)
		reg := bsp.PushRegister(box)
		var took time.Duration
		for i := 0; i < rounds; i += 1000 {
			bsp.Sync()
			began := time.Now()
			for range min(1000, rounds-i) {
				bsp.Put(0, box, reg, 0)
			}
			took += time.Since(began)
		}
		bsp.End()
		fmt.Println(took.Nanoseconds())
	}
	programs["exchange16M"] = func() {
		var in, out []byte
		var reg bsp.Reg[byte]
		measure(func(i int) {
			n := bsp.NProcs()
			share := (16 << 20) / n / n
			if i == 0 {
				in, out = make([]byte, n*share), make([]byte, share)
				reg = bsp.PushRegister(in)
				return
			}
			for to := range n {
				bsp.Put(to, out, reg, bsp.PID()*share)
			}
		})
	}
}

func measure(superstep func(i int)) {
	rounds, _ := strconv.Atoi(os.Getenv("BSP_TEST_ROUNDS"))
	bsp.Begin()
	superstep(0)
	bsp.Sync()
	for i := 1; i < min(rounds, 100); i++ {
		superstep(i)
		bsp.Sync()
	}
	began := time.Now()
	for i := range rounds {
		superstep(i + 1)
		bsp.Sync()
	}
	took := time.Since(began)
	bsp.End()
	if bsp.PID() == 0 {
		fmt.Println(took.Nanoseconds())
	}
}

func benchmark(b *testing.B, program string, n int) {
	nanoseconds, err := strconv.ParseFloat(strings.TrimSpace(succeed(b, program, n, fmt.Sprint("BSP_TEST_ROUNDS=", b.N))), 64)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(nanoseconds/float64(b.N), "ns/op")
}

func BenchmarkSync(b *testing.B) {
	for _, program := range []string{"empty", "put8", "exchange16M"} {
		for _, n := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("%s/%d", program, n), func(b *testing.B) { benchmark(b, program, n) })
		}
	}
}

// One call of Put costs this, without what it costs in Sync.
func BenchmarkPut(b *testing.B) { benchmark(b, "putcost", 1) }
