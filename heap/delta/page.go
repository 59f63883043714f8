// Package delta encodes what has changed in a page of memory, after Ha and Renault, "Discontinuous
// Incremental: A New Approach Towards Extremely Lightweight Checkpoints" (2011).
//
// A page is at most 4096 bytes, as it was and as it is; they are compared by words of four bytes.
// The change has the shortest of these forms, each after a byte that tells which it is. All numbers
// are little-endian.
//
//	0 nothing   no word has changed
//	1 words     their number (2 bytes); for each its place in the page, in words (2); for each its value (4)
//	2 runs      their number (2); for each its first word (2) and length in words (2); the values of all
//	3 bitmap    a bit for each word of the page, lowest first, in whole bytes; the values of those that have changed
//	4 whole     the page
//
// A page whose length is no multiple of four is encoded whole if one of the bytes after the last
// word has changed. Nothing here knows which page it is: that is the business of whoever puts pages
// one after the other.
//
// Changes of one page that follow each other can be made one ([Change]), without the page: of each
// word the latest value counts, and the form is chosen anew.
package delta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
)

// PageSize is the largest size of a page.
const PageSize = 4096

const word = 4

// The forms.
const (
	nothing byte = iota
	words
	runs
	bitmap
	whole
)

var le = binary.LittleEndian

// AppendPage appends the change from one content of a page to another one that is as long. was is
// nil if it is not known: then the change is the page.
func AppendPage(dst, was, is []byte) []byte {
	if was == nil {
		return append(append(dst, whole), is...)
	}
	n := len(is) / word
	if !bytes.Equal(was[n*word:], is[n*word:]) {
		return append(append(dst, whole), is...)
	}
	var changed [PageSize / word / 64]uint64
	count, starts := 0, 0
	last := false
	for i := range n {
		differs := le.Uint32(was[i*word:]) != le.Uint32(is[i*word:])
		if differs {
			changed[i/64] |= 1 << (i % 64)
			count++
			if !last {
				starts++
			}
		}
		last = differs
	}
	return appendWords(dst, is, &changed, count, starts, true)
}

// appendWords appends the shortest form for a number of words of a page, in so many runs. The page
// may be encoded whole if all of it is known.
func appendWords(dst, is []byte, changed *[PageSize / word / 64]uint64, count, starts int, known bool) []byte {
	n := len(is) / word
	if count == 0 {
		return append(dst, nothing)
	}
	asWords, asRuns := 2+(2+word)*count, 2+4*starts+word*count
	asBitmap, asWhole := (n+7)/8+word*count, len(is)
	if !known {
		asWhole = 2 * asBitmap
	}
	least := min(asWords, asRuns, asBitmap, asWhole)
	switch least {
	case asWhole:
		return append(append(dst, whole), is...)
	case asRuns:
		dst = le.AppendUint16(append(dst, runs), uint16(starts))
		for i := 0; i < n; {
			start := next(changed, i, n, true)
			if start == n {
				break
			}
			i = next(changed, start, n, false)
			dst = le.AppendUint16(le.AppendUint16(dst, uint16(start)), uint16(i-start))
		}
	case asWords:
		dst = le.AppendUint16(append(dst, words), uint16(count))
		for i := next(changed, 0, n, true); i < n; i = next(changed, i+1, n, true) {
			dst = le.AppendUint16(dst, uint16(i))
		}
	default:
		dst = append(dst, bitmap)
		for i := range (n + 7) / 8 {
			dst = append(dst, byte(changed[i/8]>>(i%8*8)))
		}
	}
	for i := next(changed, 0, n, true); i < n; i = next(changed, i+1, n, true) {
		dst = append(dst, is[i*word:(i+1)*word]...)
	}
	return dst
}

// next returns the first bit from i on, below n, that is as wanted, or n.
func next(set *[PageSize / word / 64]uint64, i, n int, wanted bool) int {
	for i < n {
		w := set[i/64]
		if !wanted {
			w = ^w
		}
		if w >>= i % 64; w != 0 {
			return min(n, i+bits.TrailingZeros64(w))
		}
		i = (i/64 + 1) * 64
	}
	return n
}

// ErrDamaged says that what was to be applied is no change of such a page.
var ErrDamaged = errors.New("the change of a page is damaged")

// ApplyPage makes the change at the beginning of b in a page, and returns what follows it. After an
// error the page may have been changed in part.
func ApplyPage(page, b []byte) (rest []byte, err error) {
	return decode(len(page), b, func(at int, values []byte) { copy(page[at:], values) })
}

// Skip returns what follows the change of a page of so many bytes at the beginning of b.
func Skip(length int, b []byte) (rest []byte, err error) {
	return decode(length, b, func(int, []byte) {})
}

// decode calls put with the parts of a page that a change has, and where they are.
func decode(length int, b []byte, put func(at int, values []byte)) (rest []byte, err error) {
	if len(b) == 0 {
		return nil, ErrDamaged
	}
	form, b := b[0], b[1:]
	n := length / word
	take := func(k int) []byte {
		if k > len(b) {
			err = ErrDamaged
			return nil
		}
		head := b[:k]
		b = b[k:]
		return head
	}
	number := func() int {
		h := take(2)
		if h == nil {
			return 0
		}
		return int(le.Uint16(h))
	}
	switch form {
	case nothing:
	case words:
		count := number()
		places := take(2 * count)
		values := take(word * count)
		before := -1
		for i := 0; err == nil && i < count; i++ {
			at := int(le.Uint16(places[2*i:]))
			if at >= n || at <= before {
				return nil, ErrDamaged
			}
			before = at
			put(at*word, values[i*word:(i+1)*word])
		}
	case runs:
		count := number()
		table := take(4 * count)
		from := 0
		for i := 0; err == nil && i < count; i++ {
			start, length := int(le.Uint16(table[4*i:])), int(le.Uint16(table[4*i+2:]))
			if start < from || length == 0 || start+length > n {
				return nil, ErrDamaged
			}
			from = start + length
			put(start*word, take(length*word))
		}
	case bitmap:
		set := take((n + 7) / 8)
		for i := 0; err == nil && i < len(set)*8; i++ {
			if set[i/8]&(1<<(i%8)) == 0 {
				continue
			}
			if i >= n {
				return nil, ErrDamaged
			}
			put(i*word, take(word))
		}
	case whole:
		put(0, take(length))
	default:
		err = ErrDamaged
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}
