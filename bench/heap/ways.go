package main

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
	"math"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/fxamacker/cbor/v2"
)

// A way takes a graph to bytes and back.
type way struct {
	name string

	// save makes the copy, which is all that a program must stand still for, and returns what is
	// left to do, and what that copy is to be kept alive by.
	save func(v any) (saved, error)

	load func(b []byte, v any) error
}

type saved interface {
	WriteTo(w io.Writer) (int64, error)
}

type asBytes []byte

func (b asBytes) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b)
	return int64(n), err
}

var heapWay = way{
	name: "heap",
	save: func(v any) (saved, error) { return heap.Capture([]heap.Root{{Name: "x", Ptr: v}}, heap.Options{}) },
	load: func(b []byte, v any) error {
		im, err := heap.Parse(b)
		if err != nil {
			return err
		}
		return im.Rebuild([]heap.Root{{Name: "x", Ptr: v}}, heap.Options{})
	},
}

var gobWay = way{
	name: "gob",
	save: func(v any) (saved, error) {
		var b bytes.Buffer
		err := gob.NewEncoder(&b).Encode(v)
		return asBytes(b.Bytes()), err
	},
	load: func(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) },
}

var cborWay = func() way {
	dec, err := cbor.DecOptions{MaxArrayElements: math.MaxInt32, MaxMapPairs: math.MaxInt32, MaxNestedLevels: 65535}.DecMode()
	if err != nil {
		panic(err)
	}
	return way{
		name: "cbor",
		save: func(v any) (saved, error) {
			b, err := cbor.Marshal(v)
			return asBytes(b), err
		},
		load: func(b []byte, v any) error { return dec.Unmarshal(b, v) },
	}
}()

// copyWay is the yardstick for flat data: memory to memory, into new memory as any copy is.
var copyWay = way{
	name: "copy",
	save: func(v any) (saved, error) {
		return floatBytes(append([]float64(nil), *v.(*[]float64)...)), nil
	},
}

type floatBytes []float64

func (floatBytes) WriteTo(io.Writer) (int64, error) { return 0, nil }

// warmWay copies into memory that is there already.
func warmWay() way {
	var there []float64
	return way{
		name: "warm copy",
		save: func(v any) (saved, error) {
			from := *v.(*[]float64)
			if len(there) != len(from) {
				there = append([]float64(nil), from...)
			}
			copy(there, from)
			return floatBytes(nil), nil
		},
	}
}

// written returns the bytes of a copy.
func written(s saved) ([]byte, error) {
	if b, ok := s.(asBytes); ok {
		return b, nil
	}
	n, err := s.WriteTo(io.Discard)
	if err != nil {
		return nil, fmt.Errorf("writing: %w", err)
	}
	b := bytes.NewBuffer(make([]byte, 0, n))
	if _, err := s.WriteTo(b); err != nil {
		return nil, fmt.Errorf("writing: %w", err)
	}
	return b.Bytes(), nil
}
