package main

// wordBits is the number of rows in a word: the cells that one operation of the bit-parallel
// kernels computes. Bands are cut at multiples of it.
const wordBits = 64

// strip is the number of words that the bit-parallel kernels hold in registers while they walk
// along the columns of a block.
const strip = 4

// masks says where a letter stands in a band: bit i of word w of masks[code] is set if the letter
// of row 64w+i has this code. A letter that the band lacks has no mask.
type masks [codes][]uint64

func newMasks(band []byte) *masks {
	m := new(masks)
	for i, code := range band {
		if m[code] == nil {
			m[code] = make([]uint64, words(len(band)))
		}
		m[code][i/wordBits] |= 1 << (i % wordBits)
	}
	return m
}

// words is the number of words for a number of rows.
func words(rows int) int { return (rows + wordBits - 1) / wordBits }

// lastRows masks the rows of a word that exist: all of them but in the last word of a band whose
// rows are no multiple of 64.
func lastRows(rows, word int) uint64 {
	if left := rows - word*wordBits; left < wordBits {
		return 1<<left - 1
	}
	return ^uint64(0)
}

// stripMasks are the masks of a strip by letter.
type stripMasks [codes][strip]uint64

// strip copies the masks of the strip of words that starts at first.
func (m *masks) strip(first int) *stripMasks {
	t := new(stripMasks)
	for code, mask := range m {
		if mask != nil {
			t[code] = [strip]uint64(mask[first:])
		}
	}
	return t
}

// wordMasks are the masks of one word by letter.
type wordMasks [codes]uint64

// word copies the masks of one word.
func (m *masks) word(i int) *wordMasks {
	t := new(wordMasks)
	for code, mask := range m {
		if mask != nil {
			t[code] = mask[i]
		}
	}
	return t
}
