package store

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A life is what a test knows of a job: what was acknowledged, what was tried.
type life struct {
	acknowledged, tried uint64
}

// live claims an epoch and commits n checkpoints, until an error.
func (l *life) live(t require.TestingT, s *Store, n, size int) error {
	e, c, damage, err := s.Resume("test")
	if err != nil {
		return err
	}
	require.Empty(t, damage, "nothing that a crash leaves may look damaged")
	require.GreaterOrEqual(t, c.Manifest.Seq, l.acknowledged, "an acknowledged checkpoint is lost")
	next := max(c.Manifest.Seq, l.tried) + 1
	for range n {
		l.tried = next
		if err := put(s, e, next, size); err != nil {
			return err
		}
		l.acknowledged = next
		next++
	}
	return nil
}

// check judges the newest checkpoint.
func (l *life) check(t require.TestingT, c Checkpoint) {
	require.GreaterOrEqual(t, c.Manifest.Seq, l.acknowledged, "an acknowledged checkpoint is lost")
	require.LessOrEqual(t, c.Manifest.Seq, l.tried)
	if c.Manifest.Seq > 0 {
		whole(t, c)
	}
}

func (l *life) checkNewest(t require.TestingT, s *Store) {
	c, damage, err := s.Newest()
	if !errors.Is(err, ErrNoCheckpoint) {
		require.NoError(t, err)
	}
	require.Empty(t, damage)
	l.check(t, c)
	h, incarnations, err := s.History()
	require.NoError(t, err)
	claims := make(map[Epoch]Incarnation)
	for _, in := range incarnations {
		claims[in.Epoch] = in
	}
	for _, e := range h {
		require.NotEqual(t, Damaged, e.State, "checkpoint %d: %v", e.Seq, e.Err)
		if e.State == Committed {
			require.Contains(t, claims, e.Epoch)
			require.True(t, claims[e.Epoch].Started, "the base of epoch %d is lost", e.Epoch)
		}
	}
}

// The machine stops at each step in turn, of a job that has checkpoints
// already; then at each of a few steps of the next incarnation.
func TestCrashAtEveryStep(t *testing.T) {
	for _, how := range []struct {
		links      bool
		keep, size int
	}{{true, 1, 2}, {true, 2, 2}, {true, 2, 1}, {false, 1, 2}, {false, 2, 2}, {false, 1, 1}} {
		links, keep, size := how.links, how.keep, how.size
		t.Run(fmt.Sprintf("keep %d links %v processes %d", keep, links, size), func(t *testing.T) {
			steps := 0
			for stop := 1; ; stop++ {
				finished := true
				seeds := uint64(1)
				if links {
					seeds = 3
				}
				for seed := range seeds {
					m := newMemoryFS(uint64(stop)*100 + seed)
					m.links = links
					s := open("/job", Options{Keep: keep}, m)
					var l life
					m.stopAt = stop
					err := l.live(t, s, 4, size)
					if err == nil {
						continue
					}
					finished = false
					require.ErrorIs(t, err, errCrashed)
					m.crash()
					l.checkNewest(t, s)

					m.stopAt = 1 + int(seed)*13
					err = l.live(t, s, 2, size)
					m.crash()
					if err != nil {
						require.ErrorIs(t, err, errCrashed)
					}
					l.checkNewest(t, s)
					require.NoError(t, l.live(t, s, 2, size), "stopped at %d, seed %d", stop, seed)
					l.checkNewest(t, s)
					h, _, err := s.History()
					require.NoError(t, err)
					require.LessOrEqual(t, len(h), max(keep, 2)+1, "leftovers: %v", h)
				}
				if finished {
					break
				}
				steps++
			}
			require.Greater(t, steps, 80, "the test does not reach the steps")
		})
	}
}

// Each step in turn fails once, and the process goes on.
func TestFaultAtEveryStep(t *testing.T) {
	faults := 0
	for fail := 1; ; fail++ {
		m := newMemoryFS(uint64(fail))
		s := open("/job", Options{}, m)
		var l life
		m.failAt = fail
		e, err := s.Claim("test")
		if err != nil {
			require.ErrorIs(t, err, errInjected)
			e, err = s.Claim("test")
			require.NoError(t, err)
		}
		for seq := uint64(1); seq <= 4; seq++ {
			l.tried = seq
			if err := put(s, e, seq, 2); err != nil {
				require.ErrorIs(t, err, errInjected)
				faults++
			} else {
				l.acknowledged = seq
			}
			if m.step >= fail {
				l.checkNewest(t, s)
			}
		}
		if m.step < fail {
			break
		}
		l.checkNewest(t, s)
		require.GreaterOrEqual(t, l.acknowledged, uint64(3), "one fault costs more than one checkpoint")
	}
	require.Greater(t, faults, 40)
}
