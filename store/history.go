package store

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// A State tells what has become of a checkpoint.
type State string

// The states of a checkpoint.
const (
	Committed  State = "committed"   // can be restored, if its images verify
	Void       State = "void"        // committed by an incarnation that had been superseded
	Unended    State = "unended"     // being written, or its writer died
	Damaged    State = "damaged"     // the manifest can't be read, or images are missing; what images hold is not looked at
	PassedOver State = "passed over" // committed, but a process could not go on from it: see [Checkpoint.PassOver]
)

// An Entry is one checkpoint in the history of a job.
type Entry struct {
	Seq      uint64    `json:"seq"`
	Epoch    Epoch     `json:"epoch"`
	State    State     `json:"state"`
	Manifest *Manifest `json:"manifest,omitempty"` // nil if unended or unreadable
	Err      error     `json:"-"`                  // what is damaged, or why it is passed over
}

// An Incarnation is one claim in the history of a job.
type Incarnation struct {
	Epoch   Epoch     `json:"epoch"`
	Owner   string    `json:"owner,omitempty"`
	Time    time.Time `json:"time"`
	Started bool      `json:"started"` // false: it is starting, or died before
	Base    uint64    `json:"base"`    // checkpoint that it started from
}

// History returns what lies in the directory, newest checkpoint first and
// newest incarnation first, without reading images.
func (s *Store) History() ([]Entry, []Incarnation, error) {
	v, err := s.look()
	if err != nil {
		return nil, nil, fmt.Errorf("look for checkpoints: %w", err)
	}
	var entries []Entry
	for _, e := range v.entries {
		h := Entry{Seq: e.seq, Epoch: e.epoch}
		m, err := s.manifest(e)
		if err == nil {
			h.Manifest = m
			err = s.present(m)
		}
		var passed *passedOverError
		if err == nil {
			passed, err = Checkpoint{*m, s}.passedOver()
		}
		switch {
		case h.Manifest == nil && isNotExist(err):
			h.State = Unended
		case v.void(e):
			h.State = Void
		case err != nil:
			h.State, h.Err = Damaged, err
		case passed != nil:
			h.State, h.Err = PassedOver, passed
		default:
			h.State = Committed
		}
		entries = append(entries, h)
	}
	var incarnations []Incarnation
	for _, e := range v.newestEpochs() {
		in := Incarnation{Epoch: e}
		var r claimRecord
		if b, err := readFile(s.fsys, s.path(claimName(e))); err == nil && decodeRecord(b, &r) == nil {
			in.Owner, in.Time = r.Owner, r.Time
		}
		if b, err := s.readBase(e); err == nil {
			in.Base, in.Started = b.Base, !b.Abandoned
		}
		incarnations = append(incarnations, in)
	}
	return entries, incarnations, nil
}
