package heap

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A simulation is a program with large blocks and others.
type simulation struct {
	Step   int
	Field  []float64
	Bytes  []byte
	Part   []byte // of Bytes
	Words  [][]uint32
	Cells  []struct{ A, B int32 }
	Names  map[string]int
	Keys   map[[2]float64]int // whose keys are many
	Flags  []bool             // large, and looked at when it is read
	Inner  *float64
	Banner *[100_000]byte
}

func (s *simulation) roots() []Root { return []Root{{Name: "s", Ptr: s}} }

// change does something to the program.
func (s *simulation) change(t *rapid.T) {
	s.Step++
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		switch rapid.IntRange(0, 9).Draw(t, "what") {
		case 0:
			s.Field = make([]float64, rapid.IntRange(0, 40_000).Draw(t, "size"))
			s.Inner = nil
		case 1:
			for range rapid.IntRange(1, 50).Draw(t, "times") {
				if n := len(s.Field); n > 0 {
					s.Field[rapid.IntRange(0, n-1).Draw(t, "at")] = rapid.Float64().Draw(t, "x")
				}
			}
		case 2:
			for i := range s.Field {
				s.Field[i] += float64(i)
			}
		case 3:
			at := rapid.IntRange(1, 3000).Draw(t, "from")
			s.Bytes = bytes.Repeat([]byte("some text "), rapid.IntRange(1000, 12_345).Draw(t, "size"))
			s.Part = s.Bytes[at:]
		case 4:
			if len(s.Part) > 0 {
				copy(s.Part[rapid.IntRange(0, len(s.Part)-1).Draw(t, "at"):], "overwritten")
			}
		case 5:
			s.Words = append(s.Words, make([]uint32, rapid.IntRange(10_000, 30_000).Draw(t, "size")))
			if len(s.Words) > 3 {
				s.Words = s.Words[1:]
			}
		case 6:
			for _, w := range s.Words {
				for i := 0; i < len(w); i += rapid.SampledFrom([]int{1, 7, 1000}).Draw(t, "stride") {
					w[i]++
				}
			}
		case 7:
			s.Cells = append(s.Cells, make([]struct{ A, B int32 }, 5000)...)
			s.Cells[len(s.Cells)-1].B = int32(s.Step)
			s.Names[fmt.Sprint(s.Step)] = s.Step
		case 8:
			for i := range 5000 {
				s.Keys[[2]float64{float64(i), float64(s.Step)}] = i
			}
			s.Flags = append(s.Flags, make([]bool, 70_000)...)
			s.Flags[s.Step] = true
		case 9:
			if s.Banner == nil {
				s.Banner = new([100_000]byte)
			}
			s.Banner[rapid.IntRange(0, len(s.Banner)-1).Draw(t, "at")]++
			if len(s.Field) > 0 {
				s.Inner = &s.Field[len(s.Field)/2]
			}
		}
	}
	if rapid.Bool().Draw(t, "collect") {
		runtime.GC()
	}
}

// A whole image and the increments after it are the program, after each of them.
func TestIncrements(t *testing.T) {
	for _, watch := range []bool{true, false} {
		if !watch && !*long {
			continue // it is the simpler one
		}
		rapid.Check(t, func(t *rapid.T) {
			inc := NewIncrements(watch)
			defer inc.Close()
			s := &simulation{Names: map[string]int{}, Keys: map[[2]float64]int{}}
			var files [][]byte
			for range rapid.IntRange(1, 8).Draw(t, "captures") {
				for range rapid.IntRange(1, 3).Draw(t, "segments") {
					inc.Track(rapid.Bool().Draw(t, "track"))
					s.change(t)
				}
				if rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
					inc.Restart()
				}
				snapshot, err := Capture(s.roots(), Options{Increments: inc})
				require.NoError(t, err)
				var file bytes.Buffer
				if snapshot.Incremental() {
					_, err = snapshot.WriteTo(&file)
					require.Error(t, err)
					_, err = snapshot.WriteIncrement(&file)
				} else {
					files = nil
					_, err = snapshot.WriteTo(&file)
				}
				require.NoError(t, err)
				files = append(files, file.Bytes())
				var copies [][]byte
				for _, f := range files {
					copies = append(copies, bytes.Clone(f))
				}
				whole, err := Resolve(copies)
				require.NoError(t, err)
				if merged := mergeSome(t, files); len(merged) < len(files) {
					same, err := Resolve(merged)
					require.NoError(t, err)
					require.True(t, bytes.Equal(whole, same))
				}
				image, err := Parse(whole)
				require.NoError(t, err)
				var got simulation
				require.NoError(t, image.Rebuild(got.roots(), Options{}))
				require.Equal(t, s, &got)
				if len(s.Part) > 0 {
					require.Same(t, &got.Part[0], &got.Bytes[cap(got.Bytes)-cap(got.Part)])
				}
				if s.Inner != nil {
					require.Same(t, got.Inner, &got.Field[len(got.Field)/2])
				}
			}
		})
	}
}

// mergeSome returns copies of an image and its increments, of which some that follow each other are
// merged; and of those, too.
func mergeSome(t *rapid.T, files [][]byte) [][]byte {
	var list [][]byte
	for _, f := range files {
		list = append(list, bytes.Clone(f))
	}
	for len(list) > 2 && rapid.Bool().Draw(t, "merge") {
		from := rapid.IntRange(1, len(list)-2).Draw(t, "from")
		to := rapid.IntRange(from+2, len(list)).Draw(t, "to")
		merged, err := MergeIncrements(list[from:to])
		require.NoError(t, err)
		sum := 0
		for _, f := range list[from:to] {
			sum += len(f)
		}
		require.LessOrEqual(t, len(merged), sum)
		list = append(append(list[:from:from], merged), list[to:]...)
	}
	return list
}

