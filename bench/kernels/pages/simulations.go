package main

// Simulations, games, pictures and machines.

import (
	"sort"
	"sync"
)

func lifePage() any { return life(96, 60) }

func life(n, gens int) int {
	g := make([][]bool, n)
	h := make([][]bool, n)
	for i := range g {
		g[i], h[i] = make([]bool, n), make([]bool, n)
		for j := range g[i] {
			g[i][j] = (i*7+j*13)%5 < 2
		}
	}
	for ; gens > 0; gens-- {
		for i := range g {
			for j := range g[i] {
				c := 0
				for di := -1; di <= 1; di++ {
					for dj := -1; dj <= 1; dj++ {
						if (di != 0 || dj != 0) && g[(i+di+n)%n][(j+dj+n)%n] {
							c++
						}
					}
				}
				h[i][j] = c == 3 || c == 2 && g[i][j]
			}
		}
		g, h = h, g
	}
	n = 0
	for _, r := range g {
		for _, x := range r {
			if x {
				n++
			}
		}
	}
	return n
}

func vmPage() any { return runVM() }

func raytracePage() any { return render(90, 70) }

func pipelinePage() any {
	src := make(chan int, 64)
	go func() {
		defer close(src)
		for i := 0; i < 20000; i++ {
			src <- i
		}
	}()
	out := make(chan int, 64)
	var wg sync.WaitGroup
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for x := range src {
				y := 0
				for x > 0 {
					y = y*10 + x%10
					x /= 10
				}
				out <- y
			}
		}()
	}
	go func() { wg.Wait(); close(out) }()
	s := 0
	for y := range out {
		s += y
	}
	return s
}

func geneticPage() any { return evolve() }

func eventsimPage() any { return simulate(30000) }

type op struct{ code, arg int }

// Codes of operations.
const (
	push = iota
	add
	get
	set
	jumpIfNotLess
	setAndJump
	end
)

func runVM() int {
	prog := []op{
		{push, 0}, {set, 0}, {push, 0}, {set, 1},
		{get, 0}, {push, 40000}, {jumpIfNotLess, 15}, // the loop begins
		{get, 1}, {get, 0}, {add, 0}, {set, 1},
		{get, 0}, {push, 1}, {add, 0}, {setAndJump, 4},
		{end, 1},
	}
	var stack []int
	var vars [4]int
	pc := 0
	for pc < len(prog) {
		o := prog[pc]
		pc++
		switch o.code {
		case push:
			stack = append(stack, o.arg)
		case add:
			n := len(stack)
			stack[n-2] += stack[n-1]
			stack = stack[:n-1]
		case get:
			stack = append(stack, vars[o.arg])
		case set:
			vars[o.arg] = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		case jumpIfNotLess:
			n := len(stack)
			if stack[n-2] >= stack[n-1] {
				pc = o.arg
			}
			stack = stack[:n-2]
		case setAndJump:
			vars[0] = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			pc = o.arg
		case end:
			return vars[o.arg]
		}
	}
	return vars[1]
}

type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }

func (a vec) sub(b vec) vec { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }

func (a vec) mul(f float64) vec { return vec{a.x * f, a.y * f, a.z * f} }

func (a vec) dot(b vec) float64 { return a.x*b.x + a.y*b.y + a.z*b.z }

func (a vec) norm() vec { return a.mul(1 / sqrt(a.dot(a))) }

func sqrt(x float64) float64 {
	z := x/2 + .5
	for i := 0; i < 8; i++ {
		z = (z + x/z) / 2
	}
	return z
}

type sphere struct {
	c    vec
	r, k float64
}

func (s *sphere) hit(o, d vec) (float64, bool) {
	l := s.c.sub(o)
	t := l.dot(d)
	q := l.dot(l) - t*t
	if t < 0 || q > s.r*s.r {
		return 0, false
	}
	return t - sqrt(s.r*s.r-q), true
}

