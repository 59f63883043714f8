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
// A block is computed row by row, in the border: the row replaces the one above as it proceeds. Since open >= extend, it makes no difference to E whether the H
// in it came from E; the kernels leave this case out, and the chain of dependencies along
// a row is one subtraction and one maximum.
type affine struct {
	*scoring
	band   []byte
	left   []int32 // H by row, in the last column done
	across []int32 // E by row, for the column after it
	corner int32   // H above the first row, in the last column done
}

func newAffine(s *scoring, band []byte) affine {
	k := affine{scoring: s, band: band, left: make([]int32, len(band)), across: make([]int32, len(band))}
	for i := range k.across {
		k.across[i] = worst
	}
	return k
}

// split separates the planes of a border.
func split(border []int32) (h, f []int32) {
	w := len(border) / 2
	return border[:w:w], border[w:]
}
