package main

// global computes the score of the best global alignment, in which gaps at the ends cost what
// others do.
type global struct{ affine }

// newGlobal makes the kernel of the band whose first row is the given one of all.
func newGlobal(s *scoring, band []byte, first int) *global {
	k := &global{newAffine(s, band)}
	k.corner = s.gap(first)
	for i := range k.left {
		k.left[i] = s.gap(first + i + 1)
		k.across[i] = k.left[i] - s.open
	}
	return k
}

func (k *global) top(first int, border []int32) {
	h, f := split(border)
	for j := range h {
		h[j] = k.gap(first + j + 1)
		f[j] = h[j] - k.open
	}
}

func (k *global) block(letters []byte, border []int32) {
	h, f := split(border)
	if len(letters) == 0 {
		return
	}
	corner := h[len(h)-1]
	diagonal := k.corner
	for i, code := range k.band {
		next := k.left[i]
		k.left[i], k.across[i] = globalRow(&k.score[code], letters, h, f, diagonal, k.across[i], k.open, k.extend)
		diagonal = next
	}
	k.corner = corner
}

// part is the difference between H at both ends of the last column of the band. These add up over
// the bands to the difference over the whole column.
func (k *global) part() int64 {
	if len(k.left) == 0 {
		return 0
	}
	return int64(k.left[len(k.left)-1]) - int64(k.corner)
}

// globalRow computes a row of a block. On entry h is H of the row above and f is F of this row, on
// return they are H of this row and F of the row below. The diagonal is H above and left of the
// row, e is E in its first column; H in its last column and E after it are returned.
func globalRow(score *[codes]int32, letters []byte, h, f []int32, diagonal, e, open, extend int32) (last, after int32) {
	h, f = h[:len(letters)], f[:len(letters)]
	for j, code := range letters {
		best := max(diagonal+score[code%codes], f[j])
		diagonal = h[j]
		here := max(best, e)
		h[j] = here
		f[j] = max(f[j]-extend, here-open)
		e = max(e-extend, best-open)
		last = here
	}
	return last, e
}
