package store

import (
	"bufio"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
)

// A PartWriter writes the image of one process. It is used by one goroutine.
type PartWriter struct {
	store *Store
	entry entry
	part  Part
	file  file
	buf   *bufio.Writer
	sum   hash.Hash32
	err   error
}

// Begin starts the image of a process (counted from 0) for checkpoint seq of
// an epoch that was claimed. A number whose manifest has been written, even
// unsuccessfully, can't be begun again.
func (s *Store) Begin(epoch Epoch, seq uint64, rank int) (*PartWriter, error) {
	w, err := s.begin(entry{seq, epoch}, rank)
	if err != nil {
		err = s.blame(epoch, err)
		return nil, fmt.Errorf("begin checkpoint %d of epoch %d in %s: %w", seq, epoch, s.dir, err)
	}
	return w, nil
}

func (s *Store) begin(e entry, rank int) (*PartWriter, error) {
	if e.seq == 0 || e.epoch == 0 || rank < 0 {
		return nil, errors.New("sequence numbers and epochs start at 1, processes at 0")
	}
	if err := s.replaced(e.epoch); err != nil {
		return nil, err
	}
	if err := s.makeEntry(e); err != nil {
		return nil, err
	}
	w := &PartWriter{store: s, entry: e, part: Part{Rank: rank, File: partName(rank)}, sum: crc32.New(castagnoli())}
	var err error
	w.file, err = s.fsys.Create(w.temporary(), false)
	if err != nil {
		return nil, err
	}
	w.buf = bufio.NewWriterSize(w.file, 1<<14)
	return w, nil
}

// makeEntry makes the directory of a checkpoint, unless it is there and no manifest was begun. It
// does not make that of the store again, which would be in the way of who puts it back.
func (s *Store) makeEntry(e entry) error {
	err := s.fsys.Mkdir(s.path(e.name()))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return goneError("the directory")
	case errors.Is(err, fs.ErrExist):
		return s.untouched(e)
	}
	return err
}

// WritePart writes the image of a process by write, from [Store.Begin] to [PartWriter.Close].
func (s *Store) WritePart(epoch Epoch, seq uint64, rank int, write func(io.Writer) error) (Part, error) {
	w, err := s.Begin(epoch, seq, rank)
	if err != nil {
		return Part{}, err
	}
	if err := write(w); err != nil {
		w.Abort()
		return Part{}, err
	}
	return w.Close()
}

// Save takes a checkpoint of a job of one process, from [Store.Begin] to [Store.Commit]. The
// manifest needs Seq and Epoch. The names of image and manifest are put on stable storage together,
// before the manifest has its own.
func (s *Store) Save(m Manifest, write func(io.Writer) error) error {
	w, err := s.Begin(m.Epoch, m.Seq, 0)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		w.Abort()
		return err
	}
	part, err := w.close(false)
	if err != nil {
		return err
	}
	m.Size, m.Parts = 1, []Part{part}
	return s.finish(m, true)
}

// untouched returns an error if a manifest of the checkpoint has been begun.
func (s *Store) untouched(e entry) error {
	for _, name := range []string{manifestName, manifestName + temporary} {
		f, _, err := s.fsys.Open(s.path(e.name(), name))
		if err == nil {
			f.Close()
			return fmt.Errorf("%s is there already; a number is used once: take the next", name)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (w *PartWriter) temporary() string {
	return w.store.path(w.entry.name(), w.part.File+temporary)
}

// Write adds to the image.
func (w *PartWriter) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.buf.Write(b)
	w.sum.Write(b[:n])
	w.part.Size += int64(n)
	w.err = err
	return n, err
}

var errClosed = errors.New("the image was closed")

// Need says that the image is an increment to those of the same process in earlier checkpoints of
// the epoch, in their order, the first of which is a whole one.
func (w *PartWriter) Need(seqs []uint64) { w.part.Needs = slices.Clone(seqs) }

// Close puts the image on stable storage and reports what was written. After an
// error, also of an earlier Write, the image is deleted.
func (w *PartWriter) Close() (Part, error) { return w.close(true) }

// close is Close, after which the name of the image may not yet be on stable storage.
func (w *PartWriter) close(named bool) (Part, error) {
	if w.file == nil {
		return Part{}, errClosed
	}
	err := w.err
	if err == nil {
		err = w.buf.Flush()
	}
	if err == nil {
		err = w.file.Sync()
	}
	if err != nil {
		w.Abort()
		err = w.store.blame(w.entry.epoch, err)
		return Part{}, w.failed(err)
	}
	err = w.file.Close()
	w.file, w.err = nil, errClosed
	dir := w.store.path(w.entry.name())
	if err == nil {
		err = w.store.fsys.Rename(w.temporary(), w.store.path(w.entry.name(), w.part.File))
	}
	if err == nil && named {
		err = w.store.fsys.SyncDir(dir)
	}
	if err != nil {
		w.store.fsys.Remove(w.temporary())
		err = w.store.blame(w.entry.epoch, err)
		return Part{}, w.failed(err)
	}
	w.part.CRC32C = Checksum(w.sum.Sum32())
	return w.part, nil
}

// failed names the file that could not be written, if the error does not.
func (w *PartWriter) failed(err error) error {
	var named *fs.PathError
	if errors.As(err, &named) && named.Path == w.temporary() {
		return err
	}
	return fmt.Errorf("write %s: %w", w.temporary(), err)
}

// Abort deletes the image. After Close it does nothing.
func (w *PartWriter) Abort() {
	if w.file == nil {
		return
	}
	w.file.Close()
	w.file, w.err = nil, errClosed
	w.store.fsys.Remove(w.temporary())
	// The folder stays if other processes have their parts in it.
	w.store.fsys.Remove(w.store.path(w.entry.name()))
}
