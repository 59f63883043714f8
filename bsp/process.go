package bsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/ckpgen/ckpgen/bsp/transport"
	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/runtime/ckp/variables"
)

// process is this process as a member of its job: all that the library has and
// that is made anew in each incarnation.
type process struct {
	job        control.Job
	rank, size int
	mesh       transport.Mesh  // nil if the job is one process
	launcher   *control.Client // nil if there is none
	watch      *watch
	started    time.Time // when Begin would have been called without interruption

	st      *state
	dir     directory
	changes []change // of this superstep
	sites   sites
	links   []link
	news    []byte // changes, encoded for all
	spins   int
	saving  bool // Sync has begun a checkpoint that is not captured yet

	parts    *notes[partReport] // of the other processes, on process 0
	verdicts *notes[outcome]    // of process 0, on the others
}

// link is what is on its way to and from one process, this one included.
type link struct {
	header [headerSize]byte
	out    [sections][]byte // of this superstep, for the peer; changes are in process.news
	told   []bool           // by site: the peer knows its position
	asked  [][]byte         // destinations of the gets in out
	answer []byte           // what the peer's gets have read here

	parts   [][]byte   // of the last frame sent
	writing chan error // of a frame that is being written by a goroutine; nil if none is

	frame   []byte           // memory of in
	in      [sections][]byte // the peer's frame of this superstep
	read    header
	reply   []byte          // memory of values
	values  []byte          // what the gets in asked have read there
	known   map[site]string // the peer's positions
	ownNext []byte          // of the link to itself: memory for the next superstep's sends
}

// current is the process between Begin and End. BSPlib's functions have no
// handle of the library, so neither have these.
var current atomic.Pointer[process]

// ended is set by End.
var ended atomic.Bool

// running returns the process, or ends it with a message that names call if it
// is not between Begin and End. It must be called by the exported function itself.
func running(call string) *process {
	p := current.Load()
	if p == nil {
		outside(call)
	}
	return p
}

func newProcess(job control.Job, st *state) *process {
	p := &process{job: job, rank: job.Rank, size: job.Size, st: st, links: make([]link, job.Size), parts: newNotes[partReport](), verdicts: newNotes[outcome]()}
	p.started = time.Now().Add(-st.Elapsed)
	p.index()
	return p
}

// connectTime bounds how long the processes of a job may take to find each
// other. They start within moments; a busy machine may take longer.
const connectTime = 60 * time.Second

// place is the place of this process in its job: one process alone, unless the environment says
// otherwise. A program that was not rewritten keeps the variables until here; processes that it
// starts itself are not to find them.
func place() (control.Job, error) {
	job, ok, err := control.Environ()
	variables.Take()
	if err != nil {
		return job, err
	}
	if !ok {
		job.Size = 1
	}
	if job.Size > 1 && job.RunDir == "" {
		return job, fmt.Errorf("variable %s is not set although this process is one of %d: start it with ckpgen run", control.EnvRunDir, job.Size)
	}
	return job, nil
}

// connect joins the process with its launcher and its peers.
func (p *process) connect() error {
	p.watch = newWatch(p)
	if p.job.Control != "" {
		c, err := control.Dial(p.job)
		if err != nil {
			return err
		}
		p.launcher = c
		go p.watch.obey(c)
	}
	if p.size == 1 {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), connectTime,
		fmt.Errorf("none within %v", connectTime))
	defer cancel()
	m, err := transport.Sockets(ctx, p.job.RunDir, transport.Member{
		Job: p.job.RunDir, Rank: p.rank, Size: p.size, Epoch: p.job.Epoch,
	})
	if err != nil {
		return err
	}
	return p.attach(m)
}

// attach makes m the mesh of this process.
func (p *process) attach(m transport.Mesh) error {
	p.mesh = m
	p.spins = spinsFor(p.size)
	return p.watch.start()
}

// fail ends this process because it can't go on. The job is restarted if
// it has a launcher.
func (p *process) fail(err error) {
	text := fmt.Sprintf("bsp: process %d: %v", p.rank, err)
	if p.watch.leave() {
		fmt.Fprintln(os.Stderr, text)
		p.tell(control.Fatal{Text: text})
		os.Exit(1)
	}
	select {} // another goroutine is ending the process
}

// tell sends a message to the launcher, if there is one.
func (p *process) tell(m control.Message) {
	if p.launcher != nil {
		_ = p.launcher.Send(m) // its loss is noticed where it is listened to
	}
}

// lost is what happens to a process that needs a peer that is gone.
func (p *process) lost(err error) {
	var pe *transport.PeerError
	if errors.As(err, &pe) {
		p.watch.missed(pe.Rank, pe.Err)
	}
	p.fail(err)
}

func (p *process) damaged(from int) {
	p.fail(fmt.Errorf("the frame that process %d sent in superstep %d is damaged", from, p.st.Superstep))
}
