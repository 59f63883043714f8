package heap

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkIncrement is the capture of a program of 64 MiB that has changed one vector of 13 kB.
func BenchmarkIncrement(b *testing.B) {
	inc := NewIncrements(true)
	defer inc.Close()
	s := &simulation{Field: make([]float64, 8<<20)}
	for i := range s.Field {
		s.Field[i] = float64(i)
	}
	at := 0
	for b.Loop() {
		for range 1660 {
			s.Field[at]++
			at = (at + 1) % len(s.Field)
		}
		snapshot, err := Capture(s.roots(), Options{Increments: inc})
		require.NoError(b, err)
		b.StopTimer()
		if snapshot.Incremental() {
			_, err = snapshot.WriteIncrement(io.Discard)
		} else {
			_, err = snapshot.WriteTo(io.Discard)
		}
		require.NoError(b, err)
		b.StartTimer()
	}
}
