package build

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen"
	"github.com/ckpgen/ckpgen/instrument/edits"
)

// What package hash/maphash computes from a seed depends on keys that each process draws. A table
// that was built by it would not be found in again by another process. So in programs that link the
// package it hashes memory by the hash of package shadow (wyhash.go), which is the same in each
// process and on each machine, in place of the runtime's. Seeds are random as before. It gets that
// file as its own, since a program that is built together with others need not link package shadow.
//
// Values of any type it would hash by the functions of the runtime that maps have. In place of that
// it takes them apart. A pointer or channel that is in a value is hashed as its address, which is
// another one in the process that goes on. So the address is hashed as a number (see
// shadow.Number), and the package keeps the addresses that were hashed, for the checkpoint to have
// the numbers of what it finds there. Addresses of objects that are gone do no harm: what has the
// address next has the number.
//
// The methods that are added tell package heap that a seed can be saved, and give package ckp the
// addresses.

// hashing is what is added to the package.
const hashing = `package maphash

import (
	"internal/abi"
	"math"
	"reflect"
	"sync"
	"unsafe"
)

func rthash(b []byte, seed uint64) uint64 {
	if len(b) == 0 {
		return seed
	}
	return wyhash(b, seed)
}

func comparableHash[T comparable](v T, seed Seed) uint64 {
	switch x := any(v).(type) { // the most frequent keys
	case string:
		return textHash(x, rthashString("string", seed.s))
	case int:
		return wordHash(uint64(x), rthashString("int", seed.s))
	}
	t := reflect.TypeFor[T]()
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.UnsafePointer, reflect.Chan: // for which nothing is allocated
		return hashOf(reflect.ValueOf(v), seed.s)
	}
	// Nothing keeps the address of the value, which can be on the stack; what the value leads to is not there (escapeForHash).
	return hashOf(reflect.NewAt(t, abi.NoEscape(unsafe.Pointer(&v))).Elem(), seed.s)
}

func writeComparable[T comparable](h *Hash, v T) { h.state.s = comparableHash(v, h.state) }

// hashOf hashes a value, and its type, as interfaces are different that have the same in them as values of different types.
func hashOf(v reflect.Value, seed uint64) uint64 {
	if !v.IsValid() { // a nil interface
		return wordHash(0, seed)
	}
	return partHash(v, rthashString(v.Type().String(), seed))
}

// partHash hashes a value whose type is known from what it is a part of. What parts there are is known, too, but for the lengths of strings.
func partHash(v reflect.Value, seed uint64) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return wordHash(1, seed)
		}
		return wordHash(0, seed)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return wordHash(uint64(v.Int()), seed)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return wordHash(v.Uint(), seed)
	case reflect.Float32, reflect.Float64:
		return floatHash(v.Float(), seed)
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return floatHash(imag(c), floatHash(real(c), seed))
	case reflect.String:
		return textHash(v.String(), seed)
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		return wordHash(numberOf(v), seed)
	case reflect.Interface:
		return hashOf(v.Elem(), seed)
	case reflect.Array:
		for i := range v.Len() {
			seed = partHash(v.Index(i), seed)
		}
		return seed
	case reflect.Struct:
		for i, blank := range blanksOf(v.Type()) {
			if !blank { // which does not make values differ
				seed = partHash(v.Field(i), seed)
			}
		}
		return seed
	}
	map[any]bool{}[reflect.Zero(v.Type()).Interface()] = true // panics, with the runtime's error
	panic("hash of a type that can be compared")
}

// blanks has for struct types which of their fields are blank, as reflect allocates what it tells of a field.
var blanks sync.Map // of reflect.Type to []bool

func blanksOf(t reflect.Type) []bool {
	if known, ok := blanks.Load(t); ok {
		return known.([]bool)
	}
	list := make([]bool, t.NumField())
	for i := range list {
		list[i] = t.Field(i).Name == "_"
	}
	blanks.Store(t, list)
	return list
}

// floatHash hashes what is equal to itself: zeros are the same, and a number that is none is not.
func floatHash(f float64, seed uint64) uint64 {
	switch {
	case f == 0:
		return wordHash(0, seed)
	case f != f:
		return wordHash(randUint64(), seed)
	}
	return wordHash(math.Float64bits(f), seed)
}

func textHash(s string, seed uint64) uint64 { return rthashString(s, wordHash(uint64(len(s)), seed)) }

func wordHash(x, seed uint64) uint64 {
	var word [8]byte
	for i := range word {
		word[i] = byte(x >> (8 * i))
	}
	return rthash(word[:], seed)
}

// SavedByCkpgen reports that hashes are the same in each process.
func (Seed) SavedByCkpgen() bool { return true }

// addresses are those that were hashed, with the types of the pointers or channels, and the numbers of those whose number is another.
var addresses struct {
	sync.RWMutex
	hashed  map[uintptr]reflect.Type
	numbers map[uintptr]uintptr
}

// numberOf returns what stands for the address of a pointer or channel.
func numberOf(v reflect.Value) uint64 {
	at, t := v.Pointer(), v.Type()
	addresses.RLock()
	known := at == 0 || addresses.hashed[at] == t
	n, moved := addresses.numbers[at]
	addresses.RUnlock()
	if !known {
		addresses.Lock()
		if addresses.hashed == nil {
			addresses.hashed = make(map[uintptr]reflect.Type)
		}
		addresses.hashed[at] = t
		addresses.Unlock()
	}
	if moved {
		return uint64(n)
	}
	return uint64(at)
}

// AddressesByCkpgen returns a copy of the addresses that were hashed.
func (Seed) AddressesByCkpgen() map[uintptr]reflect.Type {
	addresses.RLock()
	defer addresses.RUnlock()
	hashed := make(map[uintptr]reflect.Type, len(addresses.hashed))
	for at, t := range addresses.hashed {
		hashed[at] = t
	}
	return hashed
}

// NumberedByCkpgen sets the addresses that were hashed, and the numbers.
func (Seed) NumberedByCkpgen(hashed map[uintptr]reflect.Type, numbers map[uintptr]uintptr) {
	addresses.Lock()
	defer addresses.Unlock()
	addresses.hashed, addresses.numbers = hashed, numbers
}
`

