package main

// A kernel computes the blocks of one band, from the left to the right: the rows are the letters
// of the band, the columns are those of the other sequence. What it has to remember of the
// columns done is its right border; what passes from band to band is the border between them,
// for each column what the criterion needs of the row above: one
// value, or two. A border of two planes has the first value of each column and then the second of
// each.
type kernel interface {
	// top fills in the border above the first row of all, for the columns from first on,
	// which counts from 0.
	top(first int, border []int32)

	// block computes the next block. It takes the border above and leaves the one below in its
	// place.
	block(letters []byte, border []int32)

	// part is what the band contributes to the value, when all the blocks are done.
	part() int64
}
