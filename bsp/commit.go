package bsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/store"
)

// committing is what a process needs to commit a checkpoint together with the
// others of its job.
type committing struct {
	store   *store.Store
	epoch   store.Epoch
	program string // hash of the fingerprint
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
	part, err := p.writePart(c, write)
	if p.rank != 0 {
		return p.awaitOutcome(part, err)
	}
	m := store.Manifest{
		Seq: p.st.Saved, Epoch: c.epoch, Superstep: p.st.Superstep, Size: p.size, Program: c.program,
		Parts: []store.Part{part},
	}
	if err = p.gather(&m, err); err == nil {
		err = c.store.Commit(m)
	}
	p.announce(err)
	if err == nil {
		p.tell(control.Committed{Seq: m.Seq, Bytes: m.Bytes(), Millis: time.Since(began).Milliseconds(), Superstep: m.Superstep})
	}
	return err
}

func (p *process) writePart(c committing, write func(io.Writer) error) (store.Part, error) {
	w, err := c.store.Begin(c.epoch, p.st.Saved, p.rank)
	if err != nil {
		return store.Part{}, err
	}
	if err := write(w); err != nil {
		w.Abort()
		return store.Part{}, err
	}
	return w.Close()
}

// gather collects the parts of all processes, on process 0. It waits for all
// of them even if the checkpoint has failed already.
func (p *process) gather(m *store.Manifest, err error) error {
	if err != nil {
		err = fmt.Errorf("process 0: %w", err)
	}
	for from := 1; from < p.size; from++ {
		var r partReport
		if uerr := json.Unmarshal(p.fetchText(from, part), &r); uerr != nil {
			p.damaged(from)
		}
		if r.Error != "" && err == nil {
			err = fmt.Errorf("process %d: %s", from, r.Error)
		}
		m.Parts = append(m.Parts, r.Part)
	}
	return err
}

// announce tells all processes what came of a checkpoint.
func (p *process) announce(err error) {
	var o outcome
	if err != nil {
		o.Error = err.Error()
	}
	var fenced *store.FencedError
	if errors.As(err, &fenced) {
		o.By = fenced.By
	}
	for to := 1; to < p.size; to++ {
		p.postText(to, verdict, o)
	}
	for to := 1; to < p.size; to++ {
		p.written(to)
	}
}

// awaitOutcome reports to process 0 and waits for its answer.
func (p *process) awaitOutcome(written store.Part, err error) error {
	r := partReport{Part: written}
	if err != nil {
		r.Error = err.Error()
	}
	p.postText(0, part, r)
	p.written(0)
	var o outcome
	if err := json.Unmarshal(p.fetchText(0, verdict), &o); err != nil {
		p.damaged(0)
	}
	switch {
	case o.By != 0:
		return &store.FencedError{Epoch: store.Epoch(p.job.Epoch), By: o.By}
	case o.Error != "":
		return errors.New(o.Error)
	}
	return nil
}

// postText sends a frame with v as JSON.
func (p *process) postText(to int, k kind, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		p.fail(err)
	}
	p.post(to, &header{kind: k, number: p.st.Saved}, b)
}

// fetchText waits for what postText sends.
func (p *process) fetchText(from int, k kind) []byte {
	var in [sections][]byte
	_, h := p.fetch(from, nil, k, 0, &in)
	if h.number != p.st.Saved {
		p.fail(fmt.Errorf("process %d saves checkpoint %d, this process checkpoint %d", from, h.number, p.st.Saved))
	}
	return in[0]
}