func trace(scene []*sphere, o, d vec, depth int) float64 {
	var best *sphere
	bt := 1e9
	for _, s := range scene {
		if t, ok := s.hit(o, d); ok && t > 1e-4 && t < bt {
			best, bt = s, t
		}
	}
	if best == nil {
		return .3 + .2*d.y
	}
	p := o.add(d.mul(bt))
	n := p.sub(best.c).norm()
	light := vec{1, 2, -1}.norm()
	c := max(0, n.dot(light)) * .7
	if depth > 0 {
		r := d.sub(n.mul(2 * d.dot(n)))
		c += best.k * trace(scene, p, r, depth-1)
	}
	return c
}

func render(w, h int) float64 {
	var scene []*sphere
	for i := 0; i < 7; i++ {
		scene = append(scene, &sphere{vec{float64(i%3) - 1, float64(i%2) - .5, 3 + float64(i)}, .6, .4})
	}
	s := 0.0
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			d := vec{float64(x)/float64(w) - .5, float64(y)/float64(h) - .5, 1}.norm()
			s += trace(scene, vec{}, d, 3)
		}
	}
	return s
}

func evolve() int {
	const pop, genes = 60, 64
	r := rng(77)
	type ind struct {
		g   [genes]bool
		fit int
	}
	p := make([]ind, pop)
	fit := func(x *ind) {
		x.fit = 0
		for i, b := range x.g {
			if b == (i%3 == 0) {
				x.fit++
			}
		}
	}
	for i := range p {
		for j := range p[i].g {
			p[i].g[j] = r.next()&1 == 0
		}
		fit(&p[i])
	}
	for gen := 0; gen < 60; gen++ {
		sort.Slice(p, func(i, j int) bool { return p[i].fit > p[j].fit })
		for i := pop / 2; i < pop; i++ {
			a, b := &p[r.next()%(pop/2)], &p[r.next()%(pop/2)]
			cut := int(r.next() % genes)
			for j := range p[i].g {
				if j < cut {
					p[i].g[j] = a.g[j]
				} else {
					p[i].g[j] = b.g[j]
				}
				if r.next()%50 == 0 {
					p[i].g[j] = !p[i].g[j]
				}
			}
			fit(&p[i])
		}
	}
	return p[0].fit
}

type event struct {
	at   int
	kind string
	do   func()
}

type agenda []event

func (a *agenda) push(e event) {
	*a = append(*a, e)
	i := len(*a) - 1
	for i > 0 && (*a)[(i-1)/2].at > (*a)[i].at {
		(*a)[i], (*a)[(i-1)/2] = (*a)[(i-1)/2], (*a)[i]
		i = (i - 1) / 2
	}
}

func (a *agenda) pop() event {
	o := *a
	e := o[0]
	o[0] = o[len(o)-1]
	o = o[:len(o)-1]
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(o) {
			break
		}
		if c+1 < len(o) && o[c+1].at < o[c].at {
			c++
		}
		if o[i].at <= o[c].at {
			break
		}
		o[i], o[c] = o[c], o[i]
		i = c
	}
	*a = o
	return e
}

func simulate(n int) int {
	var a agenda
	r := rng(31)
	queue, served, wait := 0, 0, 0
	busy := false
	now := 0
	var arrive, finish func()
	start := func() {
		busy = true
		a.push(event{now + 1 + int(r.next()%9), "finish", finish})
	}
	arrive = func() {
		if served+queue < n {
			a.push(event{now + 1 + int(r.next()%10), "arrive", arrive})
		}
		if busy {
			queue++
		} else {
			start()
		}
	}
	finish = func() {
		served++
		wait += queue
		busy = false
		if queue > 0 {
			queue--
			start()
		}
	}
	a.push(event{0, "arrive", arrive})
	for len(a) > 0 {
		e := a.pop()
		now = e.at
		e.do()
	}
	return wait
}
