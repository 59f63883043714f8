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
// The method that is added tells package heap that a seed can be saved.

// hashKeys are those that were published with wyhash.
const hashKeys = "var hashkey = [4]uint64{0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3}\n"

const savable = `
// SavedByCkpgen reports that hashes are the same in each process.
func (Seed) SavedByCkpgen() bool { return true }
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
