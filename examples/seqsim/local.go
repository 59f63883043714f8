package main

// local computes the score of the best local alignment (Smith and Waterman, 1981): no cell is
// below 0, where an alignment can begin, and it may end in any. Nor need E and F be lower than 0,
// and keeping them so keeps H.
type local struct {
	affine
	best int32
}

func newLocal(s *scoring, band []byte) *local {
	return &local{affine: newAffine(s, band)}
}

func (k *local) top(_ int, border []int32) { clear(border) }

func (k *local) block(letters []byte, border []int32) {
	line := k.enter(border)
	var score [codes][2]int32
	diagonal := k.corner
	for i := 0; i < len(k.left); i += 2 {
		k.pair(i, &score)
		left, across := (*[2]int32)(k.left[i:]), (*[2]int32)(k.across[i:])
		last, e0, e1, best := localRows(&score, letters, line, diagonal, left[0], across[0], across[1], k.open, k.extend)
		diagonal = left[1]
		*left = [2]int32{last, line[len(line)-1].h}
		*across = [2]int32{e0, e1}
		k.best = max(k.best, best)
	}
	k.leave(line, border)
}

// part is the best score in the band.
func (k *local) part() int64 { return int64(k.best) }

// localRows is globalRows for a local alignment. It also returns the best score in the two rows.
//
//go:noinline
func localRows(score *[codes][2]int32, letters []byte, line []cell, diagonal0, diagonal1, e0, e1, open, extend int32) (last, after0, after1, best int32) {
	line = line[:len(letters)]
	for j, code := range letters {
		above := &line[j]
		s := &score[code%codes]
		f := above.f

		h := max(diagonal0+s[0], f, e0)
		diagonal0 = above.h
		gap := max(h-open, 0)
		f = max(f-extend, gap)
		e0 = max(e0-extend, gap)

		h1 := max(diagonal1+s[1], f, e1)
		diagonal1 = h
		gap = max(h1-open, 0)
		above.h = h1
		above.f = max(f-extend, gap)
		e1 = max(e1-extend, gap)

		best = max(best, h, h1)
	}
	return diagonal1, e0, e1, best
}
