package bsp

import (
	"encoding/binary"
	"hash/crc32"
)

var le = binary.LittleEndian

// kind says what a frame is for.
type kind uint8

const (
	exchange kind = iota + 1 // a superstep ends with Sync
	end                      // a superstep ends with End
	answers                  // what gets have read
	join                     // the first frame of an incarnation
	captured                 // the memory of a process is captured for a checkpoint
)

func (k kind) String() string {
	switch k {
	case exchange:
		return "Sync"
	case end:
		return "End"
	case answers:
		return "the answers to gets"
	case join:
		return "Begin"
	case captured:
		return "the end of its capture"
	}
	return "something unknown"
}

// Sections of a frame.
const (
	changesSection = iota
	sitesSection
	getsSection
	putsSection
	sendsSection
	sections
)

const headerSize = 48 + 8*sections

var magic = [4]byte{'b', 's', 'p', '1'}

// castagnoli returns the table of the checksums. It is made at the first use: a program that takes
// no checkpoint starts without it.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// header is the fixed part of a frame; its layout stands in the package
// documentation.
type header struct {
	kind      kind
	decision  uint8
	rank      int
	epoch     uint64
	superstep uint64
	number    uint64
	tagSize   int
	lengths   [sections]int
}

func (h *header) encode(b *[headerSize]byte) {
	clear(b[:])
	copy(b[:], magic[:])
	b[8], b[9] = byte(h.kind), h.decision
	le.PutUint32(b[12:], uint32(h.rank))
	le.PutUint64(b[16:], h.epoch)
	le.PutUint64(b[24:], h.superstep)
	le.PutUint64(b[32:], h.number)
	le.PutUint32(b[40:], uint32(h.tagSize))
	for i, n := range h.lengths {
		le.PutUint64(b[48+8*i:], uint64(n))
	}
	le.PutUint32(b[4:], crc32.Checksum(b[8:], castagnoli()))
}

// decode reads the header of frame and finds its sections. It reports false for
// anything that encode has not written.
func (h *header) decode(frame []byte, into *[sections][]byte) bool {
	if len(frame) < headerSize || [4]byte(frame) != magic ||
		le.Uint32(frame[4:]) != crc32.Checksum(frame[8:headerSize], castagnoli()) {
		return false
	}
	h.kind, h.decision = kind(frame[8]), frame[9]
	h.rank = int(le.Uint32(frame[12:]))
	h.epoch = le.Uint64(frame[16:])
	h.superstep = le.Uint64(frame[24:])
	h.number = le.Uint64(frame[32:])
	h.tagSize = int(le.Uint32(frame[40:]))
	rest := frame[headerSize:]
	for i := range into {
		n := le.Uint64(frame[48+8*i:])
		if n > uint64(len(rest)) {
			return false
		}
		h.lengths[i] = int(n)
		into[i] = rest[:n:n]
		rest = rest[n:]
	}
	return len(rest) == 0
}

// pad appends zeros up to a multiple of 8.
func pad(b []byte) []byte {
	var zeros [8]byte
	return append(b, zeros[:-len(b)&7]...)
}

// records reads the records of a section.
type records struct{ rest []byte }

// take returns the next n bytes and skips the padding after them. It returns
// nil, and leaves nothing to read, if the section is shorter.
func (r *records) take(n int) []byte {
	padded := n + -n&7
	if n < 0 || padded < n || padded > len(r.rest) {
		r.rest = nil
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[padded:]
	return b
}

const accessSize = 32

// access is a get or the beginning of a put.
type access struct {
	number uint64 // of the registration
	offset int    // in bytes
	bytes  int
	site   site // in the asking process
}

func (a access) appendTo(b []byte) []byte {
	b = le.AppendUint64(b, a.number)
	b = le.AppendUint64(b, uint64(a.offset))
	b = le.AppendUint64(b, uint64(a.bytes))
	b = le.AppendUint32(b, uint32(a.site))
	return append(b, 0, 0, 0, 0)
}

func (r *records) access() (a access, ok bool) {
	b := r.take(accessSize)
	if b == nil {
		return a, false
	}
	return access{
		number: le.Uint64(b),
		offset: int(le.Uint64(b[8:])),
		bytes:  int(le.Uint64(b[16:])),
		site:   site(le.Uint32(b[24:])),
	}, true
}
