package shadow

import "math/bits"

// The hash is wyhash, final version 4 (Wang Yi, https://github.com/wangyi-fudan/wyhash), with its
// default secret, of the memory as it is on a machine whose low bytes come first.
//
// ckpgen build also adds this file to package hash/maphash in programs that link that. So it needs
// nothing of this package.

// secret is wyhash's default.
var secret = [4]uint64{0x2d358dccaa6c78a5, 0x8bb84b93962eacc9, 0x4b33a62ed433d4a3, 0x4d5a2da51de1aa47}

// hash64 is wyhash64.
func hash64(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^secret[0], b^secret[1])
	return fold(lo^secret[0], hi^secret[1])
}

func wyhash(b []byte, seed uint64) uint64 {
	n := len(b)
	seed ^= fold(seed^secret[0], secret[1])
	var x, y uint64
	switch {
	case n == 0:
	case n < 4:
		x = uint64(b[0])<<16 | uint64(b[n/2])<<8 | uint64(b[n-1])
	case n <= 16:
		middle := n / 8 * 4
		x = four(b)<<32 | four(b[middle:])
		y = four(b[n-4:])<<32 | four(b[n-4-middle:])
	default:
		rest := b
		if n > 48 {
			seed1, seed2 := seed, seed
			for ; len(rest) > 48; rest = rest[48:] {
				seed = fold(eight(rest)^secret[1], eight(rest[8:])^seed)
				seed1 = fold(eight(rest[16:])^secret[2], eight(rest[24:])^seed1)
				seed2 = fold(eight(rest[32:])^secret[3], eight(rest[40:])^seed2)
			}
			seed ^= seed1 ^ seed2
		}
		for ; len(rest) > 16; rest = rest[16:] {
			seed = fold(eight(rest)^secret[1], eight(rest[8:])^seed)
		}
		x, y = eight(b[n-16:]), eight(b[n-8:])
	}
	hi, lo := bits.Mul64(x^secret[1], y^seed)
	return fold(lo^secret[0]^uint64(n), hi^secret[1])
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// The compiler makes one load of each, on machines that can.

func four(b []byte) uint64 {
	_ = b[3]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

func eight(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
