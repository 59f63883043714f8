package main

// global computes the score of the best global alignment, in which gaps at the ends cost what
// others do.
//
// Its cells hold H(i,j) + extend*(i+j), and E and F alike: the score above that of nothing but
// extended gaps. To extend a gap then changes nothing, and two operations a cell are saved:
//
//	H(i,j) = max(H(i-1,j-1) + score(a(i), b(j)) + 2*extend, E(i,j), F(i,j))
//	E(i,j) = max(E(i,j-1), H(i,j-1) - (open-extend))
//	F(i,j) = max(F(i-1,j), H(i-1,j) - (open-extend))
type global struct {
	affine
	first int // row of the band, of all
}

// newGlobal makes the kernel of the band whose first row is the given one of all.
func newGlobal(s *scoring, band []byte, first int) *global {
	relative := *s
	for a := range codes {
		for b := range codes {
			relative.score[a][b] += 2 * s.extend
		}
	}
	k := &global{newAffine(&relative, band), first}
	k.corner = k.edge(first)
	for i := range k.left {
		k.left[i] = k.edge(first + i + 1)
		k.across[i] = k.left[i] - k.reopen()
	}
	return k
}

// reopen is what the first residue of a gap costs more than the others.
func (k *global) reopen() int32 { return k.open - k.extend }

// edge is the value of the cells along the upper and left edge of the matrix, at a distance from
// its corner.
func (k *global) edge(distance int) int32 {
	if distance == 0 {
		return 0
	}
	return -k.reopen()
}

func (k *global) top(first int, border []int32) {
	h, f := split(border)
	for j := range h {
		h[j] = k.edge(first + j + 1)
		f[j] = h[j] - k.reopen()
	}
}

func (k *global) block(letters []byte, border []int32) {
	line := k.enter(border)
	var score [codes][2]int32
	diagonal := k.corner
	for i := 0; i < len(k.left); i += 2 {
		k.pair(i, &score)
		left, across := (*[2]int32)(k.left[i:]), (*[2]int32)(k.across[i:])
		last, e0, e1 := globalRows(&score, letters, line, diagonal, left[0], across[0], across[1], k.reopen())
		diagonal = left[1]
		*left = [2]int32{last, line[len(line)-1].h}
		*across = [2]int32{e0, e1}
	}
	k.leave(line, border)
}

// part is the difference between the scores at both ends of the last column of the band. These add
// up over the bands to the difference over the whole column.
func (k *global) part() int64 {
	rows := len(k.band)
	if rows == 0 {
		return 0
	}
	return int64(k.left[rows-1]) - int64(k.corner) - int64(k.extend)*int64(rows)
}

// globalRows computes two rows of a block. The line is that above, and becomes that below. The
// diagonals are H left of the cell above each row, e0 and e1 are E of its first cell; E after its
// last cell is returned, and H of the first row there.
//
//go:noinline
func globalRows(score *[codes][2]int32, letters []byte, line []cell, diagonal0, diagonal1, e0, e1, reopen int32) (last, after0, after1 int32) {
	line = line[:len(letters)]
	for j, code := range letters {
		above := &line[j]
		s := &score[code%codes]
		f := above.f

		h := max(diagonal0+s[0], f, e0)
		diagonal0 = above.h
		gap := h - reopen
		f = max(f, gap)
		e0 = max(e0, gap)

		h1 := max(diagonal1+s[1], f, e1)
		diagonal1 = h
		gap = h1 - reopen
		above.h = h1
		above.f = max(f, gap)
		e1 = max(e1, gap)
	}
	return diagonal1, e0, e1
}
