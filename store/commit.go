package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// Commit makes a checkpoint the newest one. The manifest must have Seq, Epoch,
// Size and all Parts, as their writers reported them. When Commit has returned
// nil the checkpoint is on stable storage, and stays valid whatever happens;
// older ones than the last Keep have been deleted.
//
// A *[FencedError] says that a later incarnation exists and the process must
// stop. After any other error the checkpoint does not count, unless the error
// came from the very last step; its number must not be used again, and the
// next attempt may succeed.
func (s *Store) Commit(m Manifest) error {
	if err := s.commit(&m); err != nil {
		err = s.blame(m.Epoch, err)
		return fmt.Errorf("commit checkpoint %d of epoch %d in %s: %w", m.Seq, m.Epoch, s.dir, err)
	}
	s.sweep(m.Epoch, m.Seq)
	return nil
}

func (s *Store) commit(m *Manifest) error {
	m.Format = FormatVersion
	if m.Time.IsZero() {
		m.Time = time.Now().UTC().Round(time.Millisecond)
	}
	m.Parts = slices.SortedFunc(slices.Values(m.Parts), func(a, b Part) int { return a.Rank - b.Rank })
	if err := m.check(); err != nil {
		return err
	}
	v, err := s.look()
	if err != nil {
		return err
	}
	if v.highest > m.Epoch {
		return &FencedError{Epoch: m.Epoch, By: v.highest}
	}
	r, err := s.readBase(m.Epoch)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the epoch was not claimed, or its record has been deleted")
	}
	if err != nil {
		return fmt.Errorf("record of epoch %d (%s): %w", m.Epoch, s.path(baseName(m.Epoch)), err)
	}
	if r.Abandoned {
		return fmt.Errorf("the epoch was given up")
	}
	m.Base = r.Base
	if m.Seq <= m.Base {
		return fmt.Errorf("the incarnation started from checkpoint %d: the number must be higher", m.Base)
	}
	for _, e := range v.entries {
		if e.epoch == m.Epoch && e.seq > m.Seq {
			return fmt.Errorf("checkpoint %d of the same epoch was begun: the number must be higher", e.seq)
		}
	}
	if err := s.untouched(m.entry()); err != nil {
		return err
	}
	if err := s.present(m); err != nil {
		return err
	}
	b, err := encodeRecord(m)
	if err != nil {
		return err
	}
	dir := s.path(m.entry().name())
	name := s.path(m.entry().name(), manifestName)
	if err := writeFile(s.fsys, name+temporary, true, b); err != nil {
		return err
	}
	if err := s.fsys.SyncDir(s.dir); err != nil { // the name of the checkpoint's directory
		return err
	}
	if err := s.fenced(m.Epoch, false); err != nil {
		return err
	}
	if err := s.fsys.Rename(name+temporary, name); err != nil {
		return err
	}
	if err := s.fsys.SyncDir(dir); err != nil {
		return err
	}
	return s.fenced(m.Epoch, true)
}

// fenced returns a *FencedError if there is a higher epoch.
func (s *Store) fenced(e Epoch, late bool) error {
	names, err := s.fsys.ReadDir(s.dir)
	if err != nil {
		return err
	}
	by := e
	for _, name := range names {
		if other, _, ok := parseEpoch(name); ok {
			by = max(by, other)
		}
	}
	if by > e {
		return &FencedError{Epoch: e, By: by, Late: late}
	}
	return nil
}

// blame adds to an error of an epoch that it is fenced, if it is: the successor
// may have swept our files away, which caused the error.
func (s *Store) blame(e Epoch, err error) error {
	var fenced *FencedError
	if !errors.As(err, &fenced) && errors.As(s.fenced(e, false), &fenced) {
		return fmt.Errorf("%w (%w)", fenced, err)
	}
	return err
}

// present returns an error unless every image of a manifest is there with its
// size.
func (s *Store) present(m *Manifest) error {
	for _, p := range m.Parts {
		name := s.path(m.entry().name(), p.File)
		f, size, err := s.fsys.Open(name)
		if err != nil {
			return fmt.Errorf("image of process %d: %w", p.Rank, err)
		}
		f.Close()
		if size != p.Size {
			return fmt.Errorf("image of process %d (%s): %w", p.Rank, name, sizeError(size, p.Size))
		}
	}
	return nil
}
