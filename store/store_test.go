package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// put commits a checkpoint of size processes; the image of each says which
// checkpoint it belongs to.
func put(s *Store, epoch Epoch, seq uint64, size int) error {
	if size == 1 {
		return s.Save(Manifest{Seq: seq, Epoch: epoch}, func(w io.Writer) error {
			_, err := w.Write(image(epoch, seq, 0))
			return err
		})
	}
	m := Manifest{Seq: seq, Epoch: epoch, Size: size}
	for rank := range size {
		w, err := s.Begin(epoch, seq, rank)
		if err != nil {
			return err
		}
		if _, err := w.Write(image(epoch, seq, rank)); err != nil {
			w.Abort()
			return err
		}
		p, err := w.Close()
		if err != nil {
			return err
		}
		m.Parts = append(m.Parts, p)
	}
	return s.Commit(m)
}

func image(epoch Epoch, seq uint64, rank int) []byte {
	return fmt.Appendf(nil, "epoch %d checkpoint %d process %d", epoch, seq, rank)
}

// whole checks that the images of a checkpoint are its own.
func whole(t require.TestingT, c Checkpoint) {
	for rank := range c.Manifest.Size {
		b, err := c.Image(rank)
		require.NoError(t, err)
		require.Equal(t, string(image(c.Manifest.Epoch, c.Manifest.Seq, rank)), string(b))
	}
}

func newStore(t *testing.T, keep int) *Store {
	s, err := Open(filepath.Join(t.TempDir(), "job"), Options{Keep: keep})
	require.NoError(t, err)
	return s
}

func TestCommitAndRestart(t *testing.T) {
	s := newStore(t, 0)
	_, _, err := s.Newest()
	require.ErrorIs(t, err, ErrNoCheckpoint)
	require.NoDirExists(t, s.Dir(), "looking creates nothing")

	e, err := s.Claim("a")
	require.NoError(t, err)
	require.Equal(t, Epoch(1), e)
	for seq := uint64(1); seq <= 5; seq++ {
		require.NoError(t, put(s, e, seq, 3))
		c, damage, err := s.Newest()
		require.NoError(t, err)
		require.Empty(t, damage)
		require.Equal(t, seq, c.Manifest.Seq)
		whole(t, c)
	}
	e, c, damage, err := s.Resume("b")
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Equal(t, Epoch(2), e)
	require.Equal(t, uint64(5), c.Manifest.Seq)
	require.NoError(t, put(s, e, 6, 3))
	entries, incarnations, err := s.History()
	require.NoError(t, err)
	require.Len(t, entries, 2, "two are kept")
	assert.Equal(t, uint64(5), incarnations[0].Base)
	assert.Equal(t, "a", incarnations[1].Owner)
	c, err = s.Load(5)
	require.NoError(t, err)
	whole(t, c)
	_, err = s.Load(4)
	require.ErrorIs(t, err, ErrNoCheckpoint)
}

func TestUncommittedDoesNotExist(t *testing.T) {
	s := newStore(t, 0)
	e, err := s.Claim("")
	require.NoError(t, err)
	w, err := s.Begin(e, 1, 0)
	require.NoError(t, err)
	_, err = w.Write([]byte("x"))
	require.NoError(t, err)
	p, err := w.Close()
	require.NoError(t, err)
	_, _, err = s.Newest()
	require.ErrorIs(t, err, ErrNoCheckpoint)

	err = s.Commit(Manifest{Seq: 1, Epoch: e, Size: 2, Parts: []Part{p}})
	require.ErrorContains(t, err, "1 images for 2 processes")
	require.NoError(t, os.Truncate(filepath.Join(s.Dir(), "ckpt-00000001.e00000001", p.File), 0))
	err = s.Commit(Manifest{Seq: 1, Epoch: e, Size: 1, Parts: []Part{p}})
	require.ErrorContains(t, err, "0 bytes, not the 1")
	_, _, err = s.Newest()
	require.ErrorIs(t, err, ErrNoCheckpoint)

	// The next incarnation clears up.
	_, err = s.Claim("")
	require.NoError(t, err)
	require.NoDirExists(t, filepath.Join(s.Dir(), "ckpt-00000001.e00000001"))
}

