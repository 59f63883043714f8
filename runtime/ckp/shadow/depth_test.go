package shadow

import (
	"sync"
	"testing"
)

// deep uses about 256 bytes of stack for each level.
//
//go:noinline
func deep(n int) byte {
	var b [200]byte
	b[n%len(b)] = 1
	if n > 0 {
		return deep(n-1) + b[0]
	}
	return b[0]
}

// TestDepth runs goroutines that outgrow their first stack, then some of the same code that do not:
// the size with which they begin follows. The longer it is the right one, the fewer try a smaller
// one.
func TestDepth(t *testing.T) {
	levels := 100
	f := func() { deep(levels) }
	run := func(n int) int32 {
		for range n {
			var wg sync.WaitGroup
			wg.Add(1)
			go func() {
				defer wg.Done()
				Run(f)()
			}()
			wg.Wait()
		}
		g := growthOf(f)
		return g.score.Load() / step
	}
	if size := run(200); size < 2 {
		t.Errorf("goroutines that need 20 KiB begin with size %d", size)
	}
	g := growthOf(f)
	score, probes := g.score.Load(), 0
	for range 10 * probe << doubled {
		done := make(chan bool)
		go func() {
			g := growthOf(f)
			g.vote(true) // as if it had been moved
			done <- g.probing
		}()
		if <-done {
			probes++
		}
		g.score.Store(score)
	}
	if probes > 10+doubled {
		t.Errorf("of %d goroutines that need their stacks %d tried a smaller one", 10*probe<<doubled, probes)
	}
	levels = 1
	if size := run(400); size != 0 {
		t.Errorf("goroutines that need less than 2 KiB begin with size %d", size)
	}
}
