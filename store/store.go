package store

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
)

// An Epoch numbers the incarnations of a job, from 1.
type Epoch uint64

// Options of a store.
type Options struct {
	// Keep is the number of committed checkpoints to keep; 0 means 2. With 1
	// there is nothing to fall back to when the newest is damaged.
	Keep int
}

// A Store is the directory of one job. Its methods may be called at the same
// time from several goroutines and from several processes.
type Store struct {
	dir  string
	keep int
	fsys fileSystem

	bases sync.Map // the base records that were read, by epoch
}

// Open returns the store in a directory. Nothing is created before the first
// [Store.Claim] or [Store.Begin].
func Open(dir string, opt Options) (*Store, error) {
	if dir == "" {
		return nil, errors.New("store: the directory for checkpoints has an empty name")
	}
	if opt.Keep < 0 {
		return nil, errors.New("store: the number of checkpoints to keep is negative")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return open(abs, opt, osFS{}), nil
}

func open(dir string, opt Options, fsys fileSystem) *Store {
	if opt.Keep == 0 {
		opt.Keep = 2
	}
	return &Store{dir: dir, keep: opt.Keep, fsys: fsys}
}

// Dir returns the absolute path of the store.
func (s *Store) Dir() string { return s.dir }

func (s *Store) path(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// makeDir creates the directory of the store with its name on stable storage.
func (s *Store) makeDir() error {
	if err := s.fsys.MkdirAll(s.dir); err != nil {
		return err
	}
	return s.fsys.SyncDir(filepath.Dir(s.dir))
}

// A view is what the directory held when it was looked at.
type view struct {
	entries []entry          // newest first
	epochs  map[Epoch]*claim // all that are known
	highest Epoch            // of all epochs there is a trace of
	damage  []Damage         // in epoch records
	drafts  []string         // of base records
}

// look reads the directory. A missing one is empty.
func (s *Store) look() (*view, error) {
	names, err := s.fsys.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	v := &view{epochs: make(map[Epoch]*claim)}
	for _, name := range names {
		if e, ok := parseEntry(name); ok {
			v.entries = append(v.entries, e)
			v.highest = max(v.highest, e.epoch)
		}
		if e, base, ok := parseEpoch(name); ok {
			c := v.epochs[e]
			if c == nil {
				c = new(claim)
				v.epochs[e] = c
			}
			c.resolved = c.resolved || base
			v.highest = max(v.highest, e)
		}
		if _, ok := parseDraft(name); ok {
			v.drafts = append(v.drafts, name)
		}
	}
	slices.SortFunc(v.entries, func(a, b entry) int {
		if a.newer(b) {
			return -1
		}
		return 1
	})
	return v, s.readBases(v)
}

// newestEpochs returns the epochs that are known, newest first.
func (v *view) newestEpochs() []Epoch {
	list := slices.Sorted(maps.Keys(v.epochs))
	slices.Reverse(list)
	return list
}

// bound returns the highest sequence number that is valid for an epoch.
func (v *view) bound(e Epoch) uint64 {
	b := uint64(noBound)
	for later, c := range v.epochs {
		if later > e {
			b = min(b, c.bound())
		}
	}
	return b
}

// void reports whether a checkpoint counts for nothing. That is so, too, if the records of its
// epoch are gone and a higher epoch exists: they are there when a checkpoint is committed, and
// deleted only when the epoch has none, so this one was renamed into place long after it had been
// fenced.
func (v *view) void(e entry) bool {
	return e.seq > v.bound(e.epoch) || v.epochs[e.epoch] == nil && v.highest > e.epoch
}
