package main

// affine is what the alignments with affine gaps share: the matrices of Gotoh ("An improved
// algorithm for matching biological sequences", 1982) in 32-bit cells,
//
//	H(i,j) = max(H(i-1,j-1) + score(a(i), b(j)), E(i,j), F(i,j))
//	E(i,j) = max(E(i,j-1) - extend, H(i,j-1) - open)      a gap in the band's sequence
//	F(i,j) = max(F(i-1,j) - extend, H(i-1,j) - open)      a gap in the other
//
// where a gap in the one may follow a gap in the other directly. H of a row and F of the row below
// it pass from band to band, the two planes of a border; H of a column and E of the column after it
// are what a band remembers.
//
// A block is computed two rows at a time, from the left to the right, which keeps the processor
// busy while a row waits for the cell before. The line of cells above becomes the line below as
// the two rows proceed.
type affine struct {
	*scoring
	band   []byte
	left   []int32 // H by row, in the last column done
	across []int32 // E by row, for the column after it
	corner int32   // H above the first row, in the last column done
	line   []cell  // room for a line
}

// cell is what the cells below need to know of one.
type cell struct {
	h int32
	f int32 // F of the cell below
}

// newAffine prepares a band. A band of an odd number of rows gets one more, on which
// nothing depends: only the last band of all has one.
func newAffine(s *scoring, band []byte) affine {
	even := len(band) + len(band)%2
	return affine{scoring: s, band: band, left: make([]int32, even), across: make([]int32, even)}
}

// pair fills in the scores of the two rows from row i on with each letter.
func (k *affine) pair(i int, score *[codes][2]int32) {
	first := &k.score[k.band[i]]
	for code := range score {
		score[code] = [2]int32{first[code], worst}
	}
	if i+1 < len(k.band) {
		second := &k.score[k.band[i+1]]
		for code := range score {
			score[code][1] = second[code]
		}
	}
}

// enter makes the line above a block from the border there.
func (k *affine) enter(border []int32) []cell {
	h, f := split(border)
	if len(k.line) < len(h) {
		k.line = make([]cell, len(h))
	}
	line := k.line[:len(h)]
	for j := range line {
		line[j] = cell{h[j], f[j]}
	}
	return line
}

// leave makes the border below a block from the line there.
func (k *affine) leave(line []cell, border []int32) {
	h, f := split(border)
	k.corner = h[len(h)-1]
	for j, c := range line {
		h[j], f[j] = c.h, c.f
	}
}

// split separates the planes of a border.
func split(border []int32) (h, f []int32) {
	w := len(border) / 2
	return border[:w:w], border[w:]
}
