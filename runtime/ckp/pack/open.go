package pack

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// Packed reports whether a file was written by a [Writer].
func Packed(b []byte) bool { return len(b) >= len(magic) && string(b[:len(magic)]) == magic }

var errCut = errors.New("pack: the file is cut off")

// A piece is a chunk in a file.
type piece struct {
	raw    int
	width  int
	method byte
	bytes  []byte
}

// Open returns what was compressed. The error is a *[MissingError] if this program does not have
// what compressed it.
func Open(b []byte) ([]byte, error) {
	if !Packed(b) {
		return nil, errors.New("pack: not a compressed image")
	}
	if len(b) < headerSize {
		return nil, errCut
	}
	if v := le.Uint32(b[len(magic):]); v != version {
		return nil, fmt.Errorf("pack: version %d, this program reads version %d", v, version)
	}
	name, zeros, _ := bytes.Cut(b[len(magic)+4:headerSize], []byte{0})
	if len(bytes.Trim(zeros, "\x00")) > 0 {
		return nil, errors.New("pack: the name of the codec is damaged")
	}
	codec, err := Find(string(name))
	if err != nil {
		return nil, err
	}
	var out []byte
	rest := b[headerSize:]
	// So many at a time: what is there has been decompressed before more is taken at its word.
	for batch := make([]piece, 0, 2*runtime.GOMAXPROCS(0)); ; batch = batch[:0] {
		end := false
		for len(batch) < cap(batch) && !end {
			var p piece
			if p, rest, err = next(rest); err != nil {
				return nil, err
			}
			if end = p.raw == 0; !end {
				batch = append(batch, p)
			}
		}
		if out, err = unpack(out, batch, codec); err != nil {
			return nil, err
		}
		if !end {
			continue
		}
		if len(rest) != 8 || le.Uint64(rest) != uint64(len(out)) {
			return nil, fmt.Errorf("pack: the file does not end as it should after %d bytes", len(out))
		}
		return out, nil
	}
}

// next reads a chunk. The one that stands for nothing is the end.
func next(b []byte) (p piece, rest []byte, err error) {
	if len(b) < chunkHeader {
		return p, nil, errCut
	}
	raw, size := le.Uint32(b), le.Uint32(b[4:])
	p = piece{raw: int(raw), width: int(b[8]), method: b[9]}
	if raw == 0 && [chunkHeader]byte(b) != [chunkHeader]byte{} {
		return p, nil, errors.New("pack: the end is damaged")
	}
	if raw == 0 {
		return p, b[chunkHeader:], nil
	}
	switch {
	case raw > chunkSize:
		return p, nil, fmt.Errorf("pack: a chunk of %d bytes", raw)
	case p.width != 1 && p.width != 4 && p.width != 8, b[10] != 0, b[11] != 0,
		p.method != compressed && (p.method != stored || p.width != 1 || size != raw):
		return p, nil, errors.New("pack: the header of a chunk is damaged")
	case uint64(size) > uint64(len(b)-chunkHeader):
		return p, nil, errCut
	}
	p.bytes = b[chunkHeader : chunkHeader+int(size)]
	return p, b[chunkHeader+int(size):], nil
}

// unpack appends what some chunks stand for.
func unpack(out []byte, batch []piece, codec Codec) ([]byte, error) {
	parts := make([][]byte, len(batch))
	errs := make([]error, len(batch))
	var wg sync.WaitGroup
	for i, p := range batch {
		wg.Go(func() { parts[i], errs[i] = p.unpack(codec) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, part := range parts {
		out = append(out, part...)
	}
	return out, nil
}

func (p piece) unpack(codec Codec) ([]byte, error) {
	if p.method == stored {
		return p.bytes, nil
	}
	b, err := codec.Decompress(nil, p.bytes, p.raw)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	if len(b) != p.raw {
		return nil, fmt.Errorf("pack: a chunk of %d bytes instead of %d", len(b), p.raw)
	}
	if p.width == 1 {
		return b, nil
	}
	out := make([]byte, len(b))
	unshuffle(out, b, p.width)
	return out, nil
}
