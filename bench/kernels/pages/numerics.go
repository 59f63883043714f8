package main

// Numerics: transforms, equations, estimates, and numbers with many digits.

import (
	"math"
	"math/cmplx"
)

func fftPage() any {
	n := 1 << 12
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(float64(i%17), float64(i%5))
	}
	for r := 0; r < 6; r++ {
		x = fft(x)
	}
	return cmplx.Abs(x[3])
}

func luPage() any {
	n := 130
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
		for j := range a[i] {
			a[i][j] = float64((i*j+7)%13) + 1
		}
		a[i][i] += 50
	}
	return lu(a)
}

func cgPage() any { return cg(3000) }

func montecarloPage() any {
	s := rng(1)
	in := 0
	for i := 0; i < 500000; i++ {
		x, y := s.float(), s.float()
		if x*x+y*y < 1 {
			in++
		}
	}
	return in
}

func kmeansPage() any { return kmeans(6000, 8, 12) }

func perceptronPage() any { return perceptron() }

func fft(x []complex128) []complex128 {
	n := len(x)
	if n == 1 {
		return x
	}
	e, o := make([]complex128, n/2), make([]complex128, n/2)
	for i := range e {
		e[i], o[i] = x[2*i], x[2*i+1]
	}
	e, o = fft(e), fft(o)
	y := make([]complex128, n)
	for k := range e {
		t := cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n)) * o[k]
		y[k], y[k+n/2] = e[k]+t, e[k]-t
	}
	return y
}

func lu(a [][]float64) float64 {
	n := len(a)
	det := 1.0
	for k := 0; k < n; k++ {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[p][k]) {
				p = i
			}
		}
		a[k], a[p] = a[p], a[k]
		det *= a[k][k] / 40
		for i := k + 1; i < n; i++ {
			f := a[i][k] / a[k][k]
			for j := k; j < n; j++ {
				a[i][j] -= f * a[k][j]
			}
		}
	}
	return det
}

func cg(n int) float64 {
	x, r, p, ap := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range r {
		r[i] = 1
		p[i] = 1
	}
	rs := dot(r, r)
	it := 0
	for rs > 1e-6 && it < 100 {
		for i := range ap {
			v := 2.1 * p[i]
			if i > 0 {
				v -= p[i-1]
			}
			if i < n-1 {
				v -= p[i+1]
			}
			ap[i] = v
		}
		alpha := rs / dot(p, ap)
		for i := range x {
			x[i] += alpha * p[i]
			r[i] -= alpha * ap[i]
		}
		n := dot(r, r)
		for i := range p {
			p[i] = r[i] + n/rs*p[i]
		}
		rs = n
		it++
	}
	return x[n/2] + float64(it)
}

func dot(a, b []float64) (s float64) {
	for i, v := range a {
		s += v * b[i]
	}
	return
}

type rngState uint64

func rng(s uint64) *rngState { r := rngState(s*2862933555777941757 + 3037000493); return &r }

func (r *rngState) next() uint64 {
	x := uint64(*r)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = rngState(x)
	return x
}

func (r *rngState) float() float64 { return float64(r.next()>>11) / (1 << 53) }

func kmeans(n, k, iters int) float64 {
	type pt struct{ x, y float64 }
	r := rng(11)
	pts := make([]pt, n)
	for i := range pts {
		pts[i] = pt{r.float(), r.float()}
	}
	cs := append([]pt(nil), pts[:k]...)
	for ; iters > 0; iters-- {
		sum, cnt := make([]pt, k), make([]int, k)
		for _, p := range pts {
			best, bd := 0, math.Inf(1)
			for c, q := range cs {
				dx, dy := p.x-q.x, p.y-q.y
				if d := dx*dx + dy*dy; d < bd {
					best, bd = c, d
				}
			}
			sum[best].x += p.x
			sum[best].y += p.y
			cnt[best]++
		}
		for c := range cs {
			if cnt[c] > 0 {
				cs[c] = pt{sum[c].x / float64(cnt[c]), sum[c].y / float64(cnt[c])}
			}
		}
	}
	return cs[3].x
}

func perceptron() float64 {
	const in, hid = 16, 24
	var w1 [hid][in]float64
	var w2 [hid]float64
	r := rng(21)
	for i := range w1 {
		for j := range w1[i] {
			w1[i][j] = r.float() - .5
		}
		w2[i] = r.float() - .5
	}
	loss := 0.0
	for e := 0; e < 600; e++ {
		var x [in]float64
		s := 0.0
		for j := range x {
			x[j] = r.float()
			s += x[j]
		}
		t := 0.0
		if s > in/2 {
			t = 1
		}
		var h [hid]float64
		y := 0.0
		for i := range h {
			for j := range x {
				h[i] += w1[i][j] * x[j]
			}
			h[i] = math.Tanh(h[i])
			y += w2[i] * h[i]
		}
		d := y - t
		loss = loss*.99 + d*d
		for i := range h {
			g := d * w2[i] * (1 - h[i]*h[i])
			w2[i] -= .05 * d * h[i]
			for j := range x {
				w1[i][j] -= .05 * g * x[j]
			}
		}
	}
	return loss
}

func bigintPage() any {
	a := []uint32{1}
	for i := uint32(2); i < 500; i++ {
		a = mulSmall(a, i)
	}
	return len(a) + int(a[len(a)-1])
}

func crcPage() any {
	var t [256]uint32
	for i := range t {
		c := uint32(i)
		for k := 0; k < 8; k++ {
			if c&1 != 0 {
				c = 0xedb88320 ^ c>>1
			} else {
				c >>= 1
			}
		}
		t[i] = c
	}
	c := ^uint32(0)
	for r := 0; r < 40; r++ {
		for i := 0; i < 20000; i++ {
			c = t[byte(c)^byte(i*r)] ^ c>>8
		}
	}
	return ^c
}

func mulSmall(a []uint32, m uint32) []uint32 {
	c := uint64(0)
	for i := range a {
		c += uint64(a[i]) * uint64(m)
		a[i] = uint32(c)
		c >>= 32
	}
	if c > 0 {
		a = append(a, uint32(c))
	}
	return a
}
