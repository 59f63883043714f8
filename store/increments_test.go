package store

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// putIncrement commits a checkpoint of two processes, the images of which need others.
func putIncrement(t *testing.T, s *Store, e Epoch, seq uint64, needs ...uint64) {
	t.Helper()
	m := Manifest{Seq: seq, Epoch: e, Size: 2}
	for rank := range 2 {
		part, err := s.WritePart(e, seq, rank, func(w io.Writer) error {
			w.(*PartWriter).Need(needs)
			_, err := fmt.Fprintf(w, "%d of %d", seq, rank)
			return err
		})
		require.NoError(t, err)
		m.Parts = append(m.Parts, part)
	}
	require.NoError(t, s.Commit(m))
}

func numbers(t *testing.T, s *Store) (list []uint64) {
	entries, _, err := s.History()
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Seq)
	}
	return list
}

// What the kept checkpoints need is kept, and one that has nothing to do with them.
func TestIncrementsAreKept(t *testing.T) {
	s := newStore(t, 2)
	e, err := s.Claim("test")
	require.NoError(t, err)
	putIncrement(t, s, e, 1)
	putIncrement(t, s, e, 2, 1)
	putIncrement(t, s, e, 3, 1, 2)
	putIncrement(t, s, e, 4, 1, 2, 3)
	require.Equal(t, []uint64{4, 3, 2, 1}, numbers(t, s))
	putIncrement(t, s, e, 5)
	putIncrement(t, s, e, 6, 5)
	require.Equal(t, []uint64{6, 5, 4, 3, 2, 1}, numbers(t, s), "4 is what remains if 5 is damaged")
	putIncrement(t, s, e, 7)
	require.Equal(t, []uint64{7, 6, 5}, numbers(t, s))
	c, damage, err := s.Newest()
	require.NoError(t, err)
	require.Empty(t, damage)
	images, err := c.Images(1)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("7 of 1")}, images)
	c, err = s.Load(6)
	require.NoError(t, err)
	images, err = c.Images(1)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("5 of 1"), []byte("6 of 1")}, images)
}

// After increments have been merged, whichever file of the newest is damaged, the newest that does
// not need it is there.
func TestMergedAreSpared(t *testing.T) {
	for _, damaged := range []struct{ seq, next uint64 }{{9, 8}, {8, 7}, {7, 6}, {3, 2}} {
		s := newStore(t, 2)
		e, err := s.Claim("test")
		require.NoError(t, err)
		putIncrement(t, s, e, 1)
		putIncrement(t, s, e, 2, 1)
		putIncrement(t, s, e, 3)
		putIncrement(t, s, e, 4, 3)
		putIncrement(t, s, e, 5, 3, 4)
		putIncrement(t, s, e, 6, 3, 4, 5)
		putIncrement(t, s, e, 7, 3) // 4, 5, 6 and what is new
		require.Equal(t, []uint64{7, 6, 5, 4, 3, 2, 1}, numbers(t, s))
		putIncrement(t, s, e, 8, 3, 7)
		putIncrement(t, s, e, 9, 3, 7, 8)
		require.Equal(t, []uint64{9, 8, 7, 6, 5, 4, 3, 2, 1}, numbers(t, s))
		name := filepath.Join(s.Dir(), entry{damaged.seq, e}.name(), "rank-00000.img")
		require.NoError(t, os.WriteFile(name, []byte("x"), 0o600))
		c, list, err := s.Newest()
		require.NoError(t, err)
		require.Equal(t, damaged.next, c.Manifest.Seq, "%v", list)
	}
	s := newStore(t, 2)
	e, err := s.Claim("test")
	require.NoError(t, err)
	putIncrement(t, s, e, 1)
	for seq := uint64(2); seq < 20; seq++ { // each with the one before
		putIncrement(t, s, e, seq, 1)
	}
	require.Equal(t, []uint64{19, 18, 1}, numbers(t, s))
	putIncrement(t, s, e, 20)
	putIncrement(t, s, e, 21)
	require.Equal(t, []uint64{21, 20}, numbers(t, s))
}

// A damaged link takes along what needs it, and the one from before it is found.
func TestDamagedLink(t *testing.T) {
	for _, damage := range []struct {
		file string
		do   func(name string) error
	}{
		{"rank-00001.img", func(name string) error { return os.WriteFile(name, []byte("3 of 9"), 0o600) }},
		{"rank-00001.img", os.Remove},
		{"manifest.json", func(name string) error { return os.Truncate(name, 30) }},
	} {
		s := newStore(t, 2)
		e, err := s.Claim("test")
		require.NoError(t, err)
		putIncrement(t, s, e, 1)
		putIncrement(t, s, e, 2, 1)
		putIncrement(t, s, e, 3)
		putIncrement(t, s, e, 4, 3)
		putIncrement(t, s, e, 5, 3, 4)
		name := filepath.Join(s.Dir(), "ckpt-00000003.e00000001", damage.file)
		require.NoError(t, damage.do(name))
		c, list, err := s.Newest()
		require.NoError(t, err)
		require.EqualValues(t, 2, c.Manifest.Seq)
		require.EqualValues(t, 5, list[0].Seq)
		require.Equal(t, name, list[0].File)
		broken, err := s.Load(5)
		require.NoError(t, err)
		_, err = broken.Images(1)
		require.Error(t, err)
		images, err := c.Images(0)
		require.NoError(t, err)
		require.Equal(t, [][]byte{[]byte("1 of 0"), []byte("2 of 0")}, images)
	}
}

// A manifest that needs what can't be is damaged.
func TestNeeds(t *testing.T) {
	for _, needs := range [][]uint64{{0}, {5}, {6}, {2, 2}, {3, 2}} {
		m := Manifest{Seq: 5, Epoch: 1, Size: 1, Parts: []Part{{File: "x", Needs: needs}}}
		require.Error(t, m.check(), "%v", needs)
	}
	m := Manifest{Seq: 5, Epoch: 1, Size: 1, Parts: []Part{{File: "x", Needs: []uint64{2, 4}}}}
	require.NoError(t, m.check())
}
