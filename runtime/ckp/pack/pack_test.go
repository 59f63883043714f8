package pack_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ckpgen/ckpgen/runtime/ckp/pack"
	_ "github.com/ckpgen/ckpgen/runtime/ckp/zstd"
)

func packed(t require.TestingT, b []byte, workers, step int) []byte {
	codec, err := pack.Find("zstd")
	require.NoError(t, err)
	var file bytes.Buffer
	w, err := pack.NewWriter(&file, codec, workers)
	require.NoError(t, err)
	for rest := b; len(rest) > 0; {
		n := min(step, len(rest))
		_, err := w.Write(rest[:n])
		require.NoError(t, err)
		rest = rest[n:]
	}
	require.NoError(t, w.Close())
	return file.Bytes()
}

func numbers(n int) []byte {
	b := make([]byte, 0, 8*n)
	for i := range n {
		x := math.Float64bits(math.Sin(float64(i)/1000) * 100)
		for range 8 {
			b = append(b, byte(x))
			x >>= 8
		}
	}
	return b
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// What is opened is what was written, whatever it was and in whatever pieces it came.
func TestRoundTrip(t *testing.T) {
	for name, b := range map[string][]byte{
		"nothing": {}, "a byte": {7}, "zeros": make([]byte, 5<<20), "noise": noise(3<<20 + 5),
		"numbers": numbers(400_000), "odd": append(numbers(140_000), 1, 2, 3),
	} {
		for _, workers := range []int{1, 4} {
			file := packed(t, b, workers, 100_003)
			require.True(t, pack.Packed(file))
			got, err := pack.Open(file)
			require.NoError(t, err, name)
			require.True(t, bytes.Equal(b, got), name)
			require.Less(t, len(file), len(b)+len(b)/1000+100, name)
		}
	}
	require.Less(t, len(packed(t, make([]byte, 64<<20), 2, 64<<20)), 64<<10)
	require.Less(t, len(packed(t, numbers(1<<20), 2, 1<<23)), 6<<20, "similar numbers become smaller")
}

func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "b"), rapid.IntRange(1, 9000).Draw(t, "times"))
		got, err := pack.Open(packed(t, b, rapid.IntRange(1, 3).Draw(t, "workers"), rapid.IntRange(1, 3<<20).Draw(t, "step")+len(b)/100))
		require.NoError(t, err)
		require.True(t, bytes.Equal(b, got))
	})
}

type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errors.New("no space")
	}
	return len(b), nil
}

// An error of the disk comes back to whoever writes, and nothing hangs.
func TestDiskFails(t *testing.T) {
	codec, err := pack.Find("zstd")
	require.NoError(t, err)
	for _, room := range []int{0, 24, 1 << 20, 5 << 20} {
		w, err := pack.NewWriter(&failing{room}, codec, 2)
		if err == nil {
			for range 40 {
				if _, err = w.Write(noise(1 << 19)); err != nil {
					break
				}
			}
			require.EqualError(t, w.Close(), "no space")
		}
		require.EqualError(t, err, "no space")
	}
}

type slow struct{ proceed chan bool }

func (s *slow) Write(b []byte) (int, error) {
	<-s.proceed
	return len(b), nil
}

// A slow disk holds up the source: memory is bounded.
func TestBackPressure(t *testing.T) {
	codec, err := pack.Find("zstd")
	require.NoError(t, err)
	disk := &slow{make(chan bool, 1)}
	disk.proceed <- true // the header
	w, err := pack.NewWriter(disk, codec, 2)
	require.NoError(t, err)
	progress := make(chan int, 100)
	go func() {
		for i := range 20 {
			_, _ = w.Write(make([]byte, 1<<20))
			progress <- i
		}
		_ = w.Close()
		close(progress)
	}()
	time.Sleep(200 * time.Millisecond)
	require.LessOrEqual(t, len(progress), 6)
	close(disk.proceed)
	n := 0
	for range progress {
		n++
	}
	require.Equal(t, 20, n)
}

// A damaged file is an error, or gives what was written if what was damaged means nothing; it takes
// no more memory than what it has.
func FuzzOpen(f *testing.F) {
	f.Add(packed(f, []byte("abcabcabcabcabcabcabcabcabcabcabcabc"), 1, 100))
	f.Add(packed(f, numbers(3000), 1, 1<<20))
	f.Add(packed(f, noise(100), 1, 1<<20))
	f.Add(packed(f, nil, 1, 1<<20))
	f.Fuzz(func(t *testing.T, b []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := pack.Open(b)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20+4*len(got)+len(b)*(1<<20)))
		if err == nil {
			require.True(t, pack.Packed(b))
		}
	})
}

// Every cut and every damaged header is noticed.
func TestCut(t *testing.T) {
	file := packed(t, numbers(2000), 1, 1<<20)
	for i := range file {
		_, err := pack.Open(file[:i])
		require.Error(t, err, "cut at %d", i)
	}
	for i := range 36 {
		b := bytes.Clone(file)
		b[i] ^= 0x81
		_, err := pack.Open(b)
		require.Error(t, err, "damaged at %d", i)
	}
	var missing *pack.MissingError
	b := bytes.Clone(file)
	copy(b[12:], "lzma")
	_, err := pack.Open(b)
	require.ErrorAs(t, err, &missing)
	require.ErrorContains(t, err, `no compression "lzma"`)
}

func BenchmarkPack(b *testing.B) {
	codec, err := pack.Find("zstd")
	require.NoError(b, err)
	for name, data := range map[string][]byte{"numbers": numbers(4 << 20), "noise": noise(32 << 20), "zeros": make([]byte, 32<<20)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			var file bytes.Buffer
			for b.Loop() {
				file.Reset()
				w, err := pack.NewWriter(&file, codec, runtime.GOMAXPROCS(0))
				require.NoError(b, err)
				_, _ = w.Write(data)
				require.NoError(b, w.Close())
			}
			b.ReportMetric(float64(file.Len())/float64(len(data)), "size")
		})
	}
}
