package polls

import (
	"cmp"
	"slices"
	"time"
)

// Calls are the functions of a program, by numbers, and their calls.
type Calls struct {
	// Callers has for each function those whose frames are on the stack when it runs, and that can be rewritten.
	Callers [][]int
	// Entries has for each function how often it was called.
	Entries []uint64
	// Of has for each site of Visits the function that it is in, -1 if no poll can be there.
	Of []int
}

// What things cost, in nanoseconds.
const (
	perVisit    = 1.0 // a load and a branch, and what else the compiler then does worse
	perCall     = 2.0 // the test after a call, and the frame of a function that is rewritten
	perFunction = 1e4 // in a run of a second: the rewriting of a function itself, since it has to be compiled
)

// A candidate is a site that is, or could be, chosen.
type candidate struct {
	site      int
	function  int
	visits    float64
	stretches []int // ordered
}

// A chooser solves one problem.
type chooser struct {
	calls       Calls
	perFunction float64
	covered     []int  // how many of the chosen sites each stretch has
	rewritten   []bool // functions from which a chosen site can be reached
	seen        []int  // in which search a function was last found
	search      int
}

// Choose returns the numbers of the sites at which to poll, in order, so that no goroutine runs for longer than a given time without passing one, as
// far as any site was passed where a poll can be.
func Choose(v *Visits, calls Calls, within time.Duration) []int {
	number, of := v.stretches(within / 2)
	n := len(calls.Callers)
	c := &chooser{calls: calls, perFunction: perFunction * v.Time.Seconds(), covered: make([]int, number), rewritten: make([]bool, n), seen: make([]int, n)}
	var rest []candidate
	for i, s := range v.Sites {
		if calls.Of[i] < 0 {
			continue
		}
		k := candidate{site: i, function: calls.Of[i], visits: float64(s.Visits)}
		for _, p := range s.spans {
			for w := p.from; w <= p.to; w++ {
				if of[w] >= 0 {
					k.stretches = append(k.stretches, of[w])
				}
			}
		}
		slices.Sort(k.stretches) // goroutines take turns
		if k.stretches = slices.Compact(k.stretches); len(k.stretches) > 0 {
			rest = append(rest, k)
		}
	}
	var chosen []candidate
	for {
		i := c.best(rest)
		if i < 0 {
			break
		}
		chosen = append(chosen, rest[i])
		c.add(rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	// What was taken later may have made others needless, the dearest first.
	slices.SortStableFunc(chosen, func(a, b candidate) int { return cmp.Compare(b.visits, a.visits) })
	chosen = slices.DeleteFunc(chosen, func(k candidate) bool {
		if slices.ContainsFunc(k.stretches, func(s int) bool { return c.covered[s] < 2 }) {
			return false
		}
		for _, s := range k.stretches {
			c.covered[s]--
		}
		return true
	})
	sites := make([]int, len(chosen))
	for i, k := range chosen {
		sites[i] = k.site
	}
	slices.Sort(sites)
	return sites
}

// best returns the index of the candidate that costs least for each stretch that no chosen site is in yet; -1 if none is in such a stretch.
func (c *chooser) best(list []candidate) int {
	type bound struct {
		index, gain int
		least       float64 // without what can be reached from elsewhere
	}
	var bounds []bound
	for i, k := range list {
		gain := 0
		for _, s := range k.stretches {
			if c.covered[s] == 0 {
				gain++
			}
		}
		if gain > 0 {
			least := perVisit * k.visits
			if !c.rewritten[k.function] {
				least += c.own(k.function)
			}
			bounds = append(bounds, bound{i, gain, least / float64(gain)})
		}
	}
	slices.SortStableFunc(bounds, func(a, b bound) int { return cmp.Compare(a.least, b.least) })
	best, least := -1, 0.0
	for _, b := range bounds {
		if best >= 0 && b.least >= least {
			break
		}
		k := list[b.index]
		cost := (perVisit*k.visits + c.reach(k.function, nil)) / float64(b.gain)
		if best < 0 || cost < least {
			best, least = b.index, cost
		}
	}
	return best
}

// own returns what it costs to rewrite a function.
func (c *chooser) own(f int) float64 { return perCall*float64(c.calls.Entries[f]) + c.perFunction }

// reach returns what it costs to rewrite a function, and all from which it can be reached, as far as they are not, and calls each with them.
func (c *chooser) reach(f int, each func(int)) float64 {
	if c.rewritten[f] {
		return 0
	}
	c.search++
	c.seen[f] = c.search
	cost := 0.0
	for work := []int{f}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		cost += c.own(f)
		if each != nil {
			each(f)
		}
		for _, g := range c.calls.Callers[f] {
			if !c.rewritten[g] && c.seen[g] != c.search {
				c.seen[g] = c.search
				work = append(work, g)
			}
		}
	}
	return cost
}

func (c *chooser) add(k candidate) {
	for _, s := range k.stretches {
		c.covered[s]++
	}
	var list []int
	c.reach(k.function, func(f int) { list = append(list, f) })
	for _, f := range list {
		c.rewritten[f] = true
	}
}
