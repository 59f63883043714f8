package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// job returns a store with checkpoints 1 to 3 (1 is pruned), of two processes,
// the last by a second incarnation.
func job(t *testing.T) *Store {
	s := newStore(t, 2)
	e, err := s.Claim("first")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 2))
	require.NoError(t, put(s, e, 2, 2))
	e, err = s.Claim("second")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 3, 2))
	return s
}

// files returns all files of a store, relative to it.
func files(t *testing.T, s *Store) []string {
	var list []string
	require.NoError(t, filepath.WalkDir(s.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, rerr := filepath.Rel(s.Dir(), path)
			require.NoError(t, rerr)
			list = append(list, rel)
		}
		return err
	}))
	require.Len(t, list, 10)
	return list
}

// judge checks what Newest says after a file was damaged: what it returns is
// whole, and what it passes over is said.
func judge(t *testing.T, s *Store, file string) {
	c, damage, err := s.Newest()
	require.NoError(t, err)
	whole(t, c)
	switch {
	case strings.HasPrefix(file, "ckpt-00000003"):
		require.EqualValues(t, 2, c.Manifest.Seq, "%s", file)
		require.NotEmpty(t, damage)
		require.EqualValues(t, 3, damage[0].Seq)
		require.Equal(t, s.path(file), damage[0].File)
		require.Contains(t, damage[0].String(), s.path(file))
	default:
		require.EqualValues(t, 3, c.Manifest.Seq, "%s", file)
	}
}

func TestEveryFlippedByte(t *testing.T) {
	s := job(t)
	for _, file := range files(t, s) {
		path := s.path(file)
		good, err := os.ReadFile(path)
		require.NoError(t, err)
		for i := range good {
			bad := append([]byte(nil), good...)
			bad[i] ^= 1 << (i % 8)
			require.NoError(t, os.WriteFile(path, bad, 0o666))
			judge(t, s, file)
		}
		require.NoError(t, os.WriteFile(path, good, 0o666))
	}
}

func TestEveryTruncation(t *testing.T) {
	s := job(t)
	for _, file := range files(t, s) {
		path := s.path(file)
		good, err := os.ReadFile(path)
		require.NoError(t, err)
		for i := range good {
			require.NoError(t, os.WriteFile(path, good[:i], 0o666))
			judge(t, s, file)
		}
		require.NoError(t, os.WriteFile(path, append(good[:len(good):len(good)], 'x'), 0o666))
		judge(t, s, file)
		if filepath.Base(file) != manifestName {
			require.NoError(t, os.Remove(path))
			judge(t, s, file)
		}
		require.NoError(t, os.WriteFile(path, good, 0o666))
	}
}

func TestAllDamaged(t *testing.T) {
	s := job(t)
	for _, dir := range []string{"ckpt-00000002.e00000001", "ckpt-00000003.e00000002"} {
		require.NoError(t, os.WriteFile(s.path(dir, partName(1)), []byte("rot"), 0o666))
	}
	_, damage, err := s.Newest()
	var none *NoIntactError
	require.ErrorAs(t, err, &none)
	require.Len(t, damage, 2)
	require.ErrorContains(t, err, s.path("ckpt-00000003.e00000002", partName(1)))
	before := files(t, s)
	_, err = s.Claim("third")
	require.ErrorAs(t, err, &none)
	require.Equal(t, before, files(t, s), "what can't be continued is left as it is")
}

// A damaged checkpoint that was passed over is void, and does not take the
// place of a good one among those that are kept.
func TestDamagedIsReplaced(t *testing.T) {
	s := job(t)
	require.NoError(t, os.Truncate(s.path("ckpt-00000003.e00000002", partName(0)), 3))
	e, c, damage, err := s.Resume("third")
	require.NoError(t, err)
	require.Len(t, damage, 1)
	require.EqualValues(t, 2, c.Manifest.Seq)
	require.NoError(t, put(s, e, 3, 2))
	h, _, err := s.History()
	require.NoError(t, err)
	require.Len(t, h, 2)
	require.Equal(t, []uint64{3, 2}, []uint64{h[0].Seq, h[1].Seq})
	require.Equal(t, e, h[0].Epoch)
	require.NoError(t, os.Truncate(s.path("ckpt-00000003.e00000003", partName(0)), 3))
	c, _, err = s.Newest()
	require.NoError(t, err)
	require.EqualValues(t, 2, c.Manifest.Seq)
}

// Whatever is damaged between commits: the last intact one is not deleted.
func TestPruneKeepsTheLastIntact(t *testing.T) {
	for _, keep := range []int{1, 2, 3} {
		s := newStore(t, keep)
		e, err := s.Claim("")
		require.NoError(t, err)
		for seq := uint64(1); seq <= 12; seq++ {
			full := open(s.Dir(), Options{Keep: keep}, &fullDisk{osFS{}, errors.New("full")})
			require.Error(t, put(full, e, 3*seq, 1))
			c, _, err := s.Newest()
			if seq > 1 {
				require.NoError(t, err, "a failed attempt costs nothing")
				whole(t, c)
			}
			require.NoError(t, put(s, e, 3*seq+1, 1))
			c, _, err = s.Newest()
			require.NoError(t, err)
			require.Equal(t, 3*seq+1, c.Manifest.Seq)
			if keep > 1 && seq%3 == 0 { // this one rots
				require.NoError(t, os.WriteFile(filepath.Join(c.Dir(), partName(0)), image(9, 9, 9), 0o666))
				c, _, err = s.Newest()
				require.NoError(t, err)
				whole(t, c)
			}
		}
	}
}

// Files that a person put into the directory are left alone.
func TestForeignFiles(t *testing.T) {
	s := job(t)
	require.NoError(t, os.WriteFile(s.path("ckpt-00000002.e00000001", "notes.txt"), nil, 0o666))
	require.NoError(t, os.WriteFile(s.path("README"), nil, 0o666))
	require.NoError(t, os.Mkdir(s.path("ckpt-latest"), 0o777))
	require.NoError(t, put(s, 2, 4, 2))
	require.NoError(t, put(s, 2, 5, 2))
	require.FileExists(t, s.path("ckpt-00000002.e00000001", "notes.txt"))
	require.FileExists(t, s.path("README"))
	require.DirExists(t, s.path("ckpt-latest"))
}

// What is not damage but may pass is an error, not a reason to fall back.
func TestPassingFailures(t *testing.T) {
	s := job(t)
	f := open(s.Dir(), Options{}, &noHandles{osFS{}})
	_, _, err := f.Newest()
	require.ErrorIs(t, err, errNoHandles)
	_, err = f.Claim("")
	require.ErrorIs(t, err, errNoHandles)
	c, damage, err := s.Newest()
	require.NoError(t, err)
	require.Empty(t, damage)
	require.EqualValues(t, 3, c.Manifest.Seq)
}

var errNoHandles = errors.New("too many open files")

type noHandles struct{ osFS }

func (f noHandles) Open(name string) (io.ReadCloser, int64, error) {
	if strings.HasSuffix(name, ".img") {
		return nil, 0, errNoHandles
	}
	return f.osFS.Open(name)
}
