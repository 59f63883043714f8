package build

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// What package hash/maphash computes from a seed depends on keys that each process draws.
// A table that was built by it would not be found in again by another process. So programs
// that link the package get its portable implementation, which every release of Go has beside the
// one that uses the runtime's hash function, with keys that are constants. Seeds are random
// as before.
//
// A pointer or channel that is in a value is hashed as its address, which is another one in the process that goes on. So the
// address is hashed as a number (see shadow.Number), and the package keeps the addresses that were hashed, for the checkpoint to have the numbers of
// what it finds there. Addresses of objects that are gone do no harm: what has the address next has the number.
//
// The methods that are added tell package heap that a seed can be saved, and give package ckp the addresses.

// hashKeys are those that were published with wyhash.
const hashKeys = "var hashkey = [4]uint64{0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3}\n"

// The portable implementation knows no interfaces that are nil, hashes fields with the name _, which do not make values differ, and panics
// with another error than the runtime.
const (
	whole      = "\tif !v.IsValid() {\n\t\th.WriteByte(0)\n\t\treturn\n\t}\n\th.WriteString(v.Type().String())\n"
	unhashable = "\tmap[any]bool{}[reflect.Zero(v.Type()).Interface()] = true\n\tpanic(\"hash of a type that can be compared\")\n"
)

const savable = `
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

// portableHashes returns what replaces files of package hash/maphash in goroot. There is none if this release
// has the package in another form: then seeds can't be saved, which is told when it comes to it.
func portableHashes(goroot string) (map[string][]byte, error) {
	folder := filepath.Join(goroot, "src", "hash", "maphash")
	text, err := os.ReadFile(filepath.Join(folder, "maphash_purego.go"))
	if err != nil {
		return nil, fmt.Errorf("portable implementation of hash/maphash: %w", err)
	}
	for _, change := range []struct{ from, to string }{
		{"//go:build purego\n", "//go:build !purego\n"},
		{"\t\"reflect\"\n", "\t\"reflect\"\n\t\"sync\"\n"},
		{"uint64(v.Pointer())", "numberOf(v)"},
		{"\th.WriteString(v.Type().String())\n", whole},
		{"\t\t\tf := v.Field(i)\n", "\t\t\tif v.Type().Field(i).Name == \"_\" {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tf := v.Field(i)\n"},
		{"\tpanic(errors.New(\"maphash: hash of unhashable type \" + v.Type().String()))\n", unhashable},
		{"\t\"errors\"\n", ""},
		{"var hashkey [4]uint64\n", hashKeys},
		{"func init() {\n\tfor i := range hashkey {\n\t\thashkey[i] = randUint64()\n\t}\n}\n", "\n"},
	} {
		if bytes.Count(text, []byte(change.from)) != 1 {
			return nil, nil
		}
		text = bytes.Replace(text, []byte(change.from), []byte(change.to), 1)
	}
	return map[string][]byte{filepath.Join(folder, "maphash_runtime.go"): append(text, savable...)}, nil
}
