package bsp

import (
	"fmt"
	"runtime"
	"time"

	"github.com/ckpgen/ckpgen/bsp/transport"
	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// Sync ends the superstep: it waits until all processes have called it, and what
// they asked for in the superstep has happened on all when it returns. The
// package documentation has the order. A checkpoint, when one is due, is taken
// here.
//
//ckp:point
func Sync() {
	if ckp.Arrived() {
		return
	}
	p := running("Sync")
	d := p.superstep(exchange, p.sites.caller())
	if d == ckp.None {
		return
	}
	p.hold()
	if err := ckp.Begin(d); err != nil {
		p.refuse(err)
	}
}

// superstep ends a superstep with Sync or End and returns what process 0
// decided.
func (p *process) superstep(k kind, at site) ckp.Decision {
	st := p.st
	d, number := ckp.None, uint64(0)
	if p.rank == 0 && k == exchange {
		d, number = p.decide()
	}
	p.news = p.news[:0]
	for _, c := range p.changes {
		p.news = appendChange(p.news, c)
	}
	for i := 1; i < p.size; i++ {
		to := (p.rank + i) % p.size
		l := &p.links[to]
		l.out[changesSection] = p.news
		p.post(to, &header{kind: k, decision: uint8(d), number: number, tagSize: st.NextTag}, l.out[:]...)
	}
	p.keepOwn()
	for i := 1; i < p.size; i++ {
		from := (p.rank + p.size - i) % p.size
		h := p.receive(from, k, at)
		if from == 0 {
			d, number = ckp.Decision(h.decision), h.number
		}
	}
	p.agree(k, at)

	// All processes have called Sync: nobody computes, memory is still.
	for from := range p.links {
		p.learn(from)
		p.readGets(from)
	}
	p.swapAnswers()
	for from := range p.links {
		p.writeGets(from)
	}
	for from := range p.links {
		p.writePuts(from)
	}
	p.deliver()
	p.settle()
	st.TagSize = st.NextTag
	st.Superstep++

	for i := range p.links {
		p.settleLink(i)
	}
	if d != ckp.None {
		st.Saved = number
	}
	if p.launcher != nil {
		p.launcher.Progress(st.Superstep)
	}
	return d
}

// keepOwn hands over what this process sends itself. Messages are read while
// the next ones are being sent, so those have two buffers.
func (p *process) keepOwn() {
	l := &p.links[p.rank]
	l.in = l.out
	l.ownNext, l.out[sendsSection] = l.out[sendsSection], l.ownNext[:0]
}

// settleLink waits until what was sent is written and makes the buffers ready
// for the next superstep.
func (p *process) settleLink(i int) {
	l := &p.links[i]
	p.written(i)
	for s := range l.out {
		if i != p.rank || s != sendsSection {
			l.out[s] = l.out[s][:0]
		}
	}
	clear(l.asked) // let go of the user's slices
	l.asked = l.asked[:0]
}

// agree verifies what must be the same on all processes: with process 0,
// which compares itself with all.
func (p *process) agree(k kind, at site) {
	for from := range p.links {
		if from == p.rank || p.rank != 0 && from != 0 {
			continue
		}
		l := &p.links[from]
		text := p.differs(from, l.in[changesSection])
		if text == "" && l.read.tagSize != p.st.NextTag {
			text = fmt.Sprintf("process %d has set the tag size %d, process %d the tag size %d", p.rank, p.st.NextTag, from, l.read.tagSize)
		}
		if text == "" {
			continue
		}
		if p.rank == 0 {
			// The other one has found the same and ends the job; one
			// message is enough, if it comes.
			time.Sleep(2 * time.Second)
		}
		p.misuse(k.String(), at, "the processes have registered differently: %s", text)
	}
}

// swapAnswers sends and receives what gets have read, between those processes
// that have any.
func (p *process) swapAnswers() {
	for i := 1; i < p.size; i++ {
		to := (p.rank + i) % p.size
		if l := &p.links[to]; len(l.in[getsSection]) > 0 {
			p.post(to, &header{kind: answers}, nil, nil, nil, l.answer)
		}
	}
	own := &p.links[p.rank]
	own.values = own.answer
	for i := 1; i < p.size; i++ {
		from := (p.rank + p.size - i) % p.size
		l := &p.links[from]
		l.values = nil
		if len(l.asked) == 0 {
			continue
		}
		var in [sections][]byte
		l.reply, _ = p.fetch(from, l.reply, answers, 0, &in)
		l.values = in[putsSection]
	}
}

// post sends a frame, in a goroutine if it may have to wait for its receiver.
func (p *process) post(to int, h *header, out ...[]byte) {
	l := &p.links[to]
	p.written(to)
	h.rank, h.epoch, h.superstep = p.rank, p.job.Epoch, p.st.Superstep
	total := headerSize
	for i, s := range out {
		h.lengths[i] = len(s)
		total += len(s)
	}
	h.encode(&l.header)
	l.parts = append(append(l.parts[:0], l.header[:]), out...)
	if total > transport.SmallFrame {
		p.postLarge(to)
		return
	}
	if err := p.mesh.Send(to, l.parts...); err != nil {
		p.lost(err)
	}
}

// postLarge sends l.parts in a goroutine: the receiver may be doing the same.
func (p *process) postLarge(to int) {
	l := &p.links[to]
	done := make(chan error, 1)
	l.writing = done
	parts := l.parts
	go func() { done <- p.mesh.Send(to, parts...) }()
}

// written waits until the last frame for a process is on its way.
func (p *process) written(to int) {
	l := &p.links[to]
	if l.writing == nil {
		return
	}
	err := <-l.writing
	l.writing = nil
	if err != nil {
		p.lost(err)
	}
}

// receive waits for the frame of a process in this superstep.
func (p *process) receive(from int, want kind, at site) *header {
	l := &p.links[from]
	l.frame, l.read = p.fetch(from, l.frame, want, at, &l.in)
	return &l.read
}

// fetch waits for a frame of process from, which must be of kind want and of
// this superstep, and takes it apart.
func (p *process) fetch(from int, buf []byte, want kind, at site, into *[sections][]byte) ([]byte, header) {
	p.spin(from)
	frame, err := p.mesh.Receive(from, buf)
	if err != nil {
		p.lost(err)
	}
	var h header
	if !h.decode(frame, into) || h.rank != from || h.epoch != p.job.Epoch {
		p.damaged(from)
	}
	if h.kind != want {
		if want == exchange && h.kind == end || want == end && h.kind == exchange {
			p.misuse(want.String(), at, "process %d has called %v instead", from, h.kind)
		}
		p.fail(fmt.Errorf("process %d sent %v where %v was expected", from, h.kind, want))
	}
	if h.superstep != p.st.Superstep {
		p.fail(fmt.Errorf("process %d is in superstep %d, this process in superstep %d", from, h.superstep, p.st.Superstep))
	}
	return frame, h
}

// spin looks for a frame without giving up the processor, for a moment.
func (p *process) spin(from int) {
	for range p.spins {
		if p.mesh.Ready(from) {
			return
		}
	}
}

// spinsFor returns how often to look for a frame before blocking: for some
// 20 microseconds, if every process can have a processor of its own; if not,
// spinning would only keep the others from arriving.
func spinsFor(size int) int {
	if size > runtime.NumCPU() {
		return 0
	}
	return 60
}
