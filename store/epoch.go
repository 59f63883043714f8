package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"time"
)

// noBound is the base of an epoch that voids nothing.
const noBound = math.MaxUint64

// A claimRecord tells people whose incarnation it is. That its file exists is
// all that matters to the store.
type claimRecord struct {
	Format int       `json:"format"`
	Epoch  Epoch     `json:"epoch"`
	Owner  string    `json:"owner"`
	Time   time.Time `json:"time"`
}

// A baseRecord tells what an incarnation started from.
type baseRecord struct {
	Format    int    `json:"format"`
	Epoch     Epoch  `json:"epoch"`
	Base      uint64 `json:"base"`
	Abandoned bool   `json:"abandoned,omitempty"` // the claimant never came so far
	Nonce     uint64 `json:"nonce"`               // tells whose creation succeeded
}

// A claim is what is known of an epoch.
type claim struct {
	resolved bool        // the base record is there
	base     *baseRecord // nil if not there or unreadable
	inferred *uint64     // base from a manifest of the epoch, where the record is unreadable
}

func (c *claim) bound() uint64 {
	switch {
	case c.base != nil && c.base.Abandoned:
		return noBound
	case c.base != nil:
		return c.base.Base
	case c.inferred != nil:
		return *c.inferred
	}
	// Claimed but not yet resolved; or the record can't be read and the epoch
	// committed nothing, in which case what lower epochs have committed is
	// all there is.
	return noBound
}

// readBase reads a base record, which nobody changes after it was made.
func (s *Store) readBase(e Epoch) (*baseRecord, error) {
	if r, ok := s.bases.Load(e); ok {
		return r.(*baseRecord), nil
	}
	r, err := s.loadBase(e)
	if err == nil {
		s.bases.Store(e, r)
	}
	return r, err
}

// replaced returns an error if the base record of an epoch is not the one that was read first: the
// directory was deleted, and another job has begun in a new one, with the same epoch.
func (s *Store) replaced(e Epoch) error {
	r, err := s.loadBase(e)
	if err != nil {
		return nil // which is told by others
	}
	if known, _ := s.bases.LoadOrStore(e, r); known.(*baseRecord).Nonce != r.Nonce {
		return errReplaced
	}
	return nil
}

// loadBase reads a base record from the directory.
func (s *Store) loadBase(e Epoch) (*baseRecord, error) {
	b, err := readFile(s.fsys, s.path(baseName(e)))
	if err != nil {
		return nil, err
	}
	r := new(baseRecord)
	if err := decodeRecord(b, r); err != nil {
		return nil, contentError{err}
	}
	if err := checkFormat(r.Format); err != nil {
		return nil, err
	}
	if r.Epoch != e {
		return nil, contentError{fmt.Errorf("it belongs to epoch %d", r.Epoch)}
	}
	return r, nil
}

// readBases reads the base records that can matter: those of epochs higher than
// the lowest of any checkpoint.
func (s *Store) readBases(v *view) error {
	if len(v.entries) == 0 {
		return nil
	}
	lowest := v.entries[0].epoch
	for _, e := range v.entries {
		lowest = min(lowest, e.epoch)
	}
	for e, c := range v.epochs {
		if !c.resolved || e < lowest {
			continue
		}
		r, err := s.readBase(e)
		if err == nil {
			c.base = r
			continue
		}
		if !isDamage(err) {
			return err
		}
		started := false
		for _, en := range v.entries {
			if en.epoch != e {
				continue
			}
			started = true
			if m, err := s.manifest(en); err == nil {
				c.inferred = &m.Base
				break
			}
		}
		if started {
			v.damage = append(v.damage, Damage{Epoch: e, Rank: -1, File: s.path(baseName(e)), Err: err})
		} // else its writer died, where there are no hard links
	}
	return nil
}

// Claim makes the caller the newest incarnation of the job and returns its
// epoch. What it starts from is the newest intact checkpoint, which [Store.Newest]
// returns from now on until something is committed. owner is for people:
// host and process, say. Claim deletes what crashed attempts of earlier
// incarnations left behind.
//
// The error is a *[NoIntactError] if there are checkpoints and none can be
// used (no epoch is claimed then), and a *[FencedError] if another incarnation
// overtook this one.
func (s *Store) Claim(owner string) (Epoch, error) {
	e, _, _, err := s.Resume(owner)
	return e, err
}

// Resume does what [Store.Claim] does, and also returns the checkpoint that the
// incarnation starts from and what was passed over for it. If there is no
// checkpoint the first is the zero Checkpoint, with sequence number 0.
func (s *Store) Resume(owner string) (Epoch, Checkpoint, []Damage, error) {
	return s.claim(owner, false, nil)
}

// ResumeIf does what [Store.Resume] does, if accept returns nil for the checkpoint
// that the incarnation would start from (it is not asked if there is none). An
// error of accept is returned, and no epoch has been claimed then: a process
// that cannot go on from the checkpoint must not fence off one that can.
func (s *Store) ResumeIf(owner string, accept func(Checkpoint) error) (Epoch, Checkpoint, []Damage, error) {
	return s.claim(owner, false, accept)
}

// Fresh makes the caller the newest incarnation of the job as [Store.Claim] does,
// but one that starts from the beginning: all checkpoints become void, and are
// deleted when the incarnation commits its first.
func (s *Store) Fresh(owner string) (Epoch, error) {
	e, _, _, err := s.claim(owner, true, nil)
	return e, err
}

