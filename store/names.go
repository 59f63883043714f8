package store

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	manifestName = "manifest.json"
	temporary    = ".tmp" // suffix of what is being written
)

// An entry is the directory of a checkpoint, committed or not.
type entry struct {
	seq   uint64
	epoch Epoch
}

func (e entry) name() string { return fmt.Sprintf("ckpt-%08d.e%08d", e.seq, e.epoch) }

// newer orders checkpoints by age. Of two with the same number the one of the
// later incarnation is newer.
func (e entry) newer(f entry) bool {
	if e.seq != f.seq {
		return e.seq > f.seq
	}
	return e.epoch > f.epoch
}

func parseEntry(name string) (entry, bool) {
	seq, epoch, ok := strings.Cut(strings.TrimPrefix(name, "ckpt-"), ".e")
	if !ok {
		return entry{}, false
	}
	s, err1 := strconv.ParseUint(seq, 10, 64)
	n, err2 := strconv.ParseUint(epoch, 10, 64)
	e := entry{seq: s, epoch: Epoch(n)}
	return e, err1 == nil && err2 == nil && e.name() == name
}

// SeqOf returns the number of the checkpoint whose directory has the given name.
func SeqOf(name string) (uint64, error) {
	e, ok := parseEntry(name)
	if !ok {
		return 0, fmt.Errorf("%s is not the name of a checkpoint's directory", name)
	}
	return e.seq, nil
}

func claimName(e Epoch) string { return fmt.Sprintf("epoch-%08d.claim", e) }

func baseName(e Epoch) string { return fmt.Sprintf("epoch-%08d.base", e) }

// draftName is what a base record is written to first, by the given epoch.
func draftName(by Epoch, nonce uint64) string {
	return fmt.Sprintf("draft-%08d.%016x%s", by, nonce, temporary)
}

// parseDraft returns the epoch that writes a draft.
func parseDraft(name string) (Epoch, bool) {
	by, nonce, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, "draft-"), temporary), ".")
	e, err1 := strconv.ParseUint(by, 10, 64)
	n, err2 := strconv.ParseUint(nonce, 16, 64)
	return Epoch(e), err1 == nil && err2 == nil && draftName(Epoch(e), n) == name
}

func partName(rank int) string { return fmt.Sprintf("rank-%05d.img", rank) }

// parseEpoch returns the epoch that a claim or base record belongs to.
func parseEpoch(name string) (e Epoch, base, ok bool) {
	ext := filepath.Ext(name)
	digits := strings.TrimSuffix(strings.TrimPrefix(name, "epoch-"), ext)
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, false, false
	}
	e = Epoch(n)
	switch name {
	case claimName(e):
		return e, false, true
	case baseName(e):
		return e, true, true
	}
	return 0, false, false
}
