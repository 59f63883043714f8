// Package bytealg searches as packages bytes and strings do.
package bytealg

import (
	"bytes"
	"strings"
)

const (
	MaxBruteForce = 64
	PrimeRK       = 16777619
)

var MaxLen = 63

func Cutover(n int) int                             { return (n + 16) / 8 }
func IndexByte(b []byte, c byte) int                { return bytes.IndexByte(b, c) }
func IndexByteString(s string, c byte) int          { return strings.IndexByte(s, c) }
func LastIndexByte(b []byte, c byte) int            { return bytes.LastIndexByte(b, c) }
func LastIndexByteString(s string, c byte) int      { return strings.LastIndexByte(s, c) }
func Count(b []byte, c byte) int                    { return bytes.Count(b, []byte{c}) }
func CountString(s string, c byte) int              { return strings.Count(s, string([]byte{c})) }
func Equal(a, b []byte) bool                        { return bytes.Equal(a, b) }
func Compare(a, b []byte) int                       { return bytes.Compare(a, b) }
func CompareString(a, b string) int                 { return strings.Compare(a, b) }
func Index(a, b []byte) int                         { return bytes.Index(a, b) }
func IndexString(a, b string) int                   { return strings.Index(a, b) }
func MakeNoZero(n int) []byte                       { return make([]byte, n) }
func IndexRabinKarp[T string | []byte](s, of T) int { return strings.Index(string(s), string(of)) }
func LastIndexRabinKarp[T string | []byte](s, of T) int {
	return strings.LastIndex(string(s), string(of))
}

// HashStrRev is the hash that Rabin and Karp search backwards with, and the factor of what leaves
// the window.
func HashStrRev[T string | []byte](of T) (hash, factor uint32) {
	factor = 1
	for i := range len(of) {
		hash = hash*PrimeRK + uint32(of[len(of)-1-i])
		factor *= PrimeRK
	}
	return hash, factor
}
