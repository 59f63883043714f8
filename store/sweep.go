package store

import (
	"maps"
	"strings"
)

// remembered is how many epochs are remembered although they have no checkpoints: for the history.
const remembered = 16

// sweep deletes what will never be used again, as the incarnation with the
// given epoch, which has just committed the given checkpoint (0: has just been
// claimed):
//
//   - committed checkpoints beyond the newest Keep, except for those that these are
//     increments to, and, if Keep is not 1, for each image that the newest of all needs the newest that does not, but only after a
//     commit, so that never less is left than before;
//   - void checkpoints, likewise;
//   - what earlier attempts that were not committed left behind. Those of lower
//     epochs can't be committed any more, nor can those of this epoch with
//     lower numbers;
//   - records of epochs that say nothing about any checkpoint that is there, but for the last of them.
//
// It stops as soon as it sees a higher epoch: the judgment is then another's. What the directory
// holds was looked at after that. Errors are not reported. What could not be deleted now is tried
// again after the next commit.
func (s *Store) sweep(v *view, epoch Epoch, seq uint64) {
	kept := 0
	var alone map[entry]bool       // what the newest needs, and all others that are kept do as well
	needed := make(map[entry]bool) // by those that are kept
	for _, e := range v.entries {  // newest first
		if e.epoch > epoch || (e.epoch == epoch && (seq == 0 || e.seq > seq)) {
			continue
		}
		if kept >= s.keep && needed[e] {
			continue // and may be one of many: they are not read
		}
		m, err := s.manifest(e)
		if err != nil && !isDamage(err) {
			return
		}
		switch {
		case isNotExist(err): // not committed
		case seq == 0:
			continue
		case v.void(e):
		case err == nil && s.present(m) == nil && (kept < s.keep || s.keep > 1 && m.spares(alone)):
			if kept == 0 {
				alone = m.files()
			}
			own := m.files()
			maps.DeleteFunc(alone, func(f entry, _ bool) bool { return !own[f] })
			kept++
			m.need(needed)
			continue
		case kept < s.keep:
			continue // damaged: leave it for its owner to look at while it is recent
		}
		if s.fenced(epoch, false) != nil {
			return
		}
		s.remove(e)
	}
	for _, d := range v.drafts { // fenced, or dead
		if by, _ := parseDraft(d); by < epoch {
			s.fsys.Remove(s.path(d))
		}
	}
	if seq == 0 {
		s.removeEpochs(epoch)
	}
}

// need adds the checkpoints that the images of a checkpoint are increments to.
func (m *Manifest) need(needed map[entry]bool) {
	for _, p := range m.Parts {
		for _, seq := range p.Needs {
			needed[entry{seq, m.Epoch}] = true
		}
	}
}

// files returns the checkpoints that have an image which a checkpoint is made of, itself included.
func (m *Manifest) files() map[entry]bool {
	list := map[entry]bool{m.entry(): true}
	m.need(list)
	return list
}

// spares reports whether a checkpoint does without one of the given ones.
func (m *Manifest) spares(alone map[entry]bool) bool {
	own := m.files()
	for f := range alone {
		if !own[f] {
			return true
		}
	}
	return false
}

// removeEpochs deletes the records of epochs without checkpoints that void none which a later epoch
// does not void as well.
func (s *Store) removeEpochs(epoch Epoch) {
	v, err := s.look()
	if err != nil || v.highest > epoch {
		return
	}
	needed := make(map[Epoch]bool)
	for _, e := range v.entries {
		needed[e.epoch] = true
	}
	least := uint64(noBound) // of the epochs that stay
	for i, e := range v.newestEpochs() {
		c := v.epochs[e]
		switch {
		case needed[e], i < remembered, c.bound() < least:
			least = min(least, c.bound())
		default:
			s.fsys.Remove(s.path(baseName(e)))
			s.fsys.Remove(s.path(claimName(e)))
		}
	}
}

// remove deletes a checkpoint: first its manifest, so that it stops to exist
// before it is incomplete.
func (s *Store) remove(e entry) {
	dir := s.path(e.name())
	err := s.fsys.Remove(s.path(e.name(), manifestName))
	if err != nil && !isNotExist(err) {
		return
	}
	if err == nil && s.fsys.SyncDir(dir) != nil {
		return
	}
	names, err := s.fsys.ReadDir(dir)
	if err != nil {
		return
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "rank-") && !strings.HasPrefix(name, manifestName) && name != passedOverName {
			return // not ours: a person put it there
		}
		if s.fsys.Remove(s.path(e.name(), name)) != nil {
			return
		}
	}
	// If the name outlives a crash there is an attempt that was not committed, for the next sweep.
	s.fsys.Remove(dir)
}
