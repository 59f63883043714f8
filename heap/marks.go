package heap

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// The language has no second type of a name at package level. Where two functions declare types of
// one name, the precompiler moves the second there by a name with a mark in it, a letter that
// nobody uses, and with what tells it apart behind that. Programs see names of types: %T prints
// them, encoders write them, tests compare them. So what is behind the mark is taken out of the
// names that the linker has left for package reflect, before main begins.
//
// A name is a byte of flags, its length as a varint, and its bytes; what a field has besides, a tag
// and a package, stands behind them. A shorter name is written in its place, after the memory has
// been made writable. Where that can't be done names stay as they are.
//
// The list of types without names, in which package reflect looks for a pointer or slice type by
// halves, is ordered by the names, and is ordered again. Images have the names with the marks,
// which are the ones that are unique.

// uniqueNames are the names that types had, with their marks, if [Unmark] has taken these out.
var uniqueNames map[reflect.Type]string

// nameOf returns the name of a type as it is unique: with its mark.
func nameOf(rt reflect.Type) string {
	if name, ok := uniqueNames[rt]; ok {
		return name
	}
	return rt.Name()
}

// Unmark takes a mark, and what stands behind it, out of the names of types. It is to be called
// once, before the program runs: strings that it has got of these names are not what they were.
func Unmark(mark string) {
	unique := make(map[reflect.Type]string)
	places := make(map[unsafe.Pointer]nameInMemory) // types and fields have names in common
	var memory []nameMemory
	known := true
	note := func(s string) {
		at, ok := placeOf(s)
		if known = known && ok; ok {
			places[at.start] = at
			memory = append(memory, nameMemory{at.start, at.size})
		}
	}
	for _, rt := range linkedTypes() {
		if s := rt.String(); strings.Contains(s, mark) {
			if name := rt.Name(); strings.Contains(name, mark) {
				unique[rt] = strings.Clone(name)
			}
			note(s)
		}
		if rt.Kind() != reflect.Struct {
			continue
		}
		for i, f := range fieldsOf(rt) {
			if *f.name&nameEmbedded != 0 { // only these have names of types
				if name := rt.Field(i).Name; strings.Contains(name, mark) {
					note(name)
				}
			}
		}
	}
	sections, offsets := typelinks()
	for _, list := range offsets {
		if len(list) > 0 {
			memory = append(memory, nameMemory{unsafe.Pointer(&list[0]), len(list) * int(unsafe.Sizeof(list[0]))})
		}
	}
	if len(places) == 0 || !known || makeWritable(memory) != nil {
		return
	}
	for _, at := range places {
		at.shorten(mark)
	}
	for i, base := range sections {
		slices.SortStableFunc(offsets[i], func(a, b int32) int {
			return cmp.Compare(described(unsafe.Add(base, int(a))).String(), described(unsafe.Add(base, int(b))).String())
		})
	}
	uniqueNames = unique
}

// A nameMemory is memory that names are in.
type nameMemory struct {
	start unsafe.Pointer
	size  int
}

// A nameInMemory is a name with its flags and what stands behind it.
type nameInMemory struct {
	start unsafe.Pointer // of the flags
	text  int            // where the name begins
	name  int            // bytes of the name
	size  int            // of all
}

const (
	nameHasTag     = 1 << 1
	nameHasPackage = 1 << 2
	nameEmbedded   = 1 << 3
	nameFlags      = 1<<4 - 1
)

// placeOf returns where a string stands that package reflect has made of a name: of all of it, or
// without the star that names of types share with those of the pointers to them.
func placeOf(s string) (at nameInMemory, ok bool) {
	data := unsafe.Pointer(unsafe.StringData(s))
	if byteAt(data, -1) == '*' {
		if at, ok = nameBefore(unsafe.Add(data, -1), len(s)+1); ok {
			return at, true
		}
	}
	return nameBefore(data, len(s))
}

func byteAt(p unsafe.Pointer, off int) byte { return *(*byte)(unsafe.Add(p, off)) }

// nameBefore returns the name whose text of a given length is at p, if that is what stands before
// it.
func nameBefore(p unsafe.Pointer, length int) (at nameInMemory, ok bool) {
	at = nameInMemory{text: 2, name: length}
	if length >= 1<<7 {
		at.text = 3
	}
	at.start = unsafe.Add(p, -at.text)
	n, size := varint(unsafe.Add(at.start, 1))
	flags := byteAt(at.start, 0)
	if n != length || size != at.text-1 || flags&^nameFlags != 0 {
		return at, false
	}
	at.size = at.text + length
	if flags&nameHasTag != 0 {
		tag, size := varint(unsafe.Add(at.start, at.size))
		at.size += size + tag
	}
	if flags&nameHasPackage != 0 {
		at.size += 4
	}
	return at, true
}

// varint returns the number at p, below 1<<14, and its bytes.
func varint(p unsafe.Pointer) (n, size int) {
	if b := byteAt(p, 0); b < 1<<7 {
		return int(b), 1
	}
	return int(byteAt(p, 0)&(1<<7-1)) | int(byteAt(p, 1))<<7, 2
}

// shorten writes the name without marks, and what stands behind it.
func (at nameInMemory) shorten(mark string) {
	all := unsafe.Slice((*byte)(at.start), at.size)
	name := withoutMarks(string(all[at.text:at.text+at.name]), mark)
	text := append([]byte{all[0]}, byte(len(name)))
	if len(name) >= 1<<7 {
		text[1] |= 1 << 7
		text = append(text, byte(len(name)>>7))
	}
	text = append(text, name...)
	text = append(text, all[at.text+at.name:]...)
	copy(all, text)
}

// withoutMarks returns a name without its marks, and what of the identifiers stands behind them.
func withoutMarks(name, mark string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(name, mark)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		for len(after) > 0 {
			r, size := utf8.DecodeRuneInString(after)
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
				break
			}
			after = after[size:]
		}
		name = after
	}
}
