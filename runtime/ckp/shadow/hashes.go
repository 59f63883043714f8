package shadow

import "unsafe"

// The hash functions of Go's runtime that packages get at by go:linkname, as they are in rewritten
// programs: the same in each process. Those of the runtime have keys that each process draws, so a
// table that one has filled is not searched rightly by another.
//
// The hash is that of wyhash.go. On a machine with 32 bits the result is the lower half.
//
// They are called by what is not rewritten as well, so they may not poll, and they are linked to
// whoever declares them, which is no import.

// memhash hashes n bytes from p.
//
//go:linkname memhash
func memhash(p unsafe.Pointer, seed, n uintptr) uintptr {
	return uintptr(wyhash(unsafe.Slice((*byte)(p), n), uint64(seed)))
}

// strhash hashes the string that p points to.
//
//go:linkname strhash
func strhash(p unsafe.Pointer, seed uintptr) uintptr {
	s := *(*string)(p)
	return uintptr(wyhash(unsafe.Slice(unsafe.StringData(s), len(s)), uint64(seed)))
}

// stringHash hashes a string.
//
//go:linkname stringHash
func stringHash(s string, seed uintptr) uintptr { return strhash(unsafe.Pointer(&s), seed) }

// memhash32 hashes the four bytes from p as a number.
//
//go:linkname memhash32
func memhash32(p unsafe.Pointer, seed uintptr) uintptr {
	return uintptr(hash64(uint64(*(*uint32)(p)), uint64(seed)))
}

// memhash64 hashes the eight bytes from p as a number.
//
//go:linkname memhash64
func memhash64(p unsafe.Pointer, seed uintptr) uintptr {
	return uintptr(hash64(*(*uint64)(p), uint64(seed)))
}

// Hashers returns the functions that hash strings, words, and numbers of 64 and of 32 bits. A
// checkpoint knows each by its name.
func Hashers() (text, word, wide, short func(p unsafe.Pointer, seed uintptr) uintptr) {
	return strhash, wordhash, memhash64, memhash32
}

// wordhash hashes a word. The next process may have words of another size, but no numbers that do
// not fit into those.
func wordhash(p unsafe.Pointer, seed uintptr) uintptr {
	return uintptr(hash64(uint64(*(*uintptr)(p)), uint64(seed)))
}
