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

// A series is the checkpoints that this process takes if they are incremental (CKP_INCREMENTS): the first has a whole image, the
// others have what has changed since the one before (heap.Increments).
//
// When there are so many increments to an image, or when they are larger than it, they are merged: the image that all of them stand for is
// made of the files, and written in place of the next increment, behind the program, which is captured
// incrementally as ever. After a checkpoint that failed nothing is known of what the files have, so the next image is whole.
type series struct {
	captures *heap.Increments
	most     int // increments to a whole image

	// Of the last checkpoints that were written, one after the other.
	chain []uint64 // their numbers, from the last whole image on
	whole int64    // bytes of that
	since int64    // bytes of the increments to it
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
		s.chain, s.whole, s.since = []uint64{seq}, count.n, 0
		return err
	}
	if len(s.chain) == 0 {
		return errors.New("an increment without an image before it")
	}
	if len(s.chain) > s.most || s.since > s.whole {
		return s.merge(r, snapshot, seq, count)
	}
	part.Need(s.chain)
	err := r.pack(count, func(w io.Writer) error {
		_, err := snapshot.WriteIncrement(w)
		return err
	})
	s.chain, s.since = append(s.chain, seq), s.since+count.n
	return err
}

// merge writes the image that an increment and those before it stand for.
func (s *series) merge(r *run, snapshot *heap.Snapshot, seq uint64, count *counter) error {
	var last bytes.Buffer
	if _, err := snapshot.WriteIncrement(&last); err != nil {
		return err
	}
	before := s.chain[len(s.chain)-1]
	c, err := r.store.Load(before)
	if err != nil {
		return fmt.Errorf("merge increments: %w", err)
	}
	files, err := c.Images(r.config.rank)
	if err != nil {
		return fmt.Errorf("merge increments: %w", err)
	}
	image, err := stored.Resolve(append(files, last.Bytes()))
	if err != nil {
		return fmt.Errorf("merge increments: %w", err)
	}
	err = r.pack(count, func(w io.Writer) error {
		_, err := w.Write(image)
		return err
	})
	s.chain, s.whole, s.since = []uint64{seq}, count.n, 0
	return err
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
