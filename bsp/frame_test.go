package bsp

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawFrame(t *rapid.T) (header, [sections][]byte, []byte) {
	h := header{
		kind:      kind(rapid.IntRange(int(exchange), int(join)).Draw(t, "kind")),
		decision:  rapid.Byte().Draw(t, "decision"),
		rank:      rapid.IntRange(0, 1<<20).Draw(t, "rank"),
		epoch:     rapid.Uint64().Draw(t, "epoch"),
		superstep: rapid.Uint64().Draw(t, "superstep"),
		number:    rapid.Uint64().Draw(t, "number"),
		tagSize:   rapid.IntRange(0, 1<<20).Draw(t, "tag size"),
	}
	var parts [sections][]byte
	var body []byte
	for i := range parts {
		parts[i] = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "section")
		h.lengths[i] = len(parts[i])
		body = append(body, parts[i]...)
	}
	var b [headerSize]byte
	h.encode(&b)
	return h, parts, append(b[:], body...)
}

// What encode writes decode reads.
func TestFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, parts, frame := drawFrame(t)
		var got header
		var in [sections][]byte
		require.True(t, got.decode(frame, &in))
		require.Equal(t, h, got)
		for i := range parts {
			require.True(t, bytes.Equal(parts[i], in[i]))
		}
	})
}

// Damage to the header or the length is noticed, and never more than an error.
func TestDamagedFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, _, frame := drawFrame(t)
		if rapid.Bool().Draw(t, "cut") {
			frame = frame[:rapid.IntRange(0, len(frame)-1).Draw(t, "length")]
		} else {
			i := rapid.IntRange(0, headerSize-1).Draw(t, "byte")
			frame[i] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		}
		var h header
		var in [sections][]byte
		require.False(t, h.decode(frame, &in))
	})
}

// Reading records from any bytes ends, and stays within them.
func TestHostileRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "bytes")
		for i := range b { // small numbers are more interesting
			if rapid.IntRange(0, 3).Draw(t, "keep") > 0 {
				b[i] = 0
			}
		}
		for r := (records{b}); len(r.rest) > 0; {
			if c := r.change(); c.kind == 0 && len(r.rest) > 0 {
				break
			}
		}
		for r := (records{b}); len(r.rest) > 0; {
			if a, ok := r.access(); ok {
				r.take(a.bytes)
			}
		}
		for r := (records{b}); len(r.rest) > 0; {
			r.message()
		}
	})
}
