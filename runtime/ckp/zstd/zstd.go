// Package zstd lets a program compress its checkpoints by Zstandard. It is imported for that alone:
//
//	import _ "github.com/ckpgen/ckpgen/runtime/ckp/zstd"
//
// With CKP_COMPRESS=zstd, or ckpgen run --compress=zstd, the checkpoints are compressed then
// (package pack tells how). It is not in every program because it needs a module that a program
// need not know otherwise, and makes the binary larger by a megabyte.
package zstd

import (
	"fmt"

	"github.com/klauspost/compress/zstd"

	_ "github.com/ckpgen/ckpgen/runtime/ckp" // a program that imports nothing else of the module has the runtime from there, not one of its own that does not know this codec
	"github.com/ckpgen/ckpgen/runtime/ckp/pack"
)

func init() { pack.Register(codec{}) }

// The fastest level: what is compressed less is written by a disk sooner than the next level
// compresses it. Neither the encoder nor the decoder starts goroutines for whole chunks.
var (
	encoder, encoderErr = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
	decoder, decoderErr = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(most), zstd.WithDecoderConcurrency(0))
)

// most bounds what a chunk can be decompressed to.
const most = 1 << 20

type codec struct{}

func (codec) Name() string { return "zstd" }

func (codec) Compress(dst, src []byte) []byte {
	if encoderErr != nil {
		panic(encoderErr) // of options that never change
	}
	return encoder.EncodeAll(src, dst)
}

func (codec) Decompress(dst, src []byte, size int) ([]byte, error) {
	if decoderErr != nil {
		return nil, decoderErr
	}
	// The frame says how large it is: if it is a lie, no memory is taken for it.
	var h zstd.Header
	if err := h.Decode(src); err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	if !h.HasFCS || h.FrameContentSize != uint64(size) {
		return nil, fmt.Errorf("zstd: a frame of %d bytes instead of %d", h.FrameContentSize, size)
	}
	return decoder.DecodeAll(src, dst)
}
