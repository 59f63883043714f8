package bsp

import (
	"fmt"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
)

// processStart is when this process began, as nearly as the library can know.
var processStart = time.Now()

func sinceStart() int64 { return time.Since(processStart).Milliseconds() }

// library is what package ckp saves and restores.
var library = &saved{st: new(state)}

// saved is the library as a part of the program's state.
type saved struct{ st *state }

// Name implements ckp.Stateful.
func (s *saved) Name() string { return "bsp" }

// State implements ckp.Stateful.
func (s *saved) State() any { return s.st }

// Restored implements ckp.Stateful: it connects the process with the others of
// its incarnation, and returns when all of them have restored the same
// checkpoint.
func (s *saved) Restored() error {
	if s.st.Size == 0 {
		return nil // the checkpoint was taken outside of Begin and End
	}
	job, err := place()
	if err != nil {
		return err
	}
	if job.Size != s.st.Size {
		return fmt.Errorf("bsp: the checkpoint is of a job of %d processes, this one has %d; start it with ckpgen run -n %d", s.st.Size, job.Size, s.st.Size)
	}
	p := newProcess(job, s.st)
	if err := p.connect(); err != nil {
		return fmt.Errorf("bsp: process %d: %w", job.Rank, err)
	}
	p.meet(s.st.Saved)
	current.Store(p)
	p.joinCheckpoints()
	p.tell(control.Restored{Seq: s.st.Saved, Millis: sinceStart(), Superstep: s.st.Superstep})
	return nil
}

// fresh returns the state of a process that begins.
func (s *saved) fresh(job control.Job) *state {
	*s.st = state{Size: job.Size, Saved: job.Restore}
	return s.st
}

// forget drops the state of a process that has ended.
func (s *saved) forget() { *s.st = state{} }
