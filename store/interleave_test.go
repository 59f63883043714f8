package store

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A conductor lets several incarnations run on one file system, one step at a
// time, in an order that chance decides.
type conductor struct {
	mu      sync.Mutex
	waiting []waiter
	running int
	change  *sync.Cond
}

type waiter struct {
	actor  int
	resume chan bool
}

func newConductor() *conductor {
	c := new(conductor)
	c.change = sync.NewCond(&c.mu)
	return c
}

// turn waits until it is the caller's turn.
func (c *conductor) turn(actor int) {
	mine := make(chan bool)
	c.mu.Lock()
	c.waiting = append(c.waiting, waiter{actor, mine})
	c.running--
	c.change.Broadcast()
	c.mu.Unlock()
	<-mine
}

func (c *conductor) start(actor int, f func()) {
	c.mu.Lock()
	c.running++
	c.mu.Unlock()
	go func() {
		c.turn(actor)
		f()
		c.mu.Lock()
		c.running--
		c.change.Broadcast()
		c.mu.Unlock()
	}()
}

// conduct lets one actor make a number of steps, then another, and returns when
// all have ended.
func (c *conductor) conduct(rng *rand.Rand, burst int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	favourite := 0
	for {
		for c.running > 0 {
			c.change.Wait()
		}
		if len(c.waiting) == 0 {
			return
		}
		if rng.IntN(burst) == 0 {
			favourite = rng.IntN(8)
		}
		k := slices.IndexFunc(c.waiting, func(w waiter) bool { return w.actor == favourite })
		if k < 0 {
			favourite = rng.IntN(8)
			continue
		}
		next := c.waiting[k]
		c.waiting = slices.Delete(c.waiting, k, k+1)
		c.running++
		close(next.resume)
	}
}

// conductedFS waits for its turn before each step that others can see.
type conductedFS struct {
	fileSystem
	c     *conductor
	actor int
}

func (f conductedFS) Mkdir(name string) error { f.c.turn(f.actor); return f.fileSystem.Mkdir(name) }
func (f conductedFS) ReadDir(name string) ([]string, error) {
	f.c.turn(f.actor)
	return f.fileSystem.ReadDir(name)
}
func (f conductedFS) Open(name string) (io.ReadCloser, int64, error) {
	f.c.turn(f.actor)
	return f.fileSystem.Open(name)
}
func (f conductedFS) Create(name string, exclusive bool) (file, error) {
	f.c.turn(f.actor)
	return f.fileSystem.Create(name, exclusive)
}
func (f conductedFS) Rename(oldName, newName string) error {
	f.c.turn(f.actor)
	return f.fileSystem.Rename(oldName, newName)
}
func (f conductedFS) Link(oldName, newName string) error {
	f.c.turn(f.actor)
	return f.fileSystem.Link(oldName, newName)
}
func (f conductedFS) Remove(name string) error { f.c.turn(f.actor); return f.fileSystem.Remove(name) }

// Incarnations that overlap at will: what one was told is committed, no later
// one may miss, and none may delete or void what another starts from.
func TestOverlappingIncarnations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "schedule"), 0))
		keep := rapid.IntRange(1, 2).Draw(t, "keep")
		actors := rapid.IntRange(2, 4).Draw(t, "actors")
		burst := rapid.IntRange(1, 60).Draw(t, "burst")

		m := newMemoryFS(rng.Uint64())
		c := newConductor()
		var mu sync.Mutex
		type commit struct {
			epoch Epoch
			seq   uint64
		}
		var acknowledged, bases []commit
		for actor := range actors {
			s := open("/job", Options{Keep: keep}, conductedFS{m, c, actor})
			c.start(actor, func() {
				e, from, damage, err := s.Resume("actor")
				var fenced *FencedError
				if errors.As(err, &fenced) {
					return
				}
				if err != nil {
					t.Errorf("claim: %v", err)
					return
				}
				if len(damage) > 0 {
					t.Errorf("damage: %v", damage)
				}
				base := from.Manifest.Seq
				mu.Lock()
				bases = append(bases, commit{e, base})
				mu.Unlock()
				for seq := base + 1; seq <= base+3; seq++ {
					err := put(s, e, seq, 1)
					if errors.As(err, &fenced) {
						return
					}
					if err != nil {
						t.Errorf("epoch %d commit %d: %v", e, seq, err)
						return
					}
					mu.Lock()
					acknowledged = append(acknowledged, commit{e, seq})
					mu.Unlock()
				}
			})
		}
		c.conduct(rng, burst)
		s := open("/job", Options{Keep: keep}, m)
		newest, damage, err := s.Newest()
		if len(acknowledged) == 0 && errors.Is(err, ErrNoCheckpoint) {
			return
		}
		require.NoError(t, err)
		require.Empty(t, damage)
		whole(t, newest)
		var best uint64
		for _, a := range acknowledged {
			best = max(best, a.seq)
			for _, b := range bases {
				if b.epoch > a.epoch && b.seq < a.seq {
					t.Fatalf("checkpoint %d of epoch %d was acknowledged and is void: epoch %d started from %d", a.seq, a.epoch, b.epoch, b.seq)
				}
			}
		}
		require.GreaterOrEqual(t, newest.Manifest.Seq, best)
	})
}
