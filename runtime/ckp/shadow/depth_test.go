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

// TestDepth runs goroutines that outgrow their first stack, then some of the same code that do not: the size with
// which they begin follows.
func TestDepth(t *testing.T) {
	levels := 100
	f := func() { deep(levels) }
	run := func(n int) int32 {
		for range n {
			var wg sync.WaitGroup
			wg.Add(1)
			go func() {
				defer wg.Done()
				Run(f)
			}()
			wg.Wait()
		}
		g := grown(f)
		return g.score.Load() / step
	}
	if size := run(200); size < 2 {
		t.Errorf("goroutines that need 20 KiB begin with size %d", size)
	}
	levels = 1
	if size := run(400); size != 0 {
		t.Errorf("goroutines that need less than 2 KiB begin with size %d", size)
	}
}
