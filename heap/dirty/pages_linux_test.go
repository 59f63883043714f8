//go:build amd64 || arm64

package dirty_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/heap/dirty"
)

// What is reported as written is what was written, in Go's own heap, whatever the collector does.
func TestWritten(t *testing.T) {
	p, err := dirty.New()
	require.NoError(t, err)
	defer p.Close()
	page := uintptr(os.Getpagesize())
	const pages = 3000
	block := make([]byte, (pages+1)*int(page))
	start := (uintptr(unsafe.Pointer(&block[0])) + page - 1) &^ (page - 1)
	end := start + pages*page
	first := int(start - uintptr(unsafe.Pointer(&block[0])))
	require.NoError(t, p.Watch(start, end))
	r := rand.New(rand.NewPCG(1, 1))
	for round := range 50 {
		want := make(map[int]bool)
		for range r.IntN(round*30 + 1) {
			k := r.IntN(pages)
			block[first+k*int(page)+r.IntN(int(page))]++
			want[k] = true
		}
		if round%5 == 0 {
			runtime.GC()
		}
		got := make(map[int]bool)
		require.NoError(t, p.Written(start, end, func(from, to uintptr) {
			for ; from < to; from += page {
				got[int((from-start)/page)] = true
			}
		}))
		require.Equal(t, want, got, "round %d", round)
	}
	p.Forget(start, end)
	require.Error(t, p.Written(start, end, func(uintptr, uintptr) {}))
	runtime.KeepAlive(block)
}

func BenchmarkScanClean(b *testing.B) {
	p, err := dirty.New()
	require.NoError(b, err)
	defer p.Close()
	block := make([]byte, 1<<30)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	start := uintptr(unsafe.Pointer(&block[0]))
	require.NoError(b, p.Watch(start, start+1<<30))
	for b.Loop() {
		require.NoError(b, p.Written(start, start+1<<30, func(uintptr, uintptr) {}))
	}
	runtime.KeepAlive(block)
}
