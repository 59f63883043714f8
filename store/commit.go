package store

import (
	"errors"
	"fmt"
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
// came from one of the last steps; its number must not be used again, and the
// next attempt may succeed.
func (s *Store) Commit(m Manifest) error { return s.finish(m, false) }

// finish commits a checkpoint. unnamed tells that the names of the images are not on stable storage
// yet.
func (s *Store) finish(m Manifest, unnamed bool) error {
	v, err := s.commit(&m, unnamed)
	if err != nil {
		err = s.blame(m.Epoch, err)
		s.abandon(&m, err)
		return fmt.Errorf("commit checkpoint %d of epoch %d in %s: %w", m.Seq, m.Epoch, s.dir, err)
	}
	s.sweep(v, m.Epoch, m.Seq)
	return nil
}

// abandon deletes the images of a checkpoint that can't become one any more. The next commit would
// do so, but there may be none: because these images take the room that it needs, or as all fail
// for the same reason, and each leaves its own.
func (s *Store) abandon(m *Manifest, err error) {
	var fenced *FencedError
	if m.check() != nil || errors.As(err, &fenced) {
		return // it is for the later incarnation to judge
	}
	if _, err := s.manifest(m.entry()); isNotExist(err) { // it was not renamed
		s.remove(m.entry())
	}
}

// commit returns what the directory held afterwards.
func (s *Store) commit(m *Manifest, unnamed bool) (*view, error) {
	m.Format = FormatVersion
	if m.Time.IsZero() {
		m.Time = time.Now().UTC().Round(time.Millisecond)
	}
	m.Parts = slices.SortedFunc(slices.Values(m.Parts), func(a, b Part) int { return a.Rank - b.Rank })
	if err := m.check(); err != nil {
		return nil, err
	}
	v, err := s.look()
	if err != nil {
		return nil, err
	}
	if v.highest > m.Epoch {
		return nil, &FencedError{Epoch: m.Epoch, By: v.highest}
	}
	c := v.epochs[m.Epoch]
	if c == nil || !c.resolved {
		return nil, goneError(baseName(m.Epoch))
	}
	r := c.base
	if r == nil {
		if r, err = s.readBase(m.Epoch); err != nil {
			return nil, fmt.Errorf("record of epoch %d (%s): %w", m.Epoch, s.path(baseName(m.Epoch)), err)
		}
	}
	if r.Abandoned {
		return nil, fmt.Errorf("the epoch was given up")
	}
	m.Base = r.Base
	if m.Seq <= m.Base {
		return nil, fmt.Errorf("the incarnation started from checkpoint %d: the number must be higher", m.Base)
	}
	for _, e := range v.entries {
		if e.epoch == m.Epoch && e.seq > m.Seq {
			return nil, fmt.Errorf("checkpoint %d of the same epoch was begun: the number must be higher", e.seq)
		}
	}
	if err := s.untouched(m.entry()); err != nil {
		return nil, err
	}
	if err := s.present(m); err != nil {
		return nil, err
	}
	b, err := encodeRecord(m)
	if err != nil {
		return nil, err
	}
	dir := s.path(m.entry().name())
	name := s.path(m.entry().name(), manifestName)
	if err := writeFile(s.fsys, name+temporary, true, b); err != nil {
		return nil, err
	}
	if unnamed {
		if err := s.fsys.SyncDir(dir); err != nil {
			return nil, err
		}
	}
	if err := s.fenced(m.Epoch, false); err != nil {
		return nil, err
	}
	if err := s.replaced(m.Epoch); err != nil {
		return nil, err
	}
	if err := s.fsys.Rename(name+temporary, name); err != nil {
		return nil, err
	}
	if err := s.fsys.SyncDir(dir); err != nil {
		return nil, err
	}
	// The name of the checkpoint's directory. Without it the manifest is not there, and with it all
	// is, so it may come last.
	if err := s.fsys.SyncDir(s.dir); err != nil {
		return nil, err
	}
	if v, err = s.look(); err != nil {
		return nil, err
	}
	if v.highest > m.Epoch {
		return nil, &FencedError{Epoch: m.Epoch, By: v.highest, Late: true}
	}
	return v, nil
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
