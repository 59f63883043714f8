package main

// Graphs: shortest paths, components, and a search in breadth.

import (
	"container/heap"
	"math"
)

func dijkstraPage() any { return dijkstra(4000) }

func unionfindPage() any {
	u := newUF(60000)
	x := rng(5)
	for i := 0; i < 90000; i++ {
		u.union(int(x.next()%60000), int(x.next()%60000))
	}
	return u.sets
}

func bfsPage() any { return bfs(300) }

type item struct {
	node, dist int
}

type pq []item

func (p pq) Len() int { return len(p) }

func (p pq) Less(i, j int) bool { return p[i].dist < p[j].dist }

func (p pq) Swap(i, j int) { p[i], p[j] = p[j], p[i] }

func (p *pq) Push(x any) { *p = append(*p, x.(item)) }

func (p *pq) Pop() any {
	o := *p
	x := o[len(o)-1]
	*p = o[:len(o)-1]
	return x
}

func dijkstra(n int) int {
	type edge struct{ to, w int }
	adj := make([][]edge, n)
	for i := range adj {
		for j := 1; j <= 5; j++ {
			adj[i] = append(adj[i], edge{(i*j*31 + 17*j) % n, 1 + (i*j)%23})
		}
	}
	dist := make([]int, n)
	for i := range dist {
		dist[i] = math.MaxInt
	}
	dist[0] = 0
	q := &pq{{0, 0}}
	for q.Len() > 0 {
		it := heap.Pop(q).(item)
		if it.dist > dist[it.node] {
			continue
		}
		for _, e := range adj[it.node] {
			if d := it.dist + e.w; d < dist[e.to] {
				dist[e.to] = d
				heap.Push(q, item{e.to, d})
			}
		}
	}
	s := 0
	for _, d := range dist {
		if d < math.MaxInt {
			s += d
		}
	}
	return s
}

type uf struct {
	parent, rank []int
	sets         int
}

func newUF(n int) *uf {
	u := &uf{make([]int, n), make([]int, n), n}
	for i := range u.parent {
		u.parent[i] = i
	}
	return u
}

func (u *uf) find(x int) int {
	for u.parent[x] != x {
		u.parent[x] = u.parent[u.parent[x]]
		x = u.parent[x]
	}
	return x
}

func (u *uf) union(a, b int) {
	a, b = u.find(a), u.find(b)
	if a == b {
		return
	}
	if u.rank[a] < u.rank[b] {
		a, b = b, a
	}
	u.parent[b] = a
	if u.rank[a] == u.rank[b] {
		u.rank[a]++
	}
	u.sets--
}

func bfs(n int) int {
	wall := func(x, y int) bool { return (x*7+y*11)%5 == 0 && x != y }
	seen := make([]bool, n*n)
	type pt struct{ x, y, d int }
	q := []pt{{0, 0, 0}}
	seen[0] = true
	far := 0
	for len(q) > 0 {
		p := q[0]
		q = q[1:]
		far = max(far, p.d)
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			x, y := p.x+d[0], p.y+d[1]
			if x < 0 || y < 0 || x >= n || y >= n || seen[y*n+x] || wall(x, y) {
				continue
			}
			seen[y*n+x] = true
			q = append(q, pt{x, y, p.d + 1})
		}
	}
	return far
}
