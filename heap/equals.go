package heap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// Programs get at the functions by which the runtime compares values by taking apart the
// description of a type, as tables do that replace an element if it is equal to another one. Values
// that are compared bit by bit have a function for each of some sizes. Any other size is in the
// word behind the code of a func value, though that captures no variable. Such func values are
// saved as the name with the size and that of a word behind it, runtime.memequal_varlen(24,64):
// where words have another size, so may the values.

// sizedEqual is the name of the function that finds the size behind its code.
const sizedEqual = "runtime.memequal_varlen"

// equalsBySize are the names of functions that compare what can have an int in it bit by bit.
var equalsBySize = []string{"runtime.memequal32", "runtime.memequal64", "runtime.memequal128", sizedEqual}

// A sizedFunc is what func values of sizedEqual point to.
type sizedFunc struct{ code, size uintptr }

// sizedFuncs holds those that were rebuilt, by size. The compiler's own are in read-only data, one
// for each size.
var sizedFuncs sync.Map // uintptr to *sizedFunc

// equalName returns what a func value at x is saved as, whose code is named name; "" if it is no
// function that compares so.
func equalName(x unsafe.Pointer, name string) string {
	switch {
	case !slices.Contains(equalsBySize, name):
		return ""
	case name == sizedEqual:
		return fmt.Sprintf("%s(%d,%d)", name, (*sizedFunc)(x).size, strconv.IntSize)
	}
	return fmt.Sprintf("%s(%d)", name, strconv.IntSize)
}

// equalFunc returns what a func value that was saved by such a name points to; nil if it is the
// name of another function.
func equalFunc(saved string) (unsafe.Pointer, error) {
	name, text, _ := strings.Cut(strings.TrimSuffix(saved, ")"), "(")
	if text == "" || !slices.Contains(equalsBySize, name) {
		return nil, nil
	}
	size, bits, sized := strings.Cut(text, ",")
	if !sized {
		bits = size
	}
	n, err := strconv.ParseUint(size, 10, strconv.IntSize)
	entry := soleEntry(name)
	switch {
	case bits != strconv.Itoa(strconv.IntSize):
		return nil, &TypeChangedError{Type: name, Was: "of words of " + bits + " bits", Is: fmt.Sprint("of words of ", strconv.IntSize)}
	case err != nil || entry == 0 || sized != (name == sizedEqual):
		return nil, &TypeChangedError{Type: saved, Was: "a function", Is: "something else"}
	case !sized:
		return unsafe.Pointer(functionWord(entry)), nil
	}
	f, _ := sizedFuncs.LoadOrStore(uintptr(n), &sizedFunc{entry, uintptr(n)})
	return unsafe.Pointer(f.(*sizedFunc)), nil
}