func TestNumbersAreUsedOnceAndRise(t *testing.T) {
	s := newStore(t, 0)
	e, err := s.Claim("")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 2, 1))
	require.ErrorContains(t, put(s, e, 2, 1), "take the next")
	require.ErrorContains(t, put(s, e, 1, 1), "must be higher")
	require.ErrorContains(t, put(s, e+5, 9, 1), "epoch-00000006.base was deleted or moved")
	e, err = s.Claim("")
	require.NoError(t, err)
	require.ErrorContains(t, put(s, e, 2, 1), "started from checkpoint 2")
}

func TestFencing(t *testing.T) {
	s := newStore(t, 0)
	zombie, err := s.Claim("zombie")
	require.NoError(t, err)
	require.NoError(t, put(s, zombie, 1, 1))
	heir, err := s.Claim("heir")
	require.NoError(t, err)
	var fenced *FencedError
	require.ErrorAs(t, put(s, zombie, 2, 1), &fenced)
	require.Equal(t, FencedError{Epoch: 1, By: 2}, *fenced)
	require.NoError(t, put(s, heir, 2, 1))
	c, _, err := s.Newest()
	require.NoError(t, err)
	require.Equal(t, heir, c.Manifest.Epoch)
}

// A zombie that made its checks before its successor's claim renames its
// manifest after it: into the file system directly, as no check is left.
func TestLateCommitIsVoid(t *testing.T) {
	s := newStore(t, 0)
	zombie, err := s.Claim("zombie")
	require.NoError(t, err)
	require.NoError(t, put(s, zombie, 1, 1))
	late := &stall{fileSystem: osFS{}, before: manifestName, reached: make(chan bool), goOn: make(chan bool)}
	z := open(s.Dir(), Options{}, late)
	done := make(chan error)
	go func() { done <- put(z, zombie, 2, 1) }()
	<-late.reached
	heir, c, _, err := s.Resume("heir")
	require.NoError(t, err)
	require.Equal(t, uint64(1), c.Manifest.Seq)
	close(late.goOn)
	var fenced *FencedError
	require.ErrorAs(t, <-done, &fenced)

	// The manifest may even be put there with the directory that the claim
	// deleted.
	dir := filepath.Join(s.Dir(), "ckpt-00000002.e00000001")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, partName(0)), image(1, 2, 0), 0o666))
	m := Manifest{Format: 1, Seq: 2, Epoch: 1, Size: 1, Parts: []Part{{File: partName(0), Size: int64(len(image(1, 2, 0))), CRC32C: sumOf(image(1, 2, 0))}}}
	b, err := encodeRecord(m)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, manifestName), b, 0o666))

	c, _, err = s.Newest()
	require.NoError(t, err)
	require.Equal(t, uint64(1), c.Manifest.Seq)
	h, _, err := s.History()
	require.NoError(t, err)
	require.Equal(t, Void, h[0].State)
	require.NoError(t, put(s, heir, 2, 1))
	c, _, err = s.Newest()
	require.NoError(t, err)
	require.Equal(t, heir, c.Manifest.Epoch)
	require.NoDirExists(t, dir)
}

// stall stops before a rename to a name.
type stall struct {
	fileSystem
	before        string
	reached, goOn chan bool
}

func (f *stall) Rename(oldName, newName string) error {
	if filepath.Base(newName) == f.before {
		f.reached <- true
		<-f.goOn
	}
	return f.fileSystem.Rename(oldName, newName)
}

func TestFresh(t *testing.T) {
	s := newStore(t, 0)
	e, err := s.Claim("")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 1))
	e, err = s.Fresh("")
	require.NoError(t, err)
	_, _, err = s.Newest()
	require.ErrorIs(t, err, ErrNoCheckpoint)
	require.NoError(t, put(s, e, 1, 1))
	h, _, err := s.History()
	require.NoError(t, err)
	require.Len(t, h, 1)
	require.Equal(t, e, h[0].Epoch)
}

