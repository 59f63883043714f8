package ckp

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/stored"
	"github.com/ckpgen/ckpgen/store"
)

// A series is the checkpoints that this process takes if they are incremental (CKP_INCREMENTS): the
// first has a whole image, the others have what has changed since the one before (heap.Increments).
//
// # Merging
//
// The images between a whole one and a checkpoint are all needed to go on from it. So that there
// are never more than asked for, increments are merged, behind the program, which is captured
// incrementally as ever:
//
//   - When there are as many as there may be, the next one is merged with the newest of those before it, and written in its place: it
//     needs what is left of them. Merged are the last one, and further ones as long as they are at most twice as large as all that
//     come after them. So there are soon few large and some small ones, and what was written once is seldom written again. The
//     large image is not touched.
//   - When all increments that were written since the whole image, merged ones each time, are larger than it, the next checkpoint
//     has a whole one again, which is made of the files. So this at most doubles what is written, however small
//     increments are; and sooner or later there is a checkpoint that needs nothing of before, to fall back on if it is
//     damaged on the disk.
//
// Nothing of a checkpoint that was committed is changed or replaced by that. What is merged is a
// new checkpoint like any other, and until it is committed the ones before it are what counts. What
// it needs no more goes when no kept checkpoint does (package store). The process may be killed at
// any moment.
//
// After a checkpoint that failed nothing is known of what the files have, so the next image is
// whole. A merge that finds a file damaged is such a failure.
type series struct {
	captures *heap.Increments
	most     int // increments to a whole image

	// Of the last checkpoint that was written: what it is made of, from the whole image on.
	chain   []link
	written int64 // bytes of all increments since the whole image
}

// A link is an image, or an increment to those before it.
type link struct {
	seq  uint64
	size int64
}

func newSeries(most int) *series {
	return &series{captures: heap.NewIncrements(true), most: most}
}

// restart makes the next image a whole one.
func (s *series) restart() {
	if s != nil {
		s.captures.Restart()
		s.chain = nil
	}
}

// write writes the image of a checkpoint, or what is new in it.
func (s *series) write(r *run, snapshot *heap.Snapshot, seq uint64, w io.Writer) error {
	part, ok := w.(*store.PartWriter)
	if !ok {
		return fmt.Errorf("%s: whoever commits the checkpoints of this program can't have increments", envIncrements)
	}
	count := &counter{w: part}
	if !snapshot.Incremental() {
		err := r.pack(count, func(w io.Writer) error {
			_, err := snapshot.WriteTo(w)
			return err
		})
		s.chain, s.written = []link{{seq, count.n}}, 0
		return err
	}
	if len(s.chain) == 0 {
		return errors.New("an increment without an image before it")
	}
	if len(s.chain) > s.most || s.written > s.chain[0].size {
		return s.merge(r, snapshot, seq, part, count)
	}
	part.Need(numbers(s.chain))
	err := r.pack(count, func(w io.Writer) error {
		_, err := snapshot.WriteIncrement(w)
		return err
	})
	s.chain = append(s.chain, link{seq, count.n})
	s.written += count.n
	return err
}

// merge writes what an increment and some of those before it stand for: the whole image, or an
// increment to the others.
func (s *series) merge(r *run, snapshot *heap.Snapshot, seq uint64, part *store.PartWriter, count *counter) error {
	var last bytes.Buffer
	if _, err := snapshot.WriteIncrement(&last); err != nil {
		return err
	}
	from := 0 // of the chain
	if s.written <= s.chain[0].size {
		from = mergedFrom(s.chain, int64(last.Len()))
	}
	text, err := s.merged(r, from, last.Bytes())
	if err != nil {
		return fmt.Errorf("merge increments: %w", err)
	}
	part.Need(numbers(s.chain[:from]))
	err = r.pack(count, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	s.chain = append(s.chain[:from:from], link{seq, count.n})
	if s.written += count.n; from == 0 {
		s.written = 0
	}
	return err
}

// mergedFrom returns the first link of a chain that is merged with the next increment, which has so
// many bytes.
func mergedFrom(chain []link, size int64) int {
	from := len(chain) - 1
	size += chain[from].size
	for from > 1 && chain[from-1].size <= 2*size {
		from--
		size += chain[from].size
	}
	return from
}

// merged reads the links from the given one on, and returns what they and the increment after them
// stand for.
func (s *series) merged(r *run, from int, last []byte) ([]byte, error) {
	c, err := r.store.Load(s.chain[len(s.chain)-1].seq)
	if err != nil {
		return nil, err
	}
	files, err := c.ImagesFrom(r.config.rank, s.chain[from].seq)
	if err != nil {
		return nil, err
	}
	if from == 0 {
		return stored.Resolve(append(files, last))
	}
	return stored.Merge(append(files, last))
}

// numbers returns the checkpoints of links.
func numbers(chain []link) []uint64 {
	var list []uint64
	for _, l := range chain {
		list = append(list, l.seq)
	}
	return list
}

// A counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
