package delta_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ckpgen/ckpgen/heap/delta"
)

// drawPages returns a page as it was and as it is: changed in some words, and in some runs of them.
func drawPages(t *rapid.T) (was, is []byte) {
	n := rapid.OneOf(rapid.Just(delta.PageSize), rapid.IntRange(0, delta.PageSize)).Draw(t, "size")
	was = bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(t, "pattern"), n+1)[:n]
	is = bytes.Clone(was)
	for range rapid.IntRange(0, 40).Draw(t, "changes") {
		if n == 0 {
			break
		}
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		for i := range rapid.SampledFrom([]int{1, 1, 4, 30, 700}).Draw(t, "length") {
			if at+i < n {
				is[at+i] += byte(1 + i%200)
			}
		}
	}
	return was, is
}

// naive is how long the shortest form would be, counted word by word; the whole page is one of them
// if it is known.
func naive(was, is []byte, known bool) int {
	n := len(is) / 4
	count, starts := 0, 0
	for i := range n {
		if bytes.Equal(was[4*i:4*i+4], is[4*i:4*i+4]) {
			continue
		}
		count++
		if i == 0 || bytes.Equal(was[4*i-4:4*i], is[4*i-4:4*i]) {
			starts++
		}
	}
	switch {
	case !bytes.Equal(was[4*n:], is[4*n:]):
		return 1 + len(is)
	case count == 0:
		return 1
	}
	n = min(2+6*count, 2+4*starts+4*count, (n+7)/8+4*count)
	if known {
		n = min(n, len(is))
	}
	return 1 + n
}

// A change, made in what was, gives what is, and has the shortest form.
func TestPage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was, is := drawPages(t)
		b := delta.AppendPage([]byte("x"), was, is)
		require.Len(t, b, 1+naive(was, is, true))
		page := bytes.Clone(was)
		rest, err := delta.ApplyPage(page, append(b[1:len(b):len(b)], "rest"...))
		require.NoError(t, err)
		require.Equal(t, "rest", string(rest))
		require.True(t, bytes.Equal(is, page))
		for cut := range len(b) - 1 {
			_, err := delta.ApplyPage(bytes.Clone(was), b[1:1+cut])
			require.ErrorIs(t, err, delta.ErrDamaged)
		}
	})
}

// What is not known is written whole.
func TestUnknown(t *testing.T) {
	is := bytes.Repeat([]byte{1, 2, 3}, 1000)
	b := delta.AppendPage(nil, nil, is)
	page := make([]byte, len(is))
	rest, err := delta.ApplyPage(page, b)
	require.NoError(t, err)
	require.Empty(t, rest)
	require.Equal(t, is, page)
}

// Each form is used.
func TestForms(t *testing.T) {
	for form, change := range map[byte]func(page []byte){
		0: func([]byte) {},
		1: func(p []byte) { p[8], p[800] = 1, 1 },
		2: func(p []byte) { copy(p[100:], bytes.Repeat([]byte{9}, 400)) },
		3: func(p []byte) {
			for i := 0; i < len(p); i += 8 {
				p[i] = 7
			}
		},
		4: func(p []byte) { copy(p, bytes.Repeat([]byte{5}, len(p))) },
	} {
		was := make([]byte, delta.PageSize)
		is := make([]byte, delta.PageSize)
		change(is)
		require.Equal(t, form, delta.AppendPage(nil, was, is)[0])
	}
}

// Whatever is applied, nothing beyond the page is touched, and what was not damaged ends where it
// should.
func FuzzApply(f *testing.F) {
	was, is := make([]byte, 200), bytes.Repeat([]byte{0, 0, 0, 0, 1}, 40)
	f.Add(200, delta.AppendPage(nil, was, is))
	f.Add(0, []byte{3})
	f.Add(7, []byte{2, 1, 0, 0, 0, 1, 0, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, size int, b []byte) {
		size = min(max(size, 0), delta.PageSize)
		page := make([]byte, size)
		if rest, err := delta.ApplyPage(page, b); err == nil {
			require.True(t, bytes.HasSuffix(b, rest))
			// What was applied has an encoding that is no longer.
			again := delta.AppendPage(nil, make([]byte, size), page)
			require.LessOrEqual(t, len(again), len(b)-len(rest))
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	was, is := make([]byte, delta.PageSize), make([]byte, delta.PageSize)
	for i := 0; i < len(is); i += 500 {
		is[i] = 1
	}
	b.SetBytes(delta.PageSize)
	var dst []byte
	for b.Loop() {
		dst = delta.AppendPage(dst[:0], was, is)
	}
}

// Changes that follow each other are as one: it gives the same page, has no word that none of them
// has, and the shortest form.
func TestChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, is := drawPages(t)
		c := delta.Change{Length: len(is)}
		was, now := first, bytes.Clone(first)
		words, all := make(map[int]bool), false // that are known, as the forms tell
		for i := range rapid.IntRange(0, 5).Draw(t, "changes") {
			if i > 0 {
				was = bytes.Clone(now)
				for range rapid.IntRange(0, 9).Draw(t, "words") {
					if len(now) > 0 {
						at := rapid.IntRange(0, len(now)-1).Draw(t, "at")
						now[at] = rapid.Byte().Draw(t, "byte")
					}
				}
			} else {
				now = bytes.Clone(is)
			}
			var b []byte
			if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
				b = delta.AppendPage(nil, nil, now)
			} else {
				b = delta.AppendPage(nil, was, now)
			}
			all = all || b[0] == 4
			for k := 0; 4*k+4 <= len(now); k++ {
				if b[0] == 4 || !bytes.Equal(was[4*k:4*k+4], now[4*k:4*k+4]) {
					words[k] = true
				}
			}
			rest, err := c.Add(append(b, "rest"...))
			require.NoError(t, err)
			require.Equal(t, "rest", string(rest))
		}
		b := c.Append(nil)
		page := bytes.Clone(first)
		rest, err := delta.ApplyPage(page, b)
		require.NoError(t, err)
		require.Empty(t, rest)
		require.True(t, bytes.Equal(now, page))
		// The shortest form for a page that differs in these words.
		other := bytes.Clone(now)
		for k := range words {
			other[4*k]++
		}
		if n := len(now) &^ 3; all && n < len(now) {
			other[n]++
		}
		require.Len(t, b, naive(other, now, all || 4*len(words) == len(now)))
		rest, err = delta.Skip(len(now), append(b, "rest"...))
		require.NoError(t, err)
		require.Equal(t, "rest", string(rest))
	})
}