func increments(t testing.TB, watch bool, change ...func(field []float64)) [][]byte {
	inc := NewIncrements(watch)
	defer inc.Close()
	s := &simulation{Field: make([]float64, 1<<15)} // 256 KiB
	for i := range s.Field {
		s.Field[i] = float64(i)
	}
	var files [][]byte
	for _, f := range append([]func([]float64){func([]float64) {}}, change...) {
		f(s.Field)
		snapshot, err := Capture(s.roots(), Options{Increments: inc})
		require.NoError(t, err)
		var file bytes.Buffer
		if snapshot.Incremental() {
			_, err = snapshot.WriteIncrement(&file)
		} else {
			_, err = snapshot.WriteTo(&file)
		}
		require.NoError(t, err)
		files = append(files, file.Bytes())
	}
	return files
}

// An increment is as small as what has changed.
func TestIncrementSize(t *testing.T) {
	for _, watch := range []bool{true, false} {
		files := increments(t, watch,
			func(f []float64) {}, func(f []float64) { f[1000]++ }, func(f []float64) { f[1000]++ },
			func(f []float64) {
				for i := range f[:20_000] {
					f[i]++
				}
			})
		require.Greater(t, len(files[0]), 1<<18)
		require.Less(t, len(files[1]), 1000, "nothing has changed")
		require.Less(t, len(files[2]), 5000, "a page")
		require.Less(t, len(files[3]), 1000, "a word of a page that is known")
		require.Less(t, len(files[4]), 170_000)
	}
}

// What is written while nothing is tracked is in the next increment, and nothing else; the system
// is asked again from the first one on that is made when it is to be.
func TestTrack(t *testing.T) {
	inc := NewIncrements(true)
	defer inc.Close()
	s := &simulation{Field: make([]float64, 1<<15)}
	for i := range s.Field {
		s.Field[i] = float64(i)
	}
	next := func(watched bool) int {
		snapshot, err := Capture(s.roots(), Options{Increments: inc})
		require.NoError(t, err)
		for _, b := range inc.known {
			require.Equal(t, watched && inc.Watches(), b.watched)
		}
		var file bytes.Buffer
		if snapshot.Incremental() {
			_, err = snapshot.WriteIncrement(&file)
		} else {
			_, err = snapshot.WriteTo(&file)
		}
		require.NoError(t, err)
		return file.Len()
	}
	require.Greater(t, next(true), 1<<18)
	s.Field[5000]++
	inc.Track(false)
	s.Field[9000]++
	n := next(false)
	require.Greater(t, n, 2*4096)
	require.Less(t, n, 2*4096+1000)
	s.Field[9000]++
	inc.Track(true)
	s.Field[9001]++
	require.Less(t, next(true), 1000)
	s.Field[30_000]++
	n = next(true)
	require.Greater(t, n, 4096)
	require.Less(t, n, 4096+1000)
	inc.Track(false)
	inc.Track(true)
	require.Less(t, next(true), 1000)
}

// Whatever the files are, there is an error or an image, and no more memory than they justify; and
// the same with increments merged.
func FuzzResolve(f *testing.F) {
	files := increments(f, false, func(f []float64) { f[1000]++ }, func(f []float64) { f[1001]++ }, func(f []float64) { clear(f[900:2000]) })
	f.Add(files[1], files[2], files[3], 0, byte(0))
	f.Add(files[1], files[2], []byte{}, 0, byte(0))
	f.Add(files[1], []byte{}, []byte{}, 7, byte(1))
	f.Fuzz(func(t *testing.T, a, b, c []byte, at int, x byte) {
		base := bytes.Clone(files[0])
		if at >= 0 && at < len(base) {
			base[at] ^= x
		}
		list := [][]byte{base, reseal(a)}
		for _, more := range [][]byte{b, c} {
			if len(more) > 0 {
				list = append(list, reseal(more))
			}
		}
		merged, merr := MergeIncrements(list[1:])
		again, third := [][]byte{bytes.Clone(base), merged}, bytes.Clone(base) // Resolve changes them
		whole, err := Resolve(list)
		if err == nil {
			require.Less(t, len(whole), len(base)+(len(a)+len(b)+len(c))*4096)
			_, _ = Parse(whole)
			require.NoError(t, merr)
		}
		if merr != nil {
			return
		}
		same, serr := Resolve(again)
		if err == nil {
			require.NoError(t, serr)
			require.True(t, bytes.Equal(whole, same))
		}
		if len(list) > 3 {
			part, perr := MergeIncrements(list[2:])
			require.NoError(t, perr)
			all, aerr := MergeIncrements([][]byte{list[1], part})
			require.NoError(t, aerr)
			if err == nil {
				same, aerr := Resolve([][]byte{third, all})
				require.NoError(t, aerr)
				require.True(t, bytes.Equal(whole, same))
			}
		}
	})
}

// A damaged increment is an error, cut anywhere or damaged in any byte.
func TestDamagedIncrement(t *testing.T) {
	files := increments(t, true, func(f []float64) { f[1000]++ })
	for i := range files[1] {
		_, err := Resolve([][]byte{bytes.Clone(files[0]), files[1][:i]})
		require.Error(t, err, "cut at %d", i)
		b := bytes.Clone(files[1])
		b[i] ^= 0x10
		_, err = Resolve([][]byte{bytes.Clone(files[0]), b})
		require.Error(t, err, "damaged at %d", i)
		if i > 300 {
			break // the sections have checksums
		}
	}
	_, err := Resolve([][]byte{files[1]})
	require.NoError(t, err)
	_, err = Parse(files[1])
	require.ErrorContains(t, err, "an increment")
	_, err = Resolve([][]byte{files[1], files[1]})
	require.Error(t, err)
}