// hashFile is the file of the runtime that has the hash.
const hashFile = "runtime/ckp/shadow/wyhash.go"

// stableHashes returns what replaces files of package hash/maphash in goroot, and those that it
// gets. There is none if this release has the package in another form: then seeds can't be saved,
// which is told when it comes to it.
//
// With the build tag purego the package has another file, with a hash of its own and keys that each
// process draws. That is left empty, and what is added is there with this tag as well.
func stableHashes(goroot string) (map[string][]byte, error) {
	folder := filepath.Join(goroot, "src", "hash", "maphash")
	name := filepath.Join(folder, "maphash_runtime.go")
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		name = filepath.Join(folder, "maphash.go") // since Go 1.27
	}
	fset := token.NewFileSet()
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("package hash/maphash: %w", err)
	}
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("package hash/maphash: %w", err)
	}
	var list []edits.Edit
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && slices.Contains([]string{"runtime_memhash", "rthash", "comparableHash", "writeComparable"}, f.Name.Name) {
			from := f.Pos()
			if f.Doc != nil {
				from = f.Doc.Pos()
			}
			list = append(list, edits.Edit{From: fset.PositionFor(from, false).Offset, To: fset.PositionFor(f.End(), false).Offset})
		}
	}
	if len(list) != 4 {
		return nil, nil
	}
	for _, g := range file.Comments {
		for _, c := range g.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				list = append(list, edits.Of(fset, c, ""))
			}
		}
	}
	rest := edits.Apply(text, slices.Clone(list))
	for _, i := range file.Imports {
		if used := path.Base(strings.Trim(i.Path.Value, `"`)); used != "unsafe" && !bytes.Contains(rest, []byte(used+".")) {
			list = append(list, edits.Of(fset, i, ""))
		}
	}
	sources, err := ckpgen.Sources(func(folder string) string { return folder })
	if err != nil {
		return nil, err
	}
	hash := bytes.Replace(sources[hashFile], []byte("package shadow\n"), []byte("package maphash\n"), 1)
	files := map[string][]byte{
		name: edits.Apply(text, list),
		filepath.Join(folder, "values_ckpgen.go"): []byte(hashing),
		filepath.Join(folder, "wyhash_ckpgen.go"): hash,
	}
	pure := filepath.Join(folder, "maphash_purego.go")
	if _, err := os.Lstat(pure); err == nil {
		files[pure] = []byte("package maphash\n")
	}
	return files, nil
}
