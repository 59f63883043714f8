package pack

// widths are those that are tried, in this order.
var widths = [...]int{1, 4, 8}

// shuffle writes src to dst, which is as long, sorted by the place that bytes have in their words.
func shuffle(dst, src []byte, width int) {
	n := len(src) / width
	switch width {
	case 1:
		copy(dst, src)
		return
	case 4:
		a, b, c, d := dst[:n], dst[n:2*n], dst[2*n:3*n], dst[3*n:4*n]
		for i := range n {
			w := le.Uint32(src[4*i:])
			a[i], b[i], c[i], d[i] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
		}
	case 8:
		a, b, c, d := dst[:n], dst[n:2*n], dst[2*n:3*n], dst[3*n:4*n]
		e, f, g, h := dst[4*n:5*n], dst[5*n:6*n], dst[6*n:7*n], dst[7*n:8*n]
		for i := range n {
			w := le.Uint64(src[8*i:])
			a[i], b[i], c[i], d[i] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
			e[i], f[i], g[i], h[i] = byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56)
		}
	}
	copy(dst[n*width:], src[n*width:])
}

// unshuffle is the reverse.
func unshuffle(dst, src []byte, width int) {
	n := len(src) / width
	for k := range width {
		for i, x := range src[k*n : (k+1)*n] {
			dst[i*width+k] = x
		}
	}
	copy(dst[n*width:], src[n*width:])
}
