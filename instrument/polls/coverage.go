package polls

import "time"

// A Coverage tells in which stretches of time there is a visit to one of the places that are
// chosen.
type Coverage struct {
	visits  *Visits
	of      []int // the stretch that a window is a part of, -1 for none
	covered []bool
	open    int // number of stretches that are not
}

// Coverage returns that of stretches of the given length, with no place chosen: of the time of each
// goroutine, or of that of all together, whoever runs.
func (v *Visits) Coverage(length time.Duration, together bool) *Coverage {
	n, of := v.stretches(length, together)
	return &Coverage{v, of, make([]bool, n), n}
}

// Choose adds the place of a site, by its index.
func (c *Coverage) Choose(site int) {
	c.each(site, func(stretch int) bool {
		if !c.covered[stretch] {
			c.covered[stretch] = true
			c.open--
		}
		return true
	})
}

// Helps reports whether a site, by its index, was visited in a stretch without a visit to any of
// the places.
func (c *Coverage) Helps(site int) bool {
	return c.open > 0 && !c.each(site, func(stretch int) bool { return c.covered[stretch] })
}

// Recurs reports whether a site, by its index, was visited again and again in a stretch without a
// visit to any of the places: in more than one window of it.
func (c *Coverage) Recurs(site int) bool {
	if c.open == 0 {
		return false
	}
	seen := make(map[int]bool) // goroutines take turns
	return !c.each(site, func(stretch int) bool {
		again := seen[stretch]
		seen[stretch] = !c.covered[stretch]
		return !again
	})
}

// each calls f with the stretch of each window in which a site was visited, until it returns false,
// and reports whether it did not.
func (c *Coverage) each(site int, f func(stretch int) bool) bool {
	for _, p := range c.visits.Sites[site].spans {
		for w := p.from; w <= p.to; w++ {
			if stretch := c.of[w]; stretch >= 0 && !f(stretch) {
				return false
			}
		}
	}
	return true
}
