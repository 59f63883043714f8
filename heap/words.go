package heap

import (
	"fmt"
	"reflect"
	"strconv"
	"unsafe"
)

// Package math/big keeps numbers in slices of words of the machine, the least significant first. On
// a machine with words of another size the same number has another number of words. So a slice of
// big.Word is converted as a whole, to a new array, which it shares with the slices that begin and
// end where it does. The words of a big.Int begin with the lowest bit of the number, and the last
// is not zero; those of a big.Float end with the highest bit, which is set, and the first is filled
// up.
//
// A big.Word by itself, or in an array, a map or a channel, is an unsigned integer like any other.
// A pointer into a slice of words is an error. The type table tells how large the words are on the
// machine that wrote the image.

// isWord reports whether t is big.Word.
func (t *Type) isWord() bool { return t.Kind == reflect.Uint && t.Name == "math/big.Word" }

// otherWords reports whether words in the image are of another size than those of this machine.
func (im *Image) otherWords() bool {
	for _, t := range im.types {
		if t.isWord() {
			return t.narrow != (strconv.IntSize == 32)
		}
	}
	return false
}

// leadsToWords reports whether a pointer or slice is one to values of big.Word.
func (p *plan) leadsToWords() bool {
	t, _ := p.Elem.flat()
	return t.isWord()
}

// isFraction reports whether a field is the mantissa of a big.Float.
func isFraction(rt reflect.Type, field string) bool {
	return field == "mant" && genericOf(rt) == "math/big.Float"
}

// A wordSlice is one in the image.
type wordSlice struct {
	at, n    uint64 // reference, length
	fraction bool
}

// findWords notes which objects are words, but no contents of slices.
func (b *builder) findWords() {
	b.single = make(map[uint64]bool)
	note := func(l link) { b.single[l.to] = true }
	for _, r := range b.Image.roots {
		b.follow(r.at, 0, byRoot, note)
	}
	for i := range b.Image.maps {
		b.follow(reference(tagMap, uint64(i)), 0, byMapKey, note)
	}
	for i := range b.Image.chans {
		b.follow(reference(tagChan, uint64(i)), 0, byChannel, note)
	}
}

// wordSlot fills a slice of words, or a pointer to words.
func (b *builder) wordSlot(dst unsafe.Pointer, src []byte, s *slot) error {
	word, size := b.reference(src), b.Image.word
	if !s.target.Elem.isWord() || s.target.rt.Kind() == reflect.Pointer {
		if word != 0 {
			return fmt.Errorf("heap: a %s can't be rebuilt on a machine where words of package math/big have another size; keep the number", s.target.Type)
		}
		clear(unsafe.Slice((*byte)(dst), s.target.native))
		return nil
	}
	if word == 0 || b.Image.number(src[2*size:]) == 0 {
		*(*sliceHeader)(dst) = sliceHeader{b.pointer(word), 0, 0}
		return nil
	}
	key := wordSlice{word, b.Image.number(src[size:]), s.n == 1}
	list, ok := b.words[key]
	if !ok {
		var err error
		if list, err = b.convertWords(key); err != nil {
			return err
		}
		if b.words == nil {
			b.words = make(map[wordSlice][]uint)
		}
		b.words[key] = list
	}
	*(*[]uint)(dst) = list
	return nil
}

// convertWords returns the same number in words of this machine.
func (b *builder) convertWords(s wordSlice) ([]uint, error) {
	tag, number := split(s.at)
	at := uint64(0)
	if tag == tagInterior {
		at = b.interiors[number].off
		tag, number = split(b.interiors[number].base)
	}
	if tag != tagObject || !b.groupOf(number).typ.isWord() || b.single[number] {
		return nil, fmt.Errorf("heap: a slice of an array of words of package math/big can't be rebuilt on a machine with words of another size; keep the number")
	}
	_, src := b.content(number)
	src = src[at:]
	list := make([]uint, 0, 2*s.n)
	if s.n == 0 {
		return list, nil
	}
	first, last := le.Uint64(src), le.Uint64(src[8*(s.n-1):])
	if strconv.IntSize == 32 {
		for i := range s.n {
			x := le.Uint64(src[8*i:])
			list = append(list, uint(uint32(x)), uint(x>>32))
		}
		switch {
		case s.fraction && list[0] == 0 && first != 0:
			list = list[1:]
		case !s.fraction && list[len(list)-1] == 0 && last != 0:
			list = list[:len(list)-1]
		}
		return list, nil
	}
	odd := s.fraction && s.n%2 == 1 // the highest bit is in the upper half of a word
	var low uint64
	for i := range s.n {
		x := le.Uint64(src[8*i:])
		switch {
		case x > 1<<32-1:
			return nil, damaged(secData, "a word of 32 bits is %#x", x)
		case (i%2 == 0) != odd && i+1 < s.n:
			low = x
		case (i%2 == 0) != odd: // the last, and nothing is above it
			list = append(list, uint(x))
		default:
			list = append(list, uint(x<<(strconv.IntSize/2)|low))
			low = 0
		}
	}
	return list, nil
}
