// Nbody moves the Sun and four planets by their gravity.
package main

import (
	"fmt"
	"math"
)

type body struct{ x, y, z, vx, vy, vz, mass float64 }

func energy(bs []body) float64 {
	e := 0.0
	for i := range bs {
		b := &bs[i]
		e += 0.5 * b.mass * (b.vx*b.vx + b.vy*b.vy + b.vz*b.vz)
		for j := i + 1; j < len(bs); j++ {
			c := &bs[j]
			dx, dy, dz := b.x-c.x, b.y-c.y, b.z-c.z
			e -= b.mass * c.mass / math.Sqrt(dx*dx+dy*dy+dz*dz)
		}
	}
	return e
}

func advance(bs []body, dt float64) {
	for i := range bs {
		b := &bs[i]
		for j := i + 1; j < len(bs); j++ {
			c := &bs[j]
			dx, dy, dz := b.x-c.x, b.y-c.y, b.z-c.z
			d := dx*dx + dy*dy + dz*dz
			mag := dt / (d * math.Sqrt(d))
			b.vx -= dx * c.mass * mag
			b.vy -= dy * c.mass * mag
			b.vz -= dz * c.mass * mag
			c.vx += dx * b.mass * mag
			c.vy += dy * b.mass * mag
			c.vz += dz * b.mass * mag
		}
	}
	for i := range bs {
		b := &bs[i]
		b.x += dt * b.vx
		b.y += dt * b.vy
		b.z += dt * b.vz
	}
}

func main() {
	bs := []body{{0, 0, 0, 0, 0, 0, 39.4}, {4.8, -1.1, -.1, .6, 2.8, -.02, .037}, {8.3, 4.1, -.4, -1.01, 1.8, .008, .011}, {12.8, -15.1, -.2, 1.08, .86, -.01, .0017}, {15.3, -25.9, .17, .97, .59, -.03, .002}}
	for i := 0; i < 2000000; i++ {
		advance(bs, 0.01)
	}
	fmt.Printf("%.9f\n", energy(bs))
}
