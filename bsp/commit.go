package bsp

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/store"
)

// committing is what a process needs to commit a checkpoint together with the
// others of its job, while the program goes on.
type committing struct {
	store     *store.Store
	epoch     store.Epoch
	program   string // hash of the fingerprint
	seq       uint64
	superstep uint64
}

// partReport is what a process tells process 0 of its part.
type partReport struct {
	Part  store.Part
	Error string `json:",omitempty"`
}

// outcome is what process 0 tells the others of a checkpoint.
type outcome struct {
	Error string      `json:",omitempty"`
	By    store.Epoch `json:",omitempty"` // the epoch that fences this one off, if that is the reason
}

// commit writes the part of this process and returns when process 0 has
// committed the checkpoint, or why it has not: the same on all processes.
func (p *process) commit(c committing, write func(io.Writer) error) error {
	began := time.Now()
	part, err := c.store.WritePart(c.epoch, c.seq, p.rank, write)
	if p.rank != 0 {
		return p.awaitOutcome(c.seq, part, err)
	}
	m := store.Manifest{
		Seq: c.seq, Epoch: c.epoch, Superstep: c.superstep, Size: p.size, Program: c.program,
		Parts: []store.Part{part},
	}
	if err = p.gather(&m, err); err == nil {
		err = c.store.Commit(m)
	}
	if err == nil {
		p.tell(control.Committed{Seq: m.Seq, Bytes: m.Bytes(), Millis: time.Since(began).Milliseconds(), Superstep: m.Superstep})
	}
	p.announce(c.seq, err)
	return err
}

// gather collects the parts of all processes, on process 0. It waits for all
// of them even if the checkpoint has failed already.
func (p *process) gather(m *store.Manifest, err error) error {
	if err != nil {
		err = fmt.Errorf("process 0: %w", err)
	}
	for from := 1; from < p.size; from++ {
		r := p.parts.take(note{m.Seq, from})
		if r.Error != "" && err == nil {
			err = fmt.Errorf("process %d: %s", from, r.Error)
		}
		m.Parts = append(m.Parts, r.Part)
	}
	return err
}

// announce tells all processes what came of a checkpoint.
func (p *process) announce(seq uint64, err error) {
	o := outcome{Error: bounded(err)}
	var fenced *store.FencedError
	if errors.As(err, &fenced) {
		o.By = fenced.By
	}
	for to := 1; to < p.size; to++ {
		p.notify(to, verdictByte, seq, o)
	}
}

// awaitOutcome reports to process 0 and waits for its answer.
func (p *process) awaitOutcome(seq uint64, written store.Part, err error) error {
	p.notify(0, partByte, seq, partReport{Part: written, Error: bounded(err)})
	o := p.verdicts.take(note{seq, 0})
	switch {
	case o.By != 0:
		return &store.FencedError{Epoch: store.Epoch(p.job.Epoch), By: o.By}
	case o.Error != "":
		return errors.New(o.Error)
	}
	return nil
}

// bounded returns the text of an error, empty for nil, as long as a signal has room for.
func bounded(err error) string {
	if err == nil {
		return ""
	}
	const most = 8 << 10
	text := err.Error()
	return text[:min(len(text), most)]
}
