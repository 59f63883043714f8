package detector

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestAnything lets anything happen, then calms the network and waits.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 7).Draw(t, "size")
		r := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		c := newCluster(size, 5)
		var transcript []byte
		_ = transcript
		crashes := 0.0
		c.crash = func(int) bool { return r.Float64() < crashes }
		pick := rapid.IntRange(0, size-1)
		for range rapid.IntRange(1, 12).Draw(t, "actions") {
			a, b := pick.Draw(t, "a"), pick.Draw(t, "b")
			switch rapid.IntRange(0, 9).Draw(t, "action") {
			case 0:
				c.kill(a, "died")
			case 1:
				c.kill(a, "closed")
			case 2:
				c.kill(a, "")
			case 3:
				c.paused[a] = true
			case 4:
				delete(c.paused, a)
			case 5:
				c.rough(r, rapid.Float64Range(0, 0.7).Draw(t, "loss"), 300*time.Millisecond)
			case 6:
				c.calm()
			case 7:
				c.cut[[2]int{a, b}] = true
			case 8:
				clear(c.cut)
			case 9:
				crashes = rapid.Float64Range(0, 0.2).Draw(t, "crashes")
			}
			c.run(time.Duration(rapid.IntRange(0, 150).Draw(t, "steps")) * step)
		}
		crashes = 0
		clear(c.cut)
		clear(c.paused)
		c.calm()
		c.run(20*delta + 4*time.Duration(size)*eta)
		require.Empty(t, c.broken)
		require.Empty(t, c.settled())
	})
}

// TestNobodyIsSuspectedForNothing is accuracy: delays below delta-2eta and
// some pauses of everybody at once are no reason to suspect.
func TestNobodyIsSuspectedForNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCluster(rapid.IntRange(1, 6).Draw(t, "size"), 1)
		r := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		c.rough(r, 0, 150*time.Millisecond)
		c.log = func(format string, args ...any) { t.Fatalf("something happened: "+format, args...) }
		c.quiet = true
		for range 5 {
			c.run(time.Duration(rapid.IntRange(1, 100).Draw(t, "steps")) * step)
			c.now += time.Duration(rapid.IntRange(0, 100).Draw(t, "pause")) * time.Second // nobody runs
		}
		require.Empty(t, c.settled())
	})
}

// TestCoordinatorDiesAtEachStep crashes every node once, at each of its
// outputs in turn, while a death is dealt with.
func TestCoordinatorDiesAtEachStep(t *testing.T) {
	for size := 2; size <= 5; size++ {
		for victim := range size {
			for at := 0; ; at++ {
				c := newCluster(size, 1)
				c.run(delta)
				count, hit := 0, false
				c.crash = func(id int) bool {
					if id != victim {
						return false
					}
					count++
					hit = hit || count == at+1
					return count == at+1
				}
				c.kill((victim+size-1)%size, "died")
				c.run(30 * delta)
				require.Empty(t, c.broken, "size %d victim %d output %d", size, victim, at)
				require.Empty(t, c.settled(), "size %d victim %d output %d", size, victim, at)
				if !hit || at > 60 {
					break
				}
			}
		}
	}
}