// TestRecordsLost goes on from checkpoints that are there without the records of epochs.
func TestRecordsLost(t *testing.T) {
	s := newStore(t, 0)
	e, err := s.Claim("")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 1))
	require.NoError(t, put(s, e, 2, 1))
	records, err := filepath.Glob(filepath.Join(s.Dir(), "epoch-*"))
	require.NoError(t, err)
	require.NotEmpty(t, records)
	for _, name := range records {
		require.NoError(t, os.Remove(name))
	}
	e, c, damage, err := s.Resume("")
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Equal(t, Epoch(2), e)
	require.Equal(t, uint64(2), c.Manifest.Seq)
	h, _, err := s.History()
	require.NoError(t, err)
	require.Len(t, h, 2)
	require.Equal(t, Committed, h[0].State)
}

func TestDiskFull(t *testing.T) {
	s := newStore(t, 0)
	e, err := s.Claim("")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 1))
	full := errors.New("no space left on device")
	f := open(s.Dir(), Options{}, &fullDisk{osFS{}, full})
	require.ErrorIs(t, put(f, e, 2, 1), full)
	c, damage, err := s.Newest()
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Equal(t, uint64(1), c.Manifest.Seq)
	require.NoDirExists(t, filepath.Join(s.Dir(), "ckpt-00000002.e00000001"), "the space is given back")
	require.NoError(t, put(s, e, 3, 1))
}

type fullDisk struct {
	fileSystem
	err error
}

type fullFile struct {
	file
	err error
}

func (f *fullDisk) Create(name string, exclusive bool) (file, error) {
	g, err := f.fileSystem.Create(name, exclusive)
	return fullFile{g, f.err}, err
}

func (f fullFile) Write(b []byte) (int, error) {
	n, _ := f.file.Write(b[:len(b)/2])
	return n, f.err
}

// The records of a job that fails again and again do not grow without bound, with checkpoints and
// without; what is void stays so.
func TestEpochsAreForgotten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "job")
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	records := func() int {
		list, err := filepath.Glob(filepath.Join(dir, "epoch-*"))
		require.NoError(t, err)
		return len(list)
	}
	fail := func(want Epoch) {
		for range 50 {
			e, err := s.Claim("one that fails")
			require.NoError(t, err)
			require.Equal(t, want, e)
			want++
		}
	}
	fail(1)
	require.Equal(t, 2*remembered, records())
	e, err := s.Claim("one that goes on")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 1))
	require.NoError(t, put(s, e, 2, 1))
	fail(52)
	require.Equal(t, 2*(remembered+1), records(), "those of the checkpoints stay")
	c, _, err := s.Newest()
	require.NoError(t, err)
	require.EqualValues(t, 2, c.Manifest.Seq)

	// A start from the beginning voids all that was before it, for ever; and it is the last of its
	// kind.
	e, err = s.Fresh("one that begins anew")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 1))
	_, err = os.Stat(filepath.Join(dir, entry{2, 51}.name()))
	require.ErrorIs(t, err, fs.ErrNotExist)
	fail(103)
	require.Equal(t, 2*(remembered+1), records())

	// A zombie of a forgotten epoch renames its manifest into place only now.
	late := filepath.Join(dir, entry{9, 60}.name())
	require.NoError(t, os.CopyFS(late, os.DirFS(filepath.Join(dir, entry{1, e}.name()))))
	b, err := encodeRecord(&Manifest{Format: FormatVersion, Seq: 9, Epoch: 60, Base: 2, Size: 1, Time: time.Now(), Parts: c.Manifest.Parts})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(late, manifestName), b, 0o600))
	c, damage, err := s.Newest()
	require.NoError(t, err)
	require.Empty(t, damage)
	require.EqualValues(t, 1, c.Manifest.Seq)
	require.Equal(t, e, c.Manifest.Epoch)
}

