package main

import "math/bits"

// lcs computes the length of the longest common subsequence, 64 cells an operation, by the
// addition of Crochemore, Iliopoulos, Pinzon and Reid ("A fast and practical bit-vector algorithm
// for the longest common subsequence problem", 2001) in the form of Hyyrö ("Bit-parallel LCS-length
// computation revisited", 2004).
//
// In a column of the matrix L of lengths, L(i,j) - L(i-1,j) is 0 or 1; a word of 64 rows holds the
// complement. The next column is V' = (V + (V & M)) | (V &^ M) with M the rows where the letter of
// the column stands. The addition runs over all the rows of the column, so that its carry is what
// words, strips and bands hand down, and the border has a bit for each column.
type lcs struct {
	rows  int
	equal *masks
	same  []uint64 // by word, the rows that are as long as the row above
}

func newLCS(band []byte) *lcs {
	k := &lcs{rows: len(band), equal: newMasks(band), same: make([]uint64, words(len(band)))}
	for i := range k.same {
		k.same[i] = ^uint64(0)
	}
	return k
}

func (k *lcs) top(_ int, border []int32) { clear(border) }

func (k *lcs) block(letters []byte, border []int32) {
	word := 0
	for ; word+strip <= len(k.same); word += strip {
		lcsStrip((*[strip]uint64)(k.same[word:]), k.equal.strip(word), letters, border)
	}
	for ; word < len(k.same); word++ {
		lcsWord(&k.same[word], k.equal.word(word), letters, border)
	}
}

func (k *lcs) part() int64 {
	longer := 0
	for i, v := range k.same {
		longer += bits.OnesCount64(^v & lastRows(k.rows, i))
	}
	return int64(longer)
}

// lcsStrip walks along the columns with the words of a strip in registers.
func lcsStrip(same *[strip]uint64, equal *stripMasks, letters []byte, border []int32) {
	border = border[:len(letters)]
	v0, v1, v2, v3 := same[0], same[1], same[2], same[3]
	for j, code := range letters {
		m := &equal[code%codes]
		u0, u1, u2, u3 := v0&m[0], v1&m[1], v2&m[2], v3&m[3]
		s0, c := bits.Add64(v0, u0, uint64(border[j]))
		s1, c := bits.Add64(v1, u1, c)
		s2, c := bits.Add64(v2, u2, c)
		s3, c := bits.Add64(v3, u3, c)
		border[j] = int32(c)
		v0, v1, v2, v3 = s0|(v0^u0), s1|(v1^u1), s2|(v2^u2), s3|(v3^u3)
	}
	*same = [strip]uint64{v0, v1, v2, v3}
}

// lcsWord is lcsStrip for a single word.
func lcsWord(same *uint64, equal *wordMasks, letters []byte, border []int32) {
	border = border[:len(letters)]
	v := *same
	for j, code := range letters {
		u := v & equal[code%codes]
		sum, carry := bits.Add64(v, u, uint64(border[j]))
		border[j] = int32(carry)
		v = sum | (v ^ u)
	}
	*same = v
}
