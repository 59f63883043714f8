// Package stored reads the image of a process from a store: it may be compressed, and be an
// increment to others.
package stored

import (
	"fmt"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/pack"
	"github.com/ckpgen/ckpgen/store"
)

// Bytes returns the whole image of a process in a checkpoint, as [heap.Parse] reads it. The error
// matches *[pack.MissingError] if this program can't decompress it.
func Bytes(c store.Checkpoint, rank int) ([]byte, error) {
	files, err := c.Images(rank)
	if err != nil {
		return nil, err
	}
	return Resolve(files)
}

// Resolve returns the image that some files stand for: a whole one, and the increments to it in
// their order.
func Resolve(files [][]byte) ([]byte, error) { return unpackedTo(heap.Resolve, files) }

// Merge returns the increment that some files stand for, which are increments that follow each
// other.
func Merge(files [][]byte) ([]byte, error) { return unpackedTo(heap.MergeIncrements, files) }

func unpackedTo(f func([][]byte) ([]byte, error), files [][]byte) ([]byte, error) {
	for i, b := range files {
		var err error
		if files[i], err = unpacked(b); err != nil {
			return nil, err
		}
	}
	return f(files)
}

// Parse reads an image that may be compressed.
func Parse(b []byte) (*heap.Image, error) {
	b, err := unpacked(b)
	if err != nil {
		return nil, err
	}
	return heap.Parse(b)
}

func unpacked(b []byte) ([]byte, error) {
	if !pack.Packed(b) {
		return b, nil
	}
	b, err := pack.Open(b)
	if err != nil {
		return nil, fmt.Errorf("compressed image: %w", err)
	}
	return b, nil
}
