// Package pack compresses an image in chunks: many at a time, as a stream with bounded memory, and
// so that arrays of numbers become smaller, too.
//
// # Parallel
//
// A [Writer] cuts what is written into chunks of 1 MiB, which some goroutines compress; one more
// writes them in their order. Each chunk is in one of a fixed number of buffers: when all of them
// are on their way, whoever writes waits. So memory is bounded, and a slow disk slows down the
// compression and then its source, and nothing else.
//
// # Shuffled
//
// Numbers of eight bytes that are similar, such as the floating-point numbers of a field, are
// similar in their first bytes and random in their last ones, which hides the similarity from a
// compressor that looks for strings. A chunk that is shuffled by width w has first the first bytes
// of all its words of w bytes, then all the second ones, and so on; a rest that is no whole word
// stays at the end. What a chunk holds is not known here, so each width is tried with a sample of
// it, and also whether it can be compressed at all.
//
// # The format
//
// All numbers are little-endian.
//
//	magic   8 bytes   "ckppack\n"
//	version 4         1
//	codec   12        the name of what compresses, and zeros
//	chunks            one after the other, each
//	  raw     4       bytes that it stands for: 1 to 1 MiB
//	  stored  4       bytes that follow
//	  width   1       by which it is shuffled: 1, 4 or 8
//	  method  1       0: the bytes themselves (which are not shuffled), 1: compressed by the codec
//	  zero    2
//	          stored  the bytes
//	end     12 zeros
//	total   8         bytes that all chunks stand for
//
// There are no checksums: those of an image are in it, and those of the file are in the manifest.
// But what is read here is made sure of as if it were hostile: a chunk takes memory when it has
// been decompressed to what it says, so that memory is in proportion to what is really there, and
// an image cut anywhere is an error.
//
// # Codecs
//
// What compresses registers itself here. It is a package of its own (package zstd), since it needs
// more than the standard library, and programs that do not want it shall not have it.
package pack
