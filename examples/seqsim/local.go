package main

// local computes the score of the best local alignment (Smith and Waterman): no cell is below 0,
// where an alignment can begin, and it may end in any.
type local struct {
	affine
	best int32
}

func newLocal(s *scoring, band []byte) *local {
	return &local{affine: newAffine(s, band)}
}

func (k *local) top(_ int, border []int32) {
	h, f := split(border)
	clear(h)
	for j := range f {
		f[j] = worst
	}
}

func (k *local) block(letters []byte, border []int32) {
	h, f := split(border)
	if len(letters) == 0 {
		return
	}
	corner := h[len(h)-1]
	diagonal := k.corner
	for i, code := range k.band {
		next := k.left[i]
		k.left[i], k.across[i], k.best = localRow(&k.score[code], letters, h, f, diagonal, k.across[i], k.open, k.extend, k.best)
		diagonal = next
	}
	k.corner = corner
}

// part is the best score in the band.
func (k *local) part() int64 { return int64(k.best) }

// localRow is globalRow for a local alignment. It also takes the best score so far, and returns it
// with those of the row.
func localRow(score *[codes]int32, letters []byte, h, f []int32, diagonal, e, open, extend, top int32) (last, after, best int32) {
	h, f = h[:len(letters)], f[:len(letters)]
	for j, code := range letters {
		through := max(diagonal+score[code%codes], f[j], 0)
		diagonal = h[j]
		here := max(through, e)
		h[j] = here
		top = max(top, here)
		f[j] = max(f[j]-extend, here-open)
		e = max(e-extend, through-open)
		last = here
	}
	return last, e, top
}