func TestResumeIf(t *testing.T) {
	s := newStore(t, 0)
	refuse := func(Checkpoint) error { return errInjected }
	e, _, _, err := s.ResumeIf("", refuse)
	require.NoError(t, err, "there is nothing to refuse")
	require.NoError(t, put(s, e, 1, 1))
	_, _, _, err = s.ResumeIf("", refuse)
	require.Equal(t, errInjected, err)
	require.NoError(t, put(s, e, 2, 1), "the running incarnation is not fenced")
	f, c, _, err := s.ResumeIf("", func(c Checkpoint) error { whole(t, c); return nil })
	require.NoError(t, err)
	require.Equal(t, e+1, f)
	require.EqualValues(t, 2, c.Manifest.Seq)
}

// What a failed commit has written makes room again, as the next one may fail for the same reason,
// or for want of room.
func TestFailedCommitLeavesNothing(t *testing.T) {
	for _, size := range []int{1, 3} {
		s := newStore(t, 2)
		e, err := s.Claim("test")
		require.NoError(t, err)
		require.NoError(t, put(s, e, 1, size))
		require.NoError(t, os.Remove(s.path(baseName(e))))
		require.NoError(t, os.Remove(s.path(claimName(e))))
		require.ErrorContains(t, put(s, e, 2, size), "epoch-00000001.base was deleted or moved while the program runs")
		require.ErrorContains(t, put(s, e, 1, size), "is there already")
		list, err := filepath.Glob(filepath.Join(s.Dir(), "ckpt-*"))
		require.NoError(t, err)
		require.Equal(t, []string{s.path(entry{1, e}.name())}, list)
	}
}

// A checkpoint that is passed over is not committed to who looks at the history, and none is without
// another one.
func TestHistoryOfPassedOver(t *testing.T) {
	s := newStore(t, 2)
	e, err := s.Claim("test")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 1))
	states := func() (list []State) {
		entries, _, err := s.History()
		require.NoError(t, err)
		for _, e := range entries {
			list = append(list, e.State)
		}
		return list
	}
	first, _, err := s.Newest()
	require.NoError(t, err)
	_, _, err = first.PassOver(0, "a reason")
	require.Error(t, err)
	require.Equal(t, []State{Committed}, states())
	require.NoError(t, put(s, e, 2, 1))
	second, _, err := s.Newest()
	require.NoError(t, err)
	instead, note, err := second.PassOver(0, "a reason")
	require.NoError(t, err)
	require.Equal(t, first.Manifest, instead.Manifest)
	require.Equal(t, []State{PassedOver, Committed}, states())
	require.NoError(t, os.Remove(note))
	require.Equal(t, []State{Committed, Committed}, states())
}

// Another job that begins in a new directory of the name has the same epochs. Neither gets to see
// anything of the other.
func TestDirectoryIsReplaced(t *testing.T) {
	s := newStore(t, 2)
	e, err := s.Claim("test")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 1))
	require.NoError(t, os.Rename(s.Dir(), s.Dir()+"-away"))
	other, err := Open(s.Dir(), Options{})
	require.NoError(t, err)
	f, err := other.Claim("other")
	require.NoError(t, err)
	require.Equal(t, e, f)
	s.KeepFiles(e, 2, 0, []string{"a"})
	require.ErrorContains(t, put(s, e, 2, 1), "another run has begun in one of that name")
	require.NoError(t, put(other, f, 1, 1))
	_, _, err = s.History()
	require.NoError(t, err)
	list, err := filepath.Glob(filepath.Join(s.Dir(), "ckpt-*"))
	require.NoError(t, err)
	require.Len(t, list, 1)
}

// A directory that is moved away while it is in use is not made again, and is used when it is back.
func TestDirectoryIsMoved(t *testing.T) {
	s := newStore(t, 2)
	e, err := s.Claim("test")
	require.NoError(t, err)
	require.NoError(t, put(s, e, 1, 1))
	away := s.Dir() + "-away"
	require.NoError(t, os.Rename(s.Dir(), away))
	s.KeepFiles(e, 2, 0, []string{"a"})
	require.ErrorContains(t, put(s, e, 2, 1), "begin checkpoint 2 of epoch 1 in "+s.Dir()+": the directory was deleted or moved while the program runs: put back what was there")
	require.NoDirExists(t, s.Dir())
	require.NoError(t, os.Rename(away, s.Dir()))
	require.NoError(t, put(s, e, 3, 1))
}
