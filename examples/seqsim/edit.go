package main

import "math/bits"

// edit computes the edit distance of Levenshtein, 64 cells an operation, by the algorithm of Myers
// ("A fast bit-vector algorithm for approximate string matching based on dynamic programming",
// 1999) with the blocks of Hyyrö ("A bit-vector algorithm for computing Levenshtein and Damerau
// edit distances", 2003).
//
// Neighbours in the matrix D of distances differ by -1, 0 or 1. A word holds the vertical
// differences D(i,j) - D(i-1,j) of 64 rows in two bit vectors, those that are 1 and those that are
// -1; the horizontal differences D(i,j) - D(i,j-1) at its lowest row are what words, strips and
// bands hand down: the border has two bits for each column, [rises] and [falls].
type edit struct {
	rows  int
	equal *masks
	up    []uint64 // by word, the rows that exceed the row above by 1
	down  []uint64 // by word, the rows that fall short of it by 1
}

// A horizontal difference in a border.
const (
	rises = 1 << 0 // the difference is 1
	falls = 1 << 1 // the difference is -1
)

func newEdit(band []byte) *edit {
	n := words(len(band))
	k := &edit{rows: len(band), equal: newMasks(band), up: make([]uint64, n), down: make([]uint64, n)}
	for i := range k.up {
		k.up[i] = ^uint64(0)
	}
	return k
}

func (k *edit) top(_ int, border []int32) {
	for j := range border {
		border[j] = rises
	}
}

func (k *edit) block(letters []byte, border []int32) {
	word := 0
	for ; word+strip <= len(k.up); word += strip {
		editStrip((*[strip]uint64)(k.up[word:]), (*[strip]uint64)(k.down[word:]), k.equal.strip(word), letters, border)
	}
	for ; word < len(k.up); word++ {
		editWord(&k.up[word], &k.down[word], k.equal.word(word), letters, border)
	}
}

func (k *edit) part() int64 {
	difference := 0
	for i := range k.up {
		exist := lastRows(k.rows, i)
		difference += bits.OnesCount64(k.up[i]&exist) - bits.OnesCount64(k.down[i]&exist)
	}
	return int64(difference)
}

// editWord walks along the columns with one word.
func editWord(up, down *uint64, equal *wordMasks, letters []byte, border []int32) {
	border = border[:len(letters)]
	p, n := *up, *down
	for j, code := range letters {
		rise, fall := uint64(border[j]&rises), uint64(border[j]>>1)
		eq := equal[code%codes]
		v := eq | n
		eq |= fall
		h := (eq&p + p) ^ p | eq
		hp, hn := n|^(h|p), p&h
		border[j] = int32(hp>>63 | hn>>63<<1)
		hp, hn = hp<<1|rise, hn<<1|fall
		p, n = hn|^(v|hp), hp&v
	}
	*up, *down = p, n
}

// editStrip is editWord for the words of a strip, held in registers: one long addition and two
// long shifts over all of them.
func editStrip(up, down *[strip]uint64, equal *stripMasks, letters []byte, border []int32) {
	border = border[:len(letters)]
	p0, p1, p2, p3 := up[0], up[1], up[2], up[3]
	n0, n1, n2, n3 := down[0], down[1], down[2], down[3]
	for j, code := range letters {
		m := &equal[code%codes]
		rise, fall := uint64(border[j]&rises), uint64(border[j]>>1)

		e0 := m[0] | fall
		s0, c := bits.Add64(e0&p0, p0, 0)
		s1, c := bits.Add64(m[1]&p1, p1, c)
		s2, c := bits.Add64(m[2]&p2, p2, c)
		s3, _ := bits.Add64(m[3]&p3, p3, c)
		h0, h1, h2, h3 := s0^p0|e0, s1^p1|m[1], s2^p2|m[2], s3^p3|m[3]

		hp0, hp1, hp2, hp3 := n0|^(h0|p0), n1|^(h1|p1), n2|^(h2|p2), n3|^(h3|p3)
		hn0, hn1, hn2, hn3 := p0&h0, p1&h1, p2&h2, p3&h3
		hp0, c = bits.Add64(hp0, hp0, rise)
		hp1, c = bits.Add64(hp1, hp1, c)
		hp2, c = bits.Add64(hp2, hp2, c)
		hp3, rise = bits.Add64(hp3, hp3, c)
		hn0, c = bits.Add64(hn0, hn0, fall)
		hn1, c = bits.Add64(hn1, hn1, c)
		hn2, c = bits.Add64(hn2, hn2, c)
		hn3, fall = bits.Add64(hn3, hn3, c)
		border[j] = int32(rise | fall<<1)

		v0, v1, v2, v3 := m[0]|n0, m[1]|n1, m[2]|n2, m[3]|n3
		p0, p1, p2, p3 = hn0|^(v0|hp0), hn1|^(v1|hp1), hn2|^(v2|hp2), hn3|^(v3|hp3)
		n0, n1, n2, n3 = hp0&v0, hp1&v1, hp2&v2, hp3&v3
	}
	*up = [strip]uint64{p0, p1, p2, p3}
	*down = [strip]uint64{n0, n1, n2, n3}
}