func (s *Store) claim(owner string, fresh bool, accept func(Checkpoint) error) (Epoch, Checkpoint, []Damage, error) {
	var refused error
	e, c, damage, err := s.tryClaim(owner, fresh, func(c Checkpoint) error {
		if accept != nil && c.Manifest.Seq > 0 {
			refused = accept(c)
		}
		return refused
	})
	var none *NoIntactError
	if err != nil && refused == nil && !errors.As(err, &none) {
		err = fmt.Errorf("checkpoints can't be kept in %s: %w", s.dir, err)
	}
	return e, c, damage, err
}

func (s *Store) tryClaim(owner string, fresh bool, accept func(Checkpoint) error) (Epoch, Checkpoint, []Damage, error) {
	if err := s.makeDir(); err != nil {
		return 0, Checkpoint{}, nil, err
	}
	// A claim that can't be resolved should not be made, so look before; the
	// second look below does not read again what this one has verified.
	verified := make(map[entry]bool)
	start := func() (*view, Checkpoint, []Damage, error) {
		if fresh {
			v, err := s.look()
			return v, Checkpoint{}, nil, err
		}
		v, c, damage, err := s.newest(verified)
		if errors.Is(err, ErrNoCheckpoint) {
			err = nil
		}
		return v, c, damage, err
	}
	v, c, damage, err := start()
	if err == nil {
		err = accept(c)
	}
	if err != nil {
		return 0, Checkpoint{}, damage, err
	}
	if e := c.Manifest.Epoch; c.Manifest.Seq > 0 && v.epochs[e] == nil {
		// Somebody has copied checkpoints without the records of epochs, or deleted these. As there
		// is no higher epoch, none was passed over; but without a record of its own the checkpoint
		// would become void with the claim, see view.void.
		if _, err := s.createClaim(e-1, owner); err != nil {
			return 0, Checkpoint{}, nil, err
		}
	}
	epoch, err := s.createClaim(v.highest, owner)
	if err != nil {
		return 0, Checkpoint{}, nil, err
	}
	c, damage, err = s.resolve(epoch, start)
	if err != nil {
		return 0, Checkpoint{}, nil, s.blame(epoch, err)
	}
	if v, err := s.look(); err == nil {
		s.sweep(v, epoch, 0)
	}
	return epoch, c, damage, nil
}

// createClaim creates the claim of the first free epoch above highest.
func (s *Store) createClaim(highest Epoch, owner string) (Epoch, error) {
	for epoch := highest + 1; ; epoch++ {
		if epoch == 0 {
			return 0, fmt.Errorf("there is no higher epoch than the one of %s or its checkpoints, which no job has reached: if the file was made by something else, remove it", claimName(highest))
		}
		b, err := encodeRecord(claimRecord{Format: FormatVersion, Epoch: epoch, Owner: owner, Time: time.Now().UTC().Round(time.Millisecond)})
		if err != nil {
			return 0, err
		}
		err = writeFile(s.fsys, s.path(claimName(epoch)), true, b)
		if err == nil {
			return epoch, s.fsys.SyncDir(s.dir)
		}
		if !errors.Is(err, fs.ErrExist) {
			return 0, err
		}
	}
}

// resolve creates the base record of an epoch that was just claimed. Commits of
// lower epochs that begin from here on are refused.
func (s *Store) resolve(epoch Epoch, start func() (*view, Checkpoint, []Damage, error)) (Checkpoint, []Damage, error) {
	// First resolve the claims of those that did not come to it.
	v, err := s.look()
	if err != nil {
		return Checkpoint{}, nil, err
	}
	for e, c := range v.epochs {
		if e < epoch && !c.resolved {
			if err := s.writeBase(epoch, baseRecord{Epoch: e, Abandoned: true}); err != nil && !errors.Is(err, fs.ErrExist) {
				return Checkpoint{}, nil, err
			}
		}
	}
	v, c, damage, err := start()
	if err != nil {
		return Checkpoint{}, nil, err
	}
	err = s.writeBase(epoch, baseRecord{Epoch: epoch, Base: c.Manifest.Seq})
	if errors.Is(err, fs.ErrExist) {
		err = &FencedError{Epoch: epoch, By: max(v.highest, epoch+1)}
	}
	return c, damage, err
}

// writeBase creates a base record, as the given epoch. An error that matches
// fs.ErrExist says that another was faster.
func (s *Store) writeBase(by Epoch, r baseRecord) error {
	r.Format = FormatVersion
	r.Nonce = rand.Uint64()
	b, err := encodeRecord(r)
	if err != nil {
		return err
	}
	name := s.path(baseName(r.Epoch))
	tmp := s.path(draftName(by, r.Nonce))
	if err := writeFile(s.fsys, tmp, true, b); err != nil {
		return err
	}
	err = s.fsys.Link(tmp, name)
	if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		// No hard links here.
		err = writeFile(s.fsys, name, true, b)
	}
	if errors.Is(err, fs.ErrExist) {
		// NFS may repeat a request whose answer was lost.
		if got, rerr := s.readBase(r.Epoch); rerr == nil && got.Nonce == r.Nonce {
			err = nil
		}
	}
	if rerr := s.fsys.Remove(tmp); err == nil {
		err = rerr
	}
	if err != nil {
		return err
	}
	return s.fsys.SyncDir(s.dir)
}
